/*
 * The invariants of model V00, recomputed from scratch and compared with what the fabric believes.
 */
#include <inttypes.h>
#include <stdlib.h>

#include "base/mem.h"
#include "sim/credit.h"
#include "sim/event.h"
#include "sim/fault.h"
#include "sim/link.h"
#include "sim/stage.h"
#include "sim/steer.h"
#include "sim/transport.h"
#include "sim/world.h"

struct audit {
    const struct sim *s;
    unsigned char *seen; /* per packet */
    uint32_t *in_flight; /* per flow */
    int64_t *held;       /* per port and priority: bytes still charged to it */
    uint64_t data;       /* data packets found */
    struct err *err;
};

static bool see(struct audit *a, uint32_t packet, const char *where)
{
    const struct sim_packet *f = &a->s->packets[packet];
    if (packet >= a->s->w->packet_high || (f->flags & SIM_FLAG_POOL_FREE) != 0) {
        return err_set(a->err, ERR_STATE, "%s holds packet %" PRIu32 ", which is free", where,
                       packet);
    }
    if (a->seen[packet]) {
        return err_set(a->err, ERR_STATE, "packet %" PRIu32 " is in two places, one is %s", packet,
                       where);
    }
    a->seen[packet] = 1;
    if ((f->flags & SIM_FRAME_LOST) == 0) {
        a->data += f->kind == SIM_FRAME_DATA;
        if (f->flow != SIM_NONE) {
            a->in_flight[f->flow]++;
        }
    }
    if (f->ingress != SIM_NONE) {
        a->held[f->ingress * SIM_PRIO_COUNT + f->prio] += sim_frame_charge(a->s, f);
    }
    return true;
}

static bool see_fifo(struct audit *a, const struct sim_fifo *fifo, const char *where,
                     int64_t *bytes)
{
    *bytes = 0;
    for (uint32_t i = fifo->head; i != SIM_NONE; i = a->s->packets[i].next) {
        if (!see(a, i, where)) {
            return false;
        }
        *bytes += a->s->packets[i].bytes;
        if (a->s->packets[i].next == SIM_NONE && fifo->tail != i) {
            return err_set(a->err, ERR_STATE, "%s: the tail is not the last", where);
        }
    }
    return true;
}

static bool audit_wire(struct audit *a, uint32_t port)
{
    const struct sim_port_state *p = &a->s->ports[port];
    int64_t bytes;
    if (!see_fifo(a, &p->wire, "a cable", &bytes) || !see_fifo(a, &p->pfc, "a PFC queue", &bytes) ||
        !see_fifo(a, &p->obey, "a PFC response", &bytes)) {
        return false;
    }
    if (p->pfc_waits != (p->pfc.head != SIM_NONE)) {
        return err_set(a->err, ERR_STATE, "port %s: PFC frames wait and it does not know",
                       a->s->config->ports[port].name);
    }
    if (p->wire_event != (p->wire.head != SIM_NONE)) {
        return err_set(a->err, ERR_STATE, "port %s: cable and its event disagree",
                       a->s->config->ports[port].name);
    }
    sim_ps last = 0;
    for (uint32_t i = p->wire.head; i != SIM_NONE; i = a->s->packets[i].next) {
        if (a->s->packets[i].at < a->s->w->now || a->s->packets[i].at < last) {
            return err_set(a->err, ERR_STATE, "port %s: a frame arrived in the past",
                           a->s->config->ports[port].name);
        }
        last = a->s->packets[i].at;
    }
    return true;
}

