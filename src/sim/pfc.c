#include "sim/pfc.h"

#include <stddef.h>

#include "sim/event.h"
#include "sim/link.h"
#include "sim/stall.h"
#include "sim/switch.h"
#include "sim/transport.h"
#include "sim/watch.h"
#include "sim/world.h"

/* Response time bounds of IEEE 802.3 annex 31B, in quanta, by rate (model 2.5). */
static const struct {
    int64_t rate_bps;
    int64_t quanta;
} response_bounds[] = {
    { INT64_C(10000000000), 60 },
    { INT64_C(25000000000), 80 },
    { INT64_C(40000000000), 118 },
    { INT64_C(50000000000), 147 },
    { INT64_C(100000000000), 394 },
    { INT64_C(200000000000), 453 },
    { INT64_MAX, 905 },
};

int64_t sim_pfc_xoff_share(const struct sim *s, uint32_t port)
{
    int64_t alpha = s->w->knobs.v[SIM_KNOB_ALPHA];
    uint32_t node = s->config->ports[port].node;
    if (s->config->nodes[node].kind != SIM_SWITCH || s->config->nodes[node].inside) {
        return s->w->knobs.v[SIM_KNOB_XOFF];
    }
    return sim_free_share(s, node, alpha);
}

int64_t sim_pfc_xon_below(const struct sim *s, int64_t xoff)
{
    const int64_t *knob = s->w->knobs.v;
    int64_t offset = knob[SIM_KNOB_XON_OFFSET];
    offset = offset == SIM_AUTO ? 2 * (int64_t)s->config->frame_max : offset;
    int64_t xon = knob[SIM_KNOB_XON] == SIM_AUTO ? xoff - offset : knob[SIM_KNOB_XON];
    return xon > 0 ? xon : 0;
}

int64_t sim_pfc_xon(const struct sim *s, uint32_t port)
{
    return sim_pfc_xon_below(s, sim_pfc_xoff(s, port));
}

static sim_ps response_of(const struct sim *s, const struct sim_port_config *port)
{
    sim_ps set = s->w->knobs.v[SIM_KNOB_PFC_RESPONSE];
    if (set != SIM_AUTO) {
        return set;
    }
    size_t i = 0;
    while (port->rate_bps > response_bounds[i].rate_bps) {
        i++;
    }
    return sim_bytes_ps(port, response_bounds[i].quanta * SIM_QUANTUM_BYTES);
}

/*
 * What can still come after XOFF was decided on this port, in bytes (model 2.5, "automatic"): the
 * frame that crossed the threshold and one cut by the pause, and the line's rate during: waiting for
 * a full frame in the other direction, the PFC frame, both ways of the cable, the response time.
 */
static int64_t headroom_of(const struct sim *s, uint32_t port)
{
    int64_t set = s->w->knobs.v[SIM_KNOB_HEADROOM];
    if (set != SIM_AUTO) {
        return set;
    }
    const struct sim_port_config *c = &s->config->ports[port];
    const struct sim_port_config *peer = &s->config->ports[c->peer];
    int64_t frame = s->config->frame_max;
    sim_ps wait = sim_bytes_ps(c, frame + s->config->wire.slot);
    sim_ps travel = sim_bytes_ps(c, SIM_PFC_BYTES + s->config->wire.before) + 2 * c->delay;
    sim_ps total = wait + travel + response_of(s, peer);
    sim_wide bytes = ((sim_wide)total * peer->tau_den + peer->tau_num - 1) / peer->tau_num;
    return 2 * frame + (int64_t)bytes;
}

