/*
 * The training loop: every rank computes, all exchange gradients by the plan of the collective, all
 * meet at the barrier, again.
 *
 *     IDLE -> COMPUTE -> EXCHANGE -> BARRIER -> (all there) -> COMPUTE of the next step ...
 *
 * Gradients go out in buckets, one after another: a party begins a bucket when it has computed it
 * and has finished the one before. With overlap the buckets become ready during the backward pass,
 * the last share of the compute time, so a rank may exchange while it still computes.
 *
 * A party works through the lanes of its program (sim/collective.h). A message that comes before its
 * receiver has got to it waits, counted in `arrived` of its (first) queue pair; it counts from when it
 * is received, or with round_trigger acked from when its sender has the last ACK of it. With admission
 * a SEND needs a clear-to-send: the receiver gives one for each of the next `admission` RECVs of a
 * lane, over a queue pair of their own.
 *
 * A GPU that is paused does nothing of its own until then: what it computes ends so much later, it begins
 * no message and does not come to the barrier. Its NIC sends and acknowledges what was posted before.
 *
 * A rank is done when it has received all and all it sent is acknowledged: until then its memory is
 * not its own again. Parameter servers are parties, too, but neither compute nor meet at the barrier.
 */
#include "base/rng.h"
#include "sim/event.h"
#include "sim/link.h"
#include "sim/qp.h"
#include "sim/stage.h"
#include "sim/transport.h"
#include "sim/work.h"
#include "sim/world.h"

enum { CTS_BYTES = 64 }; /* payload of a clear-to-send: address, key, size */

/* No compute phase ends later, whatever is asked for: 53 days, half of what a time can hold. */
#define LATEST (SIM_NEVER / 2)

static const struct sim_order *order_of(const struct sim *s)
{
    return &s->config->orders[s->w->order];
}

static uint32_t position_of(const struct sim *s, uint32_t party)
{
    return order_of(s)->position[party];
}

static bool is_rank(const struct sim *s, uint32_t party)
{
    return party < s->config->rank_count;
}

static int64_t bucket_bytes(const struct sim *s, int64_t bucket)
{
    int64_t left = s->w->bytes - bucket * s->w->bucket_bytes;
    return left < s->w->bucket_bytes ? left : s->w->bucket_bytes;
}

static int64_t lane_length(const struct sim *s, uint32_t party, uint32_t lane)
{
    return sim_plan_length(&s->config->plan, position_of(s, party), lane);
}

/* An operation of a party in a bucket; its peer is a party, too. */
static struct sim_op operation(const struct sim *s, uint32_t party, int64_t bucket, uint32_t lane,
                               int64_t index)
{
    struct sim_op op =
        sim_plan_op(&s->config->plan, bucket_bytes(s, bucket), position_of(s, party), lane, index);
    op.peer = order_of(s)->party[op.peer];
    return op;
}

uint32_t sim_training_flow(const struct sim *s, uint32_t party, const struct sim_op *op)
{
    bool send = op->kind == SIM_OP_SEND;
    return sim_flow_between(s->config, send ? party : op->peer, send ? op->peer : party,
                            op->channel);
}

/* ---- a step begins --------------------------------------------------------------------------- */

/* A message in each bucket: of `bytes` in `full` of them, then one of `rest`. */
static void count_send(struct sim *s, uint32_t lead, int64_t full, int64_t bytes, int64_t rest)
{
    const uint32_t pairs = s->config->flows[lead].pairs;
    for (uint32_t k = 0; k < pairs; k++) {
        const int64_t part = sim_part_bytes(bytes, pairs, k);
        const int64_t last = sim_part_bytes(rest, pairs, k);
        s->qps[lead + k].step_packets += (uint64_t)full * sim_stage_units(s, lead + k, part) +
                                         sim_stage_units(s, lead + k, last);
        uint32_t leg = s->config->flows[lead + k].first_leg;
        for (; leg != SIM_NONE;
             leg = s->config->flows[leg].next_leg) { /* chunks are whole packets */
            s->qps[leg].step_packets +=
                (uint64_t)full * sim_packets_of(s, part) + sim_packets_of(s, last);
        }
    }
}

