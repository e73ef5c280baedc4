/*
 * Is this the end (model 2.6b)?
 */
#ifndef WEFT_SIM_STALL_H
#define WEFT_SIM_STALL_H

#include <stdbool.h>
#include <stdint.h>

#include "sim/world.h"

void sim_stall_arm(struct sim *s); /* something cannot be sent */
void sim_stall_look(struct sim *s);
/* Why a flow that gives up got no answer. */
enum sim_reason sim_stall_reason(const struct sim *s, uint32_t flow);

#endif
