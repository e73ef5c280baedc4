/*
 * What the cards of a lesson under test offer, tried: tasks, what-ifs, switches.
 */
#include <math.h>

#include "lesson/check_inside.h"
#include "lesson/trial.h"
#include "run/compare.h"
#include "run/metrics.h"
#include "run/series.h"

/* How far a what-if is followed, and in which slices. */
#define COMPARE_FAR   UNIT_S
#define COMPARE_SLICE (100 * UNIT_US)

/* ---- tasks ------------------------------------------------------------------------------------ */

/* What is said to a try, in the sight of that try. */
static void check_reply(struct checker *c, size_t index, bool reached,
                        const struct lesson_sight *sight)
{
    const struct lesson_item *item = lesson_item(c->lesson, index);
    const char *prose = reached ? item->because : item->reply;
    const struct player_question question = { .item = index,
                                              .state = reached ? PLAYER_JUDGED : PLAYER_OPEN,
                                              .hints = item->hint_count }; /* they stay */
    if (prose != NULL) {
        struct text said = { 0 };
        check_words(c, check_fill(c, prose, sight, item->line, &said), item->line,
                    "a reply to a try");
        check_fits_supposed(c, &question, text_str(&said),
                            reached ? "what is said, with the hints, when the goal is reached"
                                    : "what is said, with the hints, when the goal is not reached");
        text_finish(&said);
    }
}

/* A try with these switches; to be finished in either case. */
static bool run_trial(struct checker *c, size_t index, const int64_t *knobs,
                      struct lesson_trial *trial, struct err *err)
{
    const bool begun = lesson_trial_begin(trial, c->lesson, index, CHECK_SEED, knobs, err);
    while (begun && !lesson_trial_on(trial, UNIT_S, err)) {
    }
    return begun && trial->over;
}

