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
#include "sim/send.h"
#include "sim/switch.h"
#include "sim/tape.h"
#include "sim/transport.h"
#include "sim/window.h"
#include "sim/world.h"

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
uint32_t sim_send_dwrr(struct sim *s, uint32_t port, unsigned may)
{
    const struct sim_class_spec *classes = s->config->scenario.classes;
    struct sim_port_state *p = &s->ports[port];
    for (;;) {
        uint32_t prio = (uint32_t)p->dwrr;
        if ((may >> prio & 1u) != 0 && p->deficit[prio] >= head_bytes(s, port, prio)) {
            p->deficit[prio] -= head_bytes(s, port, prio);
            return prio;
        }
        if ((sim_send_waiting(p) >> prio & 1u) == 0) {
            p->deficit[prio] = 0;
        }
        p->dwrr = prio = (prio + 1) % SIM_PRIO_COUNT;
        if ((may >> prio & 1u) != 0) {
            p->deficit[prio] += (int64_t)classes[prio].weight * s->config->frame_max;
        }
    }
}

uint32_t sim_send_arbitrated(struct sim *s, uint32_t port, unsigned may)
{
    while (may != 0) {
        struct sim_turn turn;
        uint32_t vl = sim_arbiter_choose(s, port, may, &turn);
        uint32_t packet = sim_send_take(sim_at(s, port), vl, false);
        if (packet != SIM_NONE) {
            sim_arbiter_charge(s, port, &turn, s->packets[packet].bytes);
            return packet;
        }
        may &= ~(1u << vl); /* no credits, or overtaken by an ACK */
    }
    return SIM_NONE;
}

/* ---- sending ------------------------------------------------------------------------------- */

void sim_send_tell(struct sim *s, uint32_t port, uint32_t packet)
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

/* Inside a box the socket of a dead device still gives the credits back for what it throws away. */
static bool is_silent(const struct sim *s, uint32_t port)
{
    return s->ports[port].dead && (sim_in_fabric(s, port) || s->ports[port].due == 0);
}

static SIM_ALWAYS void send_next(struct sim_at a, bool plain)
{
    const uint32_t packet = sim_send_next(a, plain);
    if (packet != SIM_NONE) {
        sim_send_transmit(a, packet, &a.s->packets[packet], plain);
    }
}

void sim_port_send(struct sim *s, uint32_t port, uint32_t packet)
{
    sim_send_transmit(sim_at(s, port), packet, &s->packets[packet], false);
}

static SIM_ALWAYS void try(struct sim_at a, bool plain)
{
    if (!plain && is_silent(a.s, a.port)) {
        return;
    }
    if (a.w->now < a.p->busy_until) {
        if (a.p->waits != 0) {
            sim_send_expect_end(a, plain);
        }
        return;
    }
    send_next(a, plain);
}

static void try_any(struct sim *s, uint32_t port)
{
    try(sim_at(s, port), false);
}

void sim_port_try(struct sim *s, uint32_t port)
{
    if (s->plain) {
        try(sim_at(s, port), true);
    } else {
        try_any(s, port);
    }
}

/* What was sent is gone: the memory it came from is free. */
static SIM_ALWAYS void end_slot(struct sim_at a, bool plain)
{
    const uint32_t from = a.p->tx_from;
    if (from != SIM_NONE) {
        a.p->tx_from = SIM_NONE;
        sim_send_release(a.s, a.c->node, from, a.p->tx_prio, a.p->tx_bytes, plain);
    }
}

static SIM_ALWAYS void tx_done(struct sim_at a, bool plain)
{
    a.p->tx_event = false;
    end_slot(a, plain);
    try(a, plain);
}

static void tx_done_any(struct sim *s, uint32_t port)
{
    tx_done(sim_at(s, port), false);
}

void sim_port_tx_done(struct sim *s, uint32_t port)
{
    if (s->plain) {
        tx_done(sim_at(s, port), true);
    } else {
        tx_done_any(s, port);
    }
}

/* ---- slots that end unseen ------------------------------------------------------------------- */

/* Does the slot end before the event at hand, which happens now? */
static inline bool is_over(struct sim_at a, sim_ps now)
{
    const sim_ps end = a.p->busy_until;
    if (end != now) {
        return end < now;
    }
    const unsigned class = (unsigned)(a.s->order >> SIM_CLASS_SHIFT);
    return class != SIM_CLASS_TX
               ? class > SIM_CLASS_TX
               : sim_event_of_port(end, SIM_CLASS_TX, a.port, a.c->luck, SIM_EV_TX_DONE).order <
                     a.s->order;
}

