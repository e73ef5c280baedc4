#include "sim/sim.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "sim/cc.h"
#include "sim/config.h"
#include "sim/credit.h"
#include "sim/cut.h"
#include "sim/event.h"
#include "sim/host.h"
#include "sim/link.h"
#include "sim/loop.h"
#include "sim/outage.h"
#include "sim/pfc.h"
#include "sim/qp.h"
#include "sim/stall.h"
#include "sim/switch.h"
#include "sim/tape.h"
#include "sim/transport.h"
#include "sim/watch.h"
#include "sim/window.h"
#include "sim/work.h"
#include "sim/world.h"

/* ---- life ------------------------------------------------------------------------------------ */

static void init_port(struct sim_port_state *p)
{
    const struct sim_fifo empty = { SIM_NONE, SIM_NONE };
    const struct sim_timer off = { SIM_NEVER, SIM_NEVER };
    p->wire = p->pfc = p->obey = empty;
    p->tx_from = SIM_NONE;
    p->headers = p->headers_tail = SIM_NONE;
    p->reroute = off;
    for (uint32_t prio = 0; prio < SIM_PRIO_COUNT; prio++) {
        p->classes[sim_class_place(prio)].out.fifo = empty;
    }
}

static void init_world(struct sim *s)
{
    const struct sim_config *c = s->config;
    const struct sim_timer off = { SIM_NEVER, SIM_NEVER };
    s->w->done_at = SIM_NEVER;
    s->w->knobs = c->scenario.knobs;
    sim_credit_derive(s);
    s->w->nth.flow = SIM_NONE;
    for (int of = 0; of < SIM_LOSSY_COUNT; of++) {
        s->w->loss[of].flow = s->w->burst[of].flow = SIM_NONE;
    }
    s->w->stall.flow = SIM_NONE;
    for (uint32_t n = 0; n < c->node_count; n++) {
        s->nodes[n].pipeline = (struct sim_fifo){ SIM_NONE, SIM_NONE };
        s->nodes[n].receive = (struct sim_fifo){ SIM_NONE, SIM_NONE };
        s->nodes[n].drain = UNIT_ONE;
    }
    for (uint32_t i = 0; i < c->nic_count; i++) {
        for (int prio = 0; prio < SIM_PRIO_COUNT; prio++) {
            s->nics[i].ready[prio] = (struct sim_fifo){ SIM_NONE, SIM_NONE };
        }
    }
    for (uint32_t p = 0; p < c->port_count; p++) {
        init_port(&s->ports[p]);
        for (int vl = 0; vl < SIM_PRIO_COUNT; vl++) {
            s->lanes[p].pause[vl].since = SIM_NEVER;
            s->lanes[p].pause[vl].end = s->lanes[p].pause[vl].refresh = off;
            s->lanes[p].vl[vl].told_at = -UNIT_S;
            s->lanes[p].vl[vl].starved_since = SIM_NEVER;
            s->lanes[p].vl[vl].lifetime = off;
        }
    }
    for (uint32_t f = 0; f < c->flow_count; f++) {
        struct sim_qp *qp = &s->qps[f];
        qp->recent = qp->messages = qp->messages_tail = qp->rewinds = SIM_NONE;
        qp->ready_next = SIM_NONE;
        qp->timer = (struct sim_timer){ SIM_NEVER, SIM_NEVER };
        qp->start = qp->delivered_at = qp->acked_at = SIM_NEVER;
        sim_cc_init(s, f);
        if (sim_transport_of(s)->init != NULL) {
            sim_transport_of(s)->init(s, f);
        }
    }
    sim_pfc_derive(s);
    if (s->w->credits) {
        sim_credit_begin(s, true);
    }
}

struct sim *sim_create(const struct sim_scenario *sc, uint64_t seed, struct err *err)
{
    struct sim_config *config = sim_config_create(sc, seed, err);
    if (config == NULL) {
        return NULL;
    }
    if (!sim_arena_fits(config, err)) {
        sim_config_release(config);
        return NULL;
    }
    struct sim *s = mem_alloc(1, sizeof *s);
    s->config = config;
    s->ways_of = -1;
    s->trace = sim_trace_create();
    sim_arena_create(s);
    init_world(s);
    sim_work_begin(s);
    sim_event_turn(s);
    return s;
}

