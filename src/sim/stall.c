/*
 * Is this the end? (model 2.6b)
 *
 * During a deadlock PAUSE frames are repeated and timers fire, so events never run out. What decides
 * is a proof. A queue is *locked* when it may not send and nothing that can still happen lets it:
 *
 *     paused       the neighbour keeps pausing: with everything gone from its memory that is not in
 *                  locked queues itself, it would still be above its XON mark
 *     no credits   likewise: the room that can still come is too small for the first packet
 *
 * The largest set of queues that hold each other in this way is found by striking out those that
 * can get free, until none can. What is left depends on nothing but itself: it contains a circle,
 * and it will never move. Packets that are on cables or in pipelines only add to it.
 *
 * The proof is asked for when no frame other than PFC and credits has been sent for a while; it may
 * be asked for at any time. Behind a host that takes in nothing (a storm) queues are locked without a
 * circle. That ends a run only when nothing else is left to wait for: a timer elsewhere may still
 * mend a loss.
 */
#include "sim/stall.h"

#include <stdlib.h>

#include "base/mem.h"
#include "sim/credit.h"
#include "sim/event.h"
#include "sim/link.h"
#include "sim/pfc.h"
#include "sim/transport.h"
#include "sim/window.h"
#include "sim/work.h"
#include "sim/world.h"

enum { QUIET_PS = 1000000000 }; /* 1 ms without a frame: worth asking */

/* What one queue holds of one neighbour's bytes. Queues and neighbours: port x priorities + class. */
struct share {
    uint32_t queue, from;
    int64_t bytes, blocks;
};

struct locks {
    const struct sim *s;
    bool storms;     /* hosts that take in nothing count as locked */
    bool *locked;    /* per queue */
    int64_t *held;   /* per neighbour: bytes of it in locked queues */
    int64_t *blocks; /* and blocks */
    uint32_t *first; /* per queue: its shares begin here */
    struct share *shares;
    size_t count, cap;
};

static uint32_t slot(uint32_t port, uint32_t prio)
{
    return port * SIM_PRIO_COUNT + prio;
}

static bool in_switch(const struct sim *s, uint32_t port)
{
    return s->config->nodes[s->config->ports[port].node].kind == SIM_SWITCH;
}

/* Adds up one queue by neighbour. */
static void sum_queue(struct locks *l, uint32_t port, uint32_t prio)
{
    const struct sim *s = l->s;
    size_t since = l->count;
    for (uint32_t i = s->ports[port].classes[sim_class_place(prio)].out.fifo.head; i != SIM_NONE;
         i = s->packets[i].next) {
        const struct sim_packet *f = &s->packets[i];
        if (f->ingress == SIM_NONE) {
            continue;
        }
        uint32_t from = slot(f->ingress, f->prio);
        size_t at = since;
        while (at < l->count && l->shares[at].from != from) {
            at++;
        }
        if (at == l->count) {
            l->shares = mem_grow(l->shares, &l->cap, l->count + 1, sizeof *l->shares);
            l->shares[l->count++] = (struct share){ .queue = slot(port, prio), .from = from };
        }
        l->shares[at].bytes += sim_frame_charge(s, f);
        l->shares[at].blocks += sim_blocks(sim_frame_charge(s, f));
    }
}

static void count_queue(struct locks *l, uint32_t queue, int sign)
{
    for (uint32_t i = l->first[queue]; i < l->count && l->shares[i].queue == queue; i++) {
        l->held[l->shares[i].from] += sign * l->shares[i].bytes;
        l->blocks[l->shares[i].from] += sign * l->shares[i].blocks;
    }
}

/* ---- can it get free? ------------------------------------------------------------------------ */

/* What stays charged to shared memory when all that can leave has left; headroom empties first. */
static int64_t shared_left(const struct locks *l, uint32_t port, uint32_t prio, int64_t *headroom)
{
    const struct sim_pg *pg = &l->s->ports[port].classes[sim_class_place(prio)].in;
    int64_t leaves = pg->shared + pg->headroom - l->held[slot(port, prio)];
    *headroom = pg->headroom > leaves ? pg->headroom - leaves : 0;
    int64_t from_shared = leaves > pg->headroom ? leaves - pg->headroom : 0;
    return pg->shared - from_shared;
}

