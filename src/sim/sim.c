#include "sim/sim.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "sim/cc.h"
#include "sim/config.h"
#include "sim/corrupt.h"
#include "sim/credit.h"
#include "sim/cut.h"
#include "sim/event.h"
#include "sim/fault.h"
#include "sim/host.h"
#include "sim/link.h"
#include "sim/outage.h"
#include "sim/pfc.h"
#include "sim/qp.h"
#include "sim/stall.h"
#include "sim/switch.h"
#include "sim/tape.h"
#include "sim/transport.h"
#include "sim/watch.h"
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

static void derive_credits(struct sim *s)
{
    s->w->credits = s->config->inside || s->w->knobs.v[SIM_KNOB_FLOW_CONTROL] == SIM_FC_CREDITS;
}

static void init_world(struct sim *s)
{
    const struct sim_config *c = s->config;
    const struct sim_timer off = { SIM_NEVER, SIM_NEVER };
    s->w->done_at = SIM_NEVER;
    s->w->knobs = c->scenario.knobs;
    derive_credits(s);
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
static void dispatch_other(struct sim *s, enum sim_event_kind kind, uint32_t comp, uint32_t prio)
{
    const struct sim_config *c = s->config;
    switch (kind) {
    case SIM_EV_ARRIVE:
    case SIM_EV_TX_DONE:
    case SIM_EV_PIPELINE:
        break; /* those come first: see dispatch() */
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

/* What happens to every frame comes first. */
static inline void dispatch(struct sim *s, struct sim_event e)
{
    const enum sim_event_kind kind = sim_event_kind(&e);
    const uint32_t comp = sim_event_component(&e);
    if (kind == SIM_EV_ARRIVE) {
        sim_port_arrive(s, comp);
    } else if (kind == SIM_EV_TX_DONE) {
        sim_port_tx_done(s, comp);
    } else if (kind == SIM_EV_PIPELINE) {
        sim_switch_pipeline(s, comp - s->config->port_count);
    } else {
        dispatch_other(s, kind, comp, sim_event_prio(&e));
    }
}

static void run_event(struct sim *s, struct sim_event e)
{
    sim_event_begin(s, e.t, e.order);
    s->w->count.events++;
    dispatch(s, e);
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

/* What happens to every frame, known by its place. */
static SIM_ALWAYS void run_own(struct sim *s, uint32_t place, bool is_large)
{
    const uint32_t ports = s->config->port_count;
    const sim_ps t = s->near[place].event.t;
    s->w->now = t;
    s->order = s->near[place].event.order;
    s->over = t - 1; /* what sim_event_begin() says of arrivals */
    s->w->count.events++;
    if (is_large) {
        fetch_next(s, s->near[place].next);
    }
    if (place < ports) {
        sim_port_arrive(s, place);
    } else if (place < 2 * ports) {
        s->over = t;
        sim_port_tx_done(s, place - ports);
    } else {
        sim_switch_pipeline(s, place - 2 * ports);
    }
}

/* The loop. Gives the time up to which it was to run in the end. */
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
            run_own(s, place, is_large);
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

static __attribute__((noinline)) sim_ps run_on(struct sim *s, uint64_t events, sim_ps until)
{
    return s->is_large ? run_loop(s, events, until, true) : run_loop(s, events, until, false);
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

/* ---- commands -------------------------------------------------------------------------------- */

static bool check_set(const struct sim *s, const struct sim_cmd *cmd, struct err *err)
{
    struct sim_knobs knobs = s->w->knobs;
    if (!sim_knob_check(cmd->knob, cmd->value, err)) {
        return false;
    }
    if (sim_knob_info(cmd->knob)->when == SIM_RESTART) {
        return err_set(err, ERR_STATE, "%s cannot change while a run goes on: it starts again",
                       sim_knob_info(cmd->knob)->name);
    }
    knobs.v[cmd->knob] = cmd->value;
    return sim_knobs_agree(&knobs, err);
}

static bool check_host(const struct sim *s, const char *name, uint32_t *port, struct err *err)
{
    uint32_t node = sim_find_node(s, name);
    if (node == SIM_NONE || s->config->nodes[node].kind == SIM_SWITCH) {
        return err_set(err, ERR_NAME, "there is no host \"%s\" in this fabric", name);
    }
    *port = s->config->nodes[node].first_port;
    return true;
}

/* The port by which a host, or the NIC of a box, can send PAUSE. */
static bool check_pauser(const struct sim *s, const char *name, uint32_t *port, struct err *err)
{
    const uint32_t n = sim_find_node(s, name);
    const struct sim_node_config *node = n == SIM_NONE ? NULL : &s->config->nodes[n];
    if (node == NULL || (node->kind == SIM_SWITCH && !node->inside)) {
        return err_set(err, ERR_NAME, "there is no host or NIC \"%s\" in this fabric", name);
    }
    for (uint32_t p = node->first_port; p < node->first_port + node->port_count; p++) {
        if (s->config->ports[p].kind == SIM_LINK_FABRIC) {
            *port = p;
            return true;
        }
    }
    return err_set(err, ERR_STATE,
                   "%s has no cable in the fabric, and inside a box nobody pauses; name its NIC",
                   name);
}

static bool check_cabled(const struct sim *s, uint32_t port, struct err *err)
{
    return s->config->ports[port].kind == SIM_LINK_FABRIC ||
           err_set(err, ERR_STATE, "%s has no cable to a switch of the fabric",
                   s->config->nodes[s->config->ports[port].node].name);
}

static bool check_losses(const struct sim *s, const char *name, struct err *err)
{
    const uint32_t flow = name[0] == '\0' ? SIM_NONE : sim_find_flow(s, name);
    if (name[0] != '\0' && flow == SIM_NONE) {
        return err_set(err, ERR_NAME, "there is no flow \"%s\" in this fabric", name);
    }
    if (flow != SIM_NONE && s->config->flows[flow].boxed) {
        return err_set(err, ERR_STATE,
                       "%s stays inside a box: PCIe and NVLink repair their losses themselves",
                       name);
    }
    const uint32_t leg = flow == SIM_NONE ? SIM_NONE : s->config->flows[flow].first_leg;
    return leg == SIM_NONE || err_set(err, ERR_STATE, "%s is staged: name one of its legs, %s ...",
                                      name, s->config->flows[leg].name);
}

static bool check_burst(const struct sim *s, const struct sim_cmd *cmd, struct err *err)
{
    const uint64_t una = cmd->flow[0] == '\0' ? 0 : s->qps[sim_find_flow(s, cmd->flow)].una;
    return cmd->psn == 0 || cmd->psn >= una ||
           err_set(err, ERR_STATE, "packet %s:%" PRIu64 " is past: it has arrived", cmd->flow,
                   cmd->psn);
}

static bool check_gpu(const struct sim *s, const char *name, uint32_t port, struct err *err)
{
    uint32_t host = s->config->nodes[s->config->ports[port].node].host_index;
    return host < s->config->rank_count ||
           err_set(err, ERR_NAME, "%s does not train: it has no GPU to slow down or stop", name);
}

/* A circle of waiters or a storm may be broken from outside; a queue pair that gave up stays so. */
static bool may_recover(const struct sim *s)
{
    return s->w->stall.reason == SIM_REASON_DEADLOCK || s->w->stall.reason == SIM_REASON_STORM;
}

bool sim_would_apply(const struct sim *s, const struct sim_cmd *cmd, struct err *err)
{
    struct sim_drop_target target;
    uint32_t port = 0;
    if ((s->w->stalled && !may_recover(s)) || s->w->memory_limit) {
        return err_set(err, ERR_STATE, "the run has ended: nothing can be changed any more");
    }
    switch (cmd->kind) {
    case SIM_CMD_SET:
        return check_set(s, cmd, err);
    case SIM_CMD_DROP:
        return sim_fault_aim(s, cmd, &target, err);
    case SIM_CMD_DROP_NTH:
    case SIM_CMD_LOSS:
    case SIM_CMD_LOSS_ACK:
    case SIM_CMD_DROP_ACK:
        return check_losses(s, cmd->flow, err);
    case SIM_CMD_BURST:
        return check_losses(s, cmd->flow, err) && check_burst(s, cmd, err);
    case SIM_CMD_HOLD:
    case SIM_CMD_SLOW:
    case SIM_CMD_KILL:
        return check_host(s, cmd->node, &port, err);
    case SIM_CMD_PAUSE:
    case SIM_CMD_STORM:
        return check_pauser(s, cmd->node, &port, err);
    case SIM_CMD_FLOOD:
        return check_host(s, cmd->node, &port, err) && check_cabled(s, port, err);
    case SIM_CMD_DROP_FRAME:
        return sim_fault_aim_frame(s, cmd, err) != SIM_NONE;
    case SIM_CMD_CORRUPT:
        return check_losses(s, cmd->flow, err) && sim_corrupt_can(s, err);
    case SIM_CMD_SLOW_GPU:
    case SIM_CMD_PAUSE_GPU:
        return check_host(s, cmd->node, &port, err) && check_gpu(s, cmd->node, port, err);
    case SIM_CMD_LINK:
        return sim_find_port(s, cmd->node) != SIM_NONE ||
               err_set(err, ERR_NAME, "there is no port \"%s\" in this fabric", cmd->node);
    }
    return false;
}

static void apply_set(struct sim *s, const struct sim_cmd *cmd)
{
    int64_t before = s->w->knobs.v[cmd->knob];
    s->w->knobs.v[cmd->knob] = cmd->value;
    derive_credits(s);
    struct sim_record rec = sim_record(SIM_TRACE_SET);
    rec.knob = (uint32_t)cmd->knob;
    rec.value = cmd->value;
    sim_record_add(s, rec);
    sim_pfc_derive(s);
    if (cmd->knob == SIM_KNOB_FLOW_CONTROL && before != cmd->value) {
        if (before == SIM_FC_PFC) {
            sim_pfc_switch_off(s);
        } else if (before == SIM_FC_CREDITS) {
            sim_credit_end(s);
        }
        if (cmd->value == SIM_FC_CREDITS) {
            sim_credit_begin(s, false);
        }
    }
    if (cmd->knob == SIM_KNOB_WATCHDOG) {
        sim_watch_off(s);
    }
    if (cmd->knob == SIM_KNOB_WATCHDOG || cmd->knob == SIM_KNOB_WATCHDOG_POLL) {
        sim_watch_arm(s);
    }
}

/* A fault that says where it is and how much. */
static void record_fault(struct sim *s, uint32_t port, int64_t value)
{
    struct sim_record rec = sim_record(SIM_TRACE_FAULT);
    rec.port = port;
    rec.value = value;
    sim_record_add(s, rec);
}

static void apply_hold(struct sim *s, const struct sim_cmd *cmd)
{
    uint32_t port = 0; /* the command was checked: there is one */
    (void)check_host(s, cmd->node, &port, NULL);
    const struct sim_node_config *host = &s->config->nodes[s->config->ports[port].node];
    for (uint32_t p = host->first_port; p < host->first_port + host->port_count; p++) {
        uint32_t toward = s->config->ports[p].peer;
        s->ports[toward].held = cmd->value != 0;
        sim_port_block(s, toward, SIM_PRIO_DATA);
        record_fault(s, toward, cmd->value);
        sim_port_kick(s, toward);
    }
}

static void apply_kill(struct sim *s, uint32_t port)
{
    uint32_t node = s->config->ports[port].node;
    uint32_t host = s->config->nodes[node].host_index;
    if (s->nodes[node].dead) {
        return;
    }
    s->nodes[node].dead = true;
    record_fault(s, port, 0);
    for (uint32_t p = s->config->nodes[node].first_port;
         p < s->config->nodes[node].first_port + s->config->nodes[node].port_count; p++) {
        s->ports[p].dead = true;
        sim_pfc_port_dies(s, p);
        sim_qp_port_dies(s, p);
    }
    if (host < s->config->party_count) {
        sim_training_dies(s, host);
    }
}

static void apply(struct sim *s, const struct sim_cmd *cmd)
{
    struct sim_drop_target target;
    uint32_t port = 0;
    switch (cmd->kind) {
    case SIM_CMD_SET:
        apply_set(s, cmd);
        break;
    case SIM_CMD_DROP:
        (void)sim_fault_aim(s, cmd, &target, NULL);
        sim_fault_drop(s, &target);
        break;
    case SIM_CMD_LOSS:
    case SIM_CMD_LOSS_ACK:
    case SIM_CMD_DROP_NTH:
    case SIM_CMD_DROP_ACK:
    case SIM_CMD_BURST:
        sim_fault_lose(s, cmd);
        break;
    case SIM_CMD_HOLD:
        apply_hold(s, cmd);
        break;
    case SIM_CMD_PAUSE:
        (void)check_pauser(s, cmd->node, &port, NULL);
        sim_pfc_send(s, port, SIM_PRIO_DATA, true);
        break;
    case SIM_CMD_STORM:
        (void)check_pauser(s, cmd->node, &port, NULL);
        record_fault(s, port, cmd->value);
        sim_pfc_storm(s, port, cmd->value == 2 ? 0xffu : (unsigned)cmd->value << SIM_PRIO_DATA);
        break;
    case SIM_CMD_FLOOD:
        (void)check_host(s, cmd->node, &port, NULL);
        record_fault(s, port, cmd->value);
        sim_outage_flood(s, s->config->ports[port].node, cmd->value != 0);
        break;
    case SIM_CMD_LINK:
        port = sim_find_port(s, cmd->node);
        record_fault(s, port, cmd->value);
        sim_outage_link(s, port, cmd->value != 0);
        break;
    case SIM_CMD_SLOW:
        (void)check_host(s, cmd->node, &port, NULL);
        s->nodes[s->config->ports[port].node].drain = cmd->value;
        record_fault(s, port, cmd->value);
        break;
    case SIM_CMD_SLOW_GPU:
        (void)check_host(s, cmd->node, &port, NULL);
        s->ranks[s->config->nodes[s->config->ports[port].node].host_index].slow = cmd->value;
        record_fault(s, port, cmd->value);
        break;
    case SIM_CMD_PAUSE_GPU:
        (void)check_host(s, cmd->node, &port, NULL);
        record_fault(s, port, cmd->value);
        sim_training_pause(s, s->config->nodes[s->config->ports[port].node].host_index, cmd->value);
        break;
    case SIM_CMD_DROP_FRAME:
        sim_fault_drop_frame(s, sim_fault_aim_frame(s, cmd, NULL));
        break;
    case SIM_CMD_CORRUPT:
        sim_corrupt_arm(s, sim_find_flow(s, cmd->flow), (enum sim_field)cmd->value);
        break;
    case SIM_CMD_KILL:
        (void)check_host(s, cmd->node, &port, NULL);
        apply_kill(s, port);
        break;
    }
}

bool sim_apply(struct sim *s, sim_ps at, const struct sim_cmd *cmd, struct err *err)
{
    if (at <= s->w->now) {
        return err_set(err, ERR_STATE, "a command for a time that is past");
    }
    if (at > SIM_END) {
        return err_set(err, ERR_RANGE, "a run ends after 80 days of its time");
    }
    (void)sim_run_until(s, at - 1, 0);
    if (s->w->stalled && may_recover(s) && sim_would_apply(s, cmd, NULL)) {
        s->w->stalled = false; /* the rest of the time until the command, in which nothing moves */
        s->w->stall_muted = true;
        (void)sim_run_until(s, at - 1, 0);
        s->w->stall_muted = false;
        s->w->stall = (struct sim_stall){ .flow = SIM_NONE };
        sim_stall_arm(s);
    }
    if (!sim_would_apply(s, cmd, err)) {
        return false;
    }
    s->w->now = at;
    sim_arena_reserve(s);
    apply(s, cmd);
    sim_event_turn(s);
    return true;
}
