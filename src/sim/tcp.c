/*
 * TCP, NewReno (RFC 5681, 6298, 6582, 6928), without selective acknowledgements and time stamps.
 *
 *   una ........ next ........ una + window        PSNs count segments; each message ends one
 *      |  flight  |  may be sent  |
 *
 *   start       10 segments; every ACK adds what it acknowledges (slow start) up to ssthresh, then
 *               one segment a window (congestion avoidance)
 *   3 ACKs that say nothing new: segment una is sent again at once, ssthresh = flight / 2; every
 *               further one lets a new segment go. An ACK short of `recover` tells of the next
 *               hole: it is sent again. At `recover` the recovery ends with cwnd = ssthresh
 *   timeout     cwnd = 1, next = una: all from there on again. The timer doubles, up to 120 s, and
 *               is itself again after a segment that was sent only once (Karn)
 *
 * One segment at a time is timed. A segment sent again ends the measurement: nobody could tell which
 * copy its ACK is for.
 *
 * The tail-loss probe (RFC 8985, a knob, off) sends one segment when twice the round-trip time has
 * passed in silence, long before the timeout. Its answer shows what is missing. Without selective
 * acknowledgements the first ACK after a probe that leaves a hole begins the recovery.
 *
 * The receiver keeps what arrives ahead of its turn and answers it at once; in order it answers every
 * segment, or, with delayed_ack, every second one. It offers SIM_TCP_WINDOW segments.
 */
#include "sim/event.h"
#include "sim/transport.h"
#include "sim/work.h"
#include "sim/world.h"

enum { WINDOW = SIM_TCP_WINDOW, INITIAL_WINDOW = 10, DUPLICATES = 3, BACKOFF_MAX = 64 };

static const sim_ps rto_max = 120 * UNIT_S;
static const sim_ps probe_slack = 2 * UNIT_MS;

static uint64_t least(uint64_t a, uint64_t b)
{
    return a < b ? a : b;
}

static uint64_t most(uint64_t a, uint64_t b)
{
    return a > b ? a : b;
}

/* ---- timer ----------------------------------------------------------------------------------- */

static sim_ps rto(const struct sim *s, uint32_t flow)
{
    const struct sim_tcp *t = &s->tcp[flow];
    sim_ps least_rto = s->w->knobs.v[SIM_KNOB_RTO_MIN];
    sim_ps after =
        t->srtt8 > 0 ? (t->srtt8 >> 3) + t->rttvar4 : s->w->knobs.v[SIM_KNOB_RTO_INITIAL];
    after = after > least_rto ? after : least_rto;
    for (uint32_t i = 0; i < t->backoff && after < rto_max; i++) {
        after *= 2;
    }
    return after < rto_max ? after : rto_max;
}

/* RFC 6298 with the shifts of Jacobson: SRTT times 8, RTTVAR times 4. */
static void sample(struct sim_tcp *t, sim_ps rtt)
{
    if (t->srtt8 == 0) {
        t->srtt8 = rtt << 3;
        t->rttvar4 = rtt << 1;
        return;
    }
    sim_ps off = rtt - (t->srtt8 >> 3);
    t->srtt8 += off;
    off = off < 0 ? -off : off;
    t->rttvar4 += off - (t->rttvar4 >> 2);
}

/* True outside of what follows a timeout: the ACKs of segments sent again for nothing are not taken
 * for news of a loss (RFC 6582, section 3.2). */
static bool past_recovery(const struct sim *s, uint32_t flow)
{
    const struct sim_tcp *t = &s->tcp[flow];
    return t->recover == 0 || s->qps[flow].una > t->recover;
}

/* Time until the probe, or SIM_NEVER when the timeout comes first or no probe is due. */
static sim_ps probe_after(const struct sim *s, uint32_t flow)
{
    const struct sim_tcp *t = &s->tcp[flow];
    if (s->w->knobs.v[SIM_KNOB_TLP] == SIM_OFF || t->srtt8 == 0 || t->recovering || t->probed ||
        t->backoff > 0) {
        return SIM_NEVER;
    }
    sim_ps after = (t->srtt8 >> 2) + probe_slack;
    if (t->high - s->qps[flow].una <= 1) {
        after += s->w->knobs.v[SIM_KNOB_RTO_MIN]; /* its ACK may be a delayed one */
    }
    return after < rto(s, flow) ? after : SIM_NEVER;
}

