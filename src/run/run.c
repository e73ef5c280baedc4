#include "run/run.h"

#include <stdlib.h>
#include <string.h>

#include "base/mem.h"

/*
 * Snapshots: copies of the state taken as the run goes. When there are too many, or they take too
 * much memory, every second one goes, so that they thin out evenly over the run.
 */
enum { SNAPSHOTS_MAX = 32, SNAPSHOT_EVENTS = 100000 };
#define SNAPSHOT_BYTES ((size_t)64 << 20)
#define SNAPSHOT_SLICE (100 * UNIT_US)

struct snapshot {
    sim_ps at;
    size_t applied; /* journal lines in it */
    uint64_t events;
    size_t size;
    void *state;
};

struct run {
    struct sim_scenario scenario; /* with the values that a restart gave its knobs */
    uint64_t seed;
    struct sim *sim;
    struct run_line *lines;
    size_t line_count, line_cap;
    size_t applied;    /* lines that have happened */
    struct err failed; /* the first line that could not be applied */
    struct snapshot shots[SNAPSHOTS_MAX];
    size_t shot_count;
};

static void forget_snapshots(struct run *run, size_t from)
{
    for (size_t i = from; i < run->shot_count; i++) {
        free(run->shots[i].state);
    }
    run->shot_count = from < run->shot_count ? from : run->shot_count;
}

/* Drops every second snapshot; the first, the state at 0, stays. */
static void thin_snapshots(struct run *run)
{
    size_t kept = 0;
    for (size_t i = 0; i < run->shot_count; i++) {
        if (i % 2 == 0) {
            run->shots[kept++] = run->shots[i];
        } else {
            free(run->shots[i].state);
        }
    }
    run->shot_count = kept;
}

static void take_snapshot(struct run *run)
{
    size_t total = sim_state_size(run->sim);
    for (size_t i = 0; i < run->shot_count; i++) {
        total += run->shots[i].size;
    }
    if (run->shot_count == SNAPSHOTS_MAX || (total > SNAPSHOT_BYTES && run->shot_count > 1)) {
        thin_snapshots(run);
    }
    struct snapshot *shot = &run->shots[run->shot_count++];
    *shot = (struct snapshot){ .at = sim_now(run->sim),
                               .applied = run->applied,
                               .events = sim_counters(run->sim).events,
                               .size = sim_state_size(run->sim) };
    shot->state = mem_alloc(shot->size, 1);
    sim_state_save(run->sim, shot->state);
}

/* A snapshot stands for a time only when all events of that time have happened. */
static void maybe_snapshot(struct run *run, enum sim_stopped stopped)
{
    const struct snapshot *last = &run->shots[run->shot_count - 1];
    uint64_t events = sim_counters(run->sim).events;
    size_t spacing = (size_t)SNAPSHOT_EVENTS << (run->shot_count / 8);
    if (stopped == SIM_AT_TIME && sim_now(run->sim) > last->at && events > last->events + spacing) {
        take_snapshot(run);
    }
}

static void insert_line(struct run *run, size_t at, struct run_line line)
{
    run->lines = mem_grow(run->lines, &run->line_cap, run->line_count + 1, sizeof *run->lines);
    memmove(&run->lines[at + 1], &run->lines[at], (run->line_count - at) * sizeof *run->lines);
    run->lines[at] = line;
    run->line_count++;
}

/* Removes the lines from `from` on that somebody did; the scenario's own stay. */
static void cut_lines(struct run *run, size_t from)
{
    size_t kept = from;
    for (size_t i = from; i < run->line_count; i++) {
        if (run->lines[i].author == RUN_SCENARIO) {
            run->lines[kept++] = run->lines[i];
        }
    }
    run->line_count = kept;
}

struct run *run_create(const struct sim_scenario *sc, uint64_t seed, struct err *err)
{
    if (!sim_scenario_check(sc, err)) {
        return NULL;
    }
    struct sim *sim = sim_create(sc, seed, err);
    if (sim == NULL) {
        return NULL;
    }
    struct run *run = mem_alloc(1, sizeof *run);
    sim_scenario_copy(&run->scenario, sc);
    run->seed = seed;
    run->sim = sim;
    take_snapshot(run);
    for (size_t i = 0; i < sc->fault_count; i++) {
        insert_line(run, i,
                    (struct run_line){
                        .at = sc->faults[i].at, .author = RUN_SCENARIO, .cmd = sc->faults[i].cmd });
    }
    return run;
}

