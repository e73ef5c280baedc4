/*
 * A host as a receiver of data. Normally it takes in what arrives. One made slow (`slow`) has a
 * receive buffer that it empties at a share `drain` of the line's rate, 0 to 1 in 2^-32; before
 * that overflows it sends PAUSE, or lacks credits to give, by the same rules as a switch (model
 * 2.4): the buffer counts as that of a switch would.
 */
#ifndef WEFT_SIM_HOST_H
#define WEFT_SIM_HOST_H

#include <stdbool.h>
#include <stdint.h>

#include "sim/world.h"

/* The last bit of a data packet has arrived at a NIC. */
void sim_host_receive(struct sim *s, uint32_t port, uint32_t packet);
/* SIM_EV_DRAIN: the oldest packet has been taken out of the receive buffer. */
void sim_host_drain(struct sim *s, uint32_t node);

#endif
