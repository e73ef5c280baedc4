/*
 * What the JSON files here have in common; json.h says what it looks like.
 */
#ifndef WEFT_EXPORT_JSON_PARTS_H
#define WEFT_EXPORT_JSON_PARTS_H

#include <stdint.h>

#include <jansson.h>

#include "sim/knobs.h"
#include "sim/sim.h"

/* Each a new value: the caller's. */

/* Nanoseconds; SIM_NEVER is null. */
json_t *export_json_ns(sim_ps t);
/* As `--set` reads it back. */
json_t *export_json_knob(enum sim_knob knob, int64_t value);
/* Every knob as it is now. */
json_t *export_json_set(const struct sim *sim);

#endif
