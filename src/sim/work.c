#include "sim/work.h"

#include "base/rng.h"
#include "sim/event.h"
#include "sim/link.h"
#include "sim/qp.h"
#include "sim/transport.h"
#include "sim/world.h"

void sim_work_begin(struct sim *s)
{
    const struct sim_config *c = s->config;
    if (c->scenario.work == SIM_WORK_TRAINING) {
        sim_training_begin(s);
        return;
    }
    for (uint32_t f = 0; f < c->flow_count; f++) {
        const bool counts = c->flows[f].lead == f && c->flows[f].staged == SIM_NONE;
        if (!c->flows[f].is_reply && counts) {
            sim_event_push(s, c->flows[f].start, SIM_CLASS_WORK, sim_comp_flow(c, f), SIM_EV_FLOW,
                           0);
        }
        s->w->flows_open += counts;
    }
    if (c->flow_count == 0) {
        sim_work_done(s);
    }
}

/* An exponentially distributed time, in integers: -ln(u) x mean, u from the flow's own stream. */
static sim_ps exponential(struct sim *s, uint32_t flow, sim_ps mean)
{
    uint64_t draw = rng_mix3(s->config->seed, s->config->flows[flow].hash, s->qps[flow].draws++);
    sim_wide time = (sim_wide)mean * (int64_t)rng_minus_ln(draw) >> 32;
    return time < SIM_LONGEST ? (sim_ps)time : SIM_LONGEST;
}

static void flow_done(struct sim *s, uint32_t flow)
{
    struct sim_record rec = sim_record(SIM_TRACE_FLOW_DONE);
    rec.flow = flow;
    sim_record_add(s, rec);
    if (--s->w->flows_open == 0) {
        sim_work_done(s);
    }
}

/* A message of a connection: each of its queue pairs gets a part. */
static void post(struct sim *s, uint32_t lead)
{
    s->qps[lead].posted++;
    for (uint32_t f = lead; f < lead + s->config->flows[lead].pairs; f++) {
        sim_qp_post(s, f, s->config->flows[f].bytes, 0, 0);
    }
}

static bool all_posted(const struct sim *s, uint32_t flow)
{
    uint64_t messages = s->config->flows[flow].messages;
    return messages > 0 && s->qps[flow].posted == messages;
}

void sim_work_flow(struct sim *s, uint32_t flow)
{
    const struct sim_flow_config *c = &s->config->flows[flow];
    if (s->nodes[c->src].dead) {
        return;
    }
    if (c->gap > 0) {
        post(s, flow);
        if (!all_posted(s, flow)) {
            sim_ps gap = c->poisson ? exponential(s, flow, c->gap) : c->gap;
            sim_event_push(s, s->w->now + gap, SIM_CLASS_WORK, sim_comp_flow(s->config, flow),
                           SIM_EV_FLOW, 0);
        }
        return;
    }
    if (c->bytes == 0 && c->reply == SIM_NONE) {
        for (struct sim_qp *qp = &s->qps[flow]; qp < &s->qps[flow + c->pairs]; qp++) {
            qp->start = qp->delivered_at = qp->acked_at = s->w->now; /* nothing to send: complete */
        }
        flow_done(s, flow);
        return;
    }
    do {
        post(s, flow);
    } while (!all_posted(s, flow) && !c->in_blocks);
}

/* The next block begins when every flow has delivered its part of this one. */
static void block_part_arrived(struct sim *s)
{
    const struct sim_config *c = s->config;
    if (++s->w->block_arrived < c->block_flows) {
        return;
    }
    s->w->block_arrived = 0;
    s->w->blocks++;
    for (uint32_t f = 0; f < c->flow_count && s->w->blocks < c->scenario.blocks; f++) {
        if (c->flows[f].in_blocks && c->flows[f].lead == f && !s->nodes[c->flows[f].src].dead) {
            post(s, f);
        }
    }
}

/* A queue pair's part of a message has got so far. True when that was the last one missing. */
static bool completes(struct sim *s, uint32_t flow, enum sim_part so_far)
{
    const struct sim_flow_config *c = &s->config->flows[flow];
    if (c->pairs == 1) {
        return true;
    }
    s->qps[flow].parts[so_far]++;
    for (uint32_t f = c->lead; f < c->lead + c->pairs; f++) {
        if (s->qps[f].parts[so_far] == 0) {
            return false;
        }
    }
    for (uint32_t f = c->lead; f < c->lead + c->pairs; f++) {
        s->qps[f].parts[so_far]--;
    }
    return true;
}

void sim_work_delivered(struct sim *s, uint32_t flow)
{
    if (!completes(s, flow, SIM_PART_DELIVERED)) {
        return;
    }
    flow = s->config->flows[flow].lead;
    if (s->config->scenario.work == SIM_WORK_TRAINING) {
        sim_training_delivered(s, flow);
        return;
    }
    if (s->config->flows[flow].in_blocks) {
        block_part_arrived(s);
    }
    uint32_t reply = s->config->flows[flow].reply;
    if (reply != SIM_NONE && !s->nodes[s->config->flows[reply].src].dead) {
        post(s, reply);
    }
}

static bool all_acked(const struct sim *s, uint32_t lead)
{
    for (uint32_t f = lead; f < lead + s->config->flows[lead].pairs; f++) {
        if (s->qps[f].una < s->qps[f].end) {
            return false;
        }
    }
    return true;
}

void sim_work_acked(struct sim *s, uint32_t flow)
{
    const uint32_t lead = s->config->flows[flow].lead;
    if (s->config->scenario.work == SIM_WORK_TRAINING) {
        sim_training_acked(s, flow);
    } else if (all_posted(s, lead) && all_acked(s, lead)) {
        flow_done(s, lead);
    }
}

void sim_work_message_acked(struct sim *s, uint32_t flow)
{
    if (s->config->scenario.work == SIM_WORK_TRAINING && completes(s, flow, SIM_PART_ACKED)) {
        sim_training_message_acked(s, s->config->flows[flow].lead);
    }
}

void sim_work_done(struct sim *s)
{
    s->w->done_at = s->w->now;
    sim_record_add(s, sim_record(SIM_TRACE_DONE));
}

static bool any_dead(const struct sim *s)
{
    bool dead = false;
    for (uint32_t n = 0; n < s->config->node_count; n++) {
        dead = dead || s->nodes[n].dead;
    }
    return dead;
}

void sim_stall_set(struct sim *s, enum sim_reason reason, uint32_t flow)
{
    bool peer_died = flow == SIM_NONE ? reason == SIM_REASON_STARVED && any_dead(s)
                                      : s->nodes[s->config->flows[flow].dst].dead;
    reason = peer_died ? SIM_REASON_DEAD_PEER : reason;
    s->halt = s->w->stalled = true;
    s->w->stall = (struct sim_stall){ .reason = reason, .flow = flow, .since = s->w->now };
    struct sim_record rec = sim_record(SIM_TRACE_STALL);
    rec.flow = flow;
    rec.reason = (uint32_t)reason;
    sim_record_add(s, rec);
}