/* Whether these switches reach the goal: false with err when that cannot be judged. */
static bool try_fix(struct checker *c, size_t index, const int64_t *knobs, bool *reached,
                    struct err *err)
{
    struct lesson_trial trial = { 0 };
    bool ok = run_trial(c, index, knobs, &trial, err);
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
        sight.since = (struct lesson_since){ 0 };
        ok = lesson_claim(c->lesson, index, &sight, reached, err);
        if (ok) {
            check_reply(c, index, *reached, &sight);
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
    if (!try_fix(c, index, knobs, &reached, &err)) {
        (void)err_note(&err, "fix: not checked %s", want ? "with its solution" : "as it is set");
        check_error(c, LESSON_RULE_TASK, line, &err);
        return false;
    }
    if (reached != want) {
        const bool told = err.msg[0] != '\0';
        c->result->claims +=
            FAIL(c, LESSON_RULE_TASK, line, "fix: %s%s%s", what, told ? "; it was " : "", err.msg);
        return false;
    }
    check_held(c, index);
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
    check_cited(c, item->text, item->line); /* how far one is to come is no measurement */
    const char *const texts[] = { item->because, item->reply };
    for (size_t i = 0; i < sizeof texts / sizeof texts[0]; i++) {
        if (texts[i] != NULL) {
            check_prose(c, texts[i], item->line);
        }
    }
    for (size_t i = 0; i < item->hint_count; i++) {
        check_prose(c, item->hints[i], item->line);
    }
    const struct player_question hinted = { .item = index,
                                            .state = PLAYER_OPEN,
                                            .hints = item->hint_count };
    check_fits_supposed(c, &hinted, NULL, "this task with its hints");
    const bool open = judge_fix(
        c, index, knobs,
        "the goal is reached before anything is done: ask for more, or weft.set switches first",
        false);
    for (size_t i = 0; i < item->cmd_count; i++) {
        knobs[item->cmds[i].knob] = item->cmds[i].value;
    }
    if (judge_fix(c, index, knobs,
                  "the solution does not reach the goal: weft run --set tries others", true) &&
        open) {
        HOLDS(c, LESSON_RULE_TASK, item->line, "the solution reaches: %.200s", item->text);
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
        check_error(c, LESSON_RULE_WHATIF, item->line, &err);
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
        COMPLAIN(
            c, LESSON_RULE_WHATIF, item->line,
            "nothing differs in this what-if: show a change that matters here, or leave it out");
    }
    run_destroy(right);
    run_destroy(left);
}

/* ---- switches -------------------------------------------------------------------------------- */

/* Whether two runs measured the same. How many events the model took for it is no measure. */
static bool same_metrics(const struct report *a, const struct report *b)
{
    struct metrics x, y;
    metrics_take(&x, a);
    metrics_take(&y, b);
    bool same = a->outcome == b->outcome && a->step_count == b->step_count;
    for (int m = 0; m < METRIC_COUNT && same; m++) {
        same = m == METRIC_EVENTS || x.v[m] == y.v[m] || (isnan(x.v[m]) && isnan(y.v[m]));
    }
    for (size_t i = 0; i < a->step_count && same; i++) {
        same = a->steps[i].start == b->steps[i].start && a->steps[i].end == b->steps[i].end;
    }
    for (size_t i = 0; i < a->flow_count && i < b->flow_count && same; i++) {
        same = a->flows[i].fct == b->flows[i].fct;
    }
    return same;
}

/* The rest of a card with one value of a switch. */
struct outcome {
    struct run *run;
    struct report report;
    bool ok;
};

/* `from` is the run as it stood when the switch was offered. A switch that begins the run again begins
 * the card again, too. */
static struct outcome outcome_of(struct checker *c, size_t item, const struct run *from,
                                 int64_t value)
{
    const struct lesson_item *it = lesson_item(c->lesson, item);
    const struct lesson_card *card = lesson_card(c->lesson, player_card(c->player));
    const struct sim_cmd cmd = { .kind = SIM_CMD_SET, .knob = it->knob, .value = value };
    struct outcome out = { .run = run_fork(from) };
    struct err err = { 0 };
    bool again = false;
    out.ok = run_do(out.run, &cmd, RUN_LEARNER, &again, &err) &&
             player_do_items(c->lesson, out.run, again ? card->first : item + 1,
                             card->first + card->count, &err);
    if (!out.ok) {
        (void)err_note(&err, "with %s moved", sim_knob_info(it->knob)->name);
        check_error(c, LESSON_RULE_SWITCH, it->line, &err);
    }
    report_take(&out.report, out.run);
    return out;
}

static void outcome_finish(struct outcome *out)
{
    report_finish(&out->report);
    run_destroy(out->run);
}

/* Whether any other value is noticed. What the switch is set to now is set once more, so that both
 * have been moved: a move takes an instant, or the run from its beginning. */
static bool is_noticed(struct checker *c, size_t item, const struct run *run, int64_t now)
{
    const struct lesson_item *it = lesson_item(c->lesson, item);
    struct outcome here = outcome_of(c, item, run, now);
    bool noticed = !here.ok;
    for (size_t i = 0; i < it->value_count && here.ok; i++) {
        if (it->values[i] != now) {
            struct outcome there = outcome_of(c, item, run, it->values[i]);
            noticed = noticed || !there.ok || !same_metrics(&here.report, &there.report);
            outcome_finish(&there);
        }
    }
    outcome_finish(&here);
    return noticed;
}

/* Whether a try of the task notices any other value, all other switches being as they are given. */
static bool task_notices(struct checker *c, size_t task, const struct lesson_item *offer,
                         int64_t *knobs)
{
    struct lesson_trial here = { 0 };
    struct report now = { 0 };
    bool noticed = false;
    const bool ok = run_trial(c, task, knobs, &here, NULL);
    if (ok) {
        report_take(&now, here.run);
    }
    for (size_t i = 0; i < offer->value_count && ok && !noticed; i++) {
        struct lesson_trial there = { 0 };
        struct report other = { 0 };
        knobs[offer->knob] = offer->values[i];
        noticed = !run_trial(c, task, knobs, &there, NULL);
        if (!noticed) {
            report_take(&other, there.run);
            noticed = !same_metrics(&now, &other);
        }
        report_finish(&other);
        lesson_trial_finish(&there);
    }
    report_finish(&now);
    lesson_trial_finish(&here);
    return noticed;
}

/* The card's task behind the switch, if there is one; with the switches as they are, or as they solve
 * it. */
static bool is_noticed_in_try(struct checker *c, size_t item, const struct run *run, bool solved)
{
    const struct lesson_item *it = lesson_item(c->lesson, item);
    const struct lesson_card *card = lesson_card(c->lesson, player_card(c->player));
    const size_t end = card->first + card->count;
    size_t task = item;
    while (task < end && lesson_item(c->lesson, task)->kind != LESSON_FIX) {
        task++;
    }
    if (task == end) {
        return false;
    }
    int64_t knobs[SIM_KNOB_COUNT];
    for (int k = 0; k < SIM_KNOB_COUNT; k++) {
        knobs[k] = sim_knob(run_sim(run), (enum sim_knob)k);
    }
    const struct lesson_item *fix = lesson_item(c->lesson, task);
    for (size_t i = 0; i < fix->cmd_count && solved; i++) {
        knobs[fix->cmds[i].knob] = fix->cmds[i].value;
    }
    return task_notices(c, task, it, knobs);
}

static void check_switch(struct checker *c, size_t item, const struct run *run)
{
    const struct lesson_item *it = lesson_item(c->lesson, item);
    const char *name = sim_knob_info(it->knob)->name;
    const int64_t now = sim_knob(run_sim(run), it->knob);
    bool offered = false;
    for (size_t i = 0; i < it->value_count; i++) {
        offered = offered || it->values[i] == now;
    }
    if (!offered) {
        COMPLAIN(c, LESSON_RULE_SWITCH, it->line,
                 "the present value of %s is not among the switch's values", name);
    }
    const bool noticed = is_noticed(c, item, run, now) || is_noticed_in_try(c, item, run, false);
    if (!noticed && it->no_effect == NULL && !is_noticed_in_try(c, item, run, true)) {
        COMPLAIN(c, LESSON_RULE_SWITCH, it->line,
                 "moving %s changes nothing on this card: move it, or say no_effect = \"why\"",
                 name);
    } else if (noticed && it->no_effect != NULL) {
        COMPLAIN(c, LESSON_RULE_SWITCH, it->line,
                 "moving %s does change something, although no_effect says it does not", name);
    }
}

void check_switches_forget(struct checker *c)
{
    for (size_t i = 0; i < c->switch_count; i++) {
        run_destroy(c->switches[i].run);
    }
    c->switch_count = 0;
}

void check_switches(struct checker *c)
{
    for (size_t i = 0; i < c->switch_count; i++) {
        check_switch(c, c->switches[i].item, c->switches[i].run);
    }
    check_switches_forget(c);
}

/* ---- plots ------------------------------------------------------------------------------------ */

void check_plot(struct checker *c, const struct lesson_item *item)
{
    const struct run *run = player_run(c->player);
    struct run_plot plots[LESSON_PLOTS_MAX];
    const size_t n = lesson_plots(item, run_sim(run), plots, LESSON_PLOTS_MAX);
    struct run_series_set set;
    run_series_past(&set, run, plots, n);
    for (size_t i = 0; i < n; i++) {
        struct err err = { 0 };
        struct text said = { 0 };
        if (!run_plot_means(run_sim(run), plots[i], &err)) {
            COMPLAIN(c, LESSON_RULE_PLOT, item->line, "%s is plotted, but %.300s", item->plots[i],
                     err.msg);
        } else if (!run_series_moves(&set.series[i], 0, set.known)) {
            run_series_say(&set.series[i], run_sim(run), 0, set.known, &said);
            COMPLAIN(c, LESSON_RULE_PLOT, item->line, "this plot does not move: %.300s",
                     text_str(&said));
        }
        text_finish(&said);
    }
    run_series_finish(&set);
}
