#include "sim/watch.h"

#include "sim/event.h"
#include "sim/link.h"
#include "sim/switch.h"
#include "sim/transport.h"
#include "sim/world.h"

static enum sim_watchdog action(const struct sim *s)
{
    return (enum sim_watchdog)s->w->knobs.v[SIM_KNOB_WATCHDOG];
}

void sim_watch_arm(struct sim *s)
{
    const sim_ps poll = s->w->knobs.v[SIM_KNOB_WATCHDOG_POLL];
    const sim_ps next = (s->w->now / poll + 1) * poll;
    const bool pending = s->w->watch_at != 0 && s->w->watch_at <= next;
    if (action(s) == SIM_WATCHDOG_OFF || pending) {
        return;
    }
    s->w->watch_at = next; /* a look that was to come later is none any more */
    sim_event_push(s, next, SIM_CLASS_TIMER, sim_comp_port(0), SIM_EV_WATCH, 0);
}

bool sim_watch_drops(const struct sim *s, uint32_t in, uint32_t out, uint32_t prio)
{
    unsigned taken = (unsigned)s->ports[in].watch | s->ports[out].watch;
    return (taken >> prio & 1u) != 0 && action(s) == SIM_WATCHDOG_DROP;
}

static void take_over(struct sim *s, uint32_t port, uint32_t prio)
{
    struct sim_port_state *p = &s->ports[port];
    p->watch = (uint8_t)(p->watch | 1u << prio);
    s->w->watched++;
    s->w->count.watchdogs++;
    struct sim_record rec = sim_record(SIM_TRACE_WATCHDOG);
    rec.port = port;
    rec.value = s->w->now - s->lanes[port].pause[prio].since;
    sim_record_add(s, rec);
    sim_port_block(s, port, prio);
    if (action(s) == SIM_WATCHDOG_DROP) {
        sim_egress_discard(s, port, prio, SIM_REASON_WATCHDOG, true);
    }
    sim_port_kick(s, port);
}

static void give_back(struct sim *s, uint32_t port, uint32_t prio)
{
    struct sim_port_state *p = &s->ports[port];
    p->watch = (uint8_t)(p->watch & ~(1u << prio));
    s->w->watched--;
    sim_port_block(s, port, prio);
    sim_port_kick(s, port);
}

/* One port and class. True while it must be looked at again. */
static bool look(struct sim *s, uint32_t port, uint32_t prio)
{
    const struct sim_port_state *p = &s->ports[port];
    const struct sim_egress *out = &p->classes[sim_class_place(prio)].out;
    const sim_ps since = s->lanes[port].pause[prio].since;
    bool paused = since != SIM_NEVER;
    if (((unsigned)p->watch >> prio & 1u) == 0) {
        bool long_enough = paused && s->w->now - since >= s->w->knobs.v[SIM_KNOB_WATCHDOG_DETECT];
        if (long_enough && !sim_fifo_empty(&out->fifo)) {
            take_over(s, port, prio);
        }
        return paused;
    }
    sim_ps quiet = s->w->now - s->lanes[port].resumed_at[prio];
    if (!paused && quiet >= s->w->knobs.v[SIM_KNOB_WATCHDOG_RESTORE]) {
        give_back(s, port, prio);
        return false;
    }
    return true;
}

void sim_watch_poll(struct sim *s)
{
    const struct sim_config *c = s->config;
    bool again = false;
    if (s->w->watch_at != s->w->now) {
        return; /* superseded by an earlier one */
    }
    s->w->watch_at = 0;
    if (action(s) == SIM_WATCHDOG_OFF) {
        return;
    }
    for (uint32_t p = 0; p < c->port_count; p++) {
        const struct sim_node_config *node = &c->nodes[c->ports[p].node];
        bool is_switch = node->kind == SIM_SWITCH && !node->inside;
        for (uint32_t prio = 0; is_switch && prio < SIM_PRIO_COUNT; prio++) {
            again = look(s, p, prio) || again;
        }
    }
    if (again) {
        sim_watch_arm(s);
    }
}

void sim_watch_off(struct sim *s)
{
    for (uint32_t p = 0; p < s->config->port_count && s->w->watched > 0; p++) {
        for (uint32_t prio = 0; prio < SIM_PRIO_COUNT; prio++) {
            if (((unsigned)s->ports[p].watch >> prio & 1u) != 0) {
                give_back(s, p, prio);
            }
        }
    }
}
