/*
 * The tape: every frame that a port of the fabric puts on its cable, for captures.
 *
 * It records only while somebody listens (sim.h), lies outside the arena and changes nothing. Cables
 * inside boxes are not on it: what they carry has no frames.
 */
#ifndef WEFT_SIM_TAPE_H
#define WEFT_SIM_TAPE_H

#include <stdint.h>

#include "sim/world.h"

struct sim_tape;

/* `port` has begun to send the packet. */
SIM_SELDOM void sim_tape_add(struct sim *s, uint32_t port, uint32_t packet);
void sim_tape_destroy(struct sim_tape *tape);

#endif
