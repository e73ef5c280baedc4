#include "sim/link.h"

#include <assert.h>

#include "sim/arbiter.h"
#include "sim/cc.h"
#include "sim/corrupt.h"
#include "sim/credit.h"
#include "sim/cut.h"
#include "sim/event.h"
#include "sim/fault.h"
#include "sim/host.h"
#include "sim/inside.h"
#include "sim/outage.h"
#include "sim/pfc.h"
#include "sim/qp.h"
#include "sim/switch.h"
#include "sim/tape.h"
#include "sim/transport.h"
#include "sim/world.h"

/* Time for `bytes` including the remainder that earlier frames left: no long-run rate error. */
static sim_ps slot_ps(struct sim_port_state *p, const struct sim_port_config *c, int64_t bytes)
{
    if (c->tau_den == 1) {
        return bytes * c->tau_num;
    }
    sim_wide total = (sim_wide)bytes * c->tau_num + p->tau_rem;
    p->tau_rem = (int64_t)(total % c->tau_den);
    return (sim_ps)(total / c->tau_den);
}

bool sim_port_stopped(const struct sim *s, uint32_t port, uint32_t prio)
{
    const struct sim_port_state *p = &s->ports[port];
    bool ignored = (p->watch >> prio & 1u) != 0; /* the watchdog takes no notice of pauses */
    return (s->lanes[port].pause[prio].since != SIM_NEVER && !ignored) ||
           (p->held && prio == SIM_PRIO_DATA) || s->lanes[port].vl[prio].starved_since != SIM_NEVER;
}

void sim_port_block(struct sim *s, uint32_t port, uint32_t prio)
{
    struct sim_port_state *p = &s->ports[port];
    bool stopped = sim_port_stopped(s, port, prio);
    p->blocked = (uint8_t)((p->blocked & ~(1u << prio)) | (unsigned)stopped << prio);
}

uint32_t sim_frame_inside(const struct sim *s, uint32_t port, const struct sim_packet *f)
{
    enum sim_link_kind kind = s->config->ports[port].kind;
    return f->kind == SIM_FRAME_CREDIT
               ? sim_inside_credit(kind)
               : sim_inside_bytes(kind, f->kind == SIM_FRAME_DATA ? f->payload : 0);
}

/* Bit per priority: something of it waits here. A host's data waits in memory, not in the NIC. */
static unsigned waiting(const struct sim *s, uint32_t port)
{
    return (unsigned)s->ports[port].backlog | s->ports[port].ready;
}

/* The next frame of a class. A host's data is made into a packet only now. */
static inline uint32_t take(struct sim *s, uint32_t port, uint32_t prio)
{
    bool queued = ((unsigned)s->ports[port].backlog >> prio & 1u) != 0;
    if (sim_credits_on(s, port)) {
        return sim_credit_take(s, port, prio, queued);
    }
    if (queued) {
        return sim_egress_pop(s, port, prio);
    }
    return sim_qp_pull(s, port, prio);
}

static int64_t head_bytes(const struct sim *s, uint32_t port, uint32_t prio)
{
    const struct sim_egress *out = &s->ports[port].classes[sim_class_place(prio)].out;
    return sim_fifo_empty(&out->fifo) ? (int64_t)s->config->frame_max
                                      : (int64_t)s->packets[out->fifo.head].bytes;
}

/*
 * Deficit round robin: a class whose turn comes may send weight x the longest frame more than it
 * has left; what it does not use stays while it has work. A paused class is passed over and gains
 * nothing.
 */
SIM_SELDOM static uint32_t dwrr_class(struct sim *s, uint32_t port, unsigned may)
{
    const struct sim_class_spec *classes = s->config->scenario.classes;
    struct sim_port_state *p = &s->ports[port];
    for (;;) {
        uint32_t prio = (uint32_t)p->dwrr;
        if ((may >> prio & 1u) != 0 && p->deficit[prio] >= head_bytes(s, port, prio)) {
            p->deficit[prio] -= head_bytes(s, port, prio);
            return prio;
        }
        if ((waiting(s, port) >> prio & 1u) == 0) {
            p->deficit[prio] = 0;
        }
        p->dwrr = prio = (prio + 1) % SIM_PRIO_COUNT;
        if ((may >> prio & 1u) != 0) {
            p->deficit[prio] += (int64_t)classes[prio].weight * s->config->frame_max;
        }
    }
}

