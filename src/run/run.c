#include "run/run.h"

#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "base/rng.h"
#include "run/inside.h"

/* ---- lines ----------------------------------------------------------------------------------- */

bool run_line_same(const struct run_line *a, const struct run_line *b)
{
    char x[200], y[200];
    return a->at == b->at && a->author == b->author && a->cmd.kind == b->cmd.kind &&
           strcmp(sim_cmd_format(&a->cmd, x, sizeof x), sim_cmd_format(&b->cmd, y, sizeof y)) == 0;
}

void run_lines_insert(struct run_lines *lines, size_t at, struct run_line line)
{
    lines->v = mem_grow(lines->v, &lines->cap, lines->count + 1, sizeof *lines->v);
    memmove(&lines->v[at + 1], &lines->v[at], (lines->count - at) * sizeof *lines->v);
    lines->v[at] = line;
    lines->count++;
}

void run_lines_remove(struct run_lines *lines, size_t at)
{
    lines->count--;
    memmove(&lines->v[at], &lines->v[at + 1], (lines->count - at) * sizeof *lines->v);
}

void run_lines_copy(struct run_lines *to, const struct run_lines *from)
{
    *to = (struct run_lines){ .count = from->count, .cap = from->count };
    to->v = mem_dup(from->v, from->count * sizeof *from->v);
}

void run_lines_finish(struct run_lines *lines)
{
    free(lines->v);
    *lines = (struct run_lines){ 0 };
}

size_t run_line_place(const struct run *run, sim_ps at)
{
    size_t i = run->journal.count;
    while (i > 0 && run->journal.v[i - 1].at > at) {
        i--;
    }
    return i;
}

/* ---- life ------------------------------------------------------------------------------------ */

static size_t snapshot_limit(const struct run *run)
{
    return run->forward_only ? 0 : (size_t)sim_knob(run->sim, SIM_KNOB_SNAPSHOTS);
}

static void take_snapshot(struct run *run)
{
    snapshots_take(&run->shots, run->sim, run->applied, snapshot_limit(run));
    run->shots_taken++;
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
    run->seen = sim_trace_seq(sim);
    snapshots_init(&run->shots);
    take_snapshot(run);
    for (size_t i = 0; i < sc->fault_count; i++) {
        run_lines_insert(&run->journal, i,
                         (struct run_line){ .at = sc->faults[i].at,
                                            .author = RUN_SCENARIO,
                                            .cmd = sc->faults[i].cmd });
    }
    return run;
}

static void forget_befores(struct run *run)
{
    for (size_t i = 0; i < run->before_count; i++) {
        run_lines_finish(&run->befores[i].lines);
    }
    free(run->befores);
}

void run_destroy(struct run *run)
{
    if (run == NULL) {
        return;
    }
    snapshots_finish(&run->shots);
    sim_destroy(run->sim);
    sim_scenario_finish(&run->scenario);
    run_lines_finish(&run->journal);
    run_lines_finish(&run->cut);
    run_lines_finish(&run->undone);
    forget_befores(run);
    free(run);
}

static void remember(struct run *run, const struct run_before *before)
{
    run->befores =
        mem_grow(run->befores, &run->before_cap, run->before_count + 1, sizeof *run->befores);
    run->befores[run->before_count++] = *before;
}

struct run *run_fork(const struct run *run)
{
    struct run *fork = mem_alloc(1, sizeof *fork);
    sim_scenario_copy(&fork->scenario, &run->scenario);
    fork->seed = run->seed;
    fork->sim = sim_fork(run->sim);
    sim_trace_adopt(fork->sim, run->sim);
    run_lines_copy(&fork->journal, &run->journal);
    fork->applied = run->applied;
    fork->failed = run->failed;
    fork->failed_line = run->failed_line;
    fork->forward_only = run->forward_only;
    fork->seen = run->seen;
    snapshots_share(&fork->shots, &run->shots);
    for (size_t i = 0; i < run->before_count; i++) {
        struct run_before before = run->befores[i];
        run_lines_copy(&before.lines, &run->befores[i].lines);
        remember(fork, &before);
    }
    return fork;
}

void run_swap(struct run *a, struct run *b)
{
    const struct run kept = *a;
    *a = *b;
    *b = kept;
}

void run_forward_only(struct run *run)
{
    run->forward_only = true;
}

const struct sim *run_sim(const struct run *run)
{
    return run->sim;
}

sim_ps run_now(const struct run *run)
{
    return sim_now(run->sim);
}

struct run_memory run_memory(const struct run *run)
{
    return (struct run_memory){ .snapshots = run->shots.count,
                                .bytes = run->shots.bytes,
                                .taken = run->shots_taken };
}

/* ---- forward --------------------------------------------------------------------------------- */