static bool audit_egress(struct audit *a, uint32_t port)
{
    const struct sim_port_state *p = &a->s->ports[port];
    for (uint32_t prio = 0; prio < SIM_PRIO_COUNT; prio++) {
        int64_t bytes;
        if (!see_fifo(a, &p->classes[sim_class_place(prio)].out.fifo, "an egress queue", &bytes)) {
            return false;
        }
        bool stopped = sim_port_stopped(a->s, port, prio);
        if ((p->backlog >> prio & 1u) !=
                (p->classes[sim_class_place(prio)].out.fifo.head != SIM_NONE) ||
            ((unsigned)p->blocked >> prio & 1u) != stopped) {
            return err_set(a->err, ERR_STATE,
                           "port %s: what waits or may not go is not what it says",
                           a->s->config->ports[port].name);
        }
        if (bytes != p->classes[sim_class_place(prio)].out.bytes) {
            return err_set(
                a->err, ERR_STATE, "port %s: its queue holds %" PRId64 " bytes and says %" PRId64,
                a->s->config->ports[port].name, bytes, p->classes[sim_class_place(prio)].out.bytes);
        }
    }
    if (p->tx_from != SIM_NONE) { /* being transmitted: still charged */
        a->held[p->tx_from * SIM_PRIO_COUNT + p->tx_prio] += p->tx_bytes;
        if (!p->tx_event || p->unseen || p->busy_until < a->s->w->now) {
            return err_set(a->err, ERR_STATE, "port %s: nobody will end its slot",
                           a->s->config->ports[port].name);
        }
    }
    return true;
}

/* Who avoids what: a port that routing has given up is down. */
static bool audit_withdrawn(struct audit *a)
{
    uint32_t count = 0;
    for (uint32_t p = 0; p < a->s->config->port_count; p++) {
        const struct sim_port_state *port = &a->s->ports[p];
        count += port->withdrawn;
        if (port->withdrawn ? !port->down : port->down != (port->reroute.deadline != SIM_NEVER)) {
            return err_set(a->err, ERR_STATE, "port %s: it is down and nobody will go round it",
                           a->s->config->ports[p].name);
        }
    }
    return count == a->s->w->withdrawn ||
           err_set(a->err, ERR_STATE, "%" PRIu32 " ports are avoided, not %" PRIu32, count,
                   a->s->w->withdrawn);
}

static bool audit_held(struct audit *a, uint32_t port)
{
    const struct sim_port_state *p = &a->s->ports[port];
    const char *name = a->s->config->ports[port].name;
    for (uint32_t prio = 0; prio < SIM_PRIO_COUNT; prio++) {
        const struct sim_pg *pg = &p->classes[sim_class_place(prio)].in;
        int64_t held = a->held[port * SIM_PRIO_COUNT + prio];
        if (pg->shared < 0 || pg->headroom < 0 || pg->shared + pg->headroom != held) {
            return err_set(a->err, ERR_STATE,
                           "port %s: charged %" PRId64 " + %" PRId64 " bytes, holds %" PRId64, name,
                           pg->shared, pg->headroom, held);
        }
        bool storm = ((unsigned)p->storm >> prio & 1u) != 0;
        bool pausing = (p->pausing >> prio & 1u) != 0;
        if (pausing && pg->headroom == 0 && pg->shared == 0 && !storm) {
            return err_set(a->err, ERR_STATE, "port %s: pausing with nothing held", name);
        }
        if (pausing && a->s->lanes[port].pause[prio].refresh.deadline == SIM_NEVER) {
            return err_set(a->err, ERR_STATE, "port %s: pausing without a refresh", name);
        }
    }
    return true;
}

/* One direction of a link: what its two ends believe, and what is on the way. */
static bool audit_credits(struct audit *a, uint32_t port)
{
    const struct sim *s = a->s;
    const struct sim_port_config *c = &s->config->ports[port];
    for (uint32_t prio = 0; prio < SIM_PRIO_COUNT; prio++) {
        const struct sim_vl *out = &s->lanes[port].vl[prio];
        const struct sim_vl *in = &s->lanes[c->peer].vl[prio];
        uint64_t coming = 0;
        bool resync = out->resync_event || ((unsigned)s->ports[port].due >> prio & 1u) != 0;
        for (uint32_t i = s->ports[port].wire.head; i != SIM_NONE; i = s->packets[i].next) {
            const struct sim_packet *f = &s->packets[i];
            coming += sim_credit_counts(f) && f->prio == prio
                          ? (uint64_t)sim_blocks(sim_frame_bytes(s, port, f))
                          : 0;
            resync = resync || (f->kind == SIM_FRAME_CREDIT && f->prio == prio);
        }
        /* what was destroyed is missed until the sender has told */
        bool exact =
            !resync && !s->ports[port].down && !s->ports[port].dead && !s->ports[c->peer].dead;
        if (out->sent > out->limit || out->limit > in->promised || in->held < 0 ||
            in->received + coming > out->sent || (exact && in->received + coming != out->sent)) {
            return err_set(a->err, ERR_STATE,
                           "port %s: credits: sent %" PRIu64 " limit %" PRIu64 " promised %" PRIu64
                           ", received %" PRIu64 " and %" PRIu64 " coming, held %" PRId64,
                           c->name, out->sent, out->limit, in->promised, in->received, coming,
                           in->held);
        }
    }
    return true;
}

