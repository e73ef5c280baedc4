/*
 * Readers: they look and never change anything.
 */
#include <string.h>

#include "sim/credit.h"
#include "sim/event.h"
#include "sim/fault.h"
#include "sim/inside.h"
#include "sim/link.h"
#include "sim/pfc.h"
#include "sim/qp.h"
#include "sim/stage.h"
#include "sim/transport.h"
#include "sim/work.h"
#include "sim/world.h"

sim_ps sim_now(const struct sim *s)
{
    return s->w->now;
}

sim_ps sim_done_at(const struct sim *s)
{
    return s->w->done_at;
}

enum sim_outcome sim_outcome(const struct sim *s)
{
    if (s->w->done_at != SIM_NEVER) {
        return SIM_DONE;
    }
    if (s->w->stalled) {
        return SIM_STALLED;
    }
    return s->w->memory_limit ? SIM_MEMORY_LIMIT : SIM_RUNNING;
}

sim_ps sim_next_event(const struct sim *s)
{
    const struct sim_event *first = sim_event_first(s);
    return first != NULL ? first->t : SIM_NEVER;
}

bool sim_quiet(const struct sim *s, bool *computing)
{
    if (computing != NULL) {
        *computing = s->w->computing > 0;
    }
    return s->w->data_in_flight == 0 && s->w->ready_flows == 0;
}

/* ---- what does not change -------------------------------------------------------------------- */

size_t sim_node_count(const struct sim *s)
{
    return s->config->node_count;
}

size_t sim_port_count(const struct sim *s)
{
    return s->config->port_count;
}

size_t sim_flow_count(const struct sim *s)
{
    return s->config->flow_count;
}

size_t sim_rank_count(const struct sim *s)
{
    return s->config->rank_count;
}

struct sim_node_info sim_node(const struct sim *s, uint32_t node)
{
    const struct sim_node_config *c = &s->config->nodes[node];
    return (struct sim_node_info){
        .name = c->name, .kind = c->kind, .first_port = c->first_port, .port_count = c->port_count
    };
}

bool sim_node_is_dead(const struct sim *s, uint32_t node)
{
    return s->nodes[node].dead;
}

struct sim_port_info sim_port(const struct sim *s, uint32_t port)
{
    const struct sim_port_config *c = &s->config->ports[port];
    return (struct sim_port_info){ .name = c->name,
                                   .node = c->node,
                                   .peer = c->peer,
                                   .kind = c->kind,
                                   .rate_bps = c->rate_bps,
                                   .delay_ps = c->delay };
}

struct sim_flow_info sim_flow(const struct sim *s, uint32_t flow)
{
    const struct sim_flow_config *c = &s->config->flows[flow];
    return (struct sim_flow_info){ .name = c->name,
                                   .src = c->src,
                                   .dst = c->dst,
                                   .port = c->port,
                                   .bytes = c->bytes,
                                   .messages = c->messages,
                                   .lead = c->lead,
                                   .pairs = c->pairs,
                                   .first_leg = c->first_leg,
                                   .staged = c->staged,
                                   .next_leg = c->next_leg,
                                   .permits = c->permits,
                                   .hash = c->hash };
}

uint32_t sim_rank_node(const struct sim *s, uint32_t rank)
{
    return s->config->hosts[rank];
}

uint32_t sim_find_node(const struct sim *s, const char *name)
{
    for (uint32_t n = 0; n < s->config->node_count; n++) {
        if (strcmp(s->config->nodes[n].name, name) == 0) {
            return n;
        }
    }
    return SIM_NONE;
}

uint32_t sim_find_port(const struct sim *s, const char *name)
{
    for (uint32_t p = 0; p < s->config->port_count; p++) {
        if (strcmp(s->config->ports[p].name, name) == 0) {
            return p;
        }
    }
    return SIM_NONE;
}

uint32_t sim_find_flow(const struct sim *s, const char *name)
{
    for (uint32_t f = 0; f < s->config->flow_count; f++) {
        if (strcmp(s->config->flows[f].name, name) == 0) {
            return f;
        }
    }
    return SIM_NONE;
}

const struct sim_scenario *sim_scenario_of(const struct sim *s)
{
    return &s->config->scenario;
}

