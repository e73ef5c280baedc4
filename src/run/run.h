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

/* Copies the scenario (checking it). */
struct run *run_create(const struct sim_scenario *sc, uint64_t seed, struct err *err);
void run_destroy(struct run *run);

/* A second run with the same past, state and journal; later changes are its own. */
struct run *run_fork(const struct run *run);

/* For looking only. Valid until run_destroy; run_seek and run_restart may replace it: ask again. */
const struct sim *run_sim(const struct run *run);
sim_ps run_now(const struct run *run);

/* Runs forward; journal lines that lie ahead are applied on the way. As sim_run_until. */
enum sim_stopped run_until(struct run *run, sim_ps until, uint32_t stop_kinds);

/*
 * Does a command now: journal line at now + 1 ps. Lines that lay later are cut.
 * A knob that says `restart` starts the run again from 0 with the new value and an empty journal;
 * `*restarted` (may be NULL) says so.
 */
bool run_do(struct run *run, const struct sim_cmd *cmd, enum run_author author, bool *restarted,
            struct err *err);

/* Adds a line for a later time (`--do 'T ...'`, a saved journal): checked when it is reached. */
bool run_plan(struct run *run, sim_ps at, const struct sim_cmd *cmd, enum run_author author,
              struct err *err);

/* The first line that could not be applied when its time came, if any: false and the reason. */
bool run_journal_ok(const struct run *run, struct err *err);

/* Moves to `t`, forward or back. The journal is kept; lines later than `t` apply again when run. */
bool run_seek(struct run *run, sim_ps t, struct err *err);

/* Removes the learner's last line and goes on from there as if it had never been; false when there
 * is none. Stays at the present time. */
bool run_undo(struct run *run, struct err *err);

/* Position for coming back: a card remembers (time, journal length). run_return seeks to it and
 * cuts the journal to that length. */
struct run_mark {
    sim_ps at;
    size_t lines;
};
struct run_mark run_mark(const struct run *run);
bool run_return(struct run *run, struct run_mark mark, struct err *err);

size_t run_journal(const struct run *run, const struct run_line **lines);

#endif
