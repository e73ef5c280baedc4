/*
 * A run is a value: scenario + seed + journal.
 *
 *     run_create -> run_until(t) -> run_do(command) -> run_until(t') -> run_seek(back) -> ...
 *
 * The journal is the list of commands with their times and their author. Everything that changes a
 * fabric goes through run_do(): it is checked, stamped with now + 1 ps (the first thing that happens
 * at that instant, live and in every replay), recorded and applied. Going back is restoring the
 * nearest snapshot and replaying the journal; going back and doing something else cuts what lay
 * later. The same scenario, seed and journal give the same run, bit for bit.
 *
 * Finding one's way in time (the next drop, one hop back) is run/seek.h; two runs side by side are
 * run/compare.h; what a run measured is run/report.h.
 */
#ifndef WEFT_RUN_RUN_H
#define WEFT_RUN_RUN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/err.h"
#include "sim/sim.h"

struct run;

/* The scenario's own lines are there from the start and are never cut. */
enum run_author { RUN_LESSON, RUN_LEARNER, RUN_SCENARIO };

struct run_line {
    sim_ps at;
    enum run_author author;
    struct sim_cmd cmd;
};

/* Whether both say the same. */
bool run_line_same(const struct run_line *a, const struct run_line *b);

/* Copies the scenario (checking it). */
struct run *run_create(const struct sim_scenario *sc, uint64_t seed, struct err *err);
void run_destroy(struct run *run);

/* A second run with the same past, state and journal; later changes are its own. It shares what can be
 * shared (snapshots), so a run and its forks belong to one thread. */
struct run *run_fork(const struct run *run);

/* The two change places: whoever holds one of them holds the other's past and future now. */
void run_swap(struct run *a, struct run *b);

/* This run will not look back: no snapshots are taken, going back starts from the beginning. For runs
 * that only go to their end (a sweep, a table), whatever the knob `snapshots` says. */
void run_forward_only(struct run *run);

/* For looking only. Valid until run_destroy; what starts a run again (run_do, run_undo, run_redo,
 * run_swap) replaces it: ask again. */
const struct sim *run_sim(const struct run *run);
sim_ps run_now(const struct run *run);

/* When the next thing happens: an event, a line of the journal; SIM_NEVER. */
sim_ps run_next_moment(const struct run *run);

/* Runs forward; journal lines that lie ahead are applied on the way. As sim_run_until; a record that a
 * journal line writes stops it, too. */
enum sim_stopped run_until(struct run *run, sim_ps until, uint32_t stop_kinds);

/* The same, but no farther than to the end of the instant in which so many events have been executed:
 * for whoever must read the trace before it wraps. */
enum sim_stopped run_events(struct run *run, uint64_t events, sim_ps until);

/* Which fine kinds of records are written as well, from now on: see sim_trace_listen(). A run that starts
 * again forgets it. */
void run_listen(struct run *run, uint32_t fine_kinds);

/* The same for the tape of frames: see sim_tape_listen(). */
void run_tape(struct run *run, bool on);
void run_tape_forget(struct run *run);

/*
 * Does a command now: journal line at now + 1 ps. Lines that lay later are cut.
 * A knob that says `restart` starts the run again from 0 with the new value and an empty journal;
 * `*restarted` (may be NULL) says so.
 */
bool run_do(struct run *run, const struct sim_cmd *cmd, enum run_author author, bool *restarted,
            struct err *err);

/* Adds a line for a later time (`--do 'T ...'`, a saved journal): checked when it is reached. One
 * command an instant: a second one for the same time comes 1 ps later. */
bool run_plan(struct run *run, sim_ps at, const struct sim_cmd *cmd, enum run_author author,
              struct err *err);

/* The first line that could not be applied when its time came, if any: false and the reason. */
bool run_journal_ok(const struct run *run, struct err *err);

/* Every line, those that lie ahead included. Valid until the journal changes. */
size_t run_journal(const struct run *run, const struct run_line **lines);

/* Moves to `t`, forward or back. The journal is kept; lines later than `t` apply again when run. */
bool run_seek(struct run *run, sim_ps t, struct err *err);

/*
 * Takes back the last thing the learner did, as if it had never been done; never a line of the lesson.
 * What that had cut from the journal is there again, unless something else was done since. Stays at the
 * present time, except when it was a restart: then the run as it was before takes its place, where it
 * stood (`*restarted`, may be NULL). False when there is nothing to take back.
 */
bool run_undo(struct run *run, bool *restarted, struct err *err);

/* Does again what run_undo() took back last; until something else is done. */
bool run_redo(struct run *run, bool *restarted, struct err *err);

/* Position for coming back: a card remembers (time, journal so far). run_return seeks to it and cuts
 * the journal there. False when the journal up to there is not what it was. */
struct run_mark {
    sim_ps at;
    size_t lines;
    uint64_t hash; /* of these lines */
};
struct run_mark run_mark(const struct run *run);
bool run_return(struct run *run, struct run_mark mark, struct err *err);

/* What looking back costs: for `weft bench` and tests. */
struct run_memory {
    size_t snapshots, bytes; /* kept now */
    uint64_t taken;          /* in the life of this run */
};
struct run_memory run_memory(const struct run *run);

#endif