uint64_t sim_seed(const struct sim *s)
{
    return s->config->seed;
}

sim_ps sim_slot_ps(const struct sim *s, uint32_t port)
{
    const struct sim_port_config *c = &s->config->ports[port];
    return sim_in_fabric(s, port)
               ? sim_bytes_ps(c, (int64_t)s->config->frame_max + s->config->wire.slot)
               : sim_bytes_ps(c, sim_inside_bytes(c->kind, s->config->wire.payload));
}

/* ---- ports and frames ------------------------------------------------------------------------ */

struct sim_held sim_port_held(const struct sim *s, uint32_t port)
{
    const struct sim_port_state *p = &s->ports[port];
    const struct sim_pg *pg = &p->classes[sim_class_place(SIM_PRIO_DATA)].in;
    bool in_switch =
        s->config->nodes[s->config->ports[port].node].kind == SIM_SWITCH && sim_in_fabric(s, port);
    return (struct sim_held){ .shared = pg->shared,
                              .headroom = pg->headroom,
                              .xoff = sim_pfc_xoff(s, port),
                              .xon = sim_pfc_xon(s, port),
                              .headroom_limit = p->headroom_limit,
                              .lossless = in_switch && sim_lossless(s, SIM_PRIO_DATA),
                              .pausing = sim_pfc_pausing(s, port, SIM_PRIO_DATA) };
}

static double mean_queue(const struct sim *s, const struct sim_port_state *p)
{
    if (s->w->now == 0) {
        return 0.0;
    }
    double sum = (double)p->sum_hi * 18446744073709551616.0 + (double)p->sum_lo;
    sum += (double)p->classes[sim_class_place(SIM_PRIO_DATA)].out.bytes *
           (double)(s->w->now - p->sum_at);
    return sum / (double)s->w->now;
}

struct sim_queue sim_port_queue(const struct sim *s, uint32_t port)
{
    const struct sim_port_state *p = &s->ports[port];
    const struct sim_egress *out = &p->classes[sim_class_place(SIM_PRIO_DATA)].out;
    bool lossless =
        sim_lossless(s, SIM_PRIO_DATA) || s->w->knobs.v[SIM_KNOB_FLOW_CONTROL] == SIM_FC_CREDITS;
    return (struct sim_queue){ .bytes = out->bytes,
                               .cap = lossless ? SIM_UNLIMITED : s->w->knobs.v[SIM_KNOB_QUEUE_CAP],
                               .paused = s->lanes[port].pause[SIM_PRIO_DATA].since != SIM_NEVER,
                               .held = p->held,
                               .down = p->down,
                               .max_bytes = p->max_bytes,
                               .mean_bytes = mean_queue(s, p),
                               .dropped = p->dropped };
}

sim_ps sim_port_busy_ps(const struct sim *s, uint32_t port)
{
    const struct sim_port_state *p = &s->ports[port];
    sim_ps rest = p->busy_until - s->w->now;
    return p->busy_total - (rest > 0 ? rest : 0);
}

sim_ps sim_port_paused_ps(const struct sim *s, uint32_t port)
{
    sim_ps sum = s->ports[port].paused_total;
    for (int prio = 0; prio < SIM_PRIO_COUNT; prio++) {
        const sim_ps since = s->lanes[port].pause[prio].since;
        sum = sim_ps_sum(sum, since != SIM_NEVER ? s->w->now - since : 0);
    }
    return sum;
}

/* `port`: that it is on its way out of; a NIC's queue holds answers that do not know it yet. */
static struct sim_frame frame_of(const struct sim *s, uint32_t packet, uint32_t port)
{
    const struct sim_packet *f = &s->packets[packet];
    return (struct sim_frame){ .kind = (enum sim_frame_kind)f->kind,
                               .flags = f->flags,
                               .flow = f->flow,
                               .psn = f->psn,
                               .attempt = f->attempt,
                               .port = port,
                               .bytes = port == SIM_NONE ? f->bytes : sim_frame_bytes(s, port, f),
                               .start = f->start,
                               .end = f->at };
}

static size_t list_frames(const struct sim *s, uint32_t port, const struct sim_fifo *fifo,
                          struct sim_frame *out, size_t cap)
{
    size_t n = 0;
    for (uint32_t i = fifo->head; i != SIM_NONE; i = s->packets[i].next, n++) {
        if (n < cap) {
            out[n] = frame_of(s, i, port);
        }
    }
    return n;
}

