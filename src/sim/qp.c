/*
 * What all transports share. Go-back-N is in goback.c, sending only what is missing in selective.c, TCP
 * in tcp.c. In a plain run (link.h) it is go-back-N, and what nearly every packet and ACK does then has
 * a short way here: pull_plain(), sim_qp_ack(), sim_qp_data().
 */
#include "sim/qp.h"

#include <assert.h>

#include "sim/cc.h"
#include "sim/event.h"
#include "sim/link.h"
#include "sim/stage.h"
#include "sim/stall.h"
#include "sim/switch.h"
#include "sim/transport.h"
#include "sim/work.h"
#include "sim/world.h"

uint64_t sim_packets_of(const struct sim *s, int64_t bytes)
{
    int64_t mtu = s->config->wire.payload;
    return bytes > 0 ? (uint64_t)((bytes + mtu - 1) / mtu) : 1; /* an empty message is one packet */
}

/* ---- sender ---------------------------------------------------------------------------------- */

static bool may_send(const struct sim *s, uint32_t flow)
{
    return !s->qps[flow].error &&
           (s->plain ? sim_gbn_may_send(s, flow) : sim_transport_of(s)->may_send(s, flow));
}

void sim_qp_ready(struct sim *s, uint32_t flow)
{
    struct sim_qp *qp = &s->qps[flow];
    if (qp->ready) {
        return;
    }
    uint32_t prio = s->config->flows[flow].prio;
    const uint32_t port = s->config->flows[flow].port;
    struct sim_port_state *p = &s->ports[port];
    struct sim_fifo *ready = &s->nics[s->config->ports[port].nic].ready[prio];
    if (p->dead || !may_send(s, flow) || !sim_cc_may_send(s, flow)) {
        return;
    }
    p->ready = (uint8_t)(p->ready | 1u << prio);
    qp->ready = true;
    qp->ready_next = SIM_NONE;
    if (ready->head == SIM_NONE) {
        ready->head = flow;
    } else {
        s->qps[ready->tail].ready_next = flow;
    }
    ready->tail = flow;
    s->w->ready_flows++;
}

void sim_qp_kick(struct sim *s, uint32_t flow)
{
    if (!s->qps[flow].ready) {
        sim_qp_ready(s, flow);
    }
    sim_port_kick(s, s->config->flows[flow].port);
}

static void arm_timer(struct sim *s, uint32_t flow, bool on)
{
    sim_ps at = on ? s->w->now + sim_transport_of(s)->timeout(s, flow) : SIM_NEVER;
    sim_timer_set(s, &s->qps[flow].timer, at, SIM_CLASS_TIMER, sim_comp_flow(s->config, flow),
                  SIM_EV_ACK_TIMER, 0);
}

void sim_qp_post(struct sim *s, uint32_t flow, int64_t bytes, uint32_t step, uint32_t flags)
{
    if (s->config->stages && sim_is_staged(s, flow)) {
        sim_stage_post(s, flow, bytes, step, flags);
        return;
    }
    struct sim_qp *qp = &s->qps[flow];
    sim_port_settle(s, s->config->flows[flow].port);
    uint32_t cell = sim_cell_alloc(s);
    struct sim_cell *message = &s->cells[cell];
    message->psn = qp->end;
    message->packets = sim_packets_of(s, bytes);
    message->bytes = bytes;
    message->step = step;
    message->flags = flags;
    if (qp->messages == SIM_NONE) {
        qp->messages = cell;
    } else {
        s->cells[qp->messages_tail].next = cell;
    }
    qp->messages_tail = cell;
    qp->end += message->packets;
    qp->posted_bytes += bytes;
    if (qp->start == SIM_NEVER) {
        qp->start = s->w->now;
    }
    sim_qp_kick(s, flow);
}

uint32_t sim_qp_attempt(const struct sim *s, uint32_t flow, uint64_t psn)
{
    return sim_transport_of(s)->attempt(s, flow, psn);
}

uint32_t sim_qp_message(const struct sim *s, const struct sim_qp *qp, uint64_t psn)
{
    uint32_t c = qp->messages;
    if (qp->recent != SIM_NONE && s->cells[qp->recent].psn <= psn) {
        c = qp->recent; /* a stream may have thousands of messages that wait for an answer */
    }
    while (c != SIM_NONE && psn >= s->cells[c].psn + s->cells[c].packets) {
        c = s->cells[c].next;
    }
    return c;
}

