/*
 * True size: what a scene's fabric and packets really measure. Everything is computed from the fabric.
 */
#ifndef WEFT_APP_HONEST_H
#define WEFT_APP_HONEST_H

#include <stddef.h>

#include "lesson/lesson.h"
#include "sim/sim.h"

struct honest_fact {
    const char *name;
    char value[72], about[300];
    enum sim_knob knob; /* what changes it; SIM_KNOB_COUNT: nothing alone */
};

enum { HONEST_FACTS_MAX = 16 };

/* `rate`: simulated time that passes in a second of watching, 0: not known. Returns how many. */
size_t honest_facts(const struct sim *sim, sim_ps rate, struct honest_fact facts[HONEST_FACTS_MAX]);

#endif