static SIM_ALWAYS void catch_up(struct sim_at a, bool plain)
{
    const sim_ps now = a.w->now;
    while (a.p->unseen && is_over(a, now)) {
        a.p->unseen = false;
        a.w->count.events++;
        a.w->now = a.s->last_end = a.p->busy_until;
        end_slot(a, plain); /* no XON follows from it */
        if (a.p->waits != 0) {
            send_next(a, plain);
        }
    }
    a.w->now = now;
}

static void catch_up_any(struct sim *s, uint32_t port)
{
    catch_up(sim_at(s, port), false);
}

void sim_port_catch_up_plain(struct sim *s, uint32_t port)
{
    catch_up(sim_at(s, port), true);
}

void sim_port_catch_up(struct sim *s, uint32_t port)
{
    if (s->plain) {
        sim_port_catch_up_plain(s, port);
    } else {
        catch_up_any(s, port);
    }
}

void sim_port_watch(struct sim *s, uint32_t port)
{
    if (s->plain) {
        sim_send_expect_end(sim_at(s, port), true);
    } else {
        sim_send_expect_end(sim_at(s, port), false);
    }
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
            sim_port_watch(s, p);
        }
    }
}

/* Is nothing in force that `plain` leaves out? */
static bool is_plain(const struct sim *s)
{
    const struct sim_config *c = s->config;
    const int64_t *knob = s->w->knobs.v;
    if (!s->unseen || s->listen != 0 || c->inside || c->arbitrated || s->w->lossy != 0 ||
        s->w->flooded > 0 || s->w->withdrawn > 0 || knob[SIM_KNOB_FLOW_CONTROL] != SIM_FC_PFC ||
        knob[SIM_KNOB_ALPHA] != SIM_AUTO || knob[SIM_KNOB_TTL] < SIM_WAYS ||
        s->ways_of != knob[SIM_KNOB_ROUTING] || knob[SIM_KNOB_TRANSPORT] != SIM_GO_BACK_N ||
        c->stages) {
        return false;
    }
    for (uint32_t p = 0; p < c->port_count; p++) {
        if (c->ports[p].tau_den != 1 || s->ports[p].down || s->ports[p].dead) {
            return false;
        }
    }
    return true;
}

/* Does it make no difference when a host makes its packets? Nobody numbers them, the only timer that
 * one may start is not over before it is made, rates do not matter, and there is memory enough. */
static bool may_be_late(const struct sim *s)
{
    const struct sim_config *c = s->config;
    return s->late_most > 0 && !c->serials && sim_timeout_ps(s) > c->late_by &&
           s->w->knobs.v[SIM_KNOB_CC] == SIM_CC_NONE && s->w->count.cnps == 0 &&
           sim_arena_is_roomy(s);
}

size_t sim_slots_within(const struct sim_config *c, uint32_t port, sim_ps time)
{
    const struct sim_port_config *p = &c->ports[port];
    const sim_ps slot = sim_bytes_ps(p, sim_data_bytes(&c->wire, 0) + p->around);
    return slot > 0 ? (size_t)(time / slot) + 2 : UINT32_MAX;
}

void sim_slots_plan(struct sim_config *c)
{
    enum { MOST = 1024 }; /* of a port */
    for (uint32_t p = 0; p < c->port_count; p++) {
        const struct sim_port_config *port = &c->ports[p];
        if (port->nic == SIM_NONE) {
            continue;
        }
        const size_t frames = sim_slots_within(c, p, port->delay);
        if (frames > MOST) {
            c->late_most = 0;
            return;
        }
        c->late_most += (uint32_t)frames;
        c->late_by = port->delay > c->late_by ? port->delay : c->late_by;
    }
}

void sim_slots_begin(struct sim *s)
{
    const int64_t *knob = s->w->knobs.v;
    const uint32_t fine = SIM_TRACE_BIT(SEND) | SIM_TRACE_BIT(MARK);
    s->unseen = !s->w->credits && knob[SIM_KNOB_CUT_THROUGH] != SIM_ON &&
                knob[SIM_KNOB_WATCHDOG] == SIM_WATCHDOG_OFF && (s->listen & fine) == 0 &&
                s->tape == NULL;
    s->plain = is_plain(s);
    s->late = s->plain && may_be_late(s);
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
    s->unseen = s->plain = s->late = false;
    for (uint32_t port = 0; port < s->config->port_count; port++) {
        if (s->ports[port].unseen) {
            sim_port_watch(s, port);
        }
    }
}

void sim_slots_be_punctual(struct sim *s)
{
    s->late = false;
    for (uint32_t port = 0; port < s->config->port_count; port++) {
        if (s->config->ports[port].nic != SIM_NONE) {
            sim_port_settle(s, port);
        }
        if (s->config->ports[port].nic != SIM_NONE && s->ports[port].unseen) {
            sim_port_watch(s, port);
        }
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