void sim_pfc_derive(struct sim *s)
{
    const struct sim_config *c = s->config;
    int64_t lossless = 0;
    for (uint32_t prio = 0; prio < SIM_PRIO_COUNT; prio++) {
        lossless += sim_lossless(s, prio);
    }
    for (uint32_t n = 0; n < c->node_count; n++) {
        s->nodes[n].pool = s->w->knobs.v[SIM_KNOB_BUFFER];
    }
    for (uint32_t p = 0; p < c->port_count; p++) {
        s->ports[p].headroom_limit = headroom_of(s, p);
        s->ports[p].pfc_response = response_of(s, &c->ports[p]);
        int64_t *pool = &s->nodes[c->ports[p].node].pool;
        if (sim_in_fabric(s, p) &&
            *pool > INT64_MIN / 2) { /* less than nothing is left in any case */
            *pool -= lossless * s->ports[p].headroom_limit;
        }
    }
}

void sim_pfc_send(struct sim *s, uint32_t port, uint32_t prio, bool xoff)
{
    if (s->nodes[s->config->ports[port].node].dead) {
        return;
    }
    uint32_t packet = sim_packet_alloc(s);
    struct sim_packet *f = &s->packets[packet];
    f->kind = xoff ? SIM_FRAME_XOFF : SIM_FRAME_XON;
    f->prio = (uint8_t)prio;
    f->bytes = SIM_PFC_BYTES;
    f->psn = xoff ? SIM_QUANTA_MAX : 0;
    if (xoff) {
        s->w->count.xoff_frames++;
    } else {
        s->w->count.xon_frames++;
    }
    uint32_t peer = s->config->ports[port].peer;
    if (s->w->knobs.v[SIM_KNOB_PFC_TRAVEL] == SIM_PFC_INSTANT && !s->ports[port].down &&
        !s->nodes[s->config->ports[peer].node].dead) {
        sim_pfc_receive(s, peer, packet);
        return;
    }
    sim_port_settle(s, port);
    sim_fifo_push(s, &s->ports[port].pfc, packet);
    s->ports[port].pfc_waits = true;
    sim_port_kick(s, port);
}

static sim_ps pause_ps(const struct sim_port_config *port, int64_t quanta)
{
    return sim_bytes_ps(port, quanta * SIM_QUANTUM_BYTES);
}

/* While it holds too much, XOFF is repeated at half the time for which it is good. */
static void arm_refresh(struct sim *s, uint32_t port, uint32_t prio, bool on)
{
    const struct sim_port_config *c = &s->config->ports[port];
    sim_ps at = on ? s->w->now + pause_ps(c, SIM_QUANTA_MAX) / 2 : SIM_NEVER;
    sim_timer_set(s, &s->lanes[port].pause[prio].refresh, at, SIM_CLASS_TIMER, sim_comp_port(port),
                  SIM_EV_REFRESH, prio);
}

static void set_pausing(struct sim *s, uint32_t port, uint32_t prio, bool on)
{
    const uint32_t node = s->config->ports[port].node;
    const unsigned before = s->ports[port].pausing;
    const unsigned after = (before & ~(1u << prio)) | (unsigned)on << prio;
    s->ports[port].pausing = (uint8_t)after;
    s->nodes[node].pausing += after > before ? 1u : after < before ? UINT32_MAX : 0u;
    if (after > before) {
        sim_switch_watch(s, node);
    }
}

static void record_xoff(struct sim *s, enum sim_trace_kind kind, uint32_t port, uint32_t prio)
{
    const struct sim_pg *pg = &s->ports[port].classes[sim_class_place(prio)].in;
    struct sim_record rec = sim_record(kind);
    rec.port = port;
    rec.value = pg->shared + pg->headroom;
    sim_record_add(s, rec);
}

void sim_pfc_begin(struct sim *s, uint32_t port, uint32_t prio)
{
    set_pausing(s, port, prio, true);
    record_xoff(s, SIM_TRACE_XOFF, port, prio);
    arm_refresh(s, port, prio, true);
    sim_pfc_send(s, port, prio, true);
}

