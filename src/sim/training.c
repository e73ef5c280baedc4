/*
 * The training loop: every rank computes, all sum their gradients in a ring, all meet at the
 * barrier, again.
 *
 *     IDLE -> COMPUTE -> EXCHANGE -> BARRIER -> (all there) -> COMPUTE of the next step ...
 *
 * Messages are numbered through a step: bucket by bucket, 2(n-1) rounds each. Message k may be sent
 * once k messages have been received: within a bucket that is the ring's dependency, at its start it
 * means that the bucket before is complete here. A rank is done when it has received all and all it
 * sent is acknowledged: until then its memory is not its own again.
 */
#include "base/rng.h"
#include "sim/world.h"

static int64_t rounds_total(const struct sim *s)
{
    return s->w->buckets * sim_ring_rounds((int64_t)s->config->rank_count);
}

static const struct sim_ring *ring_of(const struct sim *s)
{
    return &s->config->rings[s->w->order];
}

static int64_t bucket_bytes(const struct sim *s, int64_t bucket)
{
    int64_t left = s->w->bytes - bucket * s->w->bucket_bytes;
    return left < s->w->bucket_bytes ? left : s->w->bucket_bytes;
}

/* Bytes of the message `number` (through the step) of a rank. */
static int64_t message_bytes(const struct sim *s, uint32_t rank, int64_t number)
{
    int64_t n = (int64_t)s->config->rank_count;
    int64_t rounds = sim_ring_rounds(n);
    return sim_ring_bytes(bucket_bytes(s, number / rounds), n, ring_of(s)->position[rank],
                          number % rounds);
}

static uint64_t step_packets(const struct sim *s, uint32_t rank)
{
    uint64_t packets = 0;
    for (int64_t m = 0; m < rounds_total(s); m++) {
        packets += sim_packets_of(s, message_bytes(s, rank, m));
    }
    return packets;
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
    return time;
}

static void begin_step(struct sim *s)
{
    struct sim_world *w = s->w;
    uint32_t old_order = w->order;
    w->step++;
    w->at_barrier = 0;
    w->order = (uint32_t)w->knobs.v[SIM_KNOB_RANK_ORDER];
    s->steps[w->step - 1] =
        (struct sim_step_data){ .start = w->now, .end = SIM_NEVER, .slowest = SIM_NONE };
    struct sim_record rec = sim_record(SIM_TRACE_STEP);
    rec.step = (uint32_t)w->step;
    sim_record_add(s, rec);
    if (w->step == 1 || w->order != old_order) {
        for (uint32_t f = 0; f < s->config->flow_count; f++) {
            s->qps[f].step_packets = 0;
        }
        for (uint32_t r = 0; r < s->config->rank_count && s->config->rank_count > 1; r++) {
            s->qps[ring_of(s)->flow_out[r]].step_packets = step_packets(s, r);
        }
    }
    for (uint32_t f = 0; f < s->config->flow_count; f++) {
        s->qps[f].step_psn = s->qps[f].end;
    }
    for (uint32_t r = 0; r < s->config->rank_count; r++) {
        struct sim_rank_data *rank = &s->ranks[r];
        rank->sent = rank->received = 0;
        rank->phase = SIM_PHASE_COMPUTE;
        rank->compute_start = w->now;
        rank->compute_end = w->now + compute_time(s, r);
        w->computing++;
        sim_event_push(s, rank->compute_end, SIM_CLASS_WORK, sim_comp_rank(s->config, r),
                       SIM_EV_COMPUTED, 0);
    }
}

void sim_training_begin(struct sim *s)
{
    const struct sim_training_spec *t = &s->config->scenario.training;
    s->w->bytes = t->bytes;
    s->w->bucket_bytes = t->bucket_bytes;
    s->w->buckets = s->config->buckets;
    begin_step(s);
}

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

static void maybe_done(struct sim *s, uint32_t r)
{
    struct sim_rank_data *rank = &s->ranks[r];
    int64_t total = rounds_total(s);
    if (rank->phase != SIM_PHASE_EXCHANGE || rank->sent < total || rank->received < total) {
        return;
    }
    if (total > 0) {
        const struct sim_qp *qp = &s->qps[ring_of(s)->flow_out[r]];
        if (qp->una != qp->end) {
            return;
        }
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

static struct sim_collective_data *collective_at(struct sim *s, int64_t bucket)
{
    return &s->collectives[(s->w->step - 1) * s->w->buckets + bucket];
}

static void note_begin(struct sim *s, int64_t bucket)
{
    int64_t number = (s->w->step - 1) * s->w->buckets + bucket;
    if (number == s->w->collectives) {
        s->collectives[number] =
            (struct sim_collective_data){ .start = s->w->now, .end = SIM_NEVER };
        s->w->collectives++;
    }
}

static void send_on(struct sim *s, uint32_t r)
{
    struct sim_rank_data *rank = &s->ranks[r];
    int64_t total = rounds_total(s);
    int64_t rounds = sim_ring_rounds((int64_t)s->config->rank_count);
    while (rank->phase == SIM_PHASE_EXCHANGE && rank->sent < total &&
           rank->sent <= rank->received) {
        int64_t number = rank->sent++;
        if (number % rounds == 0) {
            note_begin(s, number / rounds);
        }
        sim_qp_post(s, ring_of(s)->flow_out[r], message_bytes(s, r, number), (uint32_t)s->w->step,
                    number + 1 == total ? SIM_FRAME_STEP_END : 0);
    }
}

void sim_training_computed(struct sim *s, uint32_t r)
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
    send_on(s, r);
    maybe_done(s, r);
}

void sim_training_delivered(struct sim *s, uint32_t flow)
{
    uint32_t r = s->config->flows[flow].dst_rank;
    struct sim_rank_data *rank = &s->ranks[r];
    int64_t rounds = sim_ring_rounds((int64_t)s->config->rank_count);
    rank->received++;
    struct sim_record rec = sim_record(SIM_TRACE_ROUND);
    rec.rank = r;
    rec.step = (uint32_t)s->w->step;
    rec.value = rank->received;
    sim_record_add(s, rec);
    if (rank->received % rounds == 0) {
        struct sim_collective_data *c = collective_at(s, rank->received / rounds - 1);
        if (++c->done == (int64_t)s->config->rank_count) {
            c->end = s->w->now;
        }
    }
    send_on(s, r);
    maybe_done(s, r);
}

void sim_training_acked(struct sim *s, uint32_t flow)
{
    maybe_done(s, s->config->flows[flow].src_rank);
}