/* What every queue pair carries and every party receives in a step of this order of ranks. */
static void count_step(struct sim *s)
{
    int64_t last = s->w->buckets - 1;
    for (uint32_t f = 0; f < s->config->flow_count; f++) {
        s->qps[f].step_packets = 0;
    }
    for (uint32_t r = 0; r < s->config->party_count; r++) {
        s->ranks[r].expects = 0;
        for (uint32_t lane = 0; lane < SIM_LANES; lane++) {
            for (int64_t i = 0, n = lane_length(s, r, lane); i < n; i++) {
                struct sim_op op = operation(s, r, 0, lane, i);
                if (op.kind == SIM_OP_RECV) {
                    s->ranks[r].expects += s->w->buckets;
                    continue;
                }
                count_send(s, sim_training_flow(s, r, &op), last, op.bytes,
                           operation(s, r, last, lane, i).bytes);
            }
        }
    }
}

static sim_ps compute_time(const struct sim *s, uint32_t rank)
{
    int64_t knob = s->w->knobs.v[SIM_KNOB_COMPUTE];
    int64_t jitter = s->w->knobs.v[SIM_KNOB_JITTER];
    sim_ps time = knob == SIM_AUTO ? s->config->scenario.training.compute_ps : knob;
    if (jitter > 0) {
        /* keyed by (rank, step): the same in every branch of a what-if */
        uint64_t hash = s->config->component_hash[sim_comp_rank(s->config, rank)];
        uint64_t draw = rng_mix3(s->config->seed, hash, (uint64_t)s->w->step);
        time += (int64_t)(draw % (uint64_t)(jitter + 1));
    }
    sim_wide slowed = (sim_wide)time * s->ranks[rank].slow >> 32;
    sim_ps left = s->w->now < LATEST ? LATEST - s->w->now : 0;
    return slowed < left ? (sim_ps)slowed : left;
}

/* When a bucket's gradients are there: the backward pass is the last share of the compute time, and
 * goes through the buckets evenly by bytes. */
static sim_ps ready_time(const struct sim *s, uint32_t rank, int64_t bucket)
{
    const struct sim_rank_data *data = &s->ranks[rank];
    sim_ps backward =
        (sim_ps)((sim_wide)(data->compute_end - data->compute_start) * s->w->overlap >> 32);
    int64_t before = (bucket + 1) * s->w->bucket_bytes;
    int64_t after = before < s->w->bytes ? s->w->bytes - before : 0;
    return data->compute_end - (sim_ps)((sim_wide)backward * after / s->w->bytes);
}

static void expect_bucket(struct sim *s, uint32_t rank)
{
    int64_t bucket = s->w->overlap > 0 ? s->ranks[rank].ready : s->w->buckets - 1;
    sim_event_push(s, ready_time(s, rank, bucket), SIM_CLASS_WORK, sim_comp_rank(s->config, rank),
                   SIM_EV_COMPUTED, 0);
}

static void begin_party(struct sim *s, uint32_t r)
{
    struct sim_rank_data *rank = &s->ranks[r];
    rank->sent = rank->received = 0;
    rank->bucket = rank->ready = 0;
    for (uint32_t lane = 0; lane < SIM_LANES; lane++) {
        rank->lanes[lane] = (struct sim_lane){ 0 };
    }
    if (!is_rank(s, r)) {
        rank->phase = SIM_PHASE_EXCHANGE;
        rank->ready = s->w->buckets;
        return;
    }
    rank->phase = SIM_PHASE_COMPUTE;
    rank->compute_start = rank->still > s->w->now ? rank->still : s->w->now;
    rank->compute_end = rank->compute_start + compute_time(s, r);
    if (!s->nodes[s->config->hosts[r]].dead) {
        s->w->computing++;
        expect_bucket(s, r);
    }
}

