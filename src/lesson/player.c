/*
 * Walking the cards. See player.h for what the owner does between two calls of player_next().
 *
 * The state is small: which card, which of its items comes next, whether that item waits for the
 * owner, and for each card where its run stood when the card was entered.
 */
#include "lesson/player.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "lesson/play.h"
#include "lesson/trial.h"

/* Where a card began: a position of the run, if that run has not been started anew since. */
struct card_start {
    bool known;
    uint32_t serial;
    struct run_mark mark;
    int64_t step; /* the first to end after it; 0: no training */
};

/* The run of one scene and its report. */
struct scene_run {
    struct run *run;
    uint32_t serial; /* counts new starts */
    struct report report;
    bool has_report;
    const struct sim *report_sim; /* what the report was taken of, and when */
    sim_ps report_at;
    uint64_t report_seq;
};

struct player {
    struct lesson *lesson;
    uint64_t seed;
    struct sim_cmd *sets;
    size_t set_count;
    const struct run_line *lines;
    size_t line_count;
    bool forward_only, notes;
    struct scene_run *scenes;
    const struct report **reports; /* as lesson_fill() wants them */
    struct card_start *starts;
    size_t card;
    size_t cursor; /* the item that comes next */
    bool waiting;  /* the item at the cursor waits for the owner */
    bool dropped;  /* the learner has destroyed a packet on this card */
    struct lesson_play playing;
    struct player_question question;
    bool judged;                   /* the truth is known, whether or not an answer was given */
    bool measured;                 /* the card has been played to its end ... */
    int64_t knobs[SIM_KNOB_COUNT]; /* ... with these switches */
    struct lesson_trial trial;     /* of a task */
    struct text tried;             /* what is said of the last try */
    size_t hints;                  /* shown on this card, whatever was begun anew since */
    int tries;
    player_item_fn *each_item;
    void *each_item_arg;
};

static const struct lesson_item *item_at(const struct player *p, size_t item)
{
    return lesson_item(p->lesson, item);
}

static bool is_task(const struct player *p)
{
    return p->question.item != SIZE_MAX && item_at(p, p->question.item)->kind == LESSON_FIX;
}

static const struct lesson_card *card_of(const struct player *p)
{
    return lesson_card(p->lesson, p->card);
}

static size_t card_end(const struct player *p)
{
    return card_of(p)->first + card_of(p)->count;
}

static struct scene_run *scene_of(const struct player *p)
{
    return &p->scenes[card_of(p)->scene];
}

bool player_do_items(const struct lesson *lesson, struct run *run, size_t first, size_t end,
                     struct err *err)
{
    struct lesson_play playing = { 0 };
    for (size_t i = first; i < end; i++) {
        const struct lesson_item *item = lesson_item(lesson, i);
        bool ok = true;
        if (item->kind == LESSON_SET || item->kind == LESSON_DROP || item->kind == LESSON_FAULT) {
            ok = lesson_play_commands(run, item, err);
        } else if (item->kind == LESSON_PLAY) {
            playing = lesson_play_begin(run, item, &playing);
            ok = lesson_play_headless(&playing, run, err);
        }
        if (!ok) {
            return err_at(err, lesson_info(lesson).file, item->line);
        }
    }
    return true;
}

/* ---- reports --------------------------------------------------------------------------------- */

static void drop_report(struct scene_run *scene)
{
    if (scene->has_report) {
        report_finish(&scene->report);
        scene->has_report = false;
    }
}

/* Takes a report unless the last one still tells the truth. */
static const struct report *take_report(struct scene_run *scene)
{
    if (scene->run == NULL) {
        return NULL;
    }
    const struct sim *sim = run_sim(scene->run);
    const sim_ps now = run_now(scene->run);
    const uint64_t seq = sim_trace_seq(sim);
    if (scene->has_report && scene->report_sim == sim && scene->report_at == now &&
        scene->report_seq == seq) {
        return &scene->report;
    }
    drop_report(scene);
    report_take(&scene->report, scene->run);
    scene->has_report = true;
    scene->report_sim = sim;
    scene->report_at = now;
    scene->report_seq = seq;
    return &scene->report;
}