static void forget(struct sim *s, struct sim_qp *qp)
{
    while (qp->rewinds != SIM_NONE && s->cells[qp->rewinds].psn <= qp->una) {
        uint32_t cell = qp->rewinds;
        qp->rewinds = s->cells[cell].next;
        sim_cell_free(s, cell);
    }
    while (qp->messages != SIM_NONE &&
           s->cells[qp->messages].psn + s->cells[qp->messages].packets <= qp->una) {
        uint32_t cell = qp->messages;
        qp->messages = s->cells[cell].next;
        qp->recent = qp->recent == cell ? SIM_NONE : qp->recent;
        sim_cell_free(s, cell);
    }
}

/* Payload of a packet, and whether it ends its message. */
static int64_t payload_of(const struct sim *s, const struct sim_cell *message, uint64_t psn,
                          bool *last)
{
    int64_t mtu = s->config->wire.payload;
    uint64_t index = psn - message->psn;
    *last = index + 1 == message->packets;
    return *last ? message->bytes - (int64_t)index * mtu : mtu;
}

static void fill_packet(struct sim *s, uint32_t flow, uint64_t psn, struct sim_packet *f)
{
    struct sim_qp *qp = &s->qps[flow];
    qp->recent = sim_qp_message(s, qp, psn);
    const struct sim_cell *message = &s->cells[qp->recent];
    bool last;
    int64_t payload = payload_of(s, message, psn, &last);
    f->kind = SIM_FRAME_DATA;
    f->prio = (uint8_t)s->config->flows[flow].prio;
    f->flow = flow;
    f->psn = psn;
    f->payload = (uint32_t)payload;
    f->bytes = sim_data_bytes(&s->config->wire, payload) +
               (psn == message->psn ? s->config->wire.reth : 0);
    f->attempt = sim_qp_attempt(s, flow, psn);
    f->step = message->step;
    f->flags = (uint8_t)((last ? SIM_FRAME_LAST | (message->flags & UINT8_MAX) : 0u) |
                         (f->attempt > 1 ? SIM_FRAME_RESENT : 0u));
}

/* Takes the next flow of a NIC that really has something to send: an ACK may have overtaken what a
 * waiting flow had gone back for. */
static uint32_t take_ready(struct sim *s, uint32_t port, uint32_t prio)
{
    struct sim_port_state *p = &s->ports[port];
    if (((unsigned)p->ready >> prio & 1u) == 0) {
        return SIM_NONE;
    }
    struct sim_fifo *ready = &s->nics[s->config->ports[port].nic].ready[prio];
    while (ready->head != SIM_NONE) {
        uint32_t flow = ready->head;
        struct sim_qp *qp = &s->qps[flow];
        ready->head = qp->ready_next;
        if (ready->head == SIM_NONE) {
            ready->tail = SIM_NONE;
            p->ready = (uint8_t)(p->ready & ~(1u << prio));
        }
        qp->ready = false;
        s->w->ready_flows--;
        if (may_send(s, flow)) {
            return flow;
        }
    }
    return SIM_NONE;
}

static __attribute__((noinline)) uint32_t pull(struct sim *s, uint32_t port, uint32_t prio)
{
    uint32_t flow = take_ready(s, port, prio);
    if (flow == SIM_NONE) {
        return SIM_NONE;
    }
    struct sim_qp *qp = &s->qps[flow];
    uint32_t packet = sim_packet_alloc(s);
    uint64_t psn = sim_transport_of(s)->take(s, flow);
    fill_packet(s, flow, psn, &s->packets[packet]);
    qp->sent++;
    qp->in_flight++;
    s->w->data_in_flight++;
    s->w->count.sent++;
    if ((s->packets[packet].flags & SIM_FRAME_RESENT) != 0) {
        qp->resent++;
        s->w->count.retransmitted++;
    }
    if (qp->timer.deadline == SIM_NEVER) {
        arm_timer(s, flow, true);
    }
    sim_cc_sent(s, flow, s->packets[packet].bytes);
    sim_qp_ready(s, flow); /* behind the other flows of this NIC: one packet a turn */
    return packet;
}

/* The same for a flow that has the NIC's class to itself, keeps to go-back-N at the line's rate and has
 * nothing to repeat: it stays in the list as long as it has more to send. */