static bool audit_node(struct audit *a, uint32_t node)
{
    const struct sim_node_config *c = &a->s->config->nodes[node];
    int64_t held = 0;
    for (uint32_t p = c->first_port; p < c->first_port + c->port_count; p++) {
        for (uint32_t prio = 0; prio < SIM_PRIO_COUNT; prio++) {
            held += a->held[p * SIM_PRIO_COUNT + prio];
        }
    }
    int64_t shared = 0;
    uint32_t pausing = 0;
    for (uint32_t p = c->first_port; p < c->first_port + c->port_count; p++) {
        for (uint32_t prio = 0; prio < SIM_PRIO_COUNT; prio++) {
            pausing += (unsigned)a->s->ports[p].pausing >> prio & 1u;
            shared += a->s->ports[p].classes[sim_class_place(prio)].in.shared;
        }
    }
    if (pausing != a->s->nodes[node].pausing) {
        return err_set(a->err, ERR_STATE, "%s: it does not know how many it pauses", c->name);
    }
    if (shared != a->s->nodes[node].used_shared) {
        return err_set(a->err, ERR_STATE, "%s: shared memory does not add up", c->name);
    }
    if (held != a->s->nodes[node].used) {
        return err_set(a->err, ERR_STATE, "%s: holds %" PRId64 " bytes and says %" PRId64, c->name,
                       held, a->s->nodes[node].used);
    }
    return true;
}

/* Of the parts of a message, one is missing: else it would be complete. */
static bool audit_pairs(struct audit *a, uint32_t flow)
{
    const struct sim_flow_config *c = &a->s->config->flows[flow];
    for (int so_far = 0; so_far < SIM_PART_COUNT && c->lead == flow; so_far++) {
        bool missing = false;
        for (uint32_t f = flow; f < flow + c->pairs; f++) {
            missing = missing || a->s->qps[f].parts[so_far] == 0;
        }
        if (!missing) {
            return err_set(a->err, ERR_STATE, "flow %s: a message is complete, nobody was told",
                           c->name);
        }
    }
    return true;
}

/* What is posted on a leg has arrived on the one before. (go-back-0 throws away what has arrived of a
 * message, but not what has been passed on.) */
static bool audit_staged(struct audit *a, uint32_t flow)
{
    const struct sim_flow_config *flows = a->s->config->flows;
    const bool exact = a->s->w->knobs.v[SIM_KNOB_TRANSPORT] != SIM_GO_BACK_0;
    int64_t come = a->s->qps[flow].posted_bytes;
    for (uint32_t leg = flows[flow].first_leg; leg != SIM_NONE; leg = flows[leg].next_leg) {
        if (exact && a->s->qps[leg].posted_bytes > come) {
            return err_set(a->err, ERR_STATE, "flow %s carries what has not come yet",
                           flows[leg].name);
        }
        come = a->s->qps[leg].delivered_bytes;
    }
    return !exact || come == a->s->qps[flow].delivered_bytes ||
           err_set(a->err, ERR_STATE, "flow %s: its last leg has delivered something else",
                   flows[flow].name);
}