void sim_pfc_maybe_end(struct sim *s, uint32_t port, uint32_t prio)
{
    const struct sim_pg *pg = &s->ports[port].classes[sim_class_place(prio)].in;
    if (s->w->knobs.v[SIM_KNOB_ALPHA] != SIM_AUTO) { /* the threshold moves with what is free */
        sim_switch_settle(s, s->config->ports[port].node);
    }
    if (pg->headroom > 0 || pg->shared > sim_pfc_xon(s, port) ||
        ((unsigned)s->ports[port].storm >> prio & 1u) != 0) {
        return;
    }
    set_pausing(s, port, prio, false);
    record_xoff(s, SIM_TRACE_XON, port, prio);
    arm_refresh(s, port, prio, false);
    sim_pfc_send(s, port, prio, false);
}

void sim_pfc_storm(struct sim *s, uint32_t port, unsigned mask)
{
    struct sim_port_state *p = &s->ports[port];
    unsigned before = p->storm;
    for (uint32_t prio = 0; prio < SIM_PRIO_COUNT; prio++) {
        unsigned bit = 1u << prio;
        if (!sim_lossless(s, prio)) {
            mask &= ~bit;
        }
        if ((mask & bit) != 0 && !sim_pfc_pausing(s, port, prio)) {
            set_pausing(s, port, prio, true);
            record_xoff(s, SIM_TRACE_XOFF, port, prio);
            arm_refresh(s, port, prio, true);
            sim_pfc_send(s, port, prio, true);
        }
    }
    p->storm = (uint8_t)mask;
    for (uint32_t prio = 0; prio < SIM_PRIO_COUNT; prio++) {
        if (((before & ~mask) >> prio & 1u) != 0) {
            sim_pfc_released(s, port, prio);
        }
    }
}

void sim_pfc_refresh(struct sim *s, uint32_t port, uint32_t prio)
{
    if (!sim_timer_due(s, &s->lanes[port].pause[prio].refresh, SIM_CLASS_TIMER, sim_comp_port(port),
                       SIM_EV_REFRESH, prio)) {
        return;
    }
    arm_refresh(s, port, prio, true);
    sim_pfc_send(s, port, prio, true);
}

/* ---- the other end --------------------------------------------------------------------------- */

static void resume(struct sim *s, uint32_t port, uint32_t prio)
{
    struct sim_port_state *p = &s->ports[port];
    struct sim_pause *pause = &s->lanes[port].pause[prio];
    if (pause->since == SIM_NEVER) {
        return;
    }
    sim_port_settle(s, port);
    p->paused_total = sim_ps_sum(p->paused_total, s->w->now - pause->since);
    pause->since = SIM_NEVER;
    pause->until = 0;
    s->lanes[port].resumed_at[prio] = s->w->now;
    pause->end.deadline = SIM_NEVER;
    sim_port_block(s, port, prio);
    struct sim_record rec = sim_record(SIM_TRACE_RESUMED);
    rec.port = port;
    sim_record_add(s, rec);
    sim_port_kick(s, port);
}

static void stop(struct sim *s, uint32_t port, uint32_t prio, int64_t quanta)
{
    struct sim_pause *pause = &s->lanes[port].pause[prio];
    if (pause->since == SIM_NEVER) {
        sim_port_settle(s, port);
        pause->since = s->w->now;
        sim_port_block(s, port, prio);
        struct sim_record rec = sim_record(SIM_TRACE_PAUSED);
        rec.port = port;
        sim_record_add(s, rec);
        sim_stall_arm(s);
        sim_watch_arm(s);
    }
    /* a repeated XOFF refreshes the time, it does not add to it */
    pause->until = s->w->now + pause_ps(&s->config->ports[port], quanta);
    sim_timer_set(s, &pause->end, pause->until, SIM_CLASS_CONTROL, sim_comp_port(port),
                  SIM_EV_PAUSE_END, prio);
}

static void obey(struct sim *s, uint32_t port, uint32_t packet)
{
    const struct sim_packet f = s->packets[packet];
    sim_packet_free(s, packet);
    if ((f.flags & SIM_FRAME_LOST) != 0) {
        return;
    }
    if (f.kind == SIM_FRAME_XOFF) {
        stop(s, port, f.prio, (int64_t)f.psn);
    } else {
        resume(s, port, f.prio);
    }
}