static void advance(struct sim *s, uint32_t r);

static void begin_step(struct sim *s)
{
    struct sim_world *w = s->w;
    uint32_t old_order = w->order;
    w->step++;
    w->at_barrier = 0;
    w->order = (uint32_t)w->knobs.v[SIM_KNOB_RANK_ORDER];
    w->overlap = w->knobs.v[SIM_KNOB_OVERLAP];
    s->steps[w->step - 1] =
        (struct sim_step_data){ .start = w->now, .end = SIM_NEVER, .slowest = SIM_NONE };
    struct sim_record rec = sim_record(SIM_TRACE_STEP);
    rec.step = (uint32_t)w->step;
    sim_record_add(s, rec);
    if (w->step == 1 || w->order != old_order) {
        count_step(s);
    }
    for (uint32_t f = 0; f < s->config->flow_count; f++) {
        s->qps[f].step_psn = s->qps[f].end;
    }
    for (uint32_t r = 0; r < s->config->party_count; r++) {
        begin_party(s, r);
    }
    for (uint32_t r = s->config->rank_count; r < s->config->party_count; r++) {
        advance(s, r); /* servers clear their first senders */
    }
}

void sim_training_begin(struct sim *s)
{
    const struct sim_training_spec *t = &s->config->scenario.training;
    s->w->bytes = t->bytes;
    s->w->bucket_bytes = t->bucket_bytes;
    s->w->buckets = s->config->buckets;
    for (uint32_t r = 0; r < s->config->party_count; r++) {
        s->ranks[r].slow = UNIT_ONE;
    }
    begin_step(s);
}

/* ---- a step ends ----------------------------------------------------------------------------- */

static void open_barrier(struct sim *s, uint32_t last)
{
    struct sim_world *w = s->w;
    struct sim_step_data *step = &s->steps[w->step - 1];
    step->end = w->now;
    step->slowest = last;
    w->steps_done = w->step;
    struct sim_record rec = sim_record(SIM_TRACE_BARRIER);
    rec.rank = last;
    rec.step = (uint32_t)w->step;
    sim_record_add(s, rec);
    if (w->step < s->config->steps) {
        begin_step(s);
    } else {
        sim_work_done(s);
    }
}

static bool stands_still(const struct sim *s, uint32_t r)
{
    return s->ranks[r].still > s->w->now;
}

static void maybe_done(struct sim *s, uint32_t r)
{
    struct sim_rank_data *rank = &s->ranks[r];
    if (!is_rank(s, r) || stands_still(s, r) || rank->phase != SIM_PHASE_EXCHANGE ||
        rank->bucket < s->w->buckets || rank->open > 0) {
        return;
    }
    rank->phase = SIM_PHASE_BARRIER;
    s->w->at_barrier++;
    struct sim_record rec = sim_record(SIM_TRACE_AT_BARRIER);
    rec.rank = r;
    rec.step = (uint32_t)s->w->step;
    sim_record_add(s, rec);
    if (s->w->at_barrier == (int64_t)s->config->rank_count) {
        open_barrier(s, r);
    }
}

/* ---- the exchange ---------------------------------------------------------------------------- */

static void note_begin(struct sim *s, int64_t bucket)
{
    int64_t number = (s->w->step - 1) * s->w->buckets + bucket;
    if (number == s->w->collectives) {
        s->collectives[number] =
            (struct sim_collective_data){ .start = s->w->now, .end = SIM_NEVER };
        s->w->collectives++;
    }
}

static void note_end(struct sim *s, int64_t bucket)
{
    int64_t number = (s->w->step - 1) * s->w->buckets + bucket;
    if (number < s->w->collectives &&
        ++s->collectives[number].done == (int64_t)s->config->rank_count) {
        s->collectives[number].end = s->w->now;
    }
}