static bool audit_flow(struct audit *a, uint32_t flow)
{
    const struct sim_qp *qp = &a->s->qps[flow];
    const char *name = a->s->config->flows[flow].name;
    if (qp->in_flight != a->in_flight[flow]) {
        return err_set(a->err, ERR_STATE, "flow %s: %" PRIu32 " frames in flight, it says %" PRIu32,
                       name, a->in_flight[flow], qp->in_flight);
    }
    if (qp->una > qp->next || qp->next > qp->end || qp->una > qp->expected ||
        qp->expected > qp->end) {
        return err_set(a->err, ERR_STATE,
                       "flow %s: una %" PRIu64 " next %" PRIu64 " expected %" PRIu64
                       " end %" PRIu64,
                       name, qp->una, qp->next, qp->expected, qp->end);
    }
    if (!audit_pairs(a, flow)) {
        return false;
    }
    if (sim_is_staged(a->s, flow)) {
        return audit_staged(a, flow); /* it counts messages and sends nothing itself */
    }
    bool dead = a->s->nodes[a->s->config->flows[flow].src].dead;
    if (qp->una < qp->next && qp->timer.deadline == SIM_NEVER && !qp->error && !dead) {
        return err_set(a->err, ERR_STATE, "flow %s: packets outstanding and no timer", name);
    }
    if (sim_transport_of(a->s)->audit != NULL &&
        !sim_transport_of(a->s)->audit(a->s, flow, a->err)) {
        return false;
    }
    if (qp->timer.deadline != SIM_NEVER && qp->timer.event > qp->timer.deadline) {
        return err_set(a->err, ERR_STATE, "flow %s: its timer would fire late", name);
    }
    return true;
}

/* Messages that have come, but whose sender has not heard of it: with round_trigger acked these do not
 * count yet. */
static int64_t unheard(const struct audit *a, uint32_t flow)
{
    const struct sim_qp *qp = &a->s->qps[flow];
    if (a->s->w->knobs.v[SIM_KNOB_ROUND_TRIGGER] == SIM_ROUND_RECEIVED ||
        a->s->config->flows[flow].lead != flow) {
        return 0;
    }
    /* of this queue pair's parts; what it is ahead of the others is no message yet */
    int64_t count = (int64_t)qp->parts[SIM_PART_ACKED] - qp->parts[SIM_PART_DELIVERED];
    if (sim_is_staged(a->s, flow)) {
        return count + (int64_t)(qp->expected - qp->una);
    }
    for (uint32_t m = qp->messages; m != SIM_NONE; m = a->s->cells[m].next) {
        count += a->s->cells[m].psn + a->s->cells[m].packets <= qp->expected;
    }
    return count;
}

/* Messages that have come and wait for their receiver to get to them: by the queue pairs, and by its
 * place in its program. */
static bool audit_mailbox(struct audit *a, uint32_t party)
{
    const struct sim_config *c = a->s->config;
    const struct sim_rank_data *rank = &a->s->ranks[party];
    uint32_t position = c->orders[a->s->w->order].position[party];
    int64_t done = rank->bucket * (rank->expects / a->s->w->buckets);
    int64_t waiting = 0;
    for (uint32_t lane = 0; lane < SIM_LANES; lane++) {
        for (int64_t i = 0; i < rank->lanes[lane].next; i++) {
            done += sim_plan_op(&c->plan, 1, position, lane, i).kind == SIM_OP_RECV;
        }
    }
    for (uint32_t f = 0; f < c->flow_count; f++) {
        const struct sim_flow_config *flow = &c->flows[f];
        if (flow->dst_rank == party && flow->permits == SIM_NONE) {
            waiting += a->s->qps[f].arrived + unheard(a, f);
        }
    }
    return rank->received == done + waiting ||
           err_set(a->err, ERR_STATE,
                   "%s: %" PRId64 " messages came, %" PRId64 " were used, %" PRId64 " wait",
                   c->nodes[c->hosts[party]].name, rank->received, done, waiting);
}