/* What the card measured, it measured with other switches. */
static bool is_old(const struct player *p)
{
    if (!p->measured) {
        return false;
    }
    const struct sim *sim = run_sim(scene_of(p)->run);
    for (int k = 0; k < SIM_KNOB_COUNT; k++) {
        if (sim_knob(sim, (enum sim_knob)k) != p->knobs[k]) {
            return true;
        }
    }
    return false;
}

/* The card is done: these are the switches that its values were measured with. */
static void keep_knobs(struct player *p)
{
    const struct sim *sim = run_sim(scene_of(p)->run);
    for (int k = 0; !p->measured && k < SIM_KNOB_COUNT; k++) {
        p->knobs[k] = sim_knob(sim, (enum sim_knob)k);
    }
    p->measured = true;
}

struct lesson_sight player_sight(struct player *p)
{
    for (size_t i = 0; i < lesson_scene_count(p->lesson); i++) {
        p->reports[i] = take_report(&p->scenes[i]);
    }
    return (struct lesson_sight){ .reports = p->reports,
                                  .scene = card_of(p)->scene,
                                  .old = is_old(p),
                                  .step = p->starts[p->card].step };
}

/* ---- life ------------------------------------------------------------------------------------ */

struct player *player_create(struct lesson *lesson, const struct player_options *options,
                             struct err *err)
{
    struct player *p = mem_alloc(1, sizeof *p);
    const size_t scenes = lesson_scene_count(lesson);
    p->lesson = lesson;
    p->seed = options->seed;
    p->set_count = options->set_count;
    p->lines = options->lines;
    p->line_count = options->line_count;
    p->forward_only = options->forward_only;
    p->notes = options->notes;
    if (options->set_count > 0) {
        p->sets = mem_dup(options->sets, options->set_count * sizeof *options->sets);
    }
    p->scenes = mem_alloc(scenes, sizeof *p->scenes);
    p->reports = mem_alloc(scenes, sizeof *p->reports);
    p->starts = mem_alloc(lesson_card_count(lesson), sizeof *p->starts);
    if (!player_goto(p, 0, err)) {
        player_destroy(p);
        return NULL;
    }
    return p;
}

void player_destroy(struct player *p)
{
    if (p == NULL) {
        return;
    }
    for (size_t i = 0; i < lesson_scene_count(p->lesson); i++) {
        drop_report(&p->scenes[i]);
        run_destroy(p->scenes[i].run);
    }
    lesson_trial_finish(&p->trial);
    text_finish(&p->tried);
    free(p->scenes);
    free(p->reports);
    free(p->starts);
    free(p->sets);
    free(p);
}

void player_listen(struct player *p, player_item_fn *each_item, void *arg)
{
    p->each_item = each_item;
    p->each_item_arg = arg;
}

/* A fresh run of a scene, with the values of --set. */
static bool start_scene(struct player *p, int index, struct err *err)
{
    struct scene_run *scene = &p->scenes[index];
    struct sim_scenario sc;
    sim_scenario_copy(&sc, &lesson_scene(p->lesson, (size_t)index)->scenario);
    for (size_t i = 0; i < p->set_count; i++) {
        if (p->sets[i].kind == SIM_CMD_SET) {
            sc.knobs.v[p->sets[i].knob] = p->sets[i].value;
        }
    }
    struct run *run = run_create(&sc, p->seed, err);
    sim_scenario_finish(&sc);
    for (size_t i = 0; run != NULL && i < p->line_count; i++) {
        const struct run_line *line = &p->lines[i];
        if (!run_plan(run, line->at, &line->cmd, line->author, err)) {
            run_destroy(run);
            run = NULL;
        }
    }
    if (run == NULL) {
        return false;
    }
    if (p->forward_only) {
        run_forward_only(run);
    }
    drop_report(scene);
    run_destroy(scene->run);
    scene->run = run;
    scene->serial++;
    return true;
}

/* ---- items ----------------------------------------------------------------------------------- */

static void tell(struct player *p, size_t item, const struct player_verdict *verdict)
{
    if (p->each_item != NULL) {
        p->each_item(p->each_item_arg, p, item, verdict);
    }
}

static void judge_claim(struct player *p, size_t item)
{
    if (p->each_item == NULL) {
        return;
    }
    struct err err = { 0 };
    struct player_verdict verdict = { .err = &err };
    const struct lesson_sight sight = player_sight(p);
    verdict.judged = lesson_claim(p->lesson, item, &sight, &verdict.holds, &err);
    tell(p, item, &verdict);
}