static uint32_t highest(unsigned bits)
{
    return 31 - (uint32_t)__builtin_clz(bits);
}

/* The next frame of these lanes, by the tables of VL arbitration. */
SIM_SELDOM static uint32_t arbitrate(struct sim *s, uint32_t port, unsigned may)
{
    while (may != 0) {
        struct sim_turn turn;
        uint32_t vl = sim_arbiter_choose(s, port, may, &turn);
        uint32_t packet = take(s, port, vl);
        if (packet != SIM_NONE) {
            sim_arbiter_charge(s, port, &turn, s->packets[packet].bytes);
            return packet;
        }
        may &= ~(1u << vl); /* no credits, or overtaken by an ACK */
    }
    return SIM_NONE;
}

/* The next frame to leave, or SIM_NONE: PFC and credits, then strict classes, then the others by
 * weight; or all of them by the tables of VL arbitration. */
static inline uint32_t next_frame(struct sim *s, uint32_t port)
{
    struct sim_port_state *p = &s->ports[port];
    if (p->pfc_waits) {
        const uint32_t frame = sim_fifo_pop(s, &p->pfc);
        p->pfc_waits = !sim_fifo_empty(&p->pfc);
        return frame;
    }
    if (p->due != 0) {
        return sim_credit_frame(s, port);
    }
    unsigned may = waiting(s, port) & ~(unsigned)p->blocked;
    if (s->config->arbitrated) {
        return arbitrate(s, port, may);
    }
    while (may != 0) {
        unsigned strict = may & s->config->strict_mask;
        bool alone = (may & (may - 1)) == 0;
        uint32_t prio = strict != 0 ? highest(strict)
                        : alone     ? highest(may)
                                    : dwrr_class(s, port, may);
        uint32_t packet = take(s, port, prio);
        if (packet != SIM_NONE) {
            return packet;
        }
        may &= ~(1u << prio); /* what was ready had been overtaken by an ACK */
    }
    return SIM_NONE;
}

static inline bool work_waits(const struct sim *s, uint32_t port)
{
    const struct sim_port_state *p = &s->ports[port];
    return ((unsigned)p->backlog | p->ready | p->due | p->pfc_waits) != 0;
}

/* May the slot at hand end without an event? */
static inline bool ends_unseen(const struct sim *s, uint32_t port)
{
    const struct sim_port_state *p = &s->ports[port];
    const struct sim_port_config *c = &s->config->ports[port];
    if (!s->unseen || p->down || c->nic != SIM_NONE) {
        return false;
    }
    if (s->nodes[c->node].pausing > 0 &&
        (p->backlog != 0 ||
         (p->tx_from != SIM_NONE && sim_pfc_pausing(s, p->tx_from, p->tx_prio)))) {
        return false;
    }
    return p->wire_event || !work_waits(s, port);
}

static void push_tx_done(struct sim *s, uint32_t port)
{
    struct sim_port_state *p = &s->ports[port];
    p->tx_event = true;
    sim_event_push_port(s, p->busy_until, SIM_CLASS_TX, port, SIM_EV_TX_DONE);
}

static SIM_ALWAYS void expect_tx_done(struct sim *s, uint32_t port)
{
    struct sim_port_state *p = &s->ports[port];
    if (!p->tx_event) {
        p->unseen = ends_unseen(s, port);
        if (!p->unseen) {
            push_tx_done(s, port);
        }
    }
}

static bool is_link_control(const struct sim_packet *f)
{
    return f->flow == SIM_NONE; /* PFC, credits */
}

static enum sim_class arrival_class(const struct sim_packet *packet)
{
    return is_link_control(packet) ? SIM_CLASS_CONTROL : SIM_CLASS_ARRIVAL;
}

static void expect_arrival(struct sim *s, uint32_t port)
{
    struct sim_port_state *p = &s->ports[port];
    const struct sim_packet *head = &s->packets[p->wire.head];
    p->wire_event = true;
    sim_event_push_port(s, head->at, arrival_class(head), port, SIM_EV_ARRIVE);
}

/* ---- putting a frame on the cable ------------------------------------------------------------- */

