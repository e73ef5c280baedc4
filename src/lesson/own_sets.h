/*
 * What a learner has set stays set when another switch begins the run anew.
 *
 * A knob of the sort `restart` begins a run from 0 with an empty journal (run_do()); whoever had moved a
 * live switch before would find it back where the lesson put it, and would not be told.
 */
#ifndef WEFT_LESSON_OWN_SETS_H
#define WEFT_LESSON_OWN_SETS_H

#include <stdbool.h>
#include <stdint.h>

#include "run/run.h"

/* The live knobs that the learner has set up to now, and no line of the lesson since. */
struct lesson_own_sets {
    int64_t value[SIM_KNOB_COUNT];
    bool is_set[SIM_KNOB_COUNT];
};
struct lesson_own_sets lesson_own_sets_of(const struct run *run);

/* Sets them in a run that has just begun anew because of the knob `but`, as lines of the learner. One that
 * does not apply to what the run is now is left out. */
void lesson_own_sets_again(struct run *run, const struct lesson_own_sets *own, enum sim_knob but);

#endif