/* Messages sent and received, what waits for its receiver, and who has something on its way. */
static bool audit_parties(struct audit *a)
{
    const struct sim_config *c = a->s->config;
    int64_t sent = 0;
    int64_t came = 0;
    uint64_t at_barrier = 0;
    for (uint32_t r = 0; r < c->party_count; r++) {
        const struct sim_rank_data *rank = &a->s->ranks[r];
        uint32_t open = 0;
        for (uint32_t i = c->own_first[r]; i < c->own_first[r + 1]; i++) {
            open += a->s->qps[c->own[i]].una < a->s->qps[c->own[i]].end;
        }
        if (open != rank->open) {
            return err_set(a->err, ERR_STATE, "%s: %" PRIu32 " open queue pairs, it says %" PRIu32,
                           c->nodes[c->hosts[r]].name, open, rank->open);
        }
        if (rank->received > rank->expects || rank->bucket > rank->ready ||
            rank->ready > a->s->w->buckets) {
            return err_set(a->err, ERR_STATE, "%s is farther than it can be",
                           c->nodes[c->hosts[r]].name);
        }
        if (rank->phase == SIM_PHASE_BARRIER && rank->received != rank->expects) {
            return err_set(a->err, ERR_STATE, "%s is at the barrier and has not received all",
                           c->nodes[c->hosts[r]].name);
        }
        if (c->party_count <= 64 && !audit_mailbox(a, r)) { /* else it would take too long */
            return false;
        }
        at_barrier += rank->phase == SIM_PHASE_BARRIER && a->s->w->steps_done < a->s->w->step;
        sent += rank->sent;
        came += rank->received;
    }
    if (came > sent) {
        return err_set(a->err, ERR_STATE, "%" PRId64 " messages sent, %" PRId64 " received", sent,
                       came);
    }
    if (a->s->w->steps_done < a->s->w->step && (int64_t)at_barrier != a->s->w->at_barrier) {
        return err_set(a->err, ERR_STATE, "the barrier has miscounted");
    }
    return true;
}

static bool audit_counts(struct audit *a)
{
    const struct sim_world *w = a->s->w;
    uint64_t seen = 0;
    for (uint64_t i = 0; i < w->packet_high; i++) {
        seen += a->seen[i];
    }
    if (seen != w->packet_count) {
        return err_set(a->err, ERR_STATE, "%" PRIu64 " packets seen, %" PRIu64 " in use", seen,
                       w->packet_count);
    }
    uint64_t ended = w->count.delivered + w->count.dropped + w->count.refused;
    ended += w->count.discarded;
    if (w->lossy != sim_fault_lossy(a->s)) {
        return err_set(a->err, ERR_STATE, "a fault of loss is in force and will not strike");
    }
    if (w->corrupt_count > SIM_CORRUPT_MAX) {
        return err_set(a->err, ERR_STATE, "too many packets are to be spoilt");
    }
    if (w->count.sent + w->count.flooded != ended + a->data || a->data != w->data_in_flight) {
        return err_set(a->err, ERR_STATE,
                       "%" PRIu64 " packets sent, %" PRIu64 " ended, %" PRIu64 " in flight",
                       w->count.sent, ended, a->data);
    }
    return true;
}

static bool audit_all(struct audit *a)
{
    const struct sim_config *c = a->s->config;
    for (uint32_t n = 0; n < c->node_count; n++) {
        int64_t bytes;
        if (!see_fifo(a, &a->s->nodes[n].pipeline, "a pipeline", &bytes) ||
            !see_fifo(a, &a->s->nodes[n].receive, "a receive buffer", &bytes)) {
            return false;
        }
    }
    for (uint32_t p = 0; p < c->port_count; p++) {
        if (!audit_wire(a, p) || !audit_egress(a, p)) {
            return false;
        }
    }
    for (uint32_t p = 0; p < c->port_count; p++) {
        if (!audit_held(a, p) || (sim_credits_on(a->s, p) && !audit_credits(a, p))) {
            return false;
        }
    }
    for (uint32_t n = 0; n < c->node_count; n++) {
        if (!audit_node(a, n)) {
            return false;
        }
    }
    for (uint32_t f = 0; f < c->flow_count; f++) {
        if (!audit_flow(a, f)) {
            return false;
        }
    }
    if (!sim_event_check(a->s)) {
        return err_set(a->err, ERR_STATE, "the event queue is not in order");
    }
    return audit_withdrawn(a) && audit_parties(a) && audit_counts(a) &&
           sim_steer_audit(a->s, a->err);
}

bool sim_audit(const struct sim *s, struct err *err)
{
    const struct sim_config *c = s->config;
    struct audit a = { .s = s, .err = err };
    a.seen = mem_alloc(s->w->packet_high, 1);
    a.in_flight = mem_alloc(c->flow_count, sizeof *a.in_flight);
    a.held = mem_alloc((size_t)c->port_count * SIM_PRIO_COUNT, sizeof *a.held);
    bool ok = audit_all(&a);
    free(a.seen);
    free(a.in_flight);
    free(a.held);
    return ok;
}
