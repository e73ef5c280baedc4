/*
 * Why is it waiting? The chain of causes, from a rank down to the root, or round to where it closes.
 *
 *     at the barrier -> the first rank that is not there -> what that one waits for: a message from
 *     its neighbour -> where the missing packet is: computing, paused, in a queue, on a cable, lost
 */
#include <inttypes.h>
#include <stdio.h>

#include "sim/stage.h"
#include "sim/transport.h"
#include "sim/work.h"
#include "sim/world.h"

struct chain {
    const struct sim *s;
    struct sim_why *out;
    size_t cap, count;
    bool barrier; /* the barrier is already part of it */
};

static struct sim_why link_of(enum sim_why_kind kind)
{
    return (struct sim_why){ .kind = kind,
                             .rank = SIM_NONE,
                             .other = SIM_NONE,
                             .flow = SIM_NONE,
                             .port = SIM_NONE,
                             .since = SIM_NEVER,
                             .until = SIM_NEVER };
}

static bool add(struct chain *c, struct sim_why why)
{
    if (c->count >= c->cap) {
        return false;
    }
    c->out[c->count++] = why;
    return true;
}

/* Of several attempts the first: what counts is the one that arrives first. */
static const struct sim_packet *find_psn(const struct sim *s, uint32_t flow, uint64_t psn)
{
    const struct sim_packet *found = NULL;
    for (uint64_t i = 0; i < s->w->packet_high; i++) {
        const struct sim_packet *f = &s->packets[i];
        if ((f->flags & (SIM_FLAG_POOL_FREE | SIM_FRAME_LOST)) == 0 && f->kind == SIM_FRAME_DATA &&
            f->flow == flow && f->psn == psn && (found == NULL || f->attempt < found->attempt)) {
            found = f;
        }
    }
    return found;
}

/* Since when a port may not send: paused, or without credits; SIM_NEVER: it may. */
static sim_ps stopped_since(const struct sim *s, uint32_t port)
{
    sim_ps paused = s->lanes[port].pause[SIM_PRIO_DATA].since;
    return paused != SIM_NEVER ? paused : s->lanes[port].vl[SIM_PRIO_DATA].starved_since;
}

/* Whether the chain has come by this port before: the pauses go round in a circle. */
static bool has_been_at(const struct chain *c, uint32_t port)
{
    for (size_t i = 0; i < c->count; i++) {
        const enum sim_why_kind kind = c->out[i].kind;
        if ((kind == SIM_WHY_PAUSED || kind == SIM_WHY_CREDITS) && c->out[i].port == port) {
            return true;
        }
    }
    return false;
}

/* A port that cannot send, and why; follows the pauses upstream to the port where they begin. */
static void explain_port(struct chain *c, uint32_t port)
{
    const struct sim *s = c->s;
    for (uint32_t hops = 0; hops < s->config->port_count; hops++) {
        struct sim_why why = link_of(SIM_WHY_HELD);
        why.port = port;
        if (s->ports[port].held) {
            (void)add(c, why);
            return;
        }
        why.since = stopped_since(s, port);
        if (why.since == SIM_NEVER) {
            return;
        }
        if (has_been_at(c, port)) {
            why.kind = SIM_WHY_CIRCLE;
            (void)add(c, why);
            return;
        }
        bool paused = s->lanes[port].pause[SIM_PRIO_DATA].since != SIM_NEVER;
        why.kind = paused ? SIM_WHY_PAUSED : SIM_WHY_CREDITS;
        why.other = s->config->ports[port].peer;
        why.until = paused ? s->lanes[port].pause[SIM_PRIO_DATA].until : SIM_NEVER;
        if (!add(c, why)) {
            return;
        }
        /* what the neighbour holds waits in one of its own queues: the fullest is the reason */
        const struct sim_node_config *n = &s->config->nodes[s->config->ports[why.other].node];
        uint32_t worst = SIM_NONE;
        for (uint32_t p = n->first_port; p < n->first_port + n->port_count; p++) {
            int64_t bytes = s->ports[p].classes[sim_class_place(SIM_PRIO_DATA)].out.bytes;
            if (bytes > 0 &&
                (worst == SIM_NONE ||
                 bytes > s->ports[worst].classes[sim_class_place(SIM_PRIO_DATA)].out.bytes)) {
                worst = p;
            }
        }
        if (worst == SIM_NONE) {
            return;
        }
        port = worst;
    }
}