/* Does the item at the cursor. True when it is done; false when it waits for the owner (then
 * p->waiting) or failed (err). */
static bool do_item(struct player *p, struct err *err)
{
    const struct lesson_item *item = item_at(p, p->cursor);
    switch (item->kind) {
    case LESSON_SCENE:
        return start_scene(p, item->scene, err);
    case LESSON_SAY:
    case LESSON_NOTE:
    case LESSON_FOCUS:
        return true;
    case LESSON_SWITCH:
        tell(p, p->cursor, NULL);
        return true;
    case LESSON_SET:
    case LESSON_FAULT:
        return lesson_play_commands(scene_of(p)->run, item, err) ||
               err_at(err, lesson_info(p->lesson).file, item->line);
    case LESSON_DROP:
        if (item->ask && !p->dropped) {
            p->waiting = true;
            return false;
        }
        return item->ask || lesson_play_commands(scene_of(p)->run, item, err) ||
               err_at(err, lesson_info(p->lesson).file, item->line);
    case LESSON_PLAY:
        p->playing = lesson_play_begin(scene_of(p)->run, item, &p->playing);
        p->waiting = !p->playing.reached;
        return !p->waiting;
    case LESSON_PREDICT:
        p->question = (struct player_question){ .item = p->cursor, .state = PLAYER_OPEN };
        p->judged = false;
        p->waiting = true;
        return false;
    case LESSON_COMPARE:
        tell(p, p->cursor, NULL);
        p->waiting = true;
        return false;
    case LESSON_FIX:
        p->question = (struct player_question){
            .item = p->cursor, .state = PLAYER_OPEN, .hints = p->hints, .tries = p->tries
        };
        p->judged = false;
        p->waiting = true;
        text_clear(&p->tried);
        tell(p, p->cursor, NULL);
        return false;
    case LESSON_CLAIM:
        judge_claim(p, p->cursor);
        return true;
    }
    return true;
}

static void item_done(struct player *p)
{
    p->waiting = false;
    p->cursor++;
}

static enum player_need need_of(const struct player *p)
{
    const enum lesson_item_kind kind = item_at(p, p->cursor)->kind;
    return kind == LESSON_PREDICT   ? PLAYER_ANSWER
           : kind == LESSON_DROP    ? PLAYER_DROP
           : kind == LESSON_FIX     ? PLAYER_FIX
           : kind == LESSON_COMPARE ? PLAYER_COMPARE
                                    : PLAYER_PLAY;
}

static int how_far_off(const struct lesson_item *item, int64_t said, int64_t truth)
{
    const double by = (double)said - (double)truth;
    const bool near = fabs(by) * (double)UNIT_ONE <= (double)item->tolerance * fabs((double)truth);
    return near ? 0 : by < 0 ? -1 : 1;
}

/* Looks whether the truth of the card's question is known by now. */
static void judge_question(struct player *p)
{
    struct player_question *q = &p->question;
    if (q->item == SIZE_MAX || q->state == PLAYER_OPEN || p->judged || q->not_checked ||
        is_task(p)) {
        return;
    }
    struct err err = { 0 };
    const struct lesson_sight sight = player_sight(p);
    const bool number = item_at(p, q->item)->number;
    if (number ? lesson_truth_number(p->lesson, q->item, &sight, &q->true_number, &err)
               : lesson_truth(p->lesson, q->item, &sight, &q->truth, &err)) {
        q->off = number ? how_far_off(item_at(p, q->item), q->number, q->true_number) : 0;
        p->judged = true;
        q->state = q->state == PLAYER_ANSWERED ? PLAYER_JUDGED : q->state;
    } else if (err.code != ERR_STATE) {
        q->not_checked = true;
    }
}

enum player_need player_next(struct player *p, struct err *err)
{
    while (!p->waiting && p->cursor < card_end(p)) {
        if (do_item(p, err)) {
            item_done(p);
        } else if (!p->waiting) {
            /* The item failed: say so once, and leave it behind. */
            p->cursor++;
            break;
        }
    }
    judge_question(p);
    if (p->waiting) {
        return need_of(p);
    }
    keep_knobs(p);
    return p->card + 1 < lesson_card_count(p->lesson) ? PLAYER_CARD : PLAYER_END;
}

