/* The fabric most tests of the app play with: eight GPUs, two leaves, two spines, a small ring. */
#ifndef WEFT_TESTS_APP_RING_H
#define WEFT_TESTS_APP_RING_H

#include "run/run.h"

/* A run of `steps` training steps of 256 KiB each, 20 us of computing before each. */
struct run *ring_run(int64_t steps);

/* Does a command in its text form. */
void ring_do(struct run *run, const char *command);

/* Runs until a record of `kind` was written. */
void ring_until(struct run *run, enum sim_trace_kind kind);

#endif
