/*
 * Which of several equal ports a packet takes, where it is not the knob `routing` alone that
 * decides: pinned flows, flowlets, turns.
 *
 *     pinned    at every switch on its way with a choice, the flow takes the first port that leads
 *               to a node it is pinned to; its answers come back the same way. Where no port does,
 *               routing decides
 *     flowlet   a flow stays on its port until it has been silent there, at this switch, for longer
 *               than `flowlet_gap`; then luck chooses again. The luck is that of (flow, direction,
 *               switch, number of the flowlet)
 *     in turn   each packet of a flow takes the port behind that of the one before it; at each switch
 *               it begins anywhere
 *
 * What a switch remembers of a flow is in the arena (struct sim_flowlet): one item for each
 * flow, direction and switch on its way that has a choice. The configuration lists these switches;
 * there are no others, so the state has a fixed size.
 */
#ifndef WEFT_SIM_STEER_H
#define WEFT_SIM_STEER_H

#include <stdbool.h>
#include <stdint.h>

#include "sim/world.h"

/* Builds what the configuration knows about both; false: a pin names nothing. */
bool sim_steer_build(struct sim_config *c, struct err *err);

/* Of `count` equal ports, the index of the one that a flow is pinned to, or SIM_NONE. */
uint32_t sim_steer_pinned(const struct sim_config *c, const struct sim_flow_config *flow,
                          const uint32_t *ports, uint32_t count);

/* A number for this packet's flowlet at this switch. Looking at a packet twice (its header, then
 * all of it) changes nothing. */
uint64_t sim_steer_flowlet(struct sim *s, uint32_t node, const struct sim_packet *f);
/* One more for each packet. */
uint64_t sim_steer_turn(struct sim *s, uint32_t node, const struct sim_packet *f);
/* Do switches remember flows with this routing? */
static inline bool sim_steer_remembers(int64_t routing)
{
    return routing == SIM_ROUTE_FLOWLET || routing == SIM_ROUTE_IN_TURN;
}

bool sim_steer_audit(const struct sim *s, struct err *err);

#endif