void run_destroy(struct run *run)
{
    if (run == NULL) {
        return;
    }
    forget_snapshots(run, 0);
    sim_destroy(run->sim);
    sim_scenario_finish(&run->scenario);
    free(run->lines);
    free(run);
}

struct run *run_fork(const struct run *run)
{
    struct run *fork = mem_alloc(1, sizeof *fork);
    sim_scenario_copy(&fork->scenario, &run->scenario);
    fork->seed = run->seed;
    fork->sim = sim_fork(run->sim);
    fork->lines = mem_dup(run->lines, run->line_count * sizeof *run->lines);
    fork->line_count = fork->line_cap = run->line_count;
    fork->applied = run->applied;
    fork->failed = run->failed;
    for (size_t i = 0; i < run->shot_count; i++) {
        fork->shots[i] = run->shots[i];
        fork->shots[i].state = mem_dup(run->shots[i].state, run->shots[i].size);
    }
    fork->shot_count = run->shot_count;
    return fork;
}

const struct sim *run_sim(const struct run *run)
{
    return run->sim;
}

sim_ps run_now(const struct run *run)
{
    return sim_now(run->sim);
}

static void apply_next_line(struct run *run)
{
    struct err err = { 0 };
    const struct run_line *line = &run->lines[run->applied++];
    if (!sim_apply(run->sim, line->at, &line->cmd, &err) && run->failed.code == ERR_NONE) {
        char text[128];
        run->failed = err;
        (void)err_note(&run->failed, "%s", sim_cmd_format(&line->cmd, text, sizeof text));
    }
}

/* In slices, so that a long way has snapshots too, also when an event ends it. */
static enum sim_stopped advance(struct run *run, sim_ps until, uint32_t stop_kinds)
{
    for (;;) {
        sim_ps next = sim_next_event(run->sim), to = until;
        if (next < until && until - next > SNAPSHOT_SLICE) {
            to = next + SNAPSHOT_SLICE;
        }
        enum sim_stopped stopped = sim_run_until(run->sim, to, stop_kinds);
        maybe_snapshot(run, stopped);
        if (stopped != SIM_AT_TIME || to == until) {
            return stopped;
        }
    }
}

enum sim_stopped run_until(struct run *run, sim_ps until, uint32_t stop_kinds)
{
    while (run->applied < run->line_count && run->lines[run->applied].at <= until) {
        sim_ps before = run->lines[run->applied].at - 1;
        enum sim_stopped stopped = sim_run_until(run->sim, before, stop_kinds);
        if (stopped != SIM_AT_TIME) {
            return stopped;
        }
        apply_next_line(run);
    }
    return advance(run, until, stop_kinds);
}

bool run_journal_ok(const struct run *run, struct err *err)
{
    if (run->failed.code != ERR_NONE && err != NULL) {
        *err = run->failed;
    }
    return run->failed.code == ERR_NONE;
}

size_t run_journal(const struct run *run, const struct run_line **lines)
{
    *lines = run->lines;
    return run->line_count;
}

/* What lay later never happened: lines, snapshots, trace. */
static void cut_future(struct run *run)
{
    size_t keep = run->shot_count;
    while (keep > 1 && run->shots[keep - 1].at > sim_now(run->sim)) {
        keep--;
    }
    forget_snapshots(run, keep);
    cut_lines(run, run->applied);
    sim_trace_cut(run->sim);
}

/* Starts again from 0 with a knob's new value. */
static bool restart(struct run *run, enum sim_knob knob, int64_t value, struct err *err)
{
    struct sim_scenario sc;
    sim_scenario_copy(&sc, &run->scenario);
    sc.knobs.v[knob] = value;
    struct run *fresh = run_create(&sc, run->seed, err);
    sim_scenario_finish(&sc);
    if (fresh == NULL) {
        return false;
    }
    struct run old = *run;
    *run = *fresh;
    *fresh = old;
    run_destroy(fresh);
    return true;
}

