/*
 * Runs of random fabrics, for what looks at frames.
 */
#ifndef WEFT_TESTS_RANDOM_RUN_H
#define WEFT_TESTS_RANDOM_RUN_H

#include "random_fabric.h"
#include "run/run.h"

/* A run whose frames exist, its faults and switches planned: those with sizes of other simulators have no
 * headers. The caller destroys it; NULL: it cannot begin. */
struct run *random_run(uint64_t seed);

#endif