/* XON as it will be then: a dynamic threshold rises while memory empties. */
static int64_t xon_then(const struct locks *l, uint32_t port)
{
    const struct sim *s = l->s;
    uint32_t n = s->config->ports[port].node;
    const struct sim_node_config *node = &s->config->nodes[n];
    int64_t alpha = s->w->knobs.v[SIM_KNOB_ALPHA];
    if (alpha == SIM_AUTO || node->kind != SIM_SWITCH || node->inside) {
        return sim_pfc_xon(s, port);
    }
    int64_t used = 0;
    for (uint32_t p = node->first_port; p < node->first_port + node->port_count; p++) {
        for (uint32_t prio = 0; prio < SIM_PRIO_COUNT; prio++) {
            int64_t headroom;
            used += shared_left(l, p, prio, &headroom);
        }
    }
    return sim_pfc_xon_below(s, (int64_t)((sim_wide)(s->nodes[n].pool - used) * alpha >> 32));
}

static bool xon_comes(const struct sim *s, const struct sim_fifo *fifo, uint32_t prio)
{
    for (uint32_t i = fifo->head; i != SIM_NONE; i = s->packets[i].next) {
        if (s->packets[i].kind == SIM_FRAME_XON && s->packets[i].prio == prio) {
            return true;
        }
    }
    return false;
}

/* A host that never takes anything out of its buffer. */
static bool is_stuck(const struct sim *s, uint32_t port)
{
    uint32_t n = s->config->ports[port].node;
    const struct sim_node_state *host = &s->nodes[n];
    return s->config->nodes[n].kind != SIM_SWITCH && host->drain == 0 && !host->draining;
}

static bool pause_stays(const struct locks *l, uint32_t port, uint32_t prio)
{
    const struct sim *s = l->s;
    uint32_t peer = s->config->ports[port].peer;
    const struct sim_port_state *far = &s->ports[peer];
    if (((unsigned)far->pausing >> prio & 1u) == 0 || far->down || xon_comes(s, &far->pfc, prio) ||
        xon_comes(s, &far->wire, prio) || xon_comes(s, &s->ports[port].obey, prio)) {
        return false;
    }
    if ((far->storm >> prio & 1u) != 0 || is_stuck(s, peer)) {
        return l->storms;
    }
    int64_t headroom;
    int64_t shared = shared_left(l, peer, prio, &headroom);
    return l->held[slot(peer, prio)] > 0 && (headroom > 0 || shared > xon_then(l, peer));
}

/* In a host the first packet may still be to be made: it needs one block at least. */
static bool hunger_stays(const struct locks *l, uint32_t port, uint32_t prio)
{
    const struct sim *s = l->s;
    uint32_t peer = s->config->ports[port].peer;
    const struct sim_fifo *fifo = &s->ports[port].classes[sim_class_place(prio)].out.fifo;
    const struct sim_vl *in = &s->lanes[peer].vl[prio];
    int64_t need =
        sim_fifo_empty(fifo) ? 1 : sim_blocks(sim_frame_bytes(s, port, &s->packets[fifo->head]));
    int64_t stays = is_stuck(s, peer) ? in->held : l->blocks[slot(peer, prio)];
    if (s->ports[port].down || (is_stuck(s, peer) && !l->storms)) {
        return false;
    }
    return stays > 0 && need > sim_credit_buffer(s, peer) - stays;
}

/* True when some other mechanism breaks up what looks locked at a port: the watchdog of a switch, or
 * the lifetime of its packets. */
static bool is_broken_up(const struct sim *s, uint32_t port)
{
    const int64_t *v = s->w->knobs.v;
    const struct sim_node_config *node = &s->config->nodes[s->config->ports[port].node];
    if (node->kind != SIM_SWITCH || !sim_in_fabric(s, port)) {
        return false;
    }
    return sim_credits_on(s, port) ? v[SIM_KNOB_HOL_LIFETIME] != SIM_UNLIMITED
                                   : v[SIM_KNOB_WATCHDOG] != SIM_WATCHDOG_OFF && !node->inside;
}

static bool stays_locked(const struct locks *l, uint32_t port, uint32_t prio)
{
    const struct sim_port_state *p = &l->s->ports[port];
    if (p->down || l->s->nodes[l->s->config->ports[port].node].dead || is_broken_up(l->s, port)) {
        return false;
    }
    if (l->s->lanes[port].vl[prio].starved_since != SIM_NEVER) {
        return hunger_stays(l, port, prio);
    }
    bool paused =
        l->s->lanes[port].pause[prio].since != SIM_NEVER && ((unsigned)p->watch >> prio & 1u) == 0;
    return paused && pause_stays(l, port, prio);
}

/* ---- the largest locked set ------------------------------------------------------------------ */

