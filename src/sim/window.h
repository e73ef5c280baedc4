/*
 * A large fabric, node by node (conservative time windows).
 *
 * In the order of time every event is about another corner of a large fabric, and nothing of it is in a
 * cache any more. But what one node does is felt by another no sooner than after the shortest cable: the
 * lookahead. So the run is cut into windows of that length, and in each of them every node that has
 * something to do has one turn, in which it takes all its events in their order:
 *
 *     window   |<------- lookahead ------->|
 *     switch 1  a  a   a a    a  a   a   a   its turn, then
 *     switch 2    a  a  a   a   a    a a     its turn: frames sent in here arrive behind the window
 *
 * What comes of it is the same to the bit, as every event sees what it would have seen:
 *
 *     events of the node   the queue's near ones are handed out as the window begins; what is pushed for
 *                          later in it goes to the turn's own little wheel
 *     slots that end       unseen (link.h), and made up for at the end of the turn. A node whose ports
 *     unseen               have more to send is `due` in the next window, whether it has events or not
 *     a cable              its sender appends, its receiver takes off: what arrives in a window was sent
 *                          before it
 *     records of the       kept until the window is over, then brought into the order of their events
 *     trace, stall.h's     (world.h: sim_record_add(); stall.c)
 *     looks
 *     all the rest         sums, and places of packets and cells in their pools, which are no part of the
 *                          state (sim_state_hash())
 *
 * An event that concerns the whole fabric (a flow begins, a timeout, a look for a stall) ends a window
 * before its time, and is taken in the common order. So is everything where windows are not possible:
 * unless the run is `plain` and `late` (link.h), and the workload independent flows of which one at least
 * cannot be over in this window.
 */
#ifndef WEFT_SIM_WINDOW_H
#define WEFT_SIM_WINDOW_H

#include <stdbool.h>
#include <stdint.h>

#include "sim/event.h"
#include "sim/world.h"

void sim_window_destroy(struct sim_window *window);
/* A run begins. Windows are opened in large fabrics only; NULL stays NULL. */
void sim_window_begin(struct sim *s);
/* For tests: in a fabric of any size, whether it is worth it or not. */
void sim_window_force(struct sim *s);
/* Runs windows as long as that is possible and worth it, none of them beyond `until`, and about `*events`
 * at most, from which it takes off what it has executed. Gives the number of events to be taken in the
 * common order before it is worth asking again; UINT64_MAX: all. */
uint64_t sim_window_sweep(struct sim *s, uint64_t *events, sim_ps until);

/* ---- while a window is open (sim.window_end is its end) --------------------------------------- */

/* Is it for a turn, in this window or one of the next? Else it is far. */
bool sim_window_wants(const struct sim *s, const struct sim_event *e);
/* One that is. */
void sim_window_push(struct sim *s, uint32_t place, struct sim_event e);
/* The next arrival on a port's cable: of this frame, the oldest there. */
void sim_window_expect(struct sim *s, uint32_t port, enum sim_class class,
                       const struct sim_packet *head);
/* A record: it is put down in its order when the window is over. */
SIM_SELDOM void sim_window_keep(struct sim *s, const struct sim_record *rec);
/* When to look for a stall, if nobody has said so yet: the earliest counts. */
SIM_SELDOM void sim_window_look_at(struct sim *s, sim_ps at);

#endif