bool run_do(struct run *run, const struct sim_cmd *cmd, enum run_author author, bool *restarted,
            struct err *err)
{
    bool again = cmd->kind == SIM_CMD_SET && sim_knob_info(cmd->knob)->when == SIM_RESTART;
    if (restarted != NULL) {
        *restarted = again;
    }
    if (again) {
        return sim_knob_check(cmd->knob, cmd->value, err) &&
               restart(run, cmd->knob, cmd->value, err);
    }
    (void)sim_run_until(run->sim, sim_now(run->sim), 0); /* the rest of this instant */
    while (run->applied < run->line_count && run->lines[run->applied].author == RUN_SCENARIO &&
           run->lines[run->applied].at == sim_now(run->sim) + 1) {
        apply_next_line(run); /* the scenario comes first, one command an instant */
    }
    if (!sim_would_apply(run->sim, cmd, err)) {
        return false;
    }
    cut_future(run);
    struct run_line line = { .at = sim_now(run->sim) + 1, .author = author, .cmd = *cmd };
    if (!sim_apply(run->sim, line.at, cmd, err)) {
        return false;
    }
    insert_line(run, run->applied, line);
    run->applied++;
    return true;
}

bool run_plan(struct run *run, sim_ps at, const struct sim_cmd *cmd, enum run_author author,
              struct err *err)
{
    if (at <= sim_now(run->sim)) {
        return err_set(err, ERR_STATE, "a command for a time that is past");
    }
    size_t i = run->line_count;
    while (i > run->applied && run->lines[i - 1].at > at) {
        i--;
    }
    insert_line(run, i, (struct run_line){ .at = at, .author = author, .cmd = *cmd });
    return true;
}

/* Restores the latest snapshot that is not later than `t` and holds no line beyond `lines`. */
static void restore(struct run *run, sim_ps t, size_t lines)
{
    size_t i = run->shot_count - 1;
    while (i > 0 && (run->shots[i].at > t || run->shots[i].applied > lines)) {
        i--;
    }
    sim_state_load(run->sim, run->shots[i].state);
    run->applied = run->shots[i].applied;
    run->failed = (struct err){ 0 };
}

bool run_seek(struct run *run, sim_ps t, struct err *err)
{
    if (t < 0) {
        return err_set(err, ERR_RANGE, "a run begins at 0");
    }
    if (t < sim_now(run->sim)) {
        restore(run, t, SIZE_MAX);
    }
    (void)run_until(run, t, 0);
    return true;
}

bool run_undo(struct run *run, struct err *err)
{
    size_t i = run->applied;
    while (i > 0 && run->lines[i - 1].author != RUN_LEARNER) {
        i--;
    }
    if (i == 0) {
        return err_set(err, ERR_STATE, "nothing of yours to undo");
    }
    sim_ps now = sim_now(run->sim);
    i--;
    restore(run, run->lines[i].at - 1, i);
    (void)run_until(run, run->lines[i].at - 1, 0);
    memmove(&run->lines[i], &run->lines[i + 1], (run->line_count - i - 1) * sizeof *run->lines);
    run->line_count--;
    size_t keep = run->shot_count;
    while (keep > 1 && run->shots[keep - 1].at > sim_now(run->sim)) {
        keep--;
    }
    forget_snapshots(run, keep);
    sim_trace_cut(run->sim);
    (void)run_until(run, now, 0);
    return true;
}

struct run_mark run_mark(const struct run *run)
{
    return (struct run_mark){ .at = sim_now(run->sim), .lines = run->applied };
}

bool run_return(struct run *run, struct run_mark mark, struct err *err)
{
    if (mark.lines > run->line_count) {
        return err_set(err, ERR_STATE, "the way to that moment is gone");
    }
    restore(run, mark.at, mark.lines);
    cut_lines(run, mark.lines > run->applied ? mark.lines : run->applied);
    (void)run_until(run, mark.at, 0);
    cut_future(run);
    return true;
}