void sim_destroy(struct sim *s)
{
    if (s == NULL) {
        return;
    }
    sim_window_destroy(s);
    sim_config_release(s->config);
    sim_trace_destroy(s->trace);
    sim_tape_destroy(s->tape);
    free(s->block);
    free(s->ways);
    free(s);
}

struct sim *sim_fork(const struct sim *s)
{
    struct sim *fork = mem_alloc(1, sizeof *fork);
    fork->config = s->config;
    fork->ways_of = -1;
    fork->config->refs++;
    fork->trace = sim_trace_create();
    size_t size = sim_state_size(s);
    void *state = mem_alloc(size, 1);
    sim_state_save(s, state);
    sim_arena_create(fork);
    sim_state_load(fork, state);
    free(state);
    return fork;
}

/* ---- running --------------------------------------------------------------------------------- */

/* Somebody looks at everything. */
static void look_for_stall(struct sim *s)
{
    const bool unseen = s->unseen;
    const bool plain = s->plain;
    const bool late = s->late;
    sim_slots_end(s);
    sim_stall_look(s);
    s->unseen = unseen;
    s->plain = plain;
    s->late = late;
}

/* What happens seldom, or not in every fabric. */
void sim_dispatch_other(struct sim *s, enum sim_event_kind kind, uint32_t comp, uint32_t prio)
{
    const struct sim_config *c = s->config;
    switch (kind) {
    case SIM_EV_ARRIVE:
    case SIM_EV_TX_DONE:
    case SIM_EV_PIPELINE:
        break; /* those come first: see sim_run_other() */
    case SIM_EV_OBEY:
        sim_pfc_obey(s, comp);
        break;
    case SIM_EV_PAUSE_END:
        sim_pfc_pause_end(s, comp, prio);
        break;
    case SIM_EV_REFRESH:
        sim_pfc_refresh(s, comp, prio);
        break;
    case SIM_EV_ACK_TIMER:
        sim_qp_timeout(s, comp - sim_comp_flow(c, 0));
        break;
    case SIM_EV_FLOW:
        sim_work_flow(s, comp - sim_comp_flow(c, 0));
        break;
    case SIM_EV_HEADER:
        sim_cut_header(s, comp);
        break;
    case SIM_EV_RECEIVER:
        sim_transport_of(s)->waited(s, comp - sim_comp_flow(c, 0));
        break;
    case SIM_EV_PACE:
        sim_cc_pace(s, comp - sim_comp_flow(c, 0));
        break;
    case SIM_EV_CC_ALPHA:
        sim_cc_forget(s, comp - sim_comp_flow(c, 0));
        break;
    case SIM_EV_CC_CUT:
        sim_cc_cut(s, comp - sim_comp_flow(c, 0));
        break;
    case SIM_EV_CC_RAISE:
        sim_cc_raise(s, comp - sim_comp_flow(c, 0));
        break;
    case SIM_EV_CREDIT:
        s->lanes[comp].vl[prio].tell_event = false;
        sim_credit_tell(s, comp, prio);
        break;
    case SIM_EV_RESYNC:
        sim_credit_resync(s, comp, prio);
        break;
    case SIM_EV_LIFETIME:
        sim_credit_lifetime(s, comp, prio);
        break;
    case SIM_EV_REROUTE:
        sim_outage_reroute(s, comp);
        break;
    case SIM_EV_WATCH:
        sim_watch_poll(s);
        break;
    case SIM_EV_STALL:
        look_for_stall(s);
        break;
    case SIM_EV_DRAIN:
        sim_host_drain(s, comp - c->port_count);
        break;
    case SIM_EV_COMPUTED:
        sim_training_computed(s, comp - sim_comp_rank(c, 0));
        break;
    }
}

static void run_event(struct sim *s, struct sim_event e)
{
    sim_run_other(s, e);
    sim_event_turn(s);
}

bool sim_run_one(struct sim *s)
{
    struct sim_event e;
    if (s->w->stalled || s->w->memory_limit || !sim_event_take(s, SIM_NEVER, &e)) {
        return false;
    }
    sim_arena_reserve(s);
    run_event(s, e);
    return true;
}

