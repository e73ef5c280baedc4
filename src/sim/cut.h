/*
 * Cut-through (model 1.1): a frame goes on as soon as its header has passed the switch's pipeline, if
 * its way is free; what still comes in behind it is a shell that nobody counts.
 *
 *     a frame is sent toward a switch -> sim_cut_note(): when will its header have passed?
 *     SIM_EV_HEADER                   -> sim_cut_header(): it goes on, or is stored and forwarded
 *
 * `port` is the sender on whose cable the frame comes. Only the oldest header of a cable has an event;
 * the rest wait in a list of cells (sim_port_state.headers).
 */
#ifndef WEFT_SIM_CUT_H
#define WEFT_SIM_CUT_H

#include <stdint.h>

#include "sim/world.h"

/* A frame of a flow was just sent by this port, toward a switch, while cut_through is on. */
SIM_SELDOM void sim_cut_note(struct sim *s, uint32_t port, uint32_t packet);
void sim_cut_header(struct sim *s, uint32_t port); /* SIM_EV_HEADER */

#endif
