/*
 * A trial: what a task (weft.fix) is judged by.
 *
 *     lesson_trial_begin(&trial, lesson, item, seed, knobs, &err)
 *     until lesson_trial_on(&trial, slice, &err)  ...
 *     report_take(&report, trial.run)
 *
 * A run of its own: the card's scene from 0, with the switches as they are given, what this card
 * destroys, breaks and plays before the task (never what it sets: the switches say that), and on to
 * the end of the workload or as long as the task says. So the verdict depends on the switches alone,
 * not on what was watched before.
 */
#ifndef WEFT_LESSON_TRIAL_H
#define WEFT_LESSON_TRIAL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/err.h"
#include "lesson/play.h"

/* Zero: none is under way. */
struct lesson_trial {
    const struct lesson *lesson;
    struct run *run; /* NULL: there is none */
    size_t item;     /* the task */
    size_t at;       /* the item that is done now */
    bool plays;
    bool over; /* the run has come to its end */
    struct lesson_play playing;
};

/* `knobs`: a value for each switch (SIM_KNOB_COUNT). Borrows the lesson. */
bool lesson_trial_begin(struct lesson_trial *trial, const struct lesson *lesson, size_t item,
                        uint64_t seed, const int64_t *knobs, struct err *err);

/* Runs on by at most `slice` of simulated time. True when it is over or has failed (err). */
bool lesson_trial_on(struct lesson_trial *trial, sim_ps slice, struct err *err);

void lesson_trial_finish(struct lesson_trial *trial);

#endif
