/* The fabric most tests of a run play with: two leaves, two spines, eight GPUs in a ring. */
#ifndef WEFT_TESTS_RUN_SMALL_H
#define WEFT_TESTS_RUN_SMALL_H

#include "run/run.h"

/* 256 KiB gradients, 20 us of computing, four training steps. */
void small_scenario(struct sim_scenario *sc);
/* A run of it, seed 7. */
struct run *small_run(void);

/* Does a command in its text form; fails the test when it is refused. */
void small_act(struct run *run, const char *text, enum run_author author);
struct sim_cmd small_cmd(const char *text);

/* Fails the test unless both stand at the same moment of the same run. */
void small_same(const struct run *a, const struct run *b);

#endif