/* Those who want to know of every frame that is sent; while slots end unseen there are none. */
static inline bool is_told(const struct sim *s)
{
    return !s->unseen && (sim_listening(s, SIM_TRACE_SEND) || s->tape != NULL ||
                          s->w->knobs.v[SIM_KNOB_CUT_THROUGH] == SIM_ON);
}

static void tell(struct sim *s, uint32_t port, uint32_t packet)
{
    const struct sim_port_config *c = &s->config->ports[port];
    const struct sim_packet *f = &s->packets[packet];
    if (sim_listening(s, SIM_TRACE_SEND) && f->kind == SIM_FRAME_DATA) {
        sim_record_frame(s, SIM_TRACE_SEND, port, packet);
    }
    if (c->to_switch && s->w->knobs.v[SIM_KNOB_CUT_THROUGH] == SIM_ON && f->flow != SIM_NONE) {
        sim_cut_note(s, port, packet);
    }
    if (s->tape != NULL && c->kind == SIM_LINK_FABRIC) {
        sim_tape_add(s, port, packet);
    }
}

/* Puts a frame on the cable: its slot begins. */
static SIM_ALWAYS void transmit(struct sim *s, uint32_t port, uint32_t packet)
{
    const struct sim_port_config *c = &s->config->ports[port];
    struct sim_port_state *p = &s->ports[port];
    struct sim_packet *f = &s->packets[packet];
    const sim_ps now = s->w->now;
    const bool fabric = c->kind == SIM_LINK_FABRIC;
    const int64_t bytes = fabric ? f->bytes : sim_frame_inside(s, port, f);
    const bool bare = f->kind == SIM_FRAME_CREDIT;
    const sim_ps slot = slot_ps(p, c, bytes + (bare ? 0 : c->around));
    p->busy_until = now + slot;
    p->busy_total += slot;
    p->tx_from = f->ingress;
    p->tx_bytes = sim_frame_charge(s, f);
    p->tx_prio = f->prio;
    f->ingress = SIM_NONE;
    f->egress = port;
    f->start = now;
    f->at = now + sim_bytes_ps(c, bytes + (bare ? 0 : c->before)) + c->delay;
    if (is_link_control(f)) {
        p->tx_from = SIM_NONE;
    } else {
        s->w->count.hops++;
        if (fabric) {
            f->hops = (uint8_t)(f->hops + (f->hops < UINT8_MAX));
        } else if (f->kind == SIM_FRAME_DATA) {
            s->w->count.crossed[c->kind] += f->payload;
        }
        s->w->progress_at = now > s->w->progress_at ? now : s->w->progress_at;
    }
    if (is_told(s)) {
        tell(s, port, packet);
    }
    if (p->down) {
        sim_outage_lose(s, packet, port);
    }
    sim_fifo_push(s, &p->wire, packet);
    if (!p->wire_event) {
        expect_arrival(s, port);
    }
    if (p->tx_from != SIM_NONE || work_waits(s, port)) {
        expect_tx_done(s, port);
    }
}

/* Inside a box the socket of a dead device still gives the credits back for what it throws away. */
static bool is_silent(const struct sim *s, uint32_t port)
{
    return s->ports[port].dead && (sim_in_fabric(s, port) || s->ports[port].due == 0);
}

static void send_next(struct sim *s, uint32_t port)
{
    const uint32_t packet = next_frame(s, port);
    if (packet != SIM_NONE) {
        transmit(s, port, packet);
    }
}

void sim_port_send(struct sim *s, uint32_t port, uint32_t packet)
{
    transmit(s, port, packet);
}

void sim_port_try(struct sim *s, uint32_t port)
{
    struct sim_port_state *p = &s->ports[port];
    if (is_silent(s, port)) {
        return;
    }
    if (s->w->now < p->busy_until) {
        if (work_waits(s, port)) {
            expect_tx_done(s, port);
        }
        return;
    }
    send_next(s, port);
}

/* What was sent is gone: the memory it came from is free. */
static inline void end_slot(struct sim *s, uint32_t port)
{
    struct sim_port_state *p = &s->ports[port];
    if (p->tx_from != SIM_NONE) {
        uint32_t from = p->tx_from;
        p->tx_from = SIM_NONE;
        sim_switch_release(s, s->config->ports[port].node, from, p->tx_prio, p->tx_bytes);
    }
}

