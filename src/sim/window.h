/*
 * A large fabric, node by node (conservative time windows).
 *
 * In the order of time every event is about another corner of a large fabric, and nothing of it is in a
 * cache any more. But what one node does is felt by another no sooner than after the shortest cable: the
 * lookahead. So every node that has something to do has a turn, in which it takes all its events up to
 * some time, in their order. Where the nodes are of two sides, and cables run only between these (hosts
 * and aggregation switches; edges and cores), the sides take turns, each going ahead of the other by a
 * lookahead:
 *
 *     one side    |<------ 2 lookaheads ------>|  a turn for each switch, then
 *     the other          |<------ 2 lookaheads ------>|    what was sent above arrives in here or later
 *
 * If not, all nodes go ahead by one lookahead.
 *
 * What comes of it is the same to the bit, as every event sees what it would have seen:
 *
 *     events of the node   the queue's near ones are handed out as windows begin; what is pushed for
 *                          later in a turn goes to its own little wheel
 *     frames on cables     wait at the node to which they come (inbox.h)
 *     slots that end       unseen (link.h). Those behind which something waits are made up for at the end
 *     unseen               of the turn: their ports are `due`; the others when somebody looks, as ever
 *     records of the       kept until both sides are so far, then brought into the order of their events
 *     trace, stall.h's     (world.h: sim_record_add(); stall.c)
 *     looks
 *     all the rest         sums, and places of packets and cells in their pools, which are no part of the
 *                          state (sim_state_hash())
 *
 * In its turn a node may read what is its own, what only the common order changes, and of a queue pair the half
 * at this end; of others it only adds to sums. Two things are of the sender and of use to the receiver: which
 * message a packet belongs to (posted before it was sent, and kept until its ACK has come), and which attempt a
 * NAK asks for (window.c: count_attempts()).
 *
 * At an event that concerns the whole fabric (a flow begins, a timeout, a look for a stall) both sides
 * stop, and it is taken in the common order. So is everything where windows are not possible: unless the
 * run is `plain` and `late` (link.h), and the workload independent flows of which one at least cannot be
 * over in the next turns.
 */
#ifndef WEFT_SIM_WINDOW_H
#define WEFT_SIM_WINDOW_H

#include <stdbool.h>
#include <stdint.h>

#include "sim/event.h"
#include "sim/world.h"

void sim_window_destroy(struct sim *s);
/* A run begins. Windows are opened in large fabrics only; `window` stays NULL in others. */
void sim_window_begin(struct sim *s);
/* For tests: in a fabric of any size, whether it is worth it or not. */
void sim_window_force(struct sim *s);
/* Runs windows as long as that is possible and worth it, none of them beyond `until`, and about `*events`
 * at most, from which it takes off what it has executed. Gives the number of events to be taken in the
 * common order before it is worth asking again; UINT64_MAX: all. */
uint64_t sim_window_sweep(struct sim *s, uint64_t *events, sim_ps until);

/* ---- in a turn (sim.window_end is its end; 0: there is none) ---------------------------------- */

/* Is it for a turn, this one or one of the next? Else it is far. */
bool sim_window_wants(const struct sim *s, const struct sim_event *e);
/* One that is: of the node that has its turn. */
void sim_window_push(struct sim *s, uint32_t place, struct sim_event e);
/* The slot of a port, whose node has its turn, ends then: the same as SIM_EV_TX_DONE. */
void sim_window_expect_end(struct sim *s, uint32_t port, sim_ps at);
/* This port may have more to send as its slot ends unseen: it is looked at when the turn ends. */
static inline void sim_window_mark(struct sim *s, uint32_t port)
{
    s->due[port / 64] |= UINT64_C(1) << port % 64;
}
/* A record: it is put down in its order when all are so far. */
SIM_SELDOM void sim_window_keep(struct sim *s, const struct sim_record *rec);
/* When to look for a stall, if nobody has said so yet: the earliest counts. */
SIM_SELDOM void sim_window_look_at(struct sim *s, sim_ps at);

#endif