static sim_ps timeout(struct sim *s, uint32_t flow)
{
    sim_ps after = probe_after(s, flow);
    s->tcp[flow].probing = after != SIM_NEVER;
    return after != SIM_NEVER ? after : rto(s, flow);
}

static bool probe(struct sim *s, uint32_t flow)
{
    struct sim_tcp *t = &s->tcp[flow];
    bool due = t->probing && t->high > s->qps[flow].una;
    t->probing = false;
    if (due) {
        t->probed = true;
        t->probe_due = true;
    }
    return due;
}

/* ---- sender ---------------------------------------------------------------------------------- */

static bool may_send(const struct sim *s, uint32_t flow)
{
    const struct sim_qp *qp = &s->qps[flow];
    const struct sim_tcp *t = &s->tcp[flow];
    if (t->again || t->probe_due) {
        return true;
    }
    uint64_t window = t->cwnd;
    if (!t->recovering && past_recovery(s, flow)) {
        window += least(t->duplicates, DUPLICATES - 1); /* limited transmit (RFC 3042) */
    }
    return qp->next < qp->end && qp->next - qp->una < least(window, WINDOW);
}

/* What goes out next: the hole, the probe, or the next one. */
static uint64_t pick(struct sim *s, uint32_t flow)
{
    struct sim_qp *qp = &s->qps[flow];
    struct sim_tcp *t = &s->tcp[flow];
    bool tail = t->probe_due && (qp->next < t->high || qp->next == qp->end);
    uint64_t psn = t->again ? qp->una : tail ? t->high - 1 : qp->next++;
    if (t->again) {
        t->again = false;
    } else {
        t->probe_due = false;
    }
    return psn;
}

static uint64_t take(struct sim *s, uint32_t flow)
{
    struct sim_tcp *t = &s->tcp[flow];
    sim_ps now = s->w->now;
    if (t->high == s->qps[flow].una && now - t->sent_at > rto(s, flow)) {
        t->cwnd = least(t->cwnd, INITIAL_WINDOW); /* after a rest (RFC 5681, section 4.1) */
    }
    uint64_t psn = pick(s, flow);
    t->sent_at = now;
    if (psn < t->high) {
        t->timed_at = SIM_NEVER;
    } else {
        t->high = psn + 1;
        if (t->timed_at == SIM_NEVER) {
            t->timed_at = now;
            t->timed = psn;
        }
    }
    uint8_t *attempts = &t->attempts[psn % WINDOW];
    *attempts = (uint8_t)(*attempts < UINT8_MAX ? *attempts + 1 : UINT8_MAX);
    return psn;
}

static uint32_t attempt(const struct sim *s, uint32_t flow, uint64_t psn)
{
    uint32_t sent = s->tcp[flow].attempts[psn % WINDOW];
    return sent > 0 ? sent : 1;
}

static void record(struct sim *s, enum sim_trace_kind kind, uint32_t flow, uint64_t value)
{
    struct sim_record rec = sim_record(kind);
    rec.port = s->config->flows[flow].port;
    rec.flow = flow;
    rec.psn = s->qps[flow].una;
    rec.attempt = attempt(s, flow, rec.psn) + 1;
    rec.value = (int64_t)value;
    sim_record_add(s, rec);
}

static void begin_recovery(struct sim *s, uint32_t flow)
{
    struct sim_tcp *t = &s->tcp[flow];
    uint64_t flight = least(t->high - s->qps[flow].una, t->cwnd);
    t->ssthresh = most(flight / 2, 2);
    t->cwnd = t->ssthresh + DUPLICATES;
    t->credit = 0;
    t->recover = t->high;
    t->recovering = t->again = true;
    t->probed = t->probe_due = false;
    record(s, SIM_TRACE_FAST_RESEND, flow, t->duplicates);
}