void sim_port_tx_done(struct sim *s, uint32_t port)
{
    s->ports[port].tx_event = false;
    end_slot(s, port);
    sim_port_try(s, port);
}

/* ---- slots that end unseen ------------------------------------------------------------------- */

/* Does the slot end before the event at hand, which happens now? */
static inline bool is_over(const struct sim *s, uint32_t port, sim_ps now)
{
    const sim_ps end = s->ports[port].busy_until;
    if (end != now) {
        return end < now;
    }
    const unsigned class = (unsigned)(s->order >> SIM_CLASS_SHIFT);
    return class != SIM_CLASS_TX
               ? class > SIM_CLASS_TX
               : sim_event_of_port(s, end, SIM_CLASS_TX, port, SIM_EV_TX_DONE).order < s->order;
}

void sim_port_catch_up(struct sim *s, uint32_t port)
{
    struct sim_port_state *p = &s->ports[port];
    const sim_ps now = s->w->now;
    while (p->unseen && is_over(s, port, now)) {
        p->unseen = false;
        s->w->count.events++;
        s->w->now = s->last_end = p->busy_until;
        end_slot(s, port); /* no XON follows from it */
        if (work_waits(s, port)) {
            send_next(s, port);
        }
    }
    s->w->now = now;
}

void sim_port_watch(struct sim *s, uint32_t port)
{
    expect_tx_done(s, port);
}

void sim_switch_settle(struct sim *s, uint32_t node)
{
    const struct sim_node_config *c = &s->config->nodes[node];
    for (uint32_t p = c->first_port; p < c->first_port + c->port_count; p++) {
        sim_port_settle(s, p);
    }
}

void sim_switch_watch(struct sim *s, uint32_t node)
{
    const struct sim_node_config *c = &s->config->nodes[node];
    for (uint32_t p = c->first_port; p < c->first_port + c->port_count; p++) {
        if (s->ports[p].unseen) {
            expect_tx_done(s, p);
        }
    }
}

void sim_slots_begin(struct sim *s)
{
    const int64_t *knob = s->w->knobs.v;
    const uint32_t fine = SIM_TRACE_BIT(SEND) | SIM_TRACE_BIT(MARK);
    s->unseen = !s->w->credits && knob[SIM_KNOB_CUT_THROUGH] != SIM_ON &&
                knob[SIM_KNOB_WATCHDOG] == SIM_WATCHDOG_OFF && (s->listen & fine) == 0 &&
                s->tape == NULL;
}

sim_ps sim_slots_settle(struct sim *s)
{
    sim_ps last = 0;
    for (uint32_t port = 0; port < s->config->port_count; port++) {
        s->last_end = 0;
        sim_port_settle(s, port);
        last = s->last_end > last ? s->last_end : last;
    }
    return last;
}

void sim_slots_end(struct sim *s)
{
    (void)sim_slots_settle(s);
    s->unseen = false;
    for (uint32_t port = 0; port < s->config->port_count; port++) {
        if (s->ports[port].unseen) {
            expect_tx_done(s, port);
        }
    }
}

SIM_SELDOM static void link_control(struct sim *s, uint32_t port, uint32_t packet)
{
    if (s->nodes[s->config->ports[port].node].dead) {
        sim_packet_free(s, packet);
    } else if (s->packets[packet].kind == SIM_FRAME_CREDIT) {
        sim_credit_receive(s, port, packet);
    } else {
        sim_pfc_receive(s, port, packet);
    }
}

/* A flooded copy is thrown away by whoever gets it. */
static bool vanishes(struct sim *s, uint32_t port, uint32_t packet)
{
    const struct sim_packet *f = &s->packets[packet];
    if ((f->flags & SIM_FLAG_COPY) == 0) {
        return false;
    }
    if (sim_credits_on(s, port)) {
        sim_credit_arrived(s, port, f->prio, sim_frame_bytes(s, port, f), false);
    }
    s->w->count.discarded++;
    sim_frame_end(s, packet);
    return true;
}