enum sim_stopped sim_run_until(struct sim *s, sim_ps until, uint32_t stop_kinds)
{
    return sim_run_events(s, UINT64_MAX, until, stop_kinds);
}

/* Those that end unseen up to here, when all events have been executed, or up to the one at hand. */
static void end_slots(struct sim *s, sim_ps until)
{
    if (!s->stop_hit && !s->w->stalled && !s->w->memory_limit) {
        const sim_ps now = s->w->now;
        sim_event_begin(s, until > now ? until : now, UINT64_MAX);
        const sim_ps last = sim_slots_settle(s);
        s->w->now = last > now ? last : now;
    }
    sim_slots_end(s);
    sim_event_turn(s);
}

/* In a fabric that is larger than a cache what the next two events are about is fetched while this one
 * happens: the port of the second, and of the first, whose port has come by now, its frame. */
static SIM_ALWAYS void fetch_next(const struct sim *s, uint32_t place)
{
    const uint32_t ports = s->config->port_count;
    if (place >= 2 * ports) {
        return;
    }
    const uint32_t first = place < ports ? place : place - ports;
    __builtin_prefetch(&s->packets[s->ports[first].wire.head]);
    place = s->near[place].next;
    if (place < 2 * ports) {
        const uint32_t second = place < ports ? place : place - ports;
        __builtin_prefetch(&s->ports[second]);
        __builtin_prefetch(&s->cables[second]);
    }
}

/* The loop, in the order of time. Gives the time up to which it was to run in the end. */
static SIM_ALWAYS sim_ps run_loop(struct sim *s, uint64_t events, sim_ps until, bool is_large)
{
    struct sim_event e;
    for (;;) {
        if (s->attention != 0) {
            if (s->halt) {
                break;
            }
            sim_arena_grow(s);
        }
        const uint32_t place = sim_event_take_own(s, until);
        if (place != SIM_NONE) {
            if (is_large) {
                fetch_next(s, s->near[place].next);
            }
            sim_run_own(s, place);
        } else if (sim_event_take(s, until, &e)) {
            run_event(s, e);
        } else {
            break;
        }
        if (--events == 0) {
            until = s->w->now;
        }
    }
    return until;
}

/* Node by node as far as that goes, and what is between in the order of time. */
static __attribute__((noinline)) sim_ps run_large(struct sim *s, uint64_t events, sim_ps until)
{
    for (;;) {
        const uint64_t common = sim_window_sweep(s, &events, until);
        if (common >= events) {
            return run_loop(s, events, until, true);
        }
        (void)run_loop(s, common, until, true);
        events -= common;
    }
}

static __attribute__((noinline)) sim_ps run_on(struct sim *s, uint64_t events, sim_ps until)
{
    return s->is_large ? run_large(s, events, until) : run_loop(s, events, until, false);
}

enum sim_stopped sim_run_events(struct sim *s, uint64_t events, sim_ps until, uint32_t stop_kinds)
{
    const sim_ps asked = until;
    s->stop_kinds = stop_kinds;
    s->stop_hit = false;
    s->halt = s->w->stalled || s->w->memory_limit;
    until = until < SIM_END ? until : SIM_END;
    sim_ways_begin(s);
    sim_slots_begin(s);
    sim_window_begin(s);
    until = run_on(s, events, until);
    if (s->stop_hit) {
        end_slots(s, s->w->now);
        return SIM_AT_TRACE;
    }
    end_slots(s, until);
    if (!s->w->stalled && s->w->event_count == 0 && s->w->done_at == SIM_NEVER) {
        sim_stall_set(s, SIM_REASON_STARVED, SIM_NONE);
    }
    if (s->w->stalled || s->w->memory_limit) {
        return SIM_AT_END;
    }
    if (asked != SIM_NEVER && until > s->w->now) {
        s->w->now = until;
    }
    if (asked > SIM_END && until == SIM_END && (asked != SIM_NEVER || s->w->event_count > 0)) {
        return SIM_AT_END;
    }
    return SIM_AT_TIME;
}
