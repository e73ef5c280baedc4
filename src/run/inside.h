/*
 * What a run is made of; for the files of this folder only, and for tests that take snapshots more often.
 *
 * Invariants: lines are ascending in time, one an instant; the first `applied` of them have happened
 * in `sim`; every snapshot is a state that this journal leads to.
 */
#ifndef WEFT_RUN_INSIDE_H
#define WEFT_RUN_INSIDE_H

#include "run/run.h"
#include "run/snapshots.h"

struct run_lines {
    struct run_line *v;
    size_t count, cap;
};

/* A run that a restart has replaced: enough to have it again. */
struct run_before {
    enum sim_knob knob;
    int64_t value;
    enum run_author author; /* of the restart */
    struct run_lines lines;
    sim_ps now;
};

struct run {
    struct sim_scenario scenario; /* with the values that a restart gave its knobs */
    uint64_t seed;
    struct sim *sim;
    struct run_lines journal;
    size_t applied;
    struct err failed;  /* the first line that could not be applied */
    size_t failed_line; /* which one that was */
    struct snapshots shots;
    uint64_t shots_taken;
    bool forward_only;
    uint64_t seen; /* sequence number behind the record one stands at (seek.h) */

    struct run_lines cut; /* what the last thing done, at cut_at, has cut from the journal */
    sim_ps cut_at;
    bool put_back;              /* the first of `undone` has cut something that is there again */
    struct run_lines undone;    /* what run_undo() took back, last one last */
    struct run_before *befores; /* before each restart, last one last */
    size_t before_count, before_cap;
};

void run_lines_insert(struct run_lines *lines, size_t at, struct run_line line);
void run_lines_remove(struct run_lines *lines, size_t at);
void run_lines_copy(struct run_lines *to, const struct run_lines *from);
void run_lines_finish(struct run_lines *lines);

/* Where a line for this time belongs. */
size_t run_line_place(const struct run *run, sim_ps at);

/* Restores the latest snapshot that is not later than `t` and holds no line beyond `lines`. */
void run_restore(struct run *run, sim_ps t, size_t lines);
void run_restore_snapshot(struct run *run, size_t shot);

/* Removes the lines from `from` on that somebody did, into `cut`; the scenario's own stay. */
void run_cut_lines(struct run *run, size_t from);

/* What lies later than now never happened: snapshots and trace; the journal is another matter. */
void run_forget_future(struct run *run);

/* Nothing can be taken back or done again any more. */
void run_forget_undone(struct run *run);

/* The run begins again with another value of a knob, an empty journal and no past. */
bool run_begin_again(struct run *run, enum sim_knob knob, int64_t value, struct err *err);

#endif