/* No line is due up to `until`. In slices, so that a long way has snapshots, too. A snapshot stands
 * for an instant only when all events of that instant have happened. */
static enum sim_stopped advance(struct run *run, sim_ps until, uint32_t stop_kinds)
{
    for (;;) {
        const uint64_t due = snapshots_due(&run->shots, run->sim, snapshot_limit(run));
        const uint64_t before = sim_events(run->sim);
        const enum sim_stopped stopped = sim_run_events(run->sim, due, until, stop_kinds);
        const bool whole = sim_next_event(run->sim) > sim_now(run->sim);
        if (stopped != SIM_AT_END && whole && sim_events(run->sim) - before >= due) {
            take_snapshot(run);
        }
        if (stopped != SIM_AT_TIME || sim_now(run->sim) >= until ||
            (until == SIM_NEVER && sim_next_event(run->sim) == SIM_NEVER)) {
            return stopped;
        }
    }
}

/* Whether one of the records since `seq` is of these kinds. */
static bool wrote(const struct run *run, uint64_t seq, uint32_t kinds)
{
    struct sim_record rec;
    while (kinds != 0 && sim_trace_read(run->sim, &seq, &rec, 1) == 1) {
        if ((kinds >> rec.kind & 1u) != 0) {
            return true;
        }
    }
    return false;
}

static void apply_next_line(struct run *run)
{
    struct err err = { 0 };
    const struct run_line *line = &run->journal.v[run->applied++];
    if (!sim_apply(run->sim, line->at, &line->cmd, &err) && run->failed.code == ERR_NONE) {
        char text[128];
        run->failed = err;
        run->failed_line = run->applied - 1;
        (void)err_note(&run->failed, "%s", sim_cmd_format(&line->cmd, text, sizeof text));
    }
}

static const struct run_line *next_line(const struct run *run)
{
    return run->applied < run->journal.count ? &run->journal.v[run->applied] : NULL;
}

sim_ps run_next_moment(const struct run *run)
{
    const sim_ps event = sim_next_event(run->sim);
    const struct run_line *line = next_line(run);
    return line != NULL && line->at < event ? line->at : event;
}

enum sim_stopped run_until(struct run *run, sim_ps until, uint32_t stop_kinds)
{
    enum sim_stopped stopped = SIM_AT_TIME;
    const struct run_line *line;
    while (stopped != SIM_AT_TRACE && (line = next_line(run)) != NULL && line->at <= until) {
        stopped = advance(run, line->at - 1, stop_kinds);
        /* a stall that a command may end does not keep a line from its time */
        if (stopped == SIM_AT_TIME ||
            (stopped == SIM_AT_END && sim_would_apply(run->sim, &line->cmd, NULL))) {
            const uint64_t seq = sim_trace_seq(run->sim);
            apply_next_line(run);
            stopped = wrote(run, seq, stop_kinds) ? SIM_AT_TRACE : SIM_AT_TIME;
        } else {
            break;
        }
    }
    if (stopped == SIM_AT_TIME) {
        stopped = advance(run, until, stop_kinds);
    }
    run->seen = sim_trace_seq(run->sim);
    return stopped;
}

enum sim_stopped run_events(struct run *run, uint64_t events, sim_ps until)
{
    const struct run_line *line = next_line(run);
    const bool due = line != NULL && line->at <= until;
    const sim_ps to = due ? line->at - 1 : until;
    const enum sim_stopped stopped = sim_run_events(run->sim, events, to, 0);
    run->seen = sim_trace_seq(run->sim);
    return due && (stopped == SIM_AT_END || run_now(run) >= to) ? run_until(run, line->at, 0)
                                                                : stopped;
}

void run_listen(struct run *run, uint32_t fine_kinds)
{
    sim_trace_listen(run->sim, fine_kinds);
}

void run_tape(struct run *run, bool on)
{
    sim_tape_listen(run->sim, on);
}

void run_tape_forget(struct run *run)
{
    sim_tape_forget(run->sim);
}

/* ---- the journal ----------------------------------------------------------------------------- */

bool run_journal_ok(const struct run *run, struct err *err)
{
    if (run->failed.code != ERR_NONE && err != NULL) {
        *err = run->failed;
    }
    return run->failed.code == ERR_NONE;
}

size_t run_journal(const struct run *run, const struct run_line **lines)
{
    *lines = run->journal.v;
    return run->journal.count;
}

void run_forget_future(struct run *run)
{
    snapshots_cut(&run->shots, sim_now(run->sim));
    sim_trace_cut(run->sim);
}

void run_cut_lines(struct run *run, size_t from)
{
    size_t kept = from;
    for (size_t i = from; i < run->journal.count; i++) {
        if (run->journal.v[i].author == RUN_SCENARIO) {
            run->journal.v[kept++] = run->journal.v[i];
        } else {
            run_lines_insert(&run->cut, run->cut.count, run->journal.v[i]);
        }
    }
    run->journal.count = kept;
}