static uint32_t pull_plain(struct sim *s, uint32_t port, uint32_t prio, uint32_t flow)
{
    struct sim_qp *qp = &s->qps[flow];
    struct sim_port_state *p = &s->ports[port];
    const uint64_t psn = qp->next++;
    qp->recent = sim_qp_message(s, qp, psn);
    const struct sim_cell *message = &s->cells[qp->recent];
    bool last;
    const int64_t payload = payload_of(s, message, psn, &last);
    const uint32_t packet = sim_packet_alloc(s);
    struct sim_packet *f = &s->packets[packet];
    f->prio = (uint8_t)prio;
    f->flow = flow;
    f->psn = psn;
    f->payload = (uint32_t)payload;
    f->bytes = (last ? sim_data_bytes(&s->config->wire, payload) : s->config->wire.full) +
               (psn == message->psn ? s->config->wire.reth : 0);
    f->attempt = 1;
    f->step = message->step;
    f->flags = (uint8_t)(last ? SIM_FRAME_LAST | (message->flags & UINT8_MAX) : 0u);
    qp->sent++;
    qp->in_flight++;
    s->w->data_in_flight++;
    s->w->count.sent++;
    if (qp->timer.deadline == SIM_NEVER) {
        arm_timer(s, flow, true);
    }
    if (!sim_gbn_may_send(s, flow)) {
        s->nics[s->config->ports[port].nic].ready[prio] = (struct sim_fifo){ SIM_NONE, SIM_NONE };
        p->ready = (uint8_t)(p->ready & ~(1u << prio));
        qp->ready = false;
        s->w->ready_flows--;
    }
    return packet;
}

uint32_t sim_qp_pull(struct sim *s, uint32_t port, uint32_t prio)
{
    if (s->plain && ((unsigned)s->ports[port].ready >> prio & 1u) != 0) {
        const struct sim_fifo *ready = &s->nics[s->config->ports[port].nic].ready[prio];
        const struct sim_qp *qp = &s->qps[ready->head];
        if (ready->head == ready->tail && !qp->cc.active && !qp->error && qp->rewinds == SIM_NONE &&
            sim_gbn_may_send(s, ready->head)) {
            return pull_plain(s, port, prio, ready->head);
        }
    }
    return pull(s, port, prio);
}

void sim_qp_port_dies(struct sim *s, uint32_t port)
{
    for (uint32_t prio = 0; prio < SIM_PRIO_COUNT; prio++) {
        while (take_ready(s, port, prio) != SIM_NONE) {
        }
    }
}

void sim_qp_advance(struct sim *s, uint32_t flow, uint64_t psn)
{
    struct sim_qp *qp = &s->qps[flow];
    if (psn > qp->una) {
        qp->una = psn;
        qp->retries = 0;
        if (qp->next < psn) {
            qp->next = psn; /* it had gone back for what arrived after all */
        }
        forget(s, qp);
    }
}

/* Messages that such an ACK completes; of a leg, those that end one of the workload's. */
static uint32_t messages_below(const struct sim *s, const struct sim_qp *qp, uint64_t arrived,
                               bool leg)
{
    uint32_t count = 0;
    for (uint32_t c = qp->messages;
         c != SIM_NONE && s->cells[c].psn + s->cells[c].packets <= arrived; c = s->cells[c].next) {
        count += !leg || (s->cells[c].flags & SIM_CELL_WHOLE) != 0;
    }
    return count;
}

static void record_ack(struct sim *s, uint32_t port, uint32_t flow, uint64_t arrived)
{
    struct sim_record rec = sim_record(SIM_TRACE_ACK);
    rec.port = port;
    rec.flow = flow;
    rec.value = (int64_t)arrived;
    sim_record_add(s, rec);
}

static __attribute__((noinline)) void ack(struct sim *s, uint32_t port, uint32_t packet)
{
    const struct sim_packet f = s->packets[packet];
    struct sim_qp *qp = &s->qps[f.flow];
    sim_frame_end(s, packet);
    uint64_t arrived = f.kind == SIM_FRAME_NAK ? f.psn : f.psn + 1; /* first PSN not yet arrived */
    if (qp->error || arrived < qp->una) {
        return; /* old news */
    }
    uint64_t before = qp->una;
    const bool leg = s->config->stages && s->config->flows[f.flow].staged != SIM_NONE;
    uint32_t messages = messages_below(s, qp, arrived, leg);
    bool restart = sim_transport_of(s)->ack(s, &f, arrived);
    if (may_send(s, f.flow)) {
        sim_qp_kick(s, f.flow); /* the window has moved, or something is to be sent again */
    }
    if (restart) {
        arm_timer(s, f.flow, qp->una < qp->next);
    }
    if (sim_listening(s, SIM_TRACE_ACK)) {
        record_ack(s, port, f.flow, arrived);
    }
    if (qp->una > before && qp->una == qp->end) {
        qp->acked_at = s->w->now;
        if (!leg) {
            sim_work_acked(s, f.flow);
        }
    }
    if (leg) {
        sim_stage_acked(s, f.flow, messages);
        return;
    }
    for (; messages > 0; messages--) {
        sim_work_message_acked(s, f.flow);
    }
}

