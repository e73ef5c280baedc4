/*
 * What became of a fault: a line that follows it until its cost is known.
 *
 *     g3 stands still for 50 us at 61.2 us; g4, g5 wait
 *     g3 stands still for 50 us at 61.2 us; step 2 ended 50.3 us later
 *     leaf1-spine1 cut at 61.2 us; 14 lost; g1, g5 wait; routes avoid it from 50.06 ms on
 *
 * The same idea as app/victim.h, for all that is no data packet: what happened is read from the run as it stands,
 * so going back and forth needs no care; what would have happened comes from a fork taken just before, which runs
 * on in small slices to the end of the same step.
 */
#ifndef WEFT_APP_FATE_H
#define WEFT_APP_FATE_H

#include <stdbool.h>
#include <stddef.h>

#include "sim/sim.h"

struct fate {
    bool on;
    bool hush; /* a question is open: what it costs is not told */
    struct sim_cmd cmd;
    sim_ps at;
    int64_t step;               /* the training step that it meets; 0: nobody trains */
    struct sim_counters before; /* at that moment */
    sim_ps unhurt_end;          /* when that step would have ended, SIM_NEVER: not known yet */
    struct sim *unhurt;         /* the fork, until that is known */
};

/* Before the fault is done: `sim` is the fabric that will be hurt. */
void fate_take(struct fate *fate, const struct sim *sim, const struct sim_cmd *cmd);
void fate_finish(struct fate *fate);

/* Runs the fork on for a few milliseconds of real time. True while there is more to do. */
bool fate_work(struct fate *fate);

/* The line; empty when there is none or the run stands before the fault. `*settled`: nothing more will be said.
 * Returns `buf`. */
const char *fate_say(const struct fate *fate, const struct sim *sim, char *buf, size_t size,
                     bool *settled);

#endif
