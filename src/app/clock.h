/*
 * A clock: one run, or two that are always at the same moment (what-if).
 *
 *     A  |-----|-----------x          both stop where either has something to show
 *     B  |-----|-----------|
 *
 * `b` may be NULL everywhere. A run that is stalled stands still; the clock goes on with the other.
 */
#ifndef WEFT_APP_CLOCK_H
#define WEFT_APP_CLOCK_H

#include <stdbool.h>
#include <stdint.h>

#include "base/err.h"
#include "run/run.h"

/* The moment: the later one, where one is stalled. */
sim_ps clock_now(const struct run *a, const struct run *b);

/* The next event of either, SIM_NEVER: none. */
sim_ps clock_next(const struct run *a, const struct run *b);

/* Nothing is on its way on either. `*computing` (may be NULL): somewhere a GPU computes. */
bool clock_quiet(const struct run *a, const struct run *b, bool *computing);

/* When something will move again, SIM_NEVER: nothing will. Not every event does that: a timer may only
 * look and go back to sleep. So forks run ahead. */
sim_ps clock_end_of_quiet(const struct run *a, const struct run *b);

/* The work is done, or cannot be done, and nothing is left to be seen moving. */
bool clock_over(const struct run *a, const struct run *b);

/* Both on to `until`, or to the first record of `kinds` on either. As run_until. */
enum sim_stopped clock_until(struct run *a, struct run *b, sim_ps until, uint32_t kinds);

/* Both to `to`, forward or back. */
bool clock_seek(struct run *a, struct run *b, sim_ps to, struct err *err);

/* Real time in us, from some beginning: for work that is done in slices. */
int64_t clock_wall_us(void);

#endif