/* Nothing of the flow is on its way, not even an answer. */
static void explain_timer(struct chain *c, uint32_t flow)
{
    const struct sim_qp *qp = &c->s->qps[flow];
    if (qp->in_flight == 0 && qp->timer.deadline != SIM_NEVER) {
        struct sim_why why = link_of(SIM_WHY_TIMER);
        why.flow = flow;
        why.psn = qp->una;
        why.until = qp->timer.deadline;
        (void)add(c, why);
    }
}

/* Its receiver has all that it sent: why does it not send more, or when will it be done? */
static void explain_sender(struct chain *c, uint32_t flow)
{
    const struct sim *s = c->s;
    const struct sim_qp *qp = &s->qps[flow];
    const size_t before = c->count;
    const bool more = qp->next < qp->end;
    struct sim_why why = link_of(more ? SIM_WHY_WINDOW : SIM_WHY_UNACKED);
    why.flow = flow;
    if (more) {
        explain_port(c, s->config->flows[flow].port);
    }
    if (c->count > before || (!more && qp->una == qp->next)) {
        return;
    }
    if (more && sim_transport_of(s)->may_send(s, flow)) {
        why.kind = SIM_WHY_PACED;
        why.until = qp->cc.next;
        if (qp->cc.active && qp->cc.next > s->w->now) {
            (void)add(c, why);
        }
        return; /* or others have their turn */
    }
    (void)add(c, why);
    explain_timer(c, flow);
}

/* Where the packet is that `flow`'s receiver wants next. */
static void explain_flow(struct chain *c, uint32_t flow)
{
    const struct sim *s = c->s;
    flow = sim_stage_live(s, flow);
    const struct sim_qp *qp = &s->qps[flow];
    const struct sim_packet *f = find_psn(s, flow, qp->expected);
    struct sim_why why = link_of(SIM_WHY_LOST);
    why.flow = flow;
    why.psn = qp->expected;
    if (f != NULL) {
        /* inside a switch it has no queue yet: it is as good as on its way there */
        const bool inside = f->egress == SIM_NONE;
        bool waits = !inside && (f->start == SIM_NEVER || f->ingress != SIM_NONE);
        if (inside && s->config->nodes[s->config->ports[f->ingress].node].kind != SIM_SWITCH) {
            why.kind = SIM_WHY_BUFFER;
            why.port = f->ingress;
            (void)add(c, why);
            return;
        }
        why.kind = waits ? SIM_WHY_QUEUE : SIM_WHY_WIRE;
        why.port = inside ? s->config->ports[f->ingress].peer : f->egress;
        why.until = waits ? SIM_NEVER : f->at;
        (void)add(c, why);
        if (waits) {
            explain_port(c, f->egress);
        }
        return;
    }
    if (qp->expected >= qp->next) { /* all that was sent has arrived */
        explain_sender(c, flow);
        return;
    }
    why.kind = qp->nak_sent || sim_flow_state(s, flow).keeps ? SIM_WHY_GAP : SIM_WHY_LOST;
    (void)add(c, why);
    if (qp->error) {
        why.kind = SIM_WHY_GAVE_UP;
        (void)add(c, why);
        return;
    }
    explain_timer(c, flow);
    if (qp->in_flight > 0) {
        return; /* a NAK or what reveals the gap is on its way */
    }
    if (!qp->nak_sent && qp->next == qp->end && s->config->rank_count > 0) {
        why.kind = SIM_WHY_NEXT_STEP;
        (void)add(c, why);
    }
}