/* Posts a message, a part on each queue pair. */
static void send(struct sim *s, uint32_t r, uint32_t lead, int64_t bytes)
{
    struct sim_rank_data *rank = &s->ranks[r];
    const uint32_t pairs = s->config->flows[lead].pairs;
    note_begin(s, rank->bucket);
    rank->sent++;
    for (uint32_t k = 0; k < pairs; k++) {
        const struct sim_qp *qp = &s->qps[lead + k];
        const int64_t part = sim_part_bytes(bytes, pairs, k);
        const uint64_t end = qp->end + sim_stage_units(s, lead + k, part) - qp->step_psn;
        rank->open += qp->una == qp->end;
        sim_qp_post(s, lead + k, part, (uint32_t)s->w->step,
                    end == qp->step_packets ? SIM_FRAME_STEP_END : 0);
    }
}

/* Lets the next messages of a lane come. */
static void clear_ahead(struct sim *s, uint32_t r, uint32_t lane)
{
    struct sim_rank_data *rank = &s->ranks[r];
    struct sim_lane *at = &rank->lanes[lane];
    int64_t admission = s->w->knobs.v[SIM_KNOB_ADMISSION];
    int64_t length = lane_length(s, r, lane);
    for (; at->ahead < admission && at->clear < length; at->clear++) {
        struct sim_op op = operation(s, r, rank->bucket, lane, at->clear);
        if (op.kind == SIM_OP_RECV) {
            uint32_t flow = sim_training_flow(s, r, &op);
            at->ahead++;
            sim_qp_post(s, s->config->flows[flow].permit, CTS_BYTES, (uint32_t)s->w->step, 0);
        }
    }
}

/* Does the operation at which a lane stands; false if it has to wait. */
static bool perform(struct sim *s, uint32_t r, uint32_t lane)
{
    struct sim_lane *at = &s->ranks[r].lanes[lane];
    struct sim_op op = operation(s, r, s->ranks[r].bucket, lane, at->next);
    uint32_t flow = sim_training_flow(s, r, &op);
    struct sim_qp *qp = &s->qps[flow];
    bool asks = s->w->knobs.v[SIM_KNOB_ADMISSION] > 0;
    if (op.kind == SIM_OP_RECV) {
        if (qp->arrived == 0) {
            return false;
        }
        qp->arrived--;
        at->ahead -= asks;
    } else {
        if (asks && qp->cleared == 0) {
            return false;
        }
        qp->cleared -= asks;
        send(s, r, flow, op.bytes);
    }
    at->next++;
    return true;
}

/* True when the lane has come to its end. */
static bool run_lane(struct sim *s, uint32_t r, uint32_t lane)
{
    struct sim_lane *at = &s->ranks[r].lanes[lane];
    int64_t length = lane_length(s, r, lane);
    clear_ahead(s, r, lane);
    while (at->next < length && perform(s, r, lane)) {
        clear_ahead(s, r, lane);
    }
    return at->next == length;
}

/* Goes on with the program of a party as far as it can. */
static void advance(struct sim *s, uint32_t r)
{
    struct sim_rank_data *rank = &s->ranks[r];
    if (s->nodes[s->config->hosts[r]].dead || stands_still(s, r)) {
        return;
    }
    while (rank->bucket < rank->ready) {
        bool all = true;
        for (uint32_t lane = 0; lane < SIM_LANES; lane++) {
            all = run_lane(s, r, lane) && all;
        }
        if (!all) {
            return;
        }
        if (is_rank(s, r)) {
            note_end(s, rank->bucket);
        }
        rank->bucket++;
        for (uint32_t lane = 0; lane < SIM_LANES; lane++) {
            rank->lanes[lane] = (struct sim_lane){ 0 };
        }
    }
}

