/*
 * The victim: a packet the learner destroyed, followed until its fate is known.
 *
 *     packet 44 of g3: lost; NAK 2.9 us later, resent, cost so far +4.1 us
 *     packet 112 of g3: lost; nothing follows it: only the timer of g3 can help, 16.8 ms
 *
 * What happened is read from the run's marks, up to now, so going back and forth in time needs no
 * care. What *would have* happened comes from a fork taken just before the drop: it runs on in
 * small slices (victim_work) to the end of the same step, and its only use is the difference.
 */
#ifndef WEFT_APP_VICTIM_H
#define WEFT_APP_VICTIM_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "sim/sim.h"

struct victim {
    bool on;
    bool hush; /* a question is open: what it costs is not told */
    uint32_t flow;
    uint64_t psn;
    uint32_t attempt;
    sim_ps at;          /* when the drop was asked for */
    int64_t step;       /* training step then */
    uint64_t in_step;   /* number of the packet in its step, from 1; 0: none */
    sim_ps unhurt_at;   /* when it would have arrived, SIM_NEVER: not known */
    sim_ps unhurt_end;  /* when its step would have ended, SIM_NEVER: not known yet */
    struct sim *unhurt; /* the fork, until that is known */
    sim_ps again_for;   /* `again_at` belongs to the rewind at this time */
    sim_ps again_at;    /* when the copy arrives */
};

/* Before the drop is done: `sim` is the fabric that will be hurt. */
void victim_take(struct victim *victim, const struct sim *sim, uint32_t flow, uint64_t psn,
                 uint32_t attempt);
void victim_finish(struct victim *victim);

/* Runs the fork on for a few milliseconds of real time. True while there is more to do. */
bool victim_work(struct victim *victim);

/* The line; empty when there is none or the run stands before the drop. `settled` (may be NULL):
 * nothing more will be said. Returns `buf`. */
const char *victim_say(struct victim *victim, const struct sim *sim, char *buf, size_t size,
                       bool *settled);

#endif
