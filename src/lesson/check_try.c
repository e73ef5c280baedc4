/*
 * What the cards of a lesson under test offer, tried: tasks, what-ifs, switches.
 */
#include "lesson/check_inside.h"
#include "lesson/lint.h"
#include "lesson/trial.h"
#include "run/compare.h"

/* How far a what-if is followed, and in which slices. */
#define COMPARE_FAR   UNIT_S
#define COMPARE_SLICE (100 * UNIT_US)

/* ---- tasks ------------------------------------------------------------------------------------ */

/* A reply to a try, in the sight of that try. */
static void check_try_words(struct checker *c, const struct lesson_item *item, const char *prose,
                            const struct lesson_sight *sight)
{
    struct text out = { 0 };
    struct err err = { 0 };
    bool pending = false;
    if (prose != NULL && !lesson_fill(c->lesson, prose, sight, &out, &pending, &err)) {
        (void)err_at(&err, c->lesson->path, item->line);
        c->result->failed++;
        check_say(c, &err, "not ok");
    } else if (pending) {
        FAIL(c, item->line, "a measured value is not known at the end of a try: %.200s",
             text_str(&out));
    }
    check_words(c, lesson_lint_words(text_str(&out)), item->line, "a reply to a try");
    text_finish(&out);
}

/* Whether these switches reach the goal: false with err when that cannot be judged. */
static bool try_fix(struct checker *c, size_t index, const int64_t *knobs, bool *reached,
                    struct err *err)
{
    const struct lesson_item *item = lesson_item(c->lesson, index);
    struct lesson_trial trial = { 0 };
    bool ok = lesson_trial_begin(&trial, c->lesson, index, CHECK_SEED, knobs, err);
    while (ok && !lesson_trial_on(&trial, UNIT_S, err)) {
    }
    ok = ok && trial.over;
    if (ok) {
        struct report report = { 0 };
        report_take(&report, trial.run);
        struct lesson_sight sight = player_sight(c->player);
        const struct report *reports[LESSON_SCENES_MAX] = { NULL };
        for (size_t i = 0; i < lesson_scene_count(c->lesson); i++) {
            reports[i] = sight.reports[i];
        }
        reports[sight.scene] = &report;
        sight.reports = reports;
        sight.step = sim_rank_count(run_sim(trial.run)) > 0;
        ok = lesson_claim(c->lesson, index, &sight, reached, err);
        if (ok) {
            check_try_words(c, item, *reached ? item->because : item->reply, &sight);
        }
        report_finish(&report);
    }
    lesson_trial_finish(&trial);
    return ok;
}

static bool judge_fix(struct checker *c, size_t index, const int64_t *knobs, const char *what,
                      bool want)
{
    struct err err = { 0 };
    const int line = lesson_item(c->lesson, index)->line;
    bool reached = false;
    c->result->claims++;
    if (!try_fix(c, index, knobs, &reached, &err)) {
        (void)err_note(&err, "fix: not checked");
        (void)err_at(&err, c->lesson->path, line);
        c->result->failed++;
        check_say(c, &err, "not ok");
        return false;
    }
    if (reached != want) {
        FAIL(c, line, "fix: %s", what);
        return false;
    }
    c->result->held++;
    return true;
}

/* A task is one: not done already, and done by what its author says. At the moment it is set. */
void check_fix(struct checker *c, size_t index)
{
    const struct lesson_item *item = lesson_item(c->lesson, index);
    int64_t knobs[SIM_KNOB_COUNT];
    for (int k = 0; k < SIM_KNOB_COUNT; k++) {
        knobs[k] = sim_knob(run_sim(player_run(c->player)), (enum sim_knob)k);
    }
    check_plain(c, item->text, item->line);
    const char *const texts[] = { item->text, item->because, item->reply };
    for (size_t i = 0; i < sizeof texts / sizeof texts[0]; i++) {
        if (texts[i] != NULL) {
            check_prose(c, texts[i], item->line);
        }
    }
    const bool open =
        judge_fix(c, index, knobs, "the goal is reached before anything is done", false);
    for (size_t i = 0; i < item->cmd_count; i++) {
        knobs[item->cmds[i].knob] = item->cmds[i].value;
    }
    if (judge_fix(c, index, knobs, "the solution does not reach the goal", true) && open) {
        check_sayf(c, "ok", item->line, "the solution reaches: %.200s", item->text);
    }
}

/* ---- what-ifs --------------------------------------------------------------------------------- */