/* What it has computed by now; true: all. */
static bool compute_on(struct sim *s, uint32_t r)
{
    struct sim_rank_data *rank = &s->ranks[r];
    while (rank->ready < s->w->buckets && ready_time(s, r, rank->ready) <= s->w->now) {
        rank->ready++;
    }
    if (rank->ready < s->w->buckets) {
        expect_bucket(s, r);
        return false;
    }
    return true;
}

static void end_computing(struct sim *s, uint32_t r)
{
    struct sim_rank_data *rank = &s->ranks[r];
    struct sim_step_data *step = &s->steps[s->w->step - 1];
    sim_ps took = s->w->now - rank->compute_start;
    rank->compute_total += took;
    step->compute = took > step->compute ? took : step->compute;
    rank->phase = SIM_PHASE_EXCHANGE;
    s->w->computing--;
    struct sim_record rec = sim_record(SIM_TRACE_COMPUTED);
    rec.rank = r;
    rec.step = (uint32_t)s->w->step;
    sim_record_add(s, rec);
}

void sim_training_computed(struct sim *s, uint32_t r)
{
    if (s->nodes[s->config->hosts[r]].dead) {
        return;
    }
    if (s->ranks[r].phase == SIM_PHASE_COMPUTE && compute_on(s, r)) {
        end_computing(s, r);
    }
    advance(s, r);
    maybe_done(s, r);
}

void sim_training_pause(struct sim *s, uint32_t r, sim_ps time)
{
    struct sim_rank_data *rank = &s->ranks[r];
    const sim_ps from = stands_still(s, r) ? rank->still : s->w->now;
    rank->still = from < LATEST - time ? from + time : LATEST;
    if (rank->phase == SIM_PHASE_COMPUTE) { /* the event that is pending finds that it is early */
        rank->compute_start += rank->still - from;
        rank->compute_end += rank->still - from;
    } else if (rank->phase == SIM_PHASE_EXCHANGE && !s->nodes[s->config->hosts[r]].dead) {
        sim_event_push(s, rank->still, SIM_CLASS_WORK, sim_comp_rank(s->config, r), SIM_EV_COMPUTED,
                       0);
    }
}

static bool waits_for_ack(const struct sim *s)
{
    return s->w->knobs.v[SIM_KNOB_ROUND_TRIGGER] == SIM_ROUND_ACKED;
}

/* Its receiver may go on. */
static void arrived(struct sim *s, uint32_t flow)
{
    uint32_t party = s->config->flows[flow].dst_rank;
    s->qps[flow].arrived++;
    advance(s, party);
    maybe_done(s, party);
}

void sim_training_delivered(struct sim *s, uint32_t flow)
{
    const struct sim_flow_config *c = &s->config->flows[flow];
    if (c->permits != SIM_NONE) {
        s->qps[c->permits].cleared++;
        advance(s, c->dst_rank);
        return;
    }
    struct sim_rank_data *rank = &s->ranks[c->dst_rank];
    rank->received++;
    if (is_rank(s, c->dst_rank)) {
        struct sim_record rec = sim_record(SIM_TRACE_ROUND);
        rec.rank = c->dst_rank;
        rec.step = (uint32_t)s->w->step;
        rec.value = rank->received;
        sim_record_add(s, rec);
    }
    if (!waits_for_ack(s)) {
        arrived(s, flow);
    }
}

void sim_training_message_acked(struct sim *s, uint32_t flow)
{
    if (waits_for_ack(s) && s->config->flows[flow].permits == SIM_NONE) {
        arrived(s, flow);
    }
}

void sim_training_acked(struct sim *s, uint32_t flow)
{
    const struct sim_flow_config *c = &s->config->flows[flow];
    if (c->permits == SIM_NONE) {
        s->ranks[c->src_rank].open--;
        maybe_done(s, c->src_rank);
    }
}

void sim_training_dies(struct sim *s, uint32_t party)
{
    s->w->computing -= s->ranks[party].phase == SIM_PHASE_COMPUTE;
}