size_t sim_port_wire(const struct sim *s, uint32_t port, struct sim_frame *out, size_t cap)
{
    return list_frames(s, port, &s->ports[port].wire, out, cap);
}

size_t sim_port_waiting(const struct sim *s, uint32_t port, struct sim_frame *out, size_t cap)
{
    return list_frames(s, port, &s->ports[port].classes[sim_class_place(SIM_PRIO_DATA)].out.fifo,
                       out, cap);
}

bool sim_find_packet(const struct sim *s, uint32_t flow, uint64_t psn, uint32_t attempt,
                     struct sim_frame *out)
{
    uint32_t packet = sim_packet_find(s, flow, psn, attempt);
    if (packet == SIM_NONE) {
        return false;
    }
    *out = frame_of(s, packet, s->packets[packet].egress);
    return true;
}

bool sim_find_answer(const struct sim *s, enum sim_frame_kind kind, uint32_t flow, uint64_t psn,
                     struct sim_frame *out)
{
    for (uint64_t i = 0; i < s->w->packet_high; i++) {
        const struct sim_packet *f = &s->packets[i];
        if ((f->flags & (SIM_FLAG_POOL_FREE | SIM_FRAME_LOST)) == 0 && f->kind == (uint8_t)kind &&
            f->flow == flow && f->psn == psn) {
            *out = frame_of(s, (uint32_t)i, f->egress);
            return true;
        }
    }
    return false;
}

/* ---- flows ----------------------------------------------------------------------------------- */

struct sim_flow_state sim_flow_state(const struct sim *s, uint32_t flow)
{
    const struct sim_qp *qp = &s->qps[flow];
    struct sim_flow_state out = { .una = qp->una,
                                  .attempt = sim_qp_attempt(s, flow, qp->una),
                                  .next = qp->next,
                                  .end = qp->end,
                                  .expected = qp->expected,
                                  .gap = qp->nak_sent && !sim_transport_of(s)->keeps,
                                  .error = qp->error,
                                  .in_flight = qp->in_flight,
                                  .timer = qp->timer.deadline,
                                  .retries = qp->retries,
                                  .posted_bytes = qp->posted_bytes,
                                  .delivered_bytes = qp->delivered_bytes,
                                  .sent = qp->sent,
                                  .resent = qp->resent,
                                  .dropped = qp->dropped,
                                  .start = qp->start,
                                  .delivered_at = qp->delivered_at,
                                  .acked_at = qp->acked_at,
                                  .rto = sim_timeout_ps(s),
                                  .rate_bps = qp->cc.active ? qp->cc.rate : 0,
                                  .step_psn = qp->step_psn,
                                  .step_packets = sim_is_staged(s, flow) ? 0 : qp->step_packets };
    if (sim_transport_of(s)->state != NULL) {
        sim_transport_of(s)->state(s, flow, &out);
    }
    return out;
}

/* ---- ranks and training ---------------------------------------------------------------------- */

const char *sim_rank_state_word(enum sim_rank_state state)
{
    static const char *const words[SIM_RANK_STATE_COUNT] = {
#define X(id, word) [SIM_RANK_##id] = word,
        SIM_RANK_STATES(X)
#undef X
    };
    return words[state];
}

/* How much a queue pair says about its sender, for choosing one to show: gone wrong, then busy, then
 * waiting for ACKs. */
static int flow_rank(const struct sim *s, uint32_t flow)
{
    const struct sim_qp *qp = &s->qps[sim_stage_live(s, flow)];
    bool work = qp->next < qp->end;
    bool flying = qp->in_flight > 0;
    return qp->error                          ? 5
           : qp->nak_sent && (work || flying) ? 4
           : work                             ? 3
           : flying                           ? 2
           : qp->una < qp->end                ? 1
                                              : 0;
}

