/*
 * What breaks until somebody mends it: cables and address tables (commands `link` and `flood`).
 *
 *     link down   both ends send into nothing; after `reroute` switches avoid it, and ways that lead
 *                 only to it; mended: used again at once, credits begin anew
 *     flooded     its switch has forgotten the host's port, and copies what is for it to all other
 *                 ports (switch.c)
 *
 * Port bits `down` (the cable is cut) and `withdrawn` (and everybody knows); `flooded` of a host.
 * The world counts the last two, so that nobody looks for them in a sound fabric.
 */
#ifndef WEFT_SIM_OUTAGE_H
#define WEFT_SIM_OUTAGE_H

#include <stdbool.h>
#include <stdint.h>

#include "sim/world.h"

/* Cuts or mends the cable at `port`, both directions. */
void sim_outage_link(struct sim *s, uint32_t port, bool up);
/* SIM_EV_REROUTE: everybody knows by now that the cable is cut. */
void sim_outage_reroute(struct sim *s, uint32_t port);
/* A frame is sent by `port` into a cable that is cut, or was on it. */
SIM_SELDOM void sim_outage_lose(struct sim *s, uint32_t packet, uint32_t port);
/* The port of switch `node` toward `host` that avoids withdrawn cables, SIM_NONE: none does. `pick`
 * is the index of the one it would be if all were well, `luck` chooses another one. */
uint32_t sim_outage_route(const struct sim *s, uint32_t node, uint32_t host, uint32_t pick,
                          uint64_t luck);
/* The switch of a host forgets its port, or learns it. */
void sim_outage_flood(struct sim *s, uint32_t node, bool on);

#endif
