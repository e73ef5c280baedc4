/*
 * Which knobs do nothing as a fabric is set now, and why.
 *
 * Only what is certain: a knob that is idle may be given any other value, and from now on the same things
 * happen at the same times, until the knob it depends on is moved or a fault comes. (tests/app/test_idle.c
 * does that.) A knob that is not idle may still change nothing, in this or that run.
 */
#ifndef WEFT_SIM_IDLE_H
#define WEFT_SIM_IDLE_H

#include <stdbool.h>
#include <stddef.h>

#include "sim/sim.h"

/* True: it does nothing, because of what `why` says: "flow_control is none". */
bool sim_knob_idle(const struct sim *sim, enum sim_knob knob, char *why, size_t size);

#endif
