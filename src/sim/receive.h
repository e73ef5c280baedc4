/*
 * How a switch takes a frame in and sends it on: inside switch.c and arrive.c. Inline, and in two
 * versions: see send.h.
 *
 *     way        the port by which it goes on, if that was found before
 *     admit      charged to the port by which it came; switch.c has what is not obvious
 *     forward    to its port, at once or by the queue
 */
#ifndef WEFT_SIM_RECEIVE_H
#define WEFT_SIM_RECEIVE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "sim/config.h"
#include "sim/credit.h"
#include "sim/event.h"
#include "sim/link.h"
#include "sim/pfc.h"
#include "sim/send.h"
#include "sim/switch.h"
#include "sim/world.h"

/* ---- ways ------------------------------------------------------------------------------------ */

enum { SIM_WAYS_A_FLOW = 2 * SIM_WAYS };

/* Is it not for everyone, or lost? */
static inline bool sim_is_special(const struct sim_packet *f)
{
    return sim_is_link_control(f) || (f->flags & (SIM_FRAME_LOST | SIM_FLAG_COPY)) != 0;
}
static inline bool sim_goes_its_way(const struct sim_packet *f)
{
    return !sim_is_special(f) && f->hops < SIM_WAYS;
}
/* Where the way of a frame is kept, by direction and by the number of cables behind it. */
static SIM_ALWAYS uint32_t *sim_way(struct sim *s, const struct sim_packet *f)
{
    const uint32_t back = f->kind != SIM_FRAME_DATA ? SIM_WAYS : 0u;
    return &s->ways[(size_t)f->flow * SIM_WAYS_A_FLOW + back + f->hops];
}

static inline bool sim_way_is_known(const struct sim *s, uint32_t node, uint32_t port)
{
    return port != SIM_NONE && s->cables[port].node == node;
}

/* ---- egress queues --------------------------------------------------------------------------- */

static SIM_ALWAYS void sim_put(struct sim_at a, uint32_t packet, struct sim_packet *f, bool plain)
{
    struct sim_port_state *p = a.p;
    struct sim_egress *out = &p->classes[sim_class_place(f->prio)].out;
    if (f->prio == SIM_PRIO_DATA) {
        sim_queue_settle(a.s, p);
    }
    out->bytes += f->bytes;
    if (f->prio == SIM_PRIO_DATA && out->bytes > p->max_bytes) {
        p->max_bytes = out->bytes;
    }
    f->start = SIM_NEVER;
    f->at = SIM_NEVER;
    sim_fifo_push(a.s, &out->fifo, packet);
    p->backlog = (uint8_t)(p->backlog | 1u << f->prio);
    if (!plain && sim_listening(a.s, SIM_TRACE_ENQUEUE) && f->kind == SIM_FRAME_DATA) {
        sim_record_frame(a.s, SIM_TRACE_ENQUEUE, a.port, packet);
    }
}

/* To a port that is settled. If it is idle nothing has to wait; the queue would hold it for no time. */
static SIM_ALWAYS void sim_forward(struct sim_at a, uint32_t packet, struct sim_packet *f,
                                   bool plain)
{
    struct sim *s = a.s;
    struct sim_port_state *p = a.p;
    if (p->busy_until > a.w->now || p->not_idle != 0 ||
        ((unsigned)p->blocked >> f->prio & 1u) != 0 ||
        (!plain && (s->config->arbitrated || sim_credits_on(s, a.port) ||
                    sim_listening(s, SIM_TRACE_ENQUEUE)))) {
        sim_put(a, packet, f, plain);
        sim_kick(s, p, a.port, a.c);
        return;
    }
    if (f->prio == SIM_PRIO_DATA) {
        p->max_bytes = (int64_t)f->bytes > p->max_bytes ? (int64_t)f->bytes : p->max_bytes;
        p->sum_at = a.w->now;
    }
    sim_egress_leave(s, a.port, packet, f->bytes);
    sim_send_transmit(a, packet, f, plain);
}

/* ---- admission ------------------------------------------------------------------------------- */

/* Does a lossless frame fit into shared memory for sure, and no XOFF follows from it? Then it is counted
 * in. What is held may be less than it says here, never more: slots that have ended unseen. */
