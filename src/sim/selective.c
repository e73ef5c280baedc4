/*
 * Selective repeat: only what is missing is sent again (model 4.2, after IRN).
 *
 *   receiver  keeps what arrives ahead of its turn (a bitmap), and says with every ACK or NAK what
 *             it expects and which packet has just come
 *   sender    on a NAK or a timeout enters recovery: sends again, once each, the packets below the
 *             highest one that arrived; then new data while fewer than `window` are outstanding
 *
 * A gap is not always a loss: packets that took different ways overtake each other. With a reorder
 * window the receiver waits before it asks; until then its ACKs only tell what has arrived.
 */
#include "sim/event.h"
#include "sim/transport.h"
#include "sim/world.h"

enum { WINDOW = SIM_SELECTIVE_WINDOW, FEW = 3 };

static bool get(const uint64_t *bits, uint64_t psn)
{
    return sim_bits_get(bits, WINDOW, psn);
}

static void put(uint64_t *bits, uint64_t psn, bool on)
{
    sim_bits_put(bits, WINDOW, psn, on);
}

/* ---- sender ---------------------------------------------------------------------------------- */

static uint64_t outstanding(const struct sim *s, uint32_t flow)
{
    const struct sim_qp *qp = &s->qps[flow];
    return qp->next - qp->una - s->selective[flow].sacked_count;
}

/* The next packet to send again, or `high` when there is none. */
static uint64_t missing(const struct sim *s, uint32_t flow)
{
    const struct sim_selective *r = &s->selective[flow];
    uint64_t psn = r->again > s->qps[flow].una ? r->again : s->qps[flow].una;
    while (psn < r->high && get(r->sacked, psn)) {
        psn++;
    }
    return psn;
}

static bool may_send(const struct sim *s, uint32_t flow)
{
    const struct sim_qp *qp = &s->qps[flow];
    const struct sim_selective *r = &s->selective[flow];
    if (r->recovery > 0 && missing(s, flow) < r->high) {
        return true;
    }
    int64_t cap = s->w->knobs.v[SIM_KNOB_WINDOW];
    return qp->next < qp->end && qp->next - qp->una < WINDOW &&
           (cap == SIM_UNLIMITED || (int64_t)outstanding(s, flow) < cap);
}

/* The timer began when few were outstanding; now there are more, and it has the longer time. */
static void have_patience(struct sim *s, uint32_t flow)
{
    const int64_t *knob = s->w->knobs.v;
    struct sim_timer *timer = &s->qps[flow].timer;
    const sim_ps more = knob[SIM_KNOB_RTO_HIGH] - knob[SIM_KNOB_RTO_LOW];
    if (timer->deadline != SIM_NEVER && more > 0) {
        sim_timer_set(s, timer, timer->deadline + more, SIM_CLASS_TIMER,
                      sim_comp_flow(s->config, flow), SIM_EV_ACK_TIMER, 0);
    }
}

static uint64_t take(struct sim *s, uint32_t flow)
{
    struct sim_selective *r = &s->selective[flow];
    uint64_t psn = r->recovery > 0 ? missing(s, flow) : r->high;
    if (r->recovery > 0 && psn < r->high) {
        r->again = psn + 1;
    } else {
        psn = s->qps[flow].next++;
        if (outstanding(s, flow) == FEW + 1) {
            have_patience(s, flow);
        }
    }
    uint8_t *attempts = &r->attempts[psn % WINDOW];
    *attempts = (uint8_t)(*attempts < UINT8_MAX ? *attempts + 1 : UINT8_MAX);
    return psn;
}

/* While a packet is being made it has been counted already; otherwise this is how often it was sent,
 * plus the next time. */
static uint32_t attempt(const struct sim *s, uint32_t flow, uint64_t psn)
{
    uint32_t sent = s->selective[flow].attempts[psn % WINDOW];
    return sent > 0 ? sent : 1;
}

static sim_ps rto(const struct sim *s, uint32_t flow)
{
    bool few = outstanding(s, flow) <= FEW;
    return s->w->knobs.v[few ? SIM_KNOB_RTO_LOW : SIM_KNOB_RTO_HIGH];
}

static sim_ps timeout(struct sim *s, uint32_t flow)
{
    return rto(s, flow);
}

static void recover(struct sim *s, uint32_t flow)
{
    struct sim_selective *r = &s->selective[flow];
    r->recovery = s->qps[flow].next;
    r->again = s->qps[flow].una;
    if (r->high <= s->qps[flow].una) {
        r->high = s->qps[flow].una + 1;
    }
}

