/*
 * A task: the learner's switches are tried in a run of their own (trial.h), which is then judged.
 */
#include "lesson/player_inside.h"

bool player_try(struct player *p, struct err *err)
{
    if (!player_waits_for(p, PLAYER_FIX)) {
        return err_set(err, ERR_STATE, "there is nothing to try here");
    }
    const struct sim *sim = run_sim(player_scene_of(p)->run);
    int64_t knobs[SIM_KNOB_COUNT];
    for (int k = 0; k < SIM_KNOB_COUNT; k++) {
        knobs[k] = sim_knob(sim, (enum sim_knob)k);
    }
    lesson_trial_finish(&p->trial);
    text_clear(&p->tried);
    p->question.not_checked = false;
    p->question.trying = lesson_trial_begin(&p->trial, p->lesson, p->cursor, p->seed, knobs, err);
    return p->question.trying;
}

/* The trial is over: what it came to, and the words for that. */
static void judge_try(struct player *p, struct err *err)
{
    struct player_question *q = &p->question;
    const struct lesson_item *item = player_item_at(p, q->item);
    struct report report = { 0 };
    report_take(&report, p->trial.run);
    struct lesson_sight sight = player_sight(p);
    p->reports[sight.scene] = &report;
    sight.step = sim_rank_count(run_sim(p->trial.run)) > 0;
    sight.since = (struct lesson_since){ 0 };
    bool reached = false;
    q->not_checked = !lesson_claim(p->lesson, q->item, &sight, &reached, err);
    if (!q->not_checked) {
        const char *said = reached ? item->because : item->reply;
        if (said != NULL) {
            (void)lesson_fill(p->lesson, said, &sight, &p->tried, NULL, NULL);
        } else {
            text_add(&p->tried, reached ? "That does it." : "Not yet.");
        }
        p->tries += !reached;
        q->tries = p->tries;
    }
    report_finish(&report);
    if (reached) {
        q->state = PLAYER_JUDGED;
        player_item_done(p);
    }
}

bool player_try_on(struct player *p, sim_ps slice)
{
    if (!p->question.trying) {
        return true;
    }
    struct err err = { 0 };
    if (!lesson_trial_on(&p->trial, slice, &err)) {
        return false;
    }
    p->question.trying = false;
    if (p->trial.over) {
        judge_try(p, &err);
    } else {
        p->question.not_checked = true;
    }
    if (p->question.not_checked) {
        text_addf(&p->tried, "Not checked: %s.", err.msg);
    }
    return true;
}

const struct run *player_tried(const struct player *p)
{
    return p->trial.run;
}

void player_try_cancel(struct player *p)
{
    if (p->question.trying) {
        p->question.trying = false;
        p->question.not_checked = true;
        text_add(&p->tried, "Not checked: it was stopped.");
    }
    lesson_trial_finish(&p->trial);
}

size_t player_hints_left(const struct player *p)
{
    const struct player_question *q = &p->question;
    const size_t all = player_is_task(p) ? player_item_at(p, q->item)->hint_count : 0;
    return all > q->hints ? all - q->hints : 0; /* a lesson that was saved anew may have fewer */
}

const char *player_hint(struct player *p)
{
    if (player_hints_left(p) == 0) {
        return NULL;
    }
    p->question.hints = ++p->hints;
    return player_item_at(p, p->question.item)->hints[p->hints - 1];
}