/* ---- for readers ----------------------------------------------------------------------------- */

static bool unfinished(const struct sim *s, uint32_t party, uint32_t lane)
{
    const struct sim_rank_data *rank = &s->ranks[party];
    return rank->bucket < s->w->buckets && rank->lanes[lane].next < lane_length(s, party, lane);
}

/* The first operation of this kind in [from, to) of a lane, walking up or down. */
static bool find_op(const struct sim *s, uint32_t party, uint32_t lane, int64_t from, int64_t to,
                    enum sim_op_kind kind, struct sim_op *op)
{
    int64_t bucket = s->ranks[party].bucket;
    bucket = bucket < s->w->buckets ? bucket : s->w->buckets - 1;
    for (int64_t i = from; i != to; i += from < to ? 1 : -1) {
        *op = operation(s, party, bucket, lane, i);
        if (op->kind == kind) {
            return true;
        }
    }
    return false;
}

bool sim_training_next(const struct sim *s, uint32_t party, enum sim_op_kind kind,
                       struct sim_op *op)
{
    for (uint32_t lane = 0; lane < SIM_LANES; lane++) {
        if (unfinished(s, party, lane) && find_op(s, party, lane, s->ranks[party].lanes[lane].next,
                                                  lane_length(s, party, lane), kind, op)) {
            return true;
        }
    }
    for (uint32_t lane = 0; lane < SIM_LANES; lane++) {
        if (find_op(s, party, lane, lane_length(s, party, lane) - 1, -1, kind, op)) {
            return true;
        }
    }
    return false;
}

/* How much a missing message explains: 2 stuck, 1 not posted, 0 on its way. */
static int missing_weight(const struct sim *s, uint32_t flow)
{
    const struct sim_qp *qp = &s->qps[flow];
    const struct sim_qp *live = &s->qps[sim_stage_live(s, flow)];
    return qp->expected == qp->end ? 1 : live->in_flight == 0 && live->next == live->end ? 2 : 0;
}

uint32_t sim_training_missing(const struct sim *s, uint32_t lead)
{
    const uint32_t pairs = s->config->flows[lead].pairs;
    uint32_t worst = lead;
    int most = -1;
    for (uint32_t f = lead; f < lead + pairs; f++) {
        const int weight = s->qps[f].parts[SIM_PART_DELIVERED] > 0 ? -1 : missing_weight(s, f);
        if (weight > most) {
            most = weight;
            worst = f;
        }
    }
    return worst;
}

/* Of the RECVs in a row at which the lane stands, the one that explains most. */
static void worst_recv(const struct sim *s, uint32_t party, uint32_t lane, struct sim_op *op)
{
    const struct sim_rank_data *rank = &s->ranks[party];
    int64_t length = lane_length(s, party, lane);
    int best = -1;
    for (int64_t i = rank->lanes[lane].next; i < length; i++) {
        struct sim_op one = operation(s, party, rank->bucket, lane, i);
        if (one.kind != SIM_OP_RECV) {
            return;
        }
        uint32_t lead = sim_training_flow(s, party, &one);
        int weight =
            s->qps[lead].arrived > 0 ? -1 : missing_weight(s, sim_training_missing(s, lead));
        if (weight > best) {
            best = weight;
            *op = one;
        }
    }
}

bool sim_training_waits(const struct sim *s, uint32_t party, struct sim_op *op)
{
    const struct sim_rank_data *rank = &s->ranks[party];
    for (uint32_t lane = 0; lane < SIM_LANES && rank->bucket < rank->ready; lane++) {
        if (!unfinished(s, party, lane)) {
            continue;
        }
        *op = operation(s, party, rank->bucket, lane, rank->lanes[lane].next);
        if (op->kind == SIM_OP_RECV) {
            worst_recv(s, party, lane, op);
        }
        return true;
    }
    return false;
}