void sim_pfc_receive(struct sim *s, uint32_t port, uint32_t packet)
{
    struct sim_port_state *p = &s->ports[port];
    if (!sim_lossless(s, s->packets[packet].prio)) {
        sim_packet_free(s, packet); /* a port without PFC does not know the frame */
        return;
    }
    if (p->pfc_response == 0 && sim_fifo_empty(&p->obey)) {
        obey(s, port, packet);
        return;
    }
    sim_ps at = s->w->now + p->pfc_response;
    if (!sim_fifo_empty(&p->obey) && s->packets[p->obey.tail].at > at) {
        at = s->packets[p->obey.tail]
                 .at; /* the response time was shortened in between: keep order */
    }
    s->packets[packet].at = at;
    sim_fifo_push(s, &p->obey, packet);
    if (!p->obey_event) {
        p->obey_event = true;
        sim_event_push(s, at, SIM_CLASS_CONTROL, sim_comp_port(port), SIM_EV_OBEY, 0);
    }
}

void sim_pfc_obey(struct sim *s, uint32_t port)
{
    struct sim_port_state *p = &s->ports[port];
    uint32_t packet = sim_fifo_pop(s, &p->obey);
    p->obey_event = false;
    if (!sim_fifo_empty(&p->obey)) {
        p->obey_event = true;
        sim_event_push(s, s->packets[p->obey.head].at, SIM_CLASS_CONTROL, sim_comp_port(port),
                       SIM_EV_OBEY, 0);
    }
    obey(s, port, packet);
}

void sim_pfc_pause_end(struct sim *s, uint32_t port, uint32_t prio)
{
    if (sim_timer_due(s, &s->lanes[port].pause[prio].end, SIM_CLASS_CONTROL, sim_comp_port(port),
                      SIM_EV_PAUSE_END, prio)) {
        resume(s, port, prio);
    }
}

void sim_pfc_forget(struct sim *s, uint32_t port)
{
    for (uint32_t prio = 0; prio < SIM_PRIO_COUNT; prio++) {
        resume(s, port, prio);
    }
}

/* PFC frames on their way say nothing any more. */
static void void_frames(struct sim *s, const struct sim_fifo *fifo)
{
    for (uint32_t i = fifo->head; i != SIM_NONE; i = s->packets[i].next) {
        if (s->packets[i].kind == SIM_FRAME_XOFF || s->packets[i].kind == SIM_FRAME_XON) {
            s->packets[i].flags |= SIM_FRAME_LOST;
        }
    }
}

void sim_pfc_port_dies(struct sim *s, uint32_t port)
{
    s->ports[port].storm = 0;
    for (uint32_t prio = 0; prio < SIM_PRIO_COUNT; prio++) {
        set_pausing(s, port, prio, false);
        arm_refresh(s, port, prio, false);
    }
}

void sim_pfc_switch_off(struct sim *s)
{
    for (uint32_t port = 0; port < s->config->port_count; port++) {
        struct sim_port_state *p = &s->ports[port];
        p->storm = 0;
        void_frames(s, &p->wire);
        void_frames(s, &p->obey);
        while (!sim_fifo_empty(&p->pfc)) {
            sim_packet_free(s, sim_fifo_pop(s, &p->pfc));
        }
        p->pfc_waits = false;
        for (uint32_t prio = 0; prio < SIM_PRIO_COUNT; prio++) {
            if (sim_pfc_pausing(s, port, prio)) {
                set_pausing(s, port, prio, false);
                arm_refresh(s, port, prio, false);
            }
        }
    }
    for (uint32_t port = 0; port < s->config->port_count; port++) {
        for (uint32_t prio = 0; prio < SIM_PRIO_COUNT; prio++) {
            resume(s, port, prio);
        }
    }
}