static SIM_ALWAYS bool sim_fits_easily(struct sim *s, uint32_t port, uint32_t n,
                                       const struct sim_packet *f, bool plain)
{
    struct sim_node_state *node = &s->nodes[n];
    struct sim_pg *pg = &s->ports[port].classes[sim_class_place(f->prio)].in;
    const int64_t bytes = f->bytes;
    node->used_shared += bytes;
    node->used += bytes;
    pg->shared += bytes;
    if ((node->pausing == 0 || s->ports[port].pausing == 0) && pg->headroom == 0 &&
        pg->shared < (plain ? s->w->knobs.v[SIM_KNOB_XOFF] : sim_pfc_xoff(s, port)) &&
        node->used <= s->w->knobs.v[SIM_KNOB_BUFFER]) {
        return true;
    }
    node->used_shared -= bytes;
    node->used -= bytes;
    pg->shared -= bytes;
    return false;
}

/* What a queue of a lossy class may hold. */
static inline int64_t sim_queue_cap(const struct sim *s, uint32_t node)
{
    int64_t cap = s->w->knobs.v[SIM_KNOB_QUEUE_CAP];
    int64_t alpha = s->w->knobs.v[SIM_KNOB_QUEUE_ALPHA];
    if (alpha == SIM_AUTO) {
        return cap;
    }
    int64_t share = sim_free_share(s, node, alpha);
    return share < cap ? share : cap;
}

/* Does a lossy frame fit for sure? Then it is counted in. */
static SIM_ALWAYS bool sim_fits_lossy(struct sim *s, uint32_t port, uint32_t n,
                                      const struct sim_packet *f)
{
    struct sim_node_state *node = &s->nodes[n];
    int64_t queue = 0;
    if (f->egress != SIM_NONE) {
        queue = s->ports[f->egress].classes[sim_class_place(f->prio)].out.bytes;
    }
    if (queue + (int64_t)f->bytes > sim_queue_cap(s, n) ||
        node->used + (int64_t)f->bytes > s->w->knobs.v[SIM_KNOB_BUFFER]) {
        return false;
    }
    node->used_shared += f->bytes;
    node->used += f->bytes;
    s->ports[port].classes[sim_class_place(f->prio)].in.shared += f->bytes;
    return true;
}

/* It has to be looked at more closely. */
bool sim_switch_admit(struct sim *s, uint32_t port, uint32_t node, uint32_t packet, bool lossless);

static SIM_ALWAYS bool sim_admit(struct sim *s, uint32_t port, uint32_t n, uint32_t packet,
                                 struct sim_packet *f, bool plain)
{
    if (!plain && sim_credits_on(s, port)) { /* there is room: the sender had credits for it */
        struct sim_node_state *node = &s->nodes[n];
        const int64_t bytes = sim_frame_bytes(s, port, f);
        s->ports[port].classes[sim_class_place(f->prio)].in.shared += bytes;
        node->used_shared += bytes;
        node->used += bytes;
        f->ingress = port;
        sim_credit_arrived(s, port, f->prio, bytes, true);
        return true;
    }
    const bool lossless =
        plain ? (s->config->lossless_mask >> f->prio & 1u) != 0 : sim_lossless(s, f->prio);
    if (lossless ? sim_fits_easily(s, port, n, f, plain) : sim_fits_lossy(s, port, n, f)) {
        f->ingress = port;
        return true;
    }
    return sim_switch_admit(s, port, n, packet, lossless);
}

/* Takes a frame in, which goes on by `a`; the switch has so much latency. */
static SIM_ALWAYS void sim_accept(struct sim_at a, uint32_t port, uint32_t n, sim_ps latency,
                                  uint32_t packet, struct sim_packet *f, bool plain)
{
    struct sim *s = a.s;
    f->egress = a.port;
    if (a.p->unseen && a.p->busy_until <= s->over) {
        if (plain) {
            sim_port_catch_up_plain(s, a.port);
        } else {
            sim_port_catch_up(s, a.port);
        }
    }
    if (!sim_admit(s, port, n, packet, f, plain)) {
        return;
    }
    if (latency == 0) {
        sim_forward(a, packet, f, plain);
        return;
    }
    struct sim_node_state *node = &s->nodes[n];
    f->at = s->w->now + latency;
    sim_fifo_push(s, &node->pipeline, packet);
    if (!node->pipeline_event) {
        node->pipeline_event = true;
        sim_event_push_node(s, f->at, n);
    }
}

#endif
