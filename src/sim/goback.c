/*
 * Go-back-N, the reliable connection of model 4.1.
 *
 *   receiver  `expected` is the only PSN it accepts
 *   gap       the receiver sends one NAK and refuses everything until `expected` comes
 *   NAK e     sender: una = next = e
 *   timeout   sender: next = una; after more than retry_limit in a row the queue pair gives up
 *
 * go-back-0, the rule of early NICs, goes back to the first packet of the message at both ends: una
 * moves only from message to message, and what arrived of an unfinished one is thrown away.
 *
 * So a loss is found by what follows it. Nothing follows the last packet of the last message, and
 * the one NAK is not repeated when what it asked for is lost again: then only the timer helps.
 *
 * Attempts. A rewind to e with `next` at m means: all of [e, m) has been sent once more. How often
 * a PSN has been sent before is therefore the number of rewinds whose m lies above it; those are
 * kept in a short list (cells in ascending m, `packets` counts equal ones), and forgotten as una
 * passes them.
 */
#include "sim/qp.h"
#include "sim/transport.h"
#include "sim/world.h"

/* ---- sender ---------------------------------------------------------------------------------- */

static bool gbn_may_send(const struct sim *s, uint32_t flow)
{
    return sim_gbn_may_send(s, flow);
}

static uint32_t gbn_attempt(const struct sim *s, uint32_t flow, uint64_t psn)
{
    uint64_t attempt = 1;
    for (uint32_t c = s->qps[flow].rewinds; c != SIM_NONE; c = s->cells[c].next) {
        attempt += s->cells[c].psn > psn ? s->cells[c].packets : 0;
    }
    return (uint32_t)attempt;
}

/* First PSN of the message that holds `psn` (not yet acknowledged). */
static uint64_t message_start(const struct sim *s, const struct sim_qp *qp, uint64_t psn)
{
    uint32_t c = sim_qp_message(s, qp, psn);
    return c != SIM_NONE ? s->cells[c].psn : psn;
}

static bool from_the_start(const struct sim *s)
{
    return s->w->knobs.v[SIM_KNOB_TRANSPORT] == SIM_GO_BACK_0;
}

static void remember_rewind(struct sim *s, struct sim_qp *qp)
{
    uint32_t *link = &qp->rewinds;
    while (*link != SIM_NONE && s->cells[*link].psn < qp->next) {
        link = &s->cells[*link].next;
    }
    if (*link != SIM_NONE && s->cells[*link].psn == qp->next) {
        s->cells[*link].packets++;
        return;
    }
    uint32_t cell = sim_cell_alloc(s);
    s->cells[cell].psn = qp->next;
    s->cells[cell].packets = 1;
    s->cells[cell].next = *link;
    *link = cell;
}

static uint64_t gbn_take(struct sim *s, uint32_t flow)
{
    return s->qps[flow].next++;
}

static sim_ps gbn_timeout(struct sim *s, uint32_t flow)
{
    (void)flow; /* the same for all */
    return sim_rc_timeout(s);
}

static void rewind_to_una(struct sim *s, uint32_t flow)
{
    struct sim_qp *qp = &s->qps[flow];
    if (qp->next == qp->una) {
        return;
    }
    remember_rewind(s, qp);
    struct sim_record rec = sim_record(SIM_TRACE_REWIND);
    rec.port = s->config->flows[flow].port;
    rec.flow = flow;
    rec.psn = qp->una;
    rec.attempt = sim_qp_attempt(s, flow, qp->una);
    rec.value = (int64_t)(qp->next - qp->una);
    sim_record_add(s, rec);
    qp->next = qp->una;
}

static bool gbn_ack(struct sim *s, const struct sim_packet *f, uint64_t arrived)
{
    if (from_the_start(s)) {
        struct sim_qp *qp = &s->qps[f->flow];
        if (arrived > qp->una) {
            qp->retries = 0; /* una stays, but its peer is there and takes what comes */
        }
        arrived = message_start(s, qp, arrived);
    }
    sim_qp_advance(s, f->flow, arrived);
    if (f->kind == SIM_FRAME_NAK) {
        rewind_to_una(s, f->flow);
    }
    return true;
}

static void refuse(struct sim *s, uint32_t port, const struct sim_packet *f)
{
    struct sim_qp *qp = &s->qps[f->flow];
    s->w->count.refused++;
    if (f->psn < qp->expected) {
        sim_qp_answer(s, port, f->flow, SIM_FRAME_ACK, qp->expected - 1, 0);
        return;
    }
    if (qp->nak_sent) {
        return; /* exactly one NAK until the missing packet arrives */
    }
    qp->nak_sent = true;
    s->w->count.naks++;
    sim_qp_record_nak(s, port, f->flow, qp->expected);
    sim_qp_answer(s, port, f->flow, SIM_FRAME_NAK, qp->expected, 0);
    if (from_the_start(s)) {
        uint64_t start = message_start(s, qp, qp->expected);
        qp->delivered_bytes -= (int64_t)(qp->expected - start) * s->w->knobs.v[SIM_KNOB_MTU];
        qp->expected = start;
    }
}

static void gbn_data(struct sim *s, uint32_t port, const struct sim_packet *f)
{
    if (f->psn == s->qps[f->flow].expected) {
        s->w->count.delivered++;
        sim_qp_deliver(s, port, f->flow, f->psn, false);
    } else {
        refuse(s, port, f);
    }
}

const struct sim_transport_ops sim_go_back_n_ops = {
    .payload = SIM_KNOB_MTU,
    .retries = SIM_KNOB_RETRY_LIMIT,
    .may_send = gbn_may_send,
    .take = gbn_take,
    .attempt = gbn_attempt,
    .data = gbn_data,
    .ack = gbn_ack,
    .expire = rewind_to_una,
    .timeout = gbn_timeout,
};
