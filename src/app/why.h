/*
 * "Why is it waiting?": the model's chain of causes as sentences, one a line, from the one who
 * waits down to the root, or round to where the chain closes.
 */
#ifndef WEFT_APP_WHY_H
#define WEFT_APP_WHY_H

#include <stddef.h>
#include <stdint.h>

#include "base/text.h"
#include "sim/sim.h"

/* The rank to ask about when nobody was pointed at: the one that holds the others up, or 0.
 * SIM_NONE when there are no ranks. */
uint32_t why_rank(const struct sim *sim);

/* Appends the sentences, each with a newline. SIM_NONE: about a flow that is not done. */
void why_say(const struct sim *sim, uint32_t rank, struct text *out);

#endif