/* It has all, but not all of its own is acknowledged: the queue pair from which least is heard. */
static uint32_t unacknowledged(const struct sim *s, uint32_t r)
{
    uint32_t worst = SIM_NONE;
    for (uint32_t i = s->config->own_first[r]; i < s->config->own_first[r + 1]; i++) {
        uint32_t f = s->config->own[i];
        const struct sim_qp *live = &s->qps[sim_stage_live(s, f)];
        bool silent = live->in_flight == 0 && live->next == live->end;
        if (s->qps[f].una < s->qps[f].end && (worst == SIM_NONE || silent)) {
            worst = f;
        }
    }
    return worst;
}

/* What a party waits for. Returns the party to ask next, or SIM_NONE when the reason is found. */
static uint32_t explain_wait(struct chain *c, uint32_t r)
{
    const struct sim *s = c->s;
    struct sim_op op;
    if (!sim_training_waits(s, r, &op)) {
        uint32_t flow = unacknowledged(s, r);
        if (flow != SIM_NONE) {
            explain_flow(c, flow);
        }
        return SIM_NONE;
    }
    bool sends = op.kind == SIM_OP_SEND;
    struct sim_why why = link_of(sends ? SIM_WHY_CLEARANCE : SIM_WHY_NEEDS);
    why.rank = r;
    why.other = op.peer;
    why.flow = sim_training_flow(s, r, &op);
    if (!add(c, why)) {
        return SIM_NONE;
    }
    /* a message or a clear-to-send that is on its way? */
    uint32_t flow = sends ? s->config->flows[why.flow].permit : sim_training_missing(s, why.flow);
    const bool died = s->nodes[s->config->hosts[op.peer]].dead && s->qps[flow].in_flight == 0;
    if (s->qps[flow].expected < s->qps[flow].end && !died) {
        explain_flow(c, flow);
        return SIM_NONE;
    }
    return op.peer; /* it has nothing to send yet: why not? */
}

static void explain_rank(struct chain *c, uint32_t r)
{
    const struct sim *s = c->s;
    for (uint32_t hops = 0; hops <= s->config->party_count && r != SIM_NONE; hops++) {
        const struct sim_rank_data *data = &s->ranks[r];
        struct sim_why why = link_of(SIM_WHY_COMPUTE);
        why.rank = r;
        if (s->nodes[s->config->hosts[r]].dead) {
            why.kind = SIM_WHY_DEAD;
            (void)add(c, why);
            return;
        }
        if (data->still > s->w->now) {
            why.kind = SIM_WHY_STILL;
            why.until = data->still;
            (void)add(c, why);
            return;
        }
        if (data->phase == SIM_PHASE_BARRIER) {
            return;
        }
        if (data->phase == SIM_PHASE_COMPUTE && data->bucket == data->ready) {
            why.until = data->compute_end;
            (void)add(c, why);
            return;
        }
        r = explain_wait(c, r);
    }
}

/* The rank the barrier waits for: the one that lacks most messages. */
static uint32_t culprit(const struct sim *s)
{
    uint32_t worst = SIM_NONE;
    for (uint32_t r = 0; r < s->config->rank_count; r++) {
        if (s->ranks[r].phase == SIM_PHASE_BARRIER) {
            continue;
        }
        int64_t lacks = s->ranks[r].expects - s->ranks[r].received;
        if (worst == SIM_NONE || lacks > s->ranks[worst].expects - s->ranks[worst].received) {
            worst = r;
        }
    }
    return worst;
}

size_t sim_why(const struct sim *s, uint32_t rank, struct sim_why *out, size_t cap)
{
    struct chain c = { .s = s, .out = out, .cap = cap };
    if (rank >= s->config->rank_count) {
        return 0;
    }
    if (s->ranks[rank].phase == SIM_PHASE_BARRIER) {
        struct sim_why why = link_of(SIM_WHY_BARRIER);
        why.rank = rank;
        why.other = culprit(s);
        if (why.other == SIM_NONE || !add(&c, why)) {
            return c.count;
        }
        rank = why.other;
    }
    explain_rank(&c, rank);
    return c.count;
}

size_t sim_why_flow(const struct sim *s, uint32_t flow, struct sim_why *out, size_t cap)
{
    struct chain c = { .s = s, .out = out, .cap = cap };
    if (flow < s->config->flow_count && s->qps[flow].una < s->qps[flow].end) {
        explain_flow(&c, flow);
    }
    return c.count;
}