/* The queue pair that a party sends on now, or would send on next. */
static uint32_t sending_flow(const struct sim *s, uint32_t r)
{
    struct sim_op op;
    uint32_t best = SIM_NONE;
    if (sim_training_next(s, r, SIM_OP_SEND, &op)) {
        best = sim_training_flow(s, r, &op);
    }
    if (s->ranks[r].open == 0) {
        return best;
    }
    for (uint32_t i = s->config->own_first[r]; i < s->config->own_first[r + 1]; i++) {
        uint32_t f = s->config->own[i];
        if (best == SIM_NONE || flow_rank(s, f) > flow_rank(s, best)) {
            best = f;
        }
    }
    return best;
}

static bool nothing_comes(const struct sim_qp *qp)
{
    return qp->in_flight == 0 && qp->next == qp->end;
}

static enum sim_rank_state exchange_state(const struct sim *s, uint32_t out_flow, uint32_t in_flow,
                                          bool wants_more)
{
    const uint32_t live = sim_stage_live(s, out_flow);
    const struct sim_qp *out = &s->qps[live];
    const struct sim_port_state *nic = &s->ports[s->config->flows[live].port];
    bool has_work = out->next < out->end;
    if (out->error) {
        return SIM_RANK_DEAD;
    }
    if (has_work && ((nic->blocked >> SIM_PRIO_DATA & 1u) != 0)) {
        return SIM_RANK_PAUSED;
    }
    bool refuses = out->nak_sent && s->w->knobs.v[SIM_KNOB_TRANSPORT] != SIM_SELECTIVE;
    if (refuses && (has_work || out->in_flight > 0)) {
        return SIM_RANK_REFUSED;
    }
    if (has_work || out->in_flight > 0) {
        return SIM_RANK_EXCHANGES;
    }
    if (out->una < out->end) {
        return SIM_RANK_TIMER;
    }
    bool coming = in_flow != SIM_NONE && !nothing_comes(&s->qps[sim_stage_live(s, in_flow)]);
    return wants_more && !coming ? SIM_RANK_WAITS : SIM_RANK_EXCHANGES;
}

static enum sim_rank_state rank_state(const struct sim *s, uint32_t r, const struct sim_rank *rank)
{
    if (s->nodes[s->config->hosts[r]].dead || s->ranks[r].still > s->w->now) {
        return SIM_RANK_DEAD;
    }
    switch (s->ranks[r].phase) {
    case SIM_PHASE_IDLE:
    case SIM_PHASE_COMPUTE:
        break;
    case SIM_PHASE_BARRIER:
        return SIM_RANK_BARRIER;
    case SIM_PHASE_EXCHANGE:
        return rank->flow_out == SIM_NONE ? SIM_RANK_WAITS
                                          : exchange_state(s, rank->flow_out, rank->flow_in,
                                                           rank->rounds_done < rank->rounds);
    }
    return SIM_RANK_COMPUTES;
}

struct sim_rank sim_rank(const struct sim *s, uint32_t r)
{
    const struct sim_rank_data *data = &s->ranks[r];
    struct sim_op op;
    struct sim_rank rank = { .next = SIM_NONE,
                             .prev = SIM_NONE,
                             .flow_out = sending_flow(s, r),
                             .flow_in = SIM_NONE,
                             .rounds_sent = data->sent,
                             .rounds_done = data->received,
                             .rounds = data->expects,
                             .compute_end = data->compute_end,
                             .compute_total = data->compute_total };
    if (rank.flow_out != SIM_NONE) {
        rank.next = s->config->flows[rank.flow_out].dst_rank;
    }
    if (sim_training_waits(s, r, &op) || sim_training_next(s, r, SIM_OP_RECV, &op)) {
        uint32_t flow = sim_training_flow(s, r, &op);
        /* who waits to send waits for a clear-to-send from there */
        rank.flow_in =
            op.kind == SIM_OP_RECV ? sim_training_missing(s, flow) : s->config->flows[flow].permit;
        rank.prev = op.peer;
    }
    rank.state = rank_state(s, r, &rank);
    return rank;
}

int64_t sim_step_now(const struct sim *s)
{
    return s->w->step;
}

int64_t sim_steps_done(const struct sim *s)
{
    return s->w->steps_done;
}

int64_t sim_step_total(const struct sim *s)
{
    return s->config->steps;
}

struct sim_step sim_step(const struct sim *s, int64_t step)
{
    const struct sim_step_data *d = &s->steps[step - 1];
    return (struct sim_step){
        .start = d->start, .end = d->end, .compute = d->compute, .slowest = d->slowest
    };
}

