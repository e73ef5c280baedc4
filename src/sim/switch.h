/*
 * A switch: one shared memory, output queues, accounting at the ingress (model 2.1, 2.2, 2.6).
 *
 *     last bit in -> admission (ingress) -> maybe XOFF -> pipeline latency -> egress queue
 *     slot over   -> release (ingress)   -> maybe XON
 *
 * PFC looks at what is held from a neighbour (ingress), tail drop and ECN at the queue toward one
 * (egress). They are two counts of the same bytes and are never merged.
 *
 * Invariants: what the ingress counts of a switch add up to is `used` of its node; what its queues,
 * its pipeline and the slots under way hold is the same. A slow host's receive buffer is counted as
 * a switch's memory is.
 */
#ifndef WEFT_SIM_SWITCH_H
#define WEFT_SIM_SWITCH_H

#include <stdbool.h>
#include <stdint.h>

#include "sim/link.h"
#include "sim/world.h"

/* ---- the way of a frame ---------------------------------------------------------------------- */

/* Its last bit has arrived by `port` of this node: its egress is chosen, it is admitted or lost. (Most
 * frames do the same by way of receive.h.) */
void sim_switch_receive(struct sim *s, uint32_t port, uint32_t node, uint32_t packet);
/* Must it not be cut through? It may be refused or flooded: all of it has to be looked at. */
bool sim_switch_must_look(const struct sim *s, uint32_t port, const struct sim_packet *f);
/* Counts a frame in at its ingress port; XOFF may follow from it. False: it had no room and is
 * lost, and freed. Egress known, or SIM_NONE at a host. */
bool sim_ingress_admit(struct sim *s, uint32_t port, uint32_t packet);
/* SIM_EV_PIPELINE: the oldest frame in a node's pipeline is through. */
void sim_switch_pipeline(struct sim *s, uint32_t node);
/* A frame that came to this node by `ingress` has left, and its slot is over: its bytes are free again. */
void sim_switch_release(struct sim *s, uint32_t node, uint32_t ingress, uint32_t prio,
                        int64_t bytes);

/* ---- egress queues, of switches and of NICs (ACKs) ------------------------------------------- */

/* Appends. */
void sim_egress_put(struct sim *s, uint32_t port, uint32_t packet);
/* The same, and the port sends if it is free. */
void sim_egress_push(struct sim *s, uint32_t port, uint32_t packet);
/* Keeps the integral of the data queue over time, for its mean. */
static inline void sim_queue_settle(struct sim *s, struct sim_port_state *p)
{
    uint64_t bytes = (uint64_t)p->classes[sim_class_place(SIM_PRIO_DATA)].out.bytes;
    uint64_t dt = (uint64_t)(s->w->now - p->sum_at);
    p->sum_at = s->w->now;
    if (bytes == 0) {
        return;
    }
    sim_wide sum = (sim_wide)bytes * dt + p->sum_lo;
    p->sum_lo = (uint64_t)sum;
    p->sum_hi += (uint64_t)(sum >> 64);
}
/* ECN (model 2.6): it leaves a queue of so many bytes, itself included. */
SIM_SELDOM void sim_egress_mark(struct sim *s, uint32_t port, uint32_t packet, int64_t queue);
static inline void sim_egress_leave(struct sim *s, uint32_t port, uint32_t packet, int64_t queue)
{
    if (s->w->knobs.v[SIM_KNOB_ECN] == SIM_ON &&
        !s->config->nodes[s->config->ports[port].node].inside) {
        sim_egress_mark(s, port, packet, queue);
    }
}
/* Takes the first one out, with an ECN mark perhaps; the queue is not empty. */
static SIM_ALWAYS uint32_t sim_egress_take(struct sim *s, struct sim_port_state *p, uint32_t port,
                                           uint32_t prio)
{
    struct sim_egress *out = &p->classes[sim_class_place(prio)].out;
    const int64_t queue = out->bytes;
    if (prio == SIM_PRIO_DATA) {
        sim_queue_settle(s, p);
    }
    const uint32_t packet = sim_fifo_pop(s, &out->fifo);
    out->bytes = queue - s->packets[packet].bytes;
    if (sim_fifo_empty(&out->fifo)) {
        p->backlog = (uint8_t)(p->backlog & ~(1u << prio));
    } else {
        __builtin_prefetch(&s->packets[out->fifo.head]); /* it is next, a slot from now */
    }
    sim_egress_leave(s, port, packet, queue);
    return packet;
}
static inline uint32_t sim_egress_pop(struct sim *s, uint32_t port, uint32_t prio)
{
    return sim_egress_take(s, &s->ports[port], port, prio);
}
/* The first one is discarded, or all of them. */
void sim_egress_discard(struct sim *s, uint32_t port, uint32_t prio, enum sim_reason reason,
                        bool all);

/* ---- rules ----------------------------------------------------------------------------------- */

/* The port by which switch `node` sends a packet on, SIM_NONE: there is no way (model 4.6). */
uint32_t sim_route(struct sim *s, uint32_t node, const struct sim_packet *packet);
/* Before a run: the ways found before hold as long as the routing is the same. A way is kept for the
 * first so many cables. */
enum { SIM_WAYS = 8 };
void sim_ways_begin(struct sim *s);
/* `alpha` (2^-32) times what is free of a switch's shared memory. */
int64_t sim_free_share(const struct sim *s, uint32_t node, int64_t alpha);
/* Probability of an ECN mark, in 2^-32, for a queue of so many bytes. */
uint64_t sim_ecn_share(const struct sim_knobs *knobs, int64_t queue);

#endif