/* ---- cards ----------------------------------------------------------------------------------- */

static void reset_card(struct player *p)
{
    p->cursor = card_of(p)->first;
    p->waiting = false;
    p->dropped = false;
    p->playing = (struct lesson_play){ 0 };
    p->judged = false;
    p->measured = false;
    lesson_trial_finish(&p->trial);
    p->question = (struct player_question){ .item = SIZE_MAX };
}

/* The present card begins here. */
static void mark_start(struct player *p)
{
    const struct scene_run *scene = scene_of(p);
    const struct sim *sim = run_sim(scene->run);
    p->starts[p->card] =
        (struct card_start){ .known = true,
                             .serial = scene->serial,
                             .mark = run_mark(scene->run),
                             .step = sim_rank_count(sim) > 0 ? sim_steps_done(sim) + 1 : 0 };
}

/* Steps onto a card; its run stands where the card before left it. */
static bool enter_card(struct player *p, size_t card, struct err *err)
{
    p->card = card;
    p->hints = 0;
    p->tries = 0;
    reset_card(p);
    if (item_at(p, p->cursor)->kind == LESSON_SCENE) {
        if (!do_item(p, err)) {
            return false;
        }
        item_done(p);
    }
    mark_start(p);
    return true;
}

/* Does what is left of the card by the declared path. */
static bool finish_card(struct player *p, struct err *err)
{
    struct err failed = { 0 };
    for (;;) {
        const enum player_need need = player_next(p, &failed);
        if (failed.code != ERR_NONE) {
            if (err != NULL) {
                *err = failed;
            }
            return false;
        }
        if (need == PLAYER_CARD || need == PLAYER_END) {
            return true;
        }
        if (!player_skip(p, err)) {
            return false;
        }
    }
}

bool player_goto(struct player *p, size_t card, struct err *err)
{
    if (card >= lesson_card_count(p->lesson)) {
        return err_set(err, ERR_RANGE, "there is no card %zu; the lesson has %zu", card + 1,
                       lesson_card_count(p->lesson));
    }
    size_t from = card;
    while (item_at(p, lesson_card(p->lesson, from)->first)->kind != LESSON_SCENE) {
        from--; /* the first card begins with a scene: lesson_load() has seen to it */
    }
    if (!enter_card(p, from, err)) {
        return false;
    }
    while (p->card < card) {
        if (!finish_card(p, err) || !enter_card(p, p->card + 1, err)) {
            return false;
        }
    }
    return true;
}

bool player_restart_card(struct player *p, struct err *err)
{
    const struct card_start *start = &p->starts[p->card];
    struct scene_run *scene = scene_of(p);
    if (!start->known || start->serial != scene->serial || p->line_count > 0) {
        return player_goto(p, p->card, err); /* also for lines that came with it and lie ahead */
    }
    drop_report(scene);
    if (!run_return(scene->run, start->mark, NULL)) {
        return player_goto(p, p->card, err); /* somebody went back and did something else */
    }
    reset_card(p);
    if (item_at(p, p->cursor)->kind == LESSON_SCENE) {
        p->cursor++; /* the mark lies behind it */
    }
    return true;
}

bool player_next_card(struct player *p, struct err *err)
{
    if (p->card + 1 >= lesson_card_count(p->lesson)) {
        return err_set(err, ERR_STATE, "this is the last card");
    }
    return finish_card(p, err) && enter_card(p, p->card + 1, err);
}

/* ---- what the owner does --------------------------------------------------------------------- */

static bool waits_for(const struct player *p, enum player_need need)
{
    return p->waiting && need_of(p) == need;
}

struct player_target player_target(const struct player *p)
{
    return waits_for(p, PLAYER_PLAY) ? p->playing.target
                                     : (struct player_target){ 0, SIM_NEVER, LESSON_GEAR_KEEP };
}

bool player_reached(struct player *p, enum sim_stopped stopped)
{
    if (!waits_for(p, PLAYER_PLAY)) {
        return true;
    }
    if (!lesson_play_reached(&p->playing, scene_of(p)->run, stopped)) {
        return false;
    }
    item_done(p);
    judge_question(p);
    return true;
}

