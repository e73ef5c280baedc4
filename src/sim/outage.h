/*
 * Cut cables and forgotten ports.
 */
#ifndef WEFT_SIM_OUTAGE_H
#define WEFT_SIM_OUTAGE_H

#include <stdbool.h>
#include <stdint.h>

#include "sim/world.h"

void sim_outage_link(struct sim *s, uint32_t port, bool up);
void sim_outage_reroute(struct sim *s, uint32_t port);
void sim_outage_flood(struct sim *s, uint32_t node, bool on);
/* The cable it is sent on is cut. */
void sim_outage_lose(struct sim *s, uint32_t packet, uint32_t port);
/* A route that avoids withdrawn links: the port by which `port`, at switch `node`, is replaced. */
uint32_t sim_outage_route(const struct sim *s, uint32_t node, uint32_t host, uint32_t pick);

#endif
