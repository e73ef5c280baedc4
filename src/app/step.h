/*
 * The next value that one would try: what Left and Right do in a menu.
 */
#ifndef WEFT_APP_STEP_H
#define WEFT_APP_STEP_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/units.h"
#include "sim/knobs.h"

/* The next round value above or below: counts one by one, then 16, 24, 32, ...; rates that cables have;
 * powers of two of bytes; 1, 2, 5 of times and shares. Stays within the range; false: there is none. */
bool step_quantity(enum unit_kind unit, int64_t value, bool up, int64_t min, int64_t max,
                   int64_t *out);

/* The same for a knob: words in their order, round; a number may go on to unlimited above, to auto below. */
bool step_knob(enum sim_knob knob, int64_t value, bool up, int64_t *out);

/* A quantity as a person types it: "100KB" rather than "100000B", where that is the same. Returns `buf`. */
const char *step_typed(enum unit_kind unit, int64_t value, char *buf, size_t size);

#endif