/* An ACK that completes no message only moves una. */
void sim_qp_ack(struct sim *s, uint32_t port, uint32_t packet)
{
    const struct sim_packet *f = &s->packets[packet];
    const uint32_t flow = f->flow;
    const uint64_t arrived = f->psn + 1;
    struct sim_qp *qp = &s->qps[flow];
    sim_port_settle(s, s->config->flows[flow].port);
    if (!s->plain || f->kind != SIM_FRAME_ACK || qp->error || arrived <= qp->una ||
        arrived > qp->next || qp->rewinds != SIM_NONE || qp->messages == SIM_NONE ||
        s->cells[qp->messages].psn + s->cells[qp->messages].packets <= arrived) {
        ack(s, port, packet);
        return;
    }
    qp->in_flight--;
    sim_packet_free(s, packet);
    qp->una = arrived;
    qp->retries = 0;
    if (qp->next < qp->end) {
        sim_qp_kick(s, flow);
    }
    const sim_ps deadline = arrived < qp->next ? s->w->now + sim_rc_timeout(s) : SIM_NEVER;
    if (deadline >= qp->timer.event) {
        qp->timer.deadline = deadline;
    } else {
        arm_timer(s, flow, deadline != SIM_NEVER);
    }
}

void sim_qp_timeout(struct sim *s, uint32_t flow)
{
    struct sim_qp *qp = &s->qps[flow];
    sim_port_settle(s, s->config->flows[flow].port);
    if (!sim_timer_due(s, &qp->timer, SIM_CLASS_TIMER, sim_comp_flow(s->config, flow),
                       SIM_EV_ACK_TIMER, 0) ||
        s->nodes[s->config->flows[flow].src].dead) {
        return;
    }
    const struct sim_transport_ops *ops = sim_transport_of(s);
    if (ops->probe != NULL && ops->probe(s, flow)) {
        sim_qp_kick(s, flow);
        arm_timer(s, flow, true);
        return;
    }
    qp->retries++;
    s->w->count.timeouts++;
    struct sim_record rec = sim_record(SIM_TRACE_TIMEOUT);
    rec.port = s->config->flows[flow].port;
    rec.flow = flow;
    rec.psn = qp->una;
    rec.value = ops->timeout(s, flow);
    sim_record_add(s, rec);
    if ((int64_t)qp->retries > s->w->knobs.v[ops->retries]) {
        qp->error = true;
        rec.kind = SIM_TRACE_QP_ERROR;
        rec.value = qp->retries;
        sim_record_add(s, rec);
        sim_slots_end(s);
        sim_stall_set(s, sim_stall_reason(s, flow), flow);
        return;
    }
    ops->expire(s, flow);
    sim_qp_kick(s, flow); /* a free port sends at once, which starts the timer */
    if (qp->timer.deadline == SIM_NEVER) {
        arm_timer(s, flow, true);
    }
}

/* ---- receiver -------------------------------------------------------------------------------- */

static uint8_t answer_prio(const struct sim *s, uint32_t flow)
{
    return s->w->knobs.v[SIM_KNOB_ACK_CLASS] == SIM_ACK_DATA ? (uint8_t)s->config->flows[flow].prio
                                                             : s->config->control_prio;
}

void sim_qp_answer(struct sim *s, uint32_t port, uint32_t flow, enum sim_frame_kind kind,
                   uint64_t psn, uint64_t sack)
{
    uint32_t packet = sim_packet_alloc(s);
    struct sim_packet *f = &s->packets[packet];
    f->kind = (uint8_t)kind;
    f->prio = answer_prio(s, flow);
    f->flow = flow;
    f->psn = psn;
    f->attempt = (uint32_t)sack;
    f->bytes = s->config->wire.ack;
    s->qps[flow].in_flight++;
    sim_egress_push(s, port, packet);
}

