/*
 * Building fabrics by name, for the rows about locks and faults.
 */
#ifndef WEFT_TESTS_SIM_NET_H
#define WEFT_TESTS_SIM_NET_H

#include "fabric.h"

void net_switch(struct sim_scenario *sc, const char *name);
/* A host and its cable. */
void net_host(struct sim_scenario *sc, const char *name, const char *sw, int64_t gbps,
              sim_ps delay);
void net_cable(struct sim_scenario *sc, const char *a, const char *b, int64_t gbps, sim_ps delay);
void net_route(struct sim_scenario *sc, const char *sw, const char *dst, const char *next);

/* A flow of single full packets at a constant rate: `load` of the line whose slot is `slot`. */
void net_stream(struct sim_scenario *sc, const char *src, const char *dst, double load,
                sim_ps slot);

/* Runs until some ports wait for each other in a circle, looking every `every`; the time, or
 * SIM_NEVER. */
sim_ps net_lock_time(struct sim *s, sim_ps every, sim_ps limit);

#endif