/* ---- sentences ------------------------------------------------------------------------------- */

static const char *rank_name(const struct sim *s, uint32_t rank)
{
    return rank == SIM_NONE ? "?" : s->config->nodes[s->config->hosts[rank]].name;
}

static const char *node_name(const struct sim *s, uint32_t port)
{
    return port == SIM_NONE ? "?" : s->config->nodes[s->config->ports[port].node].name;
}

/* "packet 111 from g3", its PSN, from 0; of a training "packet 44 of the step's 112 from g3", from 1. */
static const char *packet_words(const struct sim *s, const struct sim_why *w, char *buf,
                                size_t size)
{
    if (w->flow == SIM_NONE) {
        return "?";
    }
    const struct sim_qp *qp = &s->qps[w->flow];
    const char *src = s->config->nodes[s->config->flows[w->flow].src].name;
    if (w->psn >= qp->step_psn && w->psn - qp->step_psn < qp->step_packets) {
        char nth[32];
        char all[32];
        (void)snprintf(buf, size, "packet %s of the step's %s from %s",
                       units_grouped(nth, sizeof nth, (int64_t)(w->psn - qp->step_psn + 1)),
                       units_grouped(all, sizeof all, (int64_t)qp->step_packets), src);
    } else {
        (void)snprintf(buf, size, "packet %" PRIu64 " from %s", w->psn, src);
    }
    return buf;
}

/* What a sender waits for whose timer alone can help. */
static void say_timer(const struct sim *s, const struct sim_why *w, const char *in, char *buf,
                      size_t size)
{
    const struct sim_flow_state flow = sim_flow_state(s, w->flow);
    const char *src = s->config->nodes[s->config->flows[w->flow].src].name;
    char whole[48];
    (void)units_format(whole, sizeof whole, UNIT_TIME, flow.rto);
    if (s->w->knobs.v[SIM_KNOB_TRANSPORT] != SIM_TCP) {
        (void)snprintf(buf, size,
                       "%s hears nothing, neither ACK nor NAK: only its timer of %s can help, "
                       "in %s",
                       src, whole, in);
    } else if (flow.probing) {
        (void)snprintf(buf, size, "%s hears nothing: it sends a tail-loss probe in %s", src, in);
    } else if (flow.duplicates > 0) {
        char heard[48];
        (void)snprintf(buf, size,
                       "%s has heard %s, at the third it would send again: it waits for its RTO "
                       "(%s), another %s",
                       src,
                       units_counted(heard, sizeof heard, (int64_t)flow.duplicates, "repeated ACK",
                                     "repeated ACKs"),
                       whole, in);
    } else {
        (void)snprintf(buf, size, "%s hears nothing: it waits for its RTO (%s), another %s", src,
                       whole, in);
    }
}

static void say_window(const struct sim *s, const struct sim_why *w, char *buf, size_t size)
{
    const struct sim_flow_state flow = sim_flow_state(s, w->flow);
    const bool tcp = s->w->knobs.v[SIM_KNOB_TRANSPORT] == SIM_TCP;
    const int64_t window = (int64_t)(tcp ? flow.cwnd : flow.next - flow.una);
    char full[48];
    (void)snprintf(buf, size, "%s may not send more to %s: its %s (%s) is full",
                   s->config->nodes[s->config->flows[w->flow].src].name,
                   s->config->nodes[s->config->flows[w->flow].dst].name,
                   tcp ? "congestion window" : "window",
                   units_counted(full, sizeof full, window, tcp ? "segment" : "packet",
                                 tcp ? "segments" : "packets"));
}