bool sim_qp_take_in(struct sim *s, uint32_t flow, uint64_t psn)
{
    struct sim_qp *qp = &s->qps[flow];
    bool last;
    qp->expected = psn + 1;
    qp->nak_sent = false;
    qp->delivered_bytes += payload_of(s, &s->cells[sim_qp_message(s, qp, psn)], psn, &last);
    qp->delivered_at = s->w->now;
    return last;
}

void sim_qp_tell(struct sim *s, uint32_t flow, uint64_t psn, bool last)
{
    if (s->config->stages && s->config->flows[flow].staged != SIM_NONE) {
        sim_stage_delivered(s, flow, psn, last);
    } else if (last) {
        sim_work_delivered(s, flow);
    }
}

void sim_qp_deliver(struct sim *s, uint32_t port, uint32_t flow, uint64_t psn, bool more)
{
    struct sim_qp *qp = &s->qps[flow];
    bool last = sim_qp_take_in(s, flow, psn);
    qp->unacked++;
    qp->ack_due = qp->ack_due || last || (int64_t)qp->unacked >= sim_ack_every(s);
    if (qp->ack_due && !more) {
        qp->ack_due = false;
        qp->unacked = 0;
        sim_qp_answer(s, port, flow, SIM_FRAME_ACK, psn, 0);
    }
    sim_qp_tell(s, flow, psn, last);
}

void sim_qp_record_nak(struct sim *s, uint32_t port, uint32_t flow, uint64_t psn)
{
    struct sim_record rec = sim_record(SIM_TRACE_NAK);
    rec.port = port;
    rec.flow = flow;
    rec.psn = psn;
    rec.attempt = sim_qp_attempt(s, flow, psn) + 1; /* the attempt asked for */
    sim_record_add(s, rec);
}

static __attribute__((noinline)) void data(struct sim *s, uint32_t port, uint32_t packet)
{
    const struct sim_packet f = s->packets[packet];
    bool good = f.psn == s->qps[f.flow].expected;
    enum sim_trace_kind kind = good ? SIM_TRACE_ACCEPT : SIM_TRACE_REFUSE;
    if (sim_listening(s, kind)) {
        sim_record_frame(s, kind, port, packet);
    }
    sim_frame_end(s, packet);
    if ((f.flags & SIM_FRAME_CE) != 0) {
        sim_cc_marked(s, port, f.flow);
    }
    sim_transport_of(s)->data(s, port, &f);
}

/* The packet that is expected: it becomes the ACK that answers it. */
void sim_qp_data(struct sim *s, uint32_t port, uint32_t packet)
{
    struct sim_packet *f = &s->packets[packet];
    const uint32_t flow = f->flow;
    const uint64_t psn = f->psn;
    struct sim_qp *qp = &s->qps[flow];
    const int64_t every = s->w->knobs.v[SIM_KNOB_ACK_EVERY];
    const bool last = (f->flags & SIM_FRAME_LAST) != 0;
    if (!s->plain || psn != qp->expected || (f->flags & SIM_FRAME_CE) != 0 || qp->ack_due ||
        !(last || (every > 0 && (int64_t)qp->unacked + 1 >= every))) {
        data(s, port, packet);
        return;
    }
    s->w->data_in_flight--;
    s->w->count.delivered++;
    qp->expected = psn + 1;
    qp->nak_sent = false;
    qp->delivered_bytes += f->payload;
    qp->delivered_at = s->w->now;
    qp->unacked = 0;
    *f = (struct sim_packet){ .next = SIM_NONE,
                              .flow = flow,
                              .psn = psn,
                              .bytes = s->config->wire.ack,
                              .ingress = SIM_NONE,
                              .egress = SIM_NONE,
                              .kind = SIM_FRAME_ACK,
                              .prio = answer_prio(s, flow),
                              .serial = sim_serial(s) };
    sim_egress_push(s, port, packet);
    if (last) {
        sim_work_delivered(s, flow);
    }
}

/* ---- the transports -------------------------------------------------------------------------- */

const struct sim_transport_ops *const sim_transports[SIM_TRANSPORT_COUNT] = {
    [SIM_GO_BACK_N] = &sim_go_back_n_ops,
    [SIM_GO_BACK_0] = &sim_go_back_n_ops,
    [SIM_SELECTIVE] = &sim_selective_ops,
    [SIM_TCP] = &sim_tcp_ops,
};
