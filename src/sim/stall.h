/*
 * Is this the end (model 2.6b)? During a deadlock PAUSE frames are repeated and timers fire, so
 * events never run out: what ends a run is a proof that nothing will ever move again (stall.c).
 *
 *     deadlock      queues that wait for one another in a circle
 *     storm         queues behind a host that takes in nothing, and nothing else to wait for
 *     retry limit, dead peer   a queue pair has given up, or whom others need is dead
 *     starved       no event is left, and work is open
 *
 * The first two are looked for here, the others are noticed where they happen (sim_stall_set(),
 * work.h). Whoever asks what is going on uses sim_wait_cycle() (sim.h).
 */
#ifndef WEFT_SIM_STALL_H
#define WEFT_SIM_STALL_H

#include <stdbool.h>
#include <stdint.h>

#include "sim/world.h"

/* Something cannot be sent: look whether this is the end, in a millisecond of silence. */
void sim_stall_arm(struct sim *s);
/* At this time, unless a look is due already. */
void sim_stall_look_at(struct sim *s, sim_ps at);
/* SIM_EV_STALL: looks. It is no event of the fabric and is not counted. */
void sim_stall_look(struct sim *s);
/* Why a flow that gives up got no answer: its peer is dead, a deadlock, a storm; else the retry
 * limit alone. */
enum sim_reason sim_stall_reason(const struct sim *s, uint32_t flow);

#endif
