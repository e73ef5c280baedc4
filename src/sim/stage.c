#include "sim/stage.h"

#include "sim/qp.h"
#include "sim/transport.h"
#include "sim/work.h"

uint64_t sim_stage_units(const struct sim *s, uint32_t flow, int64_t bytes)
{
    return sim_is_staged(s, flow) ? 1 : sim_packets_of(s, bytes);
}

void sim_stage_post(struct sim *s, uint32_t flow, int64_t bytes, uint32_t step, uint32_t flags)
{
    struct sim_qp *qp = &s->qps[flow];
    qp->end++;
    qp->next = qp->end;
    qp->posted_bytes += bytes;
    if (qp->start == SIM_NEVER) {
        qp->start = s->w->now;
    }
    sim_qp_post(s, s->config->flows[flow].first_leg, bytes, step, flags | SIM_CELL_WHOLE);
}

/* What has arrived on a leg goes on to the next, chunk by chunk or when all of it is there. */
static void pass_on(struct sim *s, uint32_t leg, const struct sim_cell *message, int64_t arrived,
                    bool last)
{
    const struct sim_flow_config *c = &s->config->flows[leg];
    const struct sim_qp *next = &s->qps[c->next_leg];
    const int64_t before = s->qps[leg].delivered_bytes - arrived; /* of earlier messages */
    const int64_t ready = last ? arrived : c->chunk > 0 ? arrived - arrived % c->chunk : 0;
    do {
        int64_t bytes = before + ready - next->posted_bytes;
        if (bytes <= 0 && !(last && message->bytes == 0)) {
            return;
        }
        bytes = c->chunk > 0 && bytes > c->chunk ? c->chunk : bytes;
        const bool whole = next->posted_bytes + bytes == before + message->bytes;
        sim_qp_post(s, c->next_leg, bytes, message->step, whole ? message->flags : 0);
    } while (next->posted_bytes < before + ready);
}

void sim_stage_delivered(struct sim *s, uint32_t leg, uint64_t psn, bool last)
{
    const struct sim_flow_config *c = &s->config->flows[leg];
    const struct sim_qp *qp = &s->qps[leg];
    struct sim_qp *flow = &s->qps[c->staged];
    const struct sim_cell message = s->cells[sim_qp_message(s, qp, psn)];
    if (c->next_leg != SIM_NONE) {
        const int64_t packets = (int64_t)(psn - message.psn) + 1;
        pass_on(s, leg, &message, last ? message.bytes : packets * s->config->wire.payload, last);
        return;
    }
    flow->delivered_bytes = qp->delivered_bytes;
    flow->delivered_at = s->w->now;
    if (last && (message.flags & SIM_CELL_WHOLE) != 0) {
        flow->expected++;
        sim_work_delivered(s, c->staged);
    }
}

void sim_stage_acked(struct sim *s, uint32_t leg, uint32_t messages)
{
    const struct sim_flow_config *c = &s->config->flows[leg];
    struct sim_qp *flow = &s->qps[c->staged];
    if (c->next_leg != SIM_NONE || messages == 0) {
        return;
    }
    flow->una += messages;
    if (flow->una == flow->end) {
        flow->acked_at = s->w->now;
        sim_work_acked(s, c->staged);
    }
    for (; messages > 0; messages--) {
        sim_work_message_acked(s, c->staged);
    }
}

uint32_t sim_stage_live(const struct sim *s, uint32_t flow)
{
    uint32_t live = s->config->flows[flow].first_leg;
    if (live == SIM_NONE) {
        return flow;
    }
    for (uint32_t leg = live; leg != SIM_NONE; leg = s->config->flows[leg].next_leg) {
        const struct sim_qp *qp = &s->qps[leg];
        const bool busier = qp->expected < qp->end || s->qps[live].expected == s->qps[live].end;
        if (qp->error) {
            return leg;
        }
        live = qp->una < qp->end && busier ? leg : live;
    }
    return live;
}