/* False: nothing is locked. */
static bool find_locks(struct locks *l, const struct sim *s, bool storms)
{
    uint32_t ports = s->config->port_count;
    size_t slots = (size_t)ports * SIM_PRIO_COUNT;
    *l = (struct locks){ .s = s, .storms = storms };
    l->locked = mem_alloc(slots, sizeof *l->locked);
    l->held = mem_alloc(slots, sizeof *l->held);
    l->blocks = mem_alloc(slots, sizeof *l->blocks);
    l->first = mem_alloc(slots, sizeof *l->first);
    for (uint32_t p = 0; p < ports; p++) {
        for (uint32_t prio = 0; prio < SIM_PRIO_COUNT; prio++) {
            uint32_t queue = slot(p, prio);
            l->locked[queue] = ((unsigned)s->ports[p].blocked >> prio & 1u) != 0;
            l->first[queue] = (uint32_t)l->count;
            if (l->locked[queue] && in_switch(s, p)) {
                sum_queue(l, p, prio);
            }
            count_queue(l, queue, 1);
        }
    }
    bool any = true;
    for (bool changed = true; changed;) {
        changed = any = false;
        for (uint32_t queue = 0; queue < slots; queue++) {
            if (!l->locked[queue]) {
                continue;
            }
            any = true;
            if (!stays_locked(l, queue / SIM_PRIO_COUNT, queue % SIM_PRIO_COUNT)) {
                l->locked[queue] = false;
                count_queue(l, queue, -1);
                changed = true;
            }
        }
    }
    return any;
}

static void drop_locks(struct locks *l)
{
    free(l->locked);
    free(l->held);
    free(l->blocks);
    free(l->first);
    free(l->shares);
}

/* The locked queue for which this one waits: the one that holds most of its neighbour's memory. */
static uint32_t waits_for(const struct locks *l, uint32_t queue)
{
    uint32_t peer = l->s->config->ports[queue / SIM_PRIO_COUNT].peer;
    uint32_t from = slot(peer, queue % SIM_PRIO_COUNT);
    uint32_t best = SIM_NONE;
    int64_t most = 0;
    for (size_t i = 0; i < l->count; i++) {
        if (l->shares[i].from == from && l->locked[l->shares[i].queue] &&
            l->shares[i].bytes > most) {
            most = l->shares[i].bytes;
            best = l->shares[i].queue;
        }
    }
    return best;
}

/* Walks from any locked switch queue until it comes back; begins with the lowest port. */
static size_t walk(const struct locks *l, uint32_t *ports, size_t cap, uint32_t *prio)
{
    size_t slots = (size_t)l->s->config->port_count * SIM_PRIO_COUNT;
    uint32_t at = 0;
    while (at < slots && !l->locked[at]) {
        at++;
    }
    for (size_t i = 0; i < slots; i++) {
        at = waits_for(l, at); /* so many steps lead into the circle */
    }
    uint32_t low = at;
    for (uint32_t q = waits_for(l, at); q != at; q = waits_for(l, q)) {
        low = q < low ? q : low;
    }
    if (prio != NULL) {
        *prio = low % SIM_PRIO_COUNT;
    }
    size_t n = 0;
    uint32_t q = low;
    do {
        if (n < cap) {
            ports[n] = q / SIM_PRIO_COUNT;
        }
        n++;
        q = waits_for(l, q);
    } while (q != low);
    return n;
}

size_t sim_wait_cycle(const struct sim *s, uint32_t *ports, size_t cap, uint32_t *prio)
{
    struct locks l;
    size_t n = find_locks(&l, s, false) ? walk(&l, ports, cap, prio) : 0;
    drop_locks(&l);
    return n;
}

/* ---- storms ---------------------------------------------------------------------------------- */

/* Marks the flows that have a packet in a locked place or cannot send because of one. */
static void mark_flows(const struct locks *l, bool *waits)
{
    const struct sim *s = l->s;
    const struct sim_config *c = s->config;
    for (uint64_t i = 0; i < s->w->packet_high; i++) {
        const struct sim_packet *f = &s->packets[i];
        if ((f->flags & (SIM_FLAG_POOL_FREE | SIM_FRAME_LOST)) != 0 || f->flow == SIM_NONE) {
            continue;
        }
        bool queued = f->egress != SIM_NONE && f->start == SIM_NEVER && f->at == SIM_NEVER;
        bool stuck = f->ingress != SIM_NONE && f->egress == SIM_NONE && is_stuck(s, f->ingress);
        waits[f->flow] = waits[f->flow] || stuck || (queued && l->locked[slot(f->egress, f->prio)]);
    }
    for (uint32_t f = 0; f < c->flow_count; f++) {
        uint32_t port = c->flows[f].port;
        waits[f] =
            waits[f] || (s->qps[f].next < s->qps[f].end && l->locked[slot(port, c->flows[f].prio)]);
    }
    for (uint32_t f = 0; f < c->flow_count; f++) { /* a staged flow waits where a leg does */
        if (c->flows[f].staged != SIM_NONE && waits[f]) {
            waits[c->flows[f].staged] = true;
        }
    }
}

