/*
 * How a port sends: inside link.c and switch.c, through which every frame runs. Inline, since each
 * step is shorter than a call.
 *
 *     next frame   PFC and credits, then by class or lane
 *     transmit     on the cable, the slot begins: when does it end, when does the frame arrive?
 *     release      the slot is over: the memory that the frame took at its switch is free
 *
 * `plain` is a constant, sim.plain: while it holds, nothing of what is seldom can happen (link.h), and
 * the compiler leaves out all that asks for it. So there are two versions of each, from one text.
 */
#ifndef WEFT_SIM_SEND_H
#define WEFT_SIM_SEND_H

#include <stdbool.h>
#include <stdint.h>

#include "sim/config.h"
#include "sim/credit.h"
#include "sim/event.h"
#include "sim/inbox.h"
#include "sim/link.h"
#include "sim/outage.h"
#include "sim/pfc.h"
#include "sim/qp.h"
#include "sim/switch.h"
#include "sim/window.h"
#include "sim/world.h"

/* A port at hand. Its addresses are found once: after each byte that is stored a compiler has to look
 * for them again, if they are not its own. */
struct sim_at {
    struct sim *s;
    struct sim_world *w;
    struct sim_port_state *p;
    const struct sim_port_config *c;
    uint32_t port;
};
static SIM_ALWAYS struct sim_at sim_at(struct sim *s, uint32_t port)
{
    return (struct sim_at){ s, s->w, &s->ports[port], &s->cables[port], port };
}

/* ---- the next frame: link.c has what is seldom ------------------------------------------------ */

/* Deficit round robin: the class whose turn it is. */
SIM_SELDOM uint32_t sim_send_dwrr(struct sim *s, uint32_t port, unsigned may);
/* The next frame of these lanes, by the tables of VL arbitration. */
SIM_SELDOM uint32_t sim_send_arbitrated(struct sim *s, uint32_t port, unsigned may);

/* Bit per priority: something of it waits here. A host's data waits in memory, not in the NIC. */
static inline unsigned sim_send_waiting(const struct sim_port_state *p)
{
    return (unsigned)p->backlog | p->ready;
}

/* The next frame of a class. A host's data is made into a packet only now. */
static SIM_ALWAYS uint32_t sim_send_take(struct sim_at a, uint32_t prio, bool plain)
{
    bool queued = ((unsigned)a.p->backlog >> prio & 1u) != 0;
    if (!plain && sim_credits_on(a.s, a.port)) {
        return sim_credit_take(a.s, a.port, prio, queued);
    }
    if (queued) {
        return sim_egress_take(a.s, a.p, a.port, prio);
    }
    return sim_qp_pull(a.s, a.port, prio);
}

/* The next frame to leave, or SIM_NONE: PFC and credits, then strict classes, then the others by
 * weight; or all of them by the tables of VL arbitration. */
static SIM_ALWAYS uint32_t sim_send_next(struct sim_at a, bool plain)
{
    if (a.p->pfc_waits) {
        const uint32_t frame = sim_fifo_pop(a.s, &a.p->pfc);
        a.p->pfc_waits = !sim_fifo_empty(&a.p->pfc);
        return frame;
    }
    if (!plain && a.p->due != 0) {
        return sim_credit_frame(a.s, a.port);
    }
    unsigned may = sim_send_waiting(a.p) & ~(unsigned)a.p->blocked;
    if (!plain && a.s->config->arbitrated) {
        return sim_send_arbitrated(a.s, a.port, may);
    }
    while (may != 0) {
        const unsigned strict = may & a.s->config->strict_mask;
        const unsigned first = strict != 0 ? strict : may;
        const bool alone = (may & (may - 1)) == 0;
        const uint32_t prio = strict != 0 || alone ? (uint32_t)__builtin_clz(first) ^ 31u
                                                   : sim_send_dwrr(a.s, a.port, may);
        const uint32_t packet = sim_send_take(a, prio, plain);
        if (packet != SIM_NONE) {
            return packet;
        }
        may &= ~(1u << prio); /* what was ready had been overtaken by an ACK */
    }
    return SIM_NONE;
}

/* ---- its events ------------------------------------------------------------------------------ */

/* May the slot at hand end without an event? */
static SIM_ALWAYS bool sim_send_ends_unseen(struct sim_at a, bool plain)
{
    const struct sim *s = a.s;
    if ((a.c->nic != SIM_NONE && (!plain || !s->late)) || (!plain && (!s->unseen || a.p->down))) {
        return false;
    }
    if (s->nodes[a.c->node].pausing > 0 &&
        (a.p->backlog != 0 ||
         (a.p->tx_from != SIM_NONE && sim_pfc_pausing(s, a.p->tx_from, a.p->tx_prio)))) {
        return false;
    }
    return a.p->wire_event || a.p->waits == 0;
}

static SIM_ALWAYS void sim_send_expect_end(struct sim_at a, bool plain)
{
    if (a.p->tx_event) {
        return;
    }
    const bool unseen = sim_send_ends_unseen(a, plain);
    a.p->unseen = unseen;
    if (!unseen) {
        a.p->tx_event = true;
        if (a.s->window_end != 0) {
            sim_window_expect_end(a.s, a.port, a.p->busy_until);
            return;
        }
        sim_event_push_port(a.s, a.p->busy_until, SIM_CLASS_TX, a.port, a.c->luck, SIM_EV_TX_DONE);
    } else if (a.s->window_end != 0 && a.p->waits != 0) {
        sim_window_mark(a.s, a.port);
    }
}

