/*
 * Taking back what the learner did, and doing it again.
 */
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "run/inside.h"

void run_forget_undone(struct run *run)
{
    run_lines_finish(&run->cut);
    run_lines_finish(&run->undone);
}

/* The learner's last line, or SIZE_MAX. */
static size_t last_own_line(const struct run *run)
{
    size_t i = run->journal.count;
    while (i > 0 && run->journal.v[i - 1].author != RUN_LEARNER) {
        i--;
    }
    return i - 1;
}

/* To just before a line's time, where the journal can be changed; what comes later is forgotten. A
 * line that lies ahead does not move the run. */
static void go_before(struct run *run, sim_ps at)
{
    if (at <= sim_now(run->sim)) {
        run_restore(run, at - 1, SIZE_MAX);
        (void)run_until(run, at - 1, 0);
    }
    snapshots_cut(&run->shots, at - 1);
    sim_trace_cut(run->sim);
}

static bool was_restart(const struct run_line *line)
{
    return line->cmd.kind == SIM_CMD_SET && sim_knob_info(line->cmd.knob)->when == SIM_RESTART;
}

/* The run before the last restart. */
static bool undo_restart(struct run *run, struct err *err)
{
    if (run->before_count == 0 || run->befores[run->before_count - 1].author != RUN_LEARNER) {
        return err_set(err, ERR_STATE, "nothing of yours to undo");
    }
    struct run_before before = run->befores[run->before_count - 1];
    const struct run_line line = { .author = RUN_LEARNER,
                                   .cmd = { .kind = SIM_CMD_SET,
                                            .knob = before.knob,
                                            .value = run->scenario.knobs.v[before.knob] } };
    if (!run_begin_again(run, before.knob, before.value, err)) {
        return false;
    }
    run->before_count--;
    run_lines_finish(&run->journal);
    run->journal = before.lines;
    (void)run_until(run, before.now, 0);
    run_lines_insert(&run->undone, 0, line);
    return true;
}

bool run_undo(struct run *run, bool *restarted, struct err *err)
{
    const size_t i = last_own_line(run);
    if (restarted != NULL) {
        *restarted = i == SIZE_MAX;
    }
    if (i == SIZE_MAX) {
        return undo_restart(run, err);
    }
    const struct run_line line = run->journal.v[i];
    const sim_ps now = sim_now(run->sim);
    go_before(run, line.at);
    run_lines_remove(&run->journal, i);
    const bool last_thing = run->undone.count == 0 && run->cut_at == line.at;
    for (size_t k = 0; last_thing && k < run->cut.count; k++) {
        run_lines_insert(&run->journal, run_line_place(run, run->cut.v[k].at), run->cut.v[k]);
    }
    run->put_back = last_thing || (run->put_back && run->undone.count > 0);
    run_lines_finish(&run->cut);
    run_lines_insert(&run->undone, run->undone.count, line);
    (void)run_until(run, now, 0);
    return true;
}

bool run_redo(struct run *run, bool *restarted, struct err *err)
{
    if (run->undone.count == 0) {
        return err_set(err, ERR_STATE, "nothing was undone");
    }
    const struct run_line line = run->undone.v[run->undone.count - 1];
    const bool again = was_restart(&line);
    if (restarted != NULL) {
        *restarted = again;
    }
    if (again) {
        return run_do(run, &line.cmd, RUN_LEARNER, NULL, err);
    }
    const sim_ps now = sim_now(run->sim);
    go_before(run, line.at);
    const size_t i = run_line_place(run, line.at);
    run_lines_insert(&run->journal, i, line);
    run->undone.count--;
    if (run->undone.count == 0 && run->put_back) {
        run_cut_lines(run, i + 1);
        run->cut_at = line.at;
    }
    (void)run_until(run, now, 0);
    return true;
}