void sim_port_arrive(struct sim *s, uint32_t port)
{
    struct sim_port_state *p = &s->ports[port];
    uint32_t packet = sim_fifo_pop(s, &p->wire);
    const struct sim_port_config *c = &s->config->ports[port];
    const uint32_t to = c->peer;
    p->wire_event = false;
    if (!sim_fifo_empty(&p->wire)) {
        expect_arrival(s, port);
    } else if (p->unseen) {
        sim_port_settle(s, port);
        if (p->unseen) {
            expect_tx_done(s, port);
        }
    }
    const struct sim_packet *f = &s->packets[packet];
    const bool credits = sim_credits_on(s, port);
    if ((f->flags & SIM_FRAME_LOST) != 0) {
        if (credits && !is_link_control(f) && (f->flags & SIM_FLAG_SHELL) == 0) {
            sim_credit_lost(s, port, f->prio);
        }
        sim_packet_free(s, packet); /* its check sum is wrong: nobody takes it */
        return;
    }
    if (is_link_control(f)) {
        link_control(s, to, packet);
        return;
    }
    if (!c->to_switch && s->ports[to].dead) {
        if (!sim_in_fabric(s, to)) {
            sim_credit_arrived(s, to, f->prio, sim_frame_bytes(s, to, f), false);
        }
        sim_frame_lose(s, packet, to, SIM_REASON_DEAD_PEER);
        sim_packet_free(s, packet);
        return;
    }
    const enum sim_reason refused = sim_fault_hits(s, port, packet, true);
    if (refused != SIM_REASON_NONE) {
        if (credits) {
            sim_credit_lost(s, port, f->prio);
        }
        sim_frame_lose(s, packet, to, refused);
        sim_packet_free(s, packet);
        return;
    }
    if (vanishes(s, to, packet)) {
        return;
    }
    if (c->to_switch) {
        sim_switch_receive(s, to, c->to, packet);
        return;
    }
    if (credits && f->kind != SIM_FRAME_DATA) {
        sim_credit_arrived(s, to, f->prio, sim_frame_bytes(s, to, f), false);
    }
    if (f->kind == SIM_FRAME_DATA) {
        sim_host_receive(s, to, packet);
    } else if (f->kind == SIM_FRAME_CNP) {
        sim_cc_cnp(s, packet);
    } else {
        sim_qp_ack(s, to, packet);
    }
}

static void leave_flight(struct sim *s, const struct sim_packet *f)
{
    if (f->flow != SIM_NONE) {
        assert(s->qps[f->flow].in_flight > 0);
        s->qps[f->flow].in_flight--;
    }
    if (f->kind == SIM_FRAME_DATA) {
        assert(s->w->data_in_flight > 0);
        s->w->data_in_flight--;
    }
}

void sim_frame_end(struct sim *s, uint32_t packet)
{
    leave_flight(s, &s->packets[packet]);
    sim_packet_free(s, packet);
}

/* How far along its cable a frame is, permille; 1000 at the end and inside a switch. */
static int64_t position(const struct sim *s, const struct sim_packet *f)
{
    bool travels = f->start != SIM_NEVER && f->at > s->w->now && f->ingress == SIM_NONE;
    return travels ? (s->w->now - f->start) * 1000 / (f->at - f->start) : 1000;
}

void sim_frame_lose(struct sim *s, uint32_t packet, uint32_t port, enum sim_reason reason)
{
    struct sim_packet *f = &s->packets[packet];
    leave_flight(s, f);
    if (sim_fault_corrupts(s)) {
        sim_corrupt_forget(s, f);
    }
    f->flags |= SIM_FRAME_LOST;
    if (f->kind == SIM_FRAME_DATA) {
        s->w->count.dropped++;
        s->qps[f->flow].dropped++;
    } else {
        s->w->count.answers_dropped++;
    }
    s->w->count.dropped_by[reason]++;
    struct sim_record rec = sim_record_packet(s, SIM_TRACE_DROP, port, packet);
    rec.reason = (uint32_t)reason;
    rec.value = position(s, f);
    rec.attempt = f->kind == SIM_FRAME_ACK    ? SIM_ATTEMPT_ACK
                  : f->kind == SIM_FRAME_NAK  ? SIM_ATTEMPT_NAK
                  : f->kind == SIM_FRAME_CNP  ? SIM_ATTEMPT_CNP
                  : f->kind == SIM_FRAME_XOFF ? SIM_ATTEMPT_XOFF
                  : f->kind == SIM_FRAME_XON  ? SIM_ATTEMPT_XON
                                              : rec.attempt;
    sim_record_add(s, rec);
}