/* `head` is the oldest frame on its cable. */
static SIM_ALWAYS void sim_send_expect_arrival(struct sim_at a, const struct sim_packet *head)
{
    const enum sim_class class = sim_is_link_control(head) ? SIM_CLASS_CONTROL : SIM_CLASS_ARRIVAL;
    sim_event_push_port(a.s, head->at, class, a.port, a.c->luck, SIM_EV_ARRIVE);
}

/* ---- putting a frame on the cable ------------------------------------------------------------- */

/* Those who want to know of every frame that is sent. */
SIM_SELDOM void sim_send_tell(struct sim *s, uint32_t port, uint32_t packet);
static inline bool sim_send_is_told(const struct sim *s)
{
    return !s->unseen && (sim_listening(s, SIM_TRACE_SEND) || s->tape != NULL ||
                          s->w->knobs.v[SIM_KNOB_CUT_THROUGH] == SIM_ON);
}

/* Time for `bytes` including the remainder that earlier frames left: no long-run rate error. */
static inline sim_ps sim_send_slot(struct sim_port_state *p, const struct sim_port_config *c,
                                   int64_t bytes)
{
    if (c->tau_den == 1) {
        return bytes * c->tau_num;
    }
    sim_wide total = (sim_wide)bytes * c->tau_num + p->tau_rem;
    p->tau_rem = (int64_t)(total % c->tau_den);
    return (sim_ps)(total / c->tau_den);
}

/* When its slot ends, and when it arrives. */
static SIM_ALWAYS void sim_send_times(struct sim_at a, struct sim_packet *f, bool plain)
{
    const struct sim_port_config *c = a.c;
    const sim_ps now = a.w->now;
    sim_ps slot;
    if (plain) {
        slot = ((int64_t)f->bytes + c->around) * c->tau_num;
        f->at = now + ((int64_t)f->bytes + c->before) * c->tau_num + c->delay;
    } else {
        const int64_t bytes = sim_frame_bytes(a.s, a.port, f);
        const bool bare = f->kind == SIM_FRAME_CREDIT;
        slot = sim_send_slot(a.p, c, bytes + (bare ? 0 : c->around));
        f->at = now + sim_bytes_ps(c, bytes + (bare ? 0 : c->before)) + c->delay;
    }
    f->start = now;
    a.p->busy_until = now + slot;
    a.p->busy_total += slot;
}

/* What is counted when a frame of a flow crosses a cable. */
static SIM_ALWAYS void sim_send_count(struct sim_at a, struct sim_packet *f, bool plain)
{
    a.w->count.hops++;
    a.w->progress_at = a.w->now > a.w->progress_at ? a.w->now : a.w->progress_at;
    if (plain || a.c->kind == SIM_LINK_FABRIC) {
        if (f->hops < UINT8_MAX) {
            f->hops++;
        }
    } else if (f->kind == SIM_FRAME_DATA) {
        a.w->count.crossed[a.c->kind] += f->payload;
    }
}

/* Behind those that are on the cable already. */
static SIM_ALWAYS void sim_send_append(struct sim_at a, uint32_t packet, struct sim_packet *f)
{
    struct sim_port_state *p = a.p;
    f->next = SIM_NONE;
    if (p->wire_event) {
        a.s->packets[p->wire.tail].next = packet;
    } else {
        p->wire.head = packet;
        p->wire_event = true;
        sim_send_expect_arrival(a, f);
    }
    p->wire.tail = packet;
}

/* Puts a frame on the cable: its slot begins. */
static SIM_ALWAYS void sim_send_transmit(struct sim_at a, uint32_t packet, struct sim_packet *f,
                                         bool plain)
{
    struct sim_port_state *p = a.p;
    sim_send_times(a, f, plain);
    uint32_t from = f->ingress;
    p->tx_bytes = plain ? f->bytes : sim_frame_charge(a.s, f);
    p->tx_prio = f->prio;
    f->ingress = SIM_NONE;
    f->egress = a.port;
    if (sim_is_link_control(f)) {
        from = SIM_NONE;
    } else {
        sim_send_count(a, f, plain);
    }
    p->tx_from = from;
    if (!plain && sim_send_is_told(a.s)) {
        sim_send_tell(a.s, a.port, packet);
    }
    if (!plain && p->down) {
        sim_outage_lose(a.s, packet, a.port);
    }
    if (a.s->window_end != 0) {
        sim_inbox_add(a.s, a.c->to, (struct sim_coming){ f->at, packet, a.c->peer });
    } else {
        sim_send_append(a, packet, f);
    }
    if (from != SIM_NONE || p->waits != 0) {
        sim_send_expect_end(a, plain);
    }
}

/* ---- the slot is over ------------------------------------------------------------------------- */

/* sim_switch_release(). Headroom empties first, then shared memory (model 2.2, step 6). */
static SIM_ALWAYS void sim_send_release(struct sim *s, uint32_t n, uint32_t ingress, uint32_t prio,
                                        int64_t bytes, bool plain)
{
    struct sim_node_state *node = &s->nodes[n];
    struct sim_pg *pg = &s->ports[ingress].classes[sim_class_place(prio)].in;
    int64_t from_headroom = pg->headroom < bytes ? pg->headroom : bytes;
    pg->headroom -= from_headroom;
    pg->shared -= bytes - from_headroom;
    node->used_shared -= bytes - from_headroom;
    node->used -= bytes;
    if (!plain && sim_credits_on(s, ingress)) {
        sim_credit_released(s, ingress, prio, bytes);
    } else if (node->pausing > 0) {
        sim_pfc_released(s, ingress, prio);
    }
}

#endif