/* Both runs side by side: there must be something to see. The card's own run is not touched. */
void check_compare(struct checker *c, size_t index)
{
    const struct lesson_item *item = lesson_item(c->lesson, index);
    struct run *left = run_fork(player_run(c->player));
    struct compare compare;
    struct err err = { 0 };
    struct run *right = compare_what_if(&compare, left, item->cmds, &err);
    if (right == NULL) {
        (void)err_at(&err, c->lesson->path, item->line);
        c->result->failed++;
        check_say(c, &err, "not ok");
        run_destroy(left);
        return;
    }
    const sim_ps end = run_now(right) + COMPARE_FAR;
    (void)run_until(left, run_now(right), 0); /* the command took an instant */
    while (
        !compare.differs && run_now(right) < end &&
        (sim_outcome(run_sim(left)) == SIM_RUNNING || sim_outcome(run_sim(right)) == SIM_RUNNING)) {
        compare_until(&compare, run_now(right) + COMPARE_SLICE);
    }
    if (!compare.differs) {
        LINT(c, item->line, "nothing differs in this what-if");
    }
    run_destroy(right);
    run_destroy(left);
}

/* ---- switches -------------------------------------------------------------------------------- */

/* Whether two runs measured the same. */
static bool same_metrics(const struct report *a, const struct report *b)
{
    const struct sim_counters *x = &a->count, *y = &b->count;
    if (a->outcome != b->outcome || a->step_count != b->step_count || x->sent != y->sent ||
        x->delivered != y->delivered || x->dropped != y->dropped ||
        x->retransmitted != y->retransmitted || x->refused != y->refused ||
        x->xoff_frames != y->xoff_frames || x->paused != y->paused || x->timeouts != y->timeouts ||
        x->naks != y->naks) {
        return false;
    }
    for (size_t i = 0; i < a->step_count; i++) {
        if (a->steps[i].start != b->steps[i].start || a->steps[i].end != b->steps[i].end) {
            return false;
        }
    }
    for (size_t i = 0; i < a->flow_count && i < b->flow_count; i++) {
        if (a->flows[i].fct != b->flows[i].fct) {
            return false;
        }
    }
    return true;
}

/* Plays the rest of the card on `run` with another value; whether that was noticed. */
static bool value_matters(struct checker *c, struct run *run, size_t item, int64_t value)
{
    const struct sim_cmd cmd = { .kind = SIM_CMD_SET,
                                 .knob = lesson_item(c->lesson, item)->knob,
                                 .value = value };
    const struct lesson_card *card = lesson_card(c->lesson, player_card(c->player));
    struct err err = { 0 };
    bool matters = true;
    if (!run_do(run, &cmd, RUN_LEARNER, NULL, &err) ||
        !player_do_items(c->lesson, run, item + 1, card->first + card->count, &err)) {
        (void)err_at(&err, c->lesson->path, lesson_item(c->lesson, item)->line);
        c->result->failed++;
        check_say(c, &err, "not ok");
    } else {
        struct report other = { 0 };
        report_take(&other, run);
        matters = !same_metrics(player_sight(c->player).reports[card->scene], &other);
        report_finish(&other);
    }
    return matters;
}

static void check_switch(struct checker *c, size_t item, struct run *run)
{
    const struct lesson_item *it = lesson_item(c->lesson, item);
    const int64_t now = sim_knob(run_sim(run), it->knob);
    bool matters = false, offered = false;
    for (size_t i = 0; i < it->value_count; i++) {
        offered = offered || it->values[i] == now;
        if (it->values[i] != now) {
            struct run *fork = run_fork(run);
            matters = value_matters(c, fork, item, it->values[i]) || matters;
            run_destroy(fork);
        }
    }
    if (!offered) {
        LINT(c, it->line, "the present value of %s is not among the switch's values",
             sim_knob_info(it->knob)->name);
    }
    if (!matters && it->no_effect == NULL) {
        LINT(c, it->line,
             "moving %s changes nothing on this card: move it, or say no_effect = \"why\"",
             sim_knob_info(it->knob)->name);
    } else if (matters && it->no_effect != NULL) {
        LINT(c, it->line, "moving %s does change something, although no_effect says it does not",
             sim_knob_info(it->knob)->name);
    }
}

void check_switches(struct checker *c)
{
    for (size_t i = 0; i < c->switch_count; i++) {
        check_switch(c, c->switches[i].item, c->switches[i].run);
        run_destroy(c->switches[i].run);
    }
    c->switch_count = 0;
}