bool player_answer(struct player *p, size_t choice, struct err *err)
{
    if (!waits_for(p, PLAYER_ANSWER)) {
        return err_set(err, ERR_STATE, "no question is open");
    }
    if (choice >= item_at(p, p->cursor)->choice_count) {
        return err_set(err, ERR_RANGE, "there is no answer %c", (int)('a' + (int)(choice % 26)));
    }
    p->question.choice = choice;
    p->question.state = PLAYER_ANSWERED;
    item_done(p);
    return true;
}

bool player_answer_number(struct player *p, const char *text, struct err *err)
{
    if (!waits_for(p, PLAYER_ANSWER) || !item_at(p, p->cursor)->number) {
        return err_set(err, ERR_STATE, "no question for a number is open");
    }
    if (!units_parse(text, item_at(p, p->cursor)->unit, &p->question.number, err)) {
        return false;
    }
    p->question.state = PLAYER_ANSWERED;
    item_done(p);
    return true;
}

void player_sure(struct player *p, int how_sure)
{
    p->question.sure = how_sure;
}

bool player_skip(struct player *p, struct err *err)
{
    if (!p->waiting) {
        return true;
    }
    const struct lesson_item *item = item_at(p, p->cursor);
    bool ok = true;
    if (item->kind == LESSON_PREDICT || item->kind == LESSON_FIX) {
        player_try_cancel(p);
        p->question.state = PLAYER_SKIPPED;
    } else if (item->kind == LESSON_COMPARE) {
        ok = true; /* the run stays as it is */
    } else if (item->kind == LESSON_DROP) {
        ok = lesson_play_commands(scene_of(p)->run, item, err);
    } else {
        ok = lesson_play_headless(&p->playing, scene_of(p)->run, err);
    }
    if (!ok) {
        return err_at(err, lesson_info(p->lesson).file, item->line);
    }
    item_done(p);
    return true;
}

/* ---- tasks ------------------------------------------------------------------------------------ */

bool player_try(struct player *p, struct err *err)
{
    if (!waits_for(p, PLAYER_FIX)) {
        return err_set(err, ERR_STATE, "there is nothing to try here");
    }
    const struct sim *sim = run_sim(scene_of(p)->run);
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
    const struct lesson_item *item = item_at(p, q->item);
    struct report report = { 0 };
    report_take(&report, p->trial.run);
    struct lesson_sight sight = player_sight(p);
    p->reports[sight.scene] = &report;
    sight.step = sim_rank_count(run_sim(p->trial.run)) > 0;
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
        item_done(p);
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
    lesson_trial_finish(&p->trial);
    return true;
}

void player_try_cancel(struct player *p)
{
    if (p->question.trying) {
        p->question.trying = false;
        p->question.not_checked = true;
        text_add(&p->tried, "Not checked: it was stopped.");
        lesson_trial_finish(&p->trial);
    }
}

const char *player_hint(struct player *p)
{
    const struct player_question *q = &p->question;
    if (!is_task(p) || q->hints >= item_at(p, q->item)->hint_count) {
        return NULL;
    }
    p->question.hints = ++p->hints;
    return item_at(p, q->item)->hints[p->hints - 1];
}

/* The run began anew, with another value: so does the card. */
static void begin_anew(struct player *p)
{
    drop_report(scene_of(p));
    scene_of(p)->serial++;
    reset_card(p);
    if (item_at(p, p->cursor)->kind == LESSON_SCENE) {
        p->cursor++;
    }
    mark_start(p);
}

bool player_do(struct player *p, const struct sim_cmd *cmd, bool *restarted, struct err *err)
{
    struct scene_run *scene = scene_of(p);
    bool again = false;
    player_try_cancel(p);
    if (!run_do(scene->run, cmd, RUN_LEARNER, &again, err)) {
        return false;
    }
    if (again) {
        begin_anew(p);
    } else if (cmd->kind == SIM_CMD_DROP) {
        p->dropped = true;
        if (waits_for(p, PLAYER_DROP)) {
            item_done(p);
        }
    }
    if (restarted != NULL) {
        *restarted = again;
    }
    return true;
}

