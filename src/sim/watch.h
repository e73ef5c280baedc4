/*
 * The PFC watchdog (model 2.7).
 */
#ifndef WEFT_SIM_WATCH_H
#define WEFT_SIM_WATCH_H

#include <stdbool.h>
#include <stdint.h>

#include "sim/world.h"

void sim_watch_arm(struct sim *s); /* something is paused */
void sim_watch_poll(struct sim *s);
void sim_watch_off(struct sim *s);
/* True when a packet that came in by `in` to leave by `out` belongs to a storm and is dropped. */
bool sim_watch_drops(const struct sim *s, uint32_t in, uint32_t out, uint32_t prio);

#endif