static void grow(struct sim_tcp *t, uint64_t una, uint64_t acked)
{
    if (t->cwnd < t->ssthresh) {
        /* what arrived before the timeout does not count as news from the path (RFC 3465) */
        uint64_t more = least(una <= t->recover ? 1 : acked, t->ssthresh - t->cwnd);
        t->cwnd += more;
        acked -= more;
    }
    if (t->cwnd >= t->ssthresh) {
        t->credit += acked;
        if (t->credit >= t->cwnd) {
            t->credit -= t->cwnd;
            t->cwnd++;
        }
    }
    t->cwnd = least(t->cwnd, WINDOW);
}

/* Something new has arrived. True: the timer starts again. */
static bool fresh_ack(struct sim *s, uint32_t flow, uint64_t arrived)
{
    struct sim_qp *qp = &s->qps[flow];
    struct sim_tcp *t = &s->tcp[flow];
    uint64_t acked = arrived - qp->una;
    for (uint64_t psn = qp->una; psn < arrived; psn++) {
        t->attempts[psn % WINDOW] = 0;
    }
    if (t->timed_at != SIM_NEVER && arrived > t->timed) {
        sample(t, s->w->now - t->timed_at);
        t->timed_at = SIM_NEVER;
        t->backoff = 0;
    }
    sim_qp_advance(s, flow, arrived);
    if (t->probed && arrived < t->high) {
        begin_recovery(s, flow); /* the answer to the probe: there is a hole */
        return true;
    }
    t->probed = t->probe_due = false;
    if (!t->recovering) {
        t->duplicates = 0;
        grow(t, arrived, acked);
        return true;
    }
    if (arrived < t->recover) {
        bool first = !t->partial;
        t->partial = t->again = true;
        t->cwnd = (t->cwnd > acked ? t->cwnd - acked : 0) + 1;
        return first; /* many holes: better a timeout than a round trip for each (RFC 6582) */
    }
    t->recovering = t->again = t->partial = false;
    t->duplicates = 0;
    t->cwnd = least(t->ssthresh, most(t->high - arrived, 1) + 1);
    return true;
}

static bool duplicate_ack(struct sim *s, uint32_t flow)
{
    struct sim_tcp *t = &s->tcp[flow];
    t->duplicates++;
    if (t->recovering) {
        t->cwnd = least(t->cwnd + 1, WINDOW);
        return false;
    }
    if ((t->duplicates == DUPLICATES && past_recovery(s, flow)) || t->probed) {
        begin_recovery(s, flow);
        return true;
    }
    return false;
}

static bool ack(struct sim *s, const struct sim_packet *f, uint64_t arrived)
{
    if (arrived > s->qps[f->flow].una) {
        return fresh_ack(s, f->flow, arrived);
    }
    return s->tcp[f->flow].high > arrived && duplicate_ack(s, f->flow);
}

static void expire(struct sim *s, uint32_t flow)
{
    struct sim_qp *qp = &s->qps[flow];
    struct sim_tcp *t = &s->tcp[flow];
    if (qp->retries == 1) { /* for the first of several in a row only */
        t->ssthresh = most((qp->next - qp->una) / 2, 2);
    }
    if (qp->next > qp->una) {
        record(s, SIM_TRACE_REWIND, flow, qp->next - qp->una);
    }
    t->cwnd = 1;
    t->credit = 0;
    t->duplicates = 0;
    t->recover = t->high;
    t->recovering = t->again = t->partial = t->probed = t->probe_due = false;
    t->timed_at = SIM_NEVER;
    t->backoff += t->backoff < BACKOFF_MAX;
    qp->next = qp->una;
}

/* ---- receiver -------------------------------------------------------------------------------- */

static void arm_delay(struct sim *s, uint32_t flow, bool on)
{
    sim_ps at = on ? s->w->now + s->w->knobs.v[SIM_KNOB_DELAYED_ACK] : SIM_NEVER;
    sim_timer_set(s, &s->tcp[flow].delay, at, SIM_CLASS_TIMER, sim_comp_flow(s->config, flow),
                  SIM_EV_RECEIVER, 0);
}

static void answer(struct sim *s, uint32_t port, uint32_t flow, uint64_t expected)
{
    s->qps[flow].unacked = 0;
    arm_delay(s, flow, false);
    sim_qp_answer(s, port, flow, SIM_FRAME_ACK, expected - 1, 0);
}