size_t sim_collective_count(const struct sim *s)
{
    return (size_t)s->w->collectives;
}

struct sim_collective sim_collective(const struct sim *s, size_t index)
{
    return (struct sim_collective){ .start = s->collectives[index].start,
                                    .end = s->collectives[index].end };
}

int64_t sim_collective_bytes(const struct sim *s)
{
    return s->w->bucket_bytes;
}

const char *sim_collective_name(const struct sim *s)
{
    return s->config->plan.ops != NULL ? s->config->plan.ops->name : "none";
}

double sim_collective_bus_factor(const struct sim *s)
{
    const struct sim_plan *plan = &s->config->plan;
    return plan->ops == NULL
               ? 0.0
               : plan->ops->bus_factor * ((double)plan->ranks - 1.0) / (double)plan->ranks;
}

int64_t sim_bucket_count(const struct sim *s)
{
    return s->w->buckets;
}

/* ---- counters -------------------------------------------------------------------------------- */

static sim_ps starved_ps(const struct sim *s, uint32_t port)
{
    const struct sim_lanes *lanes = &s->lanes[port];
    sim_ps sum = lanes->starved_total;
    for (int vl = 0; vl < SIM_PRIO_COUNT; vl++) {
        sim_ps since = lanes->vl[vl].starved_since;
        sum = sim_ps_sum(sum, since != SIM_NEVER ? s->w->now - since : 0);
    }
    return sum;
}

struct sim_credit sim_port_credit(const struct sim *s, uint32_t port, uint32_t prio)
{
    const struct sim_vl *vl = &s->lanes[port].vl[prio];
    return (struct sim_credit){ .blocks = (int64_t)(vl->limit - vl->sent),
                                .held = s->lanes[s->config->ports[port].peer].vl[prio].held,
                                .buffer = sim_credit_buffer(s, s->config->ports[port].peer),
                                .starved = vl->starved_since != SIM_NEVER,
                                .starved_total = starved_ps(s, port) };
}

struct sim_counters sim_counters(const struct sim *s)
{
    struct sim_counters count = s->w->count;
    for (uint32_t p = 0; p < s->config->port_count; p++) {
        count.paused = sim_ps_sum(count.paused, sim_port_paused_ps(s, p));
        if (sim_in_fabric(s, p)) {
            count.starved = sim_ps_sum(count.starved, starved_ps(s, p));
        }
    }
    return count;
}

uint64_t sim_events(const struct sim *s)
{
    return s->w->count.events;
}

uint64_t sim_hops(const struct sim *s)
{
    return s->w->count.hops;
}

int64_t sim_knob(const struct sim *s, enum sim_knob knob)
{
    return s->w->knobs.v[knob];
}

const struct sim_knobs *sim_knobs(const struct sim *s)
{
    return &s->w->knobs;
}

int64_t sim_blocks_done(const struct sim *s)
{
    return s->w->blocks;
}

int64_t sim_timeout_ps(const struct sim *s)
{
    const int64_t *knob = s->w->knobs.v;
    if (knob[SIM_KNOB_TRANSPORT] == SIM_TCP) {
        return knob[SIM_KNOB_RTO_MIN]; /* at least: each flow has its own */
    }
    if (knob[SIM_KNOB_TRANSPORT] == SIM_SELECTIVE) {
        return knob[SIM_KNOB_RTO_HIGH]; /* a short tail has RTO_low */
    }
    return sim_rc_timeout(s);
}

int64_t sim_ack_every(const struct sim *s)
{
    const int64_t *knob = s->w->knobs.v;
    const int64_t every = knob[SIM_KNOB_ACK_EVERY];
    int64_t most = SIM_PSN_WINDOW - 1;
    if (knob[SIM_KNOB_TRANSPORT] == SIM_SELECTIVE) {
        const int64_t window = knob[SIM_KNOB_WINDOW];
        most = window < SIM_SELECTIVE_WINDOW ? window : SIM_SELECTIVE_WINDOW;
    }
    return every > 0 && every < most ? every : most;
}

struct sim_stall sim_stall(const struct sim *s)
{
    return s->w->stall;
}