bool run_begin_again(struct run *run, enum sim_knob knob, int64_t value, struct err *err)
{
    struct sim_scenario sc;
    sim_scenario_copy(&sc, &run->scenario);
    sc.knobs.v[knob] = value;
    struct run *fresh = run_create(&sc, run->seed, err);
    sim_scenario_finish(&sc);
    if (fresh == NULL) {
        return false;
    }
    fresh->forward_only = run->forward_only;
    fresh->shots.every = run->shots.every;
    run_swap(run, fresh);
    run->befores = fresh->befores; /* they belong to the run, not to this start of it */
    run->before_count = fresh->before_count;
    run->before_cap = fresh->before_cap;
    fresh->befores = NULL;
    fresh->before_count = 0;
    run_destroy(fresh);
    return true;
}

static bool restart(struct run *run, const struct sim_cmd *cmd, enum run_author author,
                    struct err *err)
{
    struct run_before before = { .knob = cmd->knob,
                                 .value = run->scenario.knobs.v[cmd->knob],
                                 .author = author,
                                 .now = sim_now(run->sim) };
    run_lines_copy(&before.lines, &run->journal);
    if (!sim_knob_check(cmd->knob, cmd->value, err) ||
        !run_begin_again(run, cmd->knob, cmd->value, err)) {
        run_lines_finish(&before.lines);
        return false;
    }
    remember(run, &before);
    return true;
}

bool run_do(struct run *run, const struct sim_cmd *cmd, enum run_author author, bool *restarted,
            struct err *err)
{
    const bool again = cmd->kind == SIM_CMD_SET && sim_knob_info(cmd->knob)->when == SIM_RESTART;
    if (restarted != NULL) {
        *restarted = again;
    }
    if (again) {
        return restart(run, cmd, author, err);
    }
    (void)sim_run_until(run->sim, sim_now(run->sim), 0); /* the rest of this instant */
    const struct run_line *first;
    while ((first = next_line(run)) != NULL && first->author == RUN_SCENARIO &&
           first->at == sim_now(run->sim) + 1) {
        apply_next_line(run); /* the scenario comes first, one command an instant */
    }
    if (!sim_would_apply(run->sim, cmd, err)) {
        return false;
    }
    run_forget_undone(run);
    run_forget_future(run);
    run_cut_lines(run, run->applied);
    run->cut_at = sim_now(run->sim) + 1;
    struct run_line line = { .at = sim_now(run->sim) + 1, .author = author, .cmd = *cmd };
    if (!sim_apply(run->sim, line.at, cmd, err)) {
        return false;
    }
    run_lines_insert(&run->journal, run->applied, line);
    run->applied++;
    run->seen = sim_trace_seq(run->sim);
    return true;
}

bool run_plan(struct run *run, sim_ps at, const struct sim_cmd *cmd, enum run_author author,
              struct err *err)
{
    if (at <= sim_now(run->sim)) {
        return err_set(err, ERR_STATE, "a command for a time that is past");
    }
    size_t i = run_line_place(run, at);
    while (i > 0 && run->journal.v[i - 1].at == at) { /* one command an instant */
        at++;
        i = run_line_place(run, at);
    }
    run_forget_undone(run);
    snapshots_cut(&run->shots, at - 1);
    sim_trace_cut(run->sim);
    run_lines_insert(&run->journal, i,
                     (struct run_line){ .at = at, .author = author, .cmd = *cmd });
    return true;
}

/* ---- marks ----------------------------------------------------------------------------------- */

static uint64_t hash_lines(const struct run *run, size_t count)
{
    uint64_t hash = count;
    for (size_t i = 0; i < count; i++) {
        const struct run_line *line = &run->journal.v[i];
        char text[160];
        (void)sim_cmd_format(&line->cmd, text, sizeof text);
        hash = rng_hash_bytes(text, strlen(text), hash ^ (uint64_t)line->at);
    }
    return hash;
}

struct run_mark run_mark(const struct run *run)
{
    return (struct run_mark){ .at = sim_now(run->sim),
                              .lines = run->applied,
                              .hash = hash_lines(run, run->applied) };
}

bool run_return(struct run *run, struct run_mark mark, struct err *err)
{
    if (mark.lines > run->journal.count || hash_lines(run, mark.lines) != mark.hash) {
        return err_set(err, ERR_STATE, "the way to that moment is gone");
    }
    run_forget_undone(run);
    run_restore(run, mark.at, mark.lines);
    run_cut_lines(run, mark.lines > run->applied ? mark.lines : run->applied);
    run_lines_finish(&run->cut); /* gone for good */
    (void)run_until(run, mark.at, 0);
    run_forget_future(run);
    return true;
}