/* run_undo or run_redo. */
static bool take_back(struct player *p, bool (*how)(struct run *, bool *, struct err *),
                      bool *restarted, struct err *err)
{
    bool again = false;
    player_try_cancel(p);
    if (!how(scene_of(p)->run, &again, err)) {
        return false;
    }
    if (again) {
        begin_anew(p);
    }
    if (restarted != NULL) {
        *restarted = again;
    }
    return true;
}

bool player_undo(struct player *p, bool *restarted, struct err *err)
{
    return take_back(p, run_undo, restarted, err);
}

bool player_redo(struct player *p, bool *restarted, struct err *err)
{
    return take_back(p, run_redo, restarted, err);
}

/* ---- for drawing ----------------------------------------------------------------------------- */

struct run *player_run(struct player *p)
{
    return scene_of(p)->run;
}

struct lesson *player_lesson(const struct player *p)
{
    return p->lesson;
}

size_t player_card(const struct player *p)
{
    return p->card;
}

size_t player_item(const struct player *p)
{
    return p->waiting ? p->cursor : SIZE_MAX;
}

size_t player_focus(const struct player *p)
{
    for (size_t i = p->cursor; i-- > card_of(p)->first;) {
        if (item_at(p, i)->kind == LESSON_FOCUS) {
            return i;
        }
    }
    return SIZE_MAX;
}

struct player_question player_question(const struct player *p)
{
    return p->question;
}

static bool fill(struct player *p, const char *markdown, struct text *out, bool *pending,
                 struct err *err)
{
    bool unknown = false;
    const struct lesson_sight sight = player_sight(p);
    const bool ok = lesson_fill(p->lesson, markdown, &sight, out, &unknown, err);
    *pending = *pending || unknown;
    return ok;
}

bool player_prose(struct player *p, struct text *out, bool *pending, struct err *err)
{
    bool unknown = false, ok = true;
    const struct player_question *q = &p->question;
    judge_question(p);
    if (is_task(p) && q->state != PLAYER_OPEN && p->tried.len > 0) {
        text_add(out, text_str(&p->tried));
    } else if (p->judged) {
        const struct lesson_item *item = item_at(p, q->item);
        const char *reply = q->state != PLAYER_JUDGED ? NULL
                            : !item->number           ? item->choices[q->choice].reply
                            : q->off < 0              ? item->low
                            : q->off > 0              ? item->high
                                                      : NULL;
        if (reply != NULL) {
            ok = fill(p, reply, out, &unknown, err);
            text_add(out, " ");
        }
        ok = fill(p, item->because, out, &unknown, ok ? err : NULL) && ok;
    } else {
        for (size_t i = card_of(p)->first; i < card_end(p); i++) {
            if (item_at(p, i)->kind == LESSON_SAY) {
                ok = fill(p, item_at(p, i)->text, out, &unknown, ok ? err : NULL) && ok;
            }
        }
        if (is_task(p) && p->tried.len > 0) {
            text_addf(out, "\n\n%s", text_str(&p->tried));
        }
    }
    for (size_t i = card_of(p)->first; p->notes && i < card_end(p); i++) {
        if (item_at(p, i)->kind == LESSON_NOTE) {
            text_add(out, "\n\n**For the teacher:** ");
            ok = fill(p, item_at(p, i)->text, out, &unknown, ok ? err : NULL) && ok;
        }
    }
    if (pending != NULL) {
        *pending = unknown;
    }
    return ok;
}

/* ---- headless -------------------------------------------------------------------------------- */

struct claim_listener {
    player_claim_fn *each_claim;
    void *arg;
};

static void on_item(void *arg, struct player *p, size_t item, const struct player_verdict *verdict)
{
    (void)p;
    const struct claim_listener *listener = arg;
    if (verdict != NULL) {
        listener->each_claim(listener->arg, item, verdict->judged, verdict->holds, verdict->err);
    }
}

bool player_play_all(struct player *p, player_claim_fn *each_claim, void *arg, struct err *err)
{
    struct claim_listener listener = { each_claim, arg };
    player_listen(p, each_claim != NULL ? on_item : NULL, &listener);
    bool ok = player_goto(p, 0, err) && finish_card(p, err);
    while (ok && p->card + 1 < lesson_card_count(p->lesson)) {
        ok = enter_card(p, p->card + 1, err) && finish_card(p, err);
    }
    player_listen(p, NULL, NULL);
    return ok;
}