const char *sim_why_say(const struct sim *s, const struct sim_why *w, char *buf, size_t size)
{
    char in[48] = "?";
    char whole[48];
    char words[96];
    const char *packet = packet_words(s, w, words, sizeof words);
    const char *here = node_name(s, w->port);
    const char *there = w->port == SIM_NONE ? "?" : node_name(s, s->config->ports[w->port].peer);
    const char *src = "?";
    const char *dst = "?";
    if (w->flow != SIM_NONE) {
        src = s->config->nodes[s->config->flows[w->flow].src].name;
        dst = s->config->nodes[s->config->flows[w->flow].dst].name;
    }
    if (w->until != SIM_NEVER) {
        (void)units_format(in, sizeof in, UNIT_TIME, w->until - s->w->now);
    }
    switch (w->kind) {
    case SIM_WHY_BARRIER:
        (void)snprintf(buf, size, "%s is done and waits at the barrier for %s",
                       rank_name(s, w->rank), rank_name(s, w->other));
        break;
    case SIM_WHY_COMPUTE:
        (void)snprintf(buf, size, "%s computes for another %s", rank_name(s, w->rank), in);
        break;
    case SIM_WHY_NEEDS:
        (void)snprintf(buf, size, "%s waits for data from %s", rank_name(s, w->rank),
                       rank_name(s, w->other));
        break;
    case SIM_WHY_LOST:
        (void)snprintf(buf, size,
                       "%s is lost; %s does not know: the packet that would show the "
                       "gap does not come",
                       packet, dst);
        break;
    case SIM_WHY_GAP:
        (void)snprintf(buf, size, "%s lacks %s and %s", dst, packet,
                       sim_transport_of(s)->keeps ? "keeps what has come after it"
                                                  : "refuses all that come after it");
        break;
    case SIM_WHY_TIMER:
        say_timer(s, w, in, buf, size);
        break;
    case SIM_WHY_WINDOW:
        say_window(s, w, buf, size);
        break;
    case SIM_WHY_PACED:
        (void)snprintf(
            buf, size, "%s may send its next packet to %s in %s: it is slowed to %s", src, dst, in,
            units_format(whole, sizeof whole, UNIT_RATE, sim_flow_state(s, w->flow).rate_bps));
        break;
    case SIM_WHY_UNACKED:
        (void)snprintf(buf, size, "all has arrived at %s; %s has not heard of it yet", dst, src);
        break;
    case SIM_WHY_PAUSED:
        (void)snprintf(buf, size, "%s may not send: %s told it to pause", here, there);
        break;
    case SIM_WHY_CREDITS:
        (void)snprintf(buf, size, "%s may not send: %s has no room for more, it gives no credits",
                       here, there);
        break;
    case SIM_WHY_QUEUE:
        (void)snprintf(buf, size, "%s stands in the queue of %s toward %s", packet, here, there);
        break;
    case SIM_WHY_WIRE:
        (void)snprintf(buf, size, "%s is on its way to %s", packet, there);
        break;
    case SIM_WHY_BUFFER:
        (void)snprintf(buf, size, "%s lies in the receive buffer of %s, which %s", packet, here,
                       s->nodes[s->config->ports[w->port].node].drain == 0 ? "takes nothing in"
                                                                           : "is slow");
        break;
    case SIM_WHY_HELD:
        (void)snprintf(buf, size, "a fault keeps %s from sending to %s", here, there);
        break;
    case SIM_WHY_GAVE_UP:
        (void)snprintf(buf, size, "%s has given up on %s: too many timeouts in a row", src, dst);
        break;
    case SIM_WHY_CLEARANCE:
        (void)snprintf(buf, size, "%s may not send to %s yet: no clear-to-send has come",
                       rank_name(s, w->rank), rank_name(s, w->other));
        break;
    case SIM_WHY_STILL:
        (void)snprintf(buf, size, "%s stands still for another %s: its GPU was stopped",
                       rank_name(s, w->rank), in);
        break;
    case SIM_WHY_DEAD:
        (void)snprintf(buf, size, "%s is dead", rank_name(s, w->rank));
        break;
    case SIM_WHY_CIRCLE:
        (void)snprintf(buf, size,
                       "and that is where we were: they wait for each other in a circle");
        break;
    case SIM_WHY_NEXT_STEP:
        (void)snprintf(buf, size,
                       "what would reveal it belongs to the next step, and that waits at "
                       "the barrier: the circle is closed");
        break;
    }
    return buf;
}