static void waited(struct sim *s, uint32_t flow)
{
    uint32_t port = s->config->flows[flow].back;
    if (sim_timer_due(s, &s->tcp[flow].delay, SIM_CLASS_TIMER, sim_comp_flow(s->config, flow),
                      SIM_EV_RECEIVER, 0)) {
        answer(s, port, flow, s->qps[flow].expected);
    }
}

/* The segment expected, and what had been waiting for it. The ACK leaves before the application
 * can put data in its way. */
static void in_order(struct sim *s, uint32_t port, uint32_t flow)
{
    struct sim_qp *qp = &s->qps[flow];
    struct sim_tcp *t = &s->tcp[flow];
    uint64_t end = qp->expected + 1;
    bool hole = t->held > 0;
    while (sim_bits_get(t->received, WINDOW, end)) {
        sim_bits_put(t->received, WINDOW, end++, false);
        t->held--;
    }
    qp->unacked++;
    if (hole || qp->unacked >= 2 || s->w->knobs.v[SIM_KNOB_DELAYED_ACK] == 0) {
        answer(s, port, flow, end);
    } else {
        arm_delay(s, flow, true);
    }
    while (qp->expected < end) {
        const uint64_t psn = qp->expected;
        sim_qp_tell(s, flow, psn, sim_qp_take_in(s, flow, psn));
    }
}

static void data(struct sim *s, uint32_t port, const struct sim_packet *f)
{
    struct sim_tcp *t = &s->tcp[f->flow];
    uint64_t expected = s->qps[f->flow].expected;
    if (f->psn < expected || sim_bits_get(t->received, WINDOW, f->psn)) {
        s->w->count.refused++; /* it has that already */
        answer(s, port, f->flow, expected);
        return;
    }
    s->w->count.delivered++;
    if (f->psn == expected) {
        in_order(s, port, f->flow);
        return;
    }
    sim_bits_put(t->received, WINDOW, f->psn, true);
    t->held++;
    answer(s, port, f->flow, expected);
}

/* ---- what others want to know ---------------------------------------------------------------- */

static void init(struct sim *s, uint32_t flow)
{
    struct sim_tcp *t = &s->tcp[flow];
    t->cwnd = INITIAL_WINDOW;
    t->ssthresh = WINDOW;
    t->timed_at = SIM_NEVER;
    t->delay = (struct sim_timer){ SIM_NEVER, SIM_NEVER };
}

static void state(const struct sim *s, uint32_t flow, struct sim_flow_state *out)
{
    const struct sim_tcp *t = &s->tcp[flow];
    out->cwnd = t->cwnd;
    out->ssthresh = t->ssthresh;
    out->rtt = t->srtt8 >> 3;
    out->rto = rto(s, flow);
    out->probing = t->probing;
    out->duplicates = t->duplicates;
    out->keeps = t->held > 0;
}

static bool audit(const struct sim *s, uint32_t flow, struct err *err)
{
    const struct sim_qp *qp = &s->qps[flow];
    const struct sim_tcp *t = &s->tcp[flow];
    uint64_t held = 0;
    for (uint64_t psn = qp->expected; psn < qp->expected + WINDOW; psn++) {
        held += sim_bits_get(t->received, WINDOW, psn);
    }
    bool good = t->cwnd >= 1 && t->ssthresh >= 2 && t->high >= qp->next && t->high <= qp->end &&
                t->high - qp->una <= WINDOW && t->recover <= t->high && held == t->held &&
                (!t->again || qp->una < t->high) && (!t->recovering || qp->una < t->recover) &&
                (t->timed_at == SIM_NEVER || (t->timed >= qp->una && t->timed < t->high));
    return good || err_set(err, ERR_STATE, "flow %s: its TCP state contradicts itself",
                           s->config->flows[flow].name);
}

const struct sim_transport_ops sim_tcp_ops = {
    .payload = SIM_KNOB_MSS,
    .retries = SIM_KNOB_TCP_RETRIES,
    .keeps = true,
    .init = init,
    .may_send = may_send,
    .take = take,
    .attempt = attempt,
    .data = data,
    .waited = waited,
    .ack = ack,
    .probe = probe,
    .expire = expire,
    .timeout = timeout,
    .state = state,
    .audit = audit,
};