static bool ack(struct sim *s, const struct sim_packet *f, uint64_t arrived)
{
    struct sim_qp *qp = &s->qps[f->flow];
    struct sim_selective *r = &s->selective[f->flow];
    for (uint64_t psn = qp->una; psn < arrived; psn++) {
        r->sacked_count -= get(r->sacked, psn);
        put(r->sacked, psn, false);
        r->attempts[psn % WINDOW] = 0;
    }
    sim_qp_advance(s, f->flow, arrived);
    uint64_t sack = arrived + f->attempt;
    if (f->attempt > 0 && sack >= qp->una && sack < qp->next && !get(r->sacked, sack)) {
        put(r->sacked, sack, true);
        r->sacked_count++;
        r->high = sack + 1 > r->high ? sack + 1 : r->high;
    }
    if (r->recovery > 0 && qp->una >= r->recovery) {
        r->recovery = 0;
    }
    if (f->kind == SIM_FRAME_NAK && r->recovery == 0) {
        recover(s, f->flow);
    }
    return true;
}

/* ---- receiver -------------------------------------------------------------------------------- */

static void arm_reorder(struct sim *s, uint32_t flow, bool on)
{
    sim_ps at = on ? s->w->now + s->w->knobs.v[SIM_KNOB_REORDER_WINDOW] : SIM_NEVER;
    sim_timer_set(s, &s->selective[flow].reorder, at, SIM_CLASS_TIMER,
                  sim_comp_flow(s->config, flow), SIM_EV_RECEIVER, 0);
}

static void ask(struct sim *s, uint32_t port, uint32_t flow, uint64_t sack)
{
    struct sim_qp *qp = &s->qps[flow];
    s->w->count.naks++;
    if (!qp->nak_sent) {
        qp->nak_sent = true; /* said once per gap */
        sim_qp_record_nak(s, port, flow, qp->expected);
    }
    sim_qp_answer(s, port, flow, SIM_FRAME_NAK, qp->expected, sack);
}

static void waited(struct sim *s, uint32_t flow)
{
    const struct sim_qp *qp = &s->qps[flow];
    uint32_t port = s->config->flows[flow].back;
    if (sim_timer_due(s, &s->selective[flow].reorder, SIM_CLASS_TIMER,
                      sim_comp_flow(s->config, flow), SIM_EV_RECEIVER, 0) &&
        s->selective[flow].ahead > qp->expected) {
        ask(s, port, flow, s->selective[flow].ahead - 1 - qp->expected);
    }
}

static void in_order(struct sim *s, uint32_t port, const struct sim_packet *f)
{
    const struct sim_qp *qp = &s->qps[f->flow];
    struct sim_selective *r = &s->selective[f->flow];
    sim_qp_deliver(s, port, f->flow, f->psn, get(r->received, f->psn + 1));
    while (get(r->received, qp->expected)) { /* what had been waiting for this one */
        uint64_t psn = qp->expected;
        put(r->received, psn, false);
        sim_qp_deliver(s, port, f->flow, psn, get(r->received, psn + 1));
    }
    if (r->reorder.deadline != SIM_NEVER) {
        arm_reorder(s, f->flow, r->ahead > qp->expected);
    }
}

static void out_of_order(struct sim *s, uint32_t port, const struct sim_packet *f)
{
    const struct sim_qp *qp = &s->qps[f->flow];
    struct sim_selective *r = &s->selective[f->flow];
    put(r->received, f->psn, true);
    r->ahead = f->psn + 1 > r->ahead ? f->psn + 1 : r->ahead;
    if (s->w->knobs.v[SIM_KNOB_REORDER_WINDOW] == 0) {
        ask(s, port, f->flow, f->psn - qp->expected);
        return;
    }
    sim_qp_answer(s, port, f->flow, SIM_FRAME_ACK, qp->expected - 1, f->psn - qp->expected);
    if (r->reorder.deadline == SIM_NEVER) {
        arm_reorder(s, f->flow, true);
    }
}

static void data(struct sim *s, uint32_t port, const struct sim_packet *f)
{
    const struct sim_qp *qp = &s->qps[f->flow];
    bool known = f->psn < qp->expected || get(s->selective[f->flow].received, f->psn);
    if (f->psn >= qp->expected + WINDOW || known) {
        s->w->count.refused++;
        if (known) {
            sim_qp_answer(s, port, f->flow, SIM_FRAME_ACK, qp->expected - 1, 0);
        }
        return;
    }
    s->w->count.delivered++;
    if (f->psn == qp->expected) {
        in_order(s, port, f);
    } else {
        out_of_order(s, port, f);
    }
}

static void init(struct sim *s, uint32_t flow)
{
    s->selective[flow].reorder = (struct sim_timer){ SIM_NEVER, SIM_NEVER };
}

static void state(const struct sim *s, uint32_t flow, struct sim_flow_state *out)
{
    out->keeps = s->selective[flow].ahead > s->qps[flow].expected;
    out->rto = rto(s, flow);
}

const struct sim_transport_ops sim_selective_ops = {
    .payload = SIM_KNOB_MTU,
    .retries = SIM_KNOB_RETRY_LIMIT,
    .keeps = true,
    .init = init,
    .may_send = may_send,
    .take = take,
    .attempt = attempt,
    .data = data,
    .waited = waited,
    .ack = ack,
    .expire = recover,
    .timeout = timeout,
    .state = state,
};
