/*
 * Two runs side by side, on one clock: where they part, and what came of it.
 *
 *     left   |====A====B====C------------D---
 *     right  |====A====B====X---Y------------
 *                           ^ the first difference
 *
 * A what-if: `right` is a fork of `left` with one command more. Or two runs from 0 of the same scenario
 * with other knobs. Either way the two traces are read in step, and the first record that is not the
 * same on both sides is found; switches and faults (SIM_TRACE_SET, FAULT) are the cause, not the
 * difference, and do not count. Which numbers differ is run/differences.h, of two reports.
 *
 * The runs are borrowed. Somebody else may move them (a screen, playing): call compare_look() after
 * every slice, before either trace has forgotten what was not read yet; compare_until() moves and looks
 * by itself. Going back and forth does not matter, doing something to one of them that changes its past
 * does: then begin anew.
 */
#ifndef WEFT_RUN_COMPARE_H
#define WEFT_RUN_COMPARE_H

#include "run/run.h"

enum compare_side { COMPARE_LEFT, COMPARE_RIGHT };

struct compare {
    struct run *run[2];   /* by side */
    const char *where[2]; /* "on the left", "on the right": for sentences; may be set */
    uint64_t read[2];     /* sequence number of the next record to be read */
    bool same_names;      /* ids mean the same on both sides */

    /* The first difference: the earlier one of the two records that should be the same. */
    bool differs;
    enum compare_side first_on;
    struct sim_record first;
    /* What the other side does next at the same place, or where the lost packet should have come. */
    bool other_known;
    struct sim_record other;
};

/* Two runs that stand at their beginning. */
void compare_begin(struct compare *c, struct run *left, struct run *right);

/*
 * What if: forks `left`, does the command to the fork as the learner, and compares from there on. A
 * knob that starts a run again starts the fork again, with the same journal, and runs it up to the
 * present; then the first difference may lie in the past. The fork is the caller's; NULL when the command
 * cannot be done.
 */
struct run *compare_what_if(struct compare *c, struct run *left, const struct sim_cmd *cmd,
                            struct err *err);

/* Reads on in both traces. */
void compare_look(struct compare *c);

/* Moves both sides to `t`, which is not before either of them, and looks all the way. */
void compare_until(struct compare *c, sim_ps t);

/* The first difference as a sentence: "at 184.2 us leaf2 drops packet g3>g4:4711#1 (full) on the right;
 * on the left it sends XOFF to g3 at 186.0 us"; "" while there is none. Returns `buf`. */
const char *compare_say(const struct compare *c, char *buf, size_t size);

#endif