/* Events that only repeat, look or try again. */
static const uint32_t waiting_kinds =
    1u << SIM_EV_REFRESH | 1u << SIM_EV_PAUSE_END | 1u << SIM_EV_OBEY | 1u << SIM_EV_ACK_TIMER |
    1u << SIM_EV_CREDIT | 1u << SIM_EV_RESYNC | 1u << SIM_EV_WATCH | 1u << SIM_EV_STALL |
    1u << SIM_EV_CC_ALPHA | 1u << SIM_EV_CC_RAISE | 1u << SIM_EV_CC_CUT;

static bool is_waiting_event(const struct sim *s, const struct sim_event *e)
{
    uint32_t comp = sim_event_component(e);
    enum sim_event_kind kind = sim_event_kind(e);
    if (kind == SIM_EV_FLOW) { /* the next message of a flow that has some already */
        return s->config->flows[comp - sim_comp_flow(s->config, 0)].gap > 0;
    }
    if (kind == SIM_EV_ARRIVE) { /* PFC or credits, and nothing behind it */
        const struct sim_fifo *wire = &s->ports[comp].wire;
        return wire->head == wire->tail && s->packets[wire->head].flow == SIM_NONE;
    }
    if (kind == SIM_EV_TX_DONE) {
        return s->ports[comp].tx_from == SIM_NONE;
    }
    return (waiting_kinds >> kind & 1u) != 0;
}

/* Nothing is left but to wait behind hosts that take in nothing. */
static bool is_storm(const struct sim *s)
{
    struct locks l;
    bool storm = find_locks(&l, s, true) && s->w->computing == 0;
    if (storm && sim_event_all(s, is_waiting_event)) {
        bool *waits = mem_alloc(s->config->flow_count, sizeof *waits);
        mark_flows(&l, waits);
        for (uint32_t f = 0; f < s->config->flow_count; f++) {
            storm = storm && (waits[f] || s->qps[f].una == s->qps[f].end || s->qps[f].error);
        }
        free(waits);
    } else {
        storm = false;
    }
    drop_locks(&l);
    return storm;
}

enum sim_reason sim_stall_reason(const struct sim *s, uint32_t flow)
{
    struct locks l;
    bool *waits = mem_alloc(s->config->flow_count, sizeof *waits);
    enum sim_reason reason = SIM_REASON_RETRY_LIMIT;
    if (s->nodes[s->config->flows[flow].dst].dead) {
        reason = SIM_REASON_DEAD_PEER;
    }
    for (int storms = 0; storms < 2 && reason == SIM_REASON_RETRY_LIMIT; storms++) {
        if (find_locks(&l, s, storms != 0)) {
            mark_flows(&l, waits);
            if (waits[flow]) {
                reason = storms != 0 ? SIM_REASON_STORM : SIM_REASON_DEADLOCK;
            }
        }
        drop_locks(&l);
    }
    free(waits);
    return reason;
}

/* ---- when to ask ----------------------------------------------------------------------------- */

void sim_stall_look_at(struct sim *s, sim_ps at)
{
    if (s->w->stall_event) {
        return;
    }
    if (s->window_end != 0) {
        sim_window_look_at(s, at);
    } else {
        s->w->stall_event = true;
        sim_event_push(s, at, SIM_CLASS_TIMER, sim_comp_port(0), SIM_EV_STALL, 0);
    }
}

void sim_stall_arm(struct sim *s)
{
    sim_stall_look_at(s, s->w->now + QUIET_PS);
}

static bool something_waits(const struct sim *s)
{
    for (uint32_t p = 0; p < s->config->port_count; p++) {
        if (s->ports[p].blocked != 0) {
            return true;
        }
    }
    return false;
}

void sim_stall_look(struct sim *s)
{
    s->w->stall_event = false;
    s->w->count.events--; /* a look is no event of the fabric */
    if (!something_waits(s) || s->w->done_at != SIM_NEVER) {
        return; /* the next pause asks again */
    }
    bool last = s->w->event_count == 0;
    bool quiet = (last || s->w->now - s->w->progress_at >= QUIET_PS) && !s->w->stall_muted;
    if (quiet && sim_wait_cycle(s, NULL, 0, NULL) > 0) {
        sim_stall_set(s, SIM_REASON_DEADLOCK, SIM_NONE);
    } else if (quiet && is_storm(s)) {
        sim_stall_set(s, SIM_REASON_STORM, SIM_NONE);
    } else if (!last) {
        sim_stall_arm(s);
    }
}
