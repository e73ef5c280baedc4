/*
 * Walking the cards; which ones there are is player_path.c, questions are player_question.c, tasks
 * player_task.c. See player.h for what the owner does between two calls of player_next().
 *
 * The state is small: which card, which of its items comes next, whether that item waits for the
 * owner, and for each card where its run stood when the card was entered.
 */
#include "lesson/player.h"

#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "lesson/measure.h"
#include "lesson/own_sets.h"
#include "lesson/path.h"
#include "lesson/player_inside.h"

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
    p->path = mem_alloc(lesson_card_count(lesson), sizeof *p->path);
    p->answers = mem_alloc(lesson_item_count(lesson), sizeof *p->answers);
    for (size_t i = 0; i < lesson_item_count(lesson); i++) {
        p->answers[i] = LESSON_NO_ANSWER;
    }
    p->path_length = lesson_path(lesson, p->answers, p->path);
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
        player_drop_report(&p->scenes[i]);
        run_destroy(p->scenes[i].run);
    }
    lesson_trial_finish(&p->trial);
    text_finish(&p->tried);
    for (size_t i = 0; i < PLAYER_REPLIES_MAX; i++) {
        text_finish(&p->replies[i].text);
    }
    free(p->scenes);
    free(p->reports);
    free(p->starts);
    free(p->path);
    free(p->answers);
    free(p->sets);
    free(p);
}

void player_listen(struct player *p, player_item_fn *each_item, void *arg)
{
    p->each_item = each_item;
    p->each_item_arg = arg;
}

/* ---- scenes ---------------------------------------------------------------------------------- */

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
    player_drop_report(scene);
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
    const struct lesson_item *item = player_item_at(p, p->cursor);
    switch (item->kind) {
    case LESSON_SCENE:
        return start_scene(p, item->scene, err);
    case LESSON_SAY:
    case LESSON_NOTE:
    case LESSON_FOCUS:
    case LESSON_BRANCH:
    case LESSON_PLOT:
        return true;
    case LESSON_SWITCH:
        tell(p, p->cursor, NULL);
        return true;
    case LESSON_SET:
    case LESSON_FAULT:
        return lesson_play_commands(player_scene_of(p)->run, item, err) ||
               err_at(err, lesson_info(p->lesson).file, item->line);
    case LESSON_DROP:
        if (item->ask && !p->dropped) {
            p->waiting = true;
            return false;
        }
        return item->ask || lesson_play_commands(player_scene_of(p)->run, item, err) ||
               err_at(err, lesson_info(p->lesson).file, item->line);
    case LESSON_PLAY:
        p->playing = lesson_play_begin(player_scene_of(p)->run, item, &p->playing);
        p->waiting = !p->playing.reached;
        return !p->waiting;
    case LESSON_PREDICT:
        player_keep_reply(p);
        p->question = (struct player_question){ .item = p->cursor, .state = PLAYER_OPEN };
        if (!p->keeps_answers) {
            player_keep_answer(p, p->cursor, LESSON_NO_ANSWER);
        }
        p->judged = false;
        p->waiting = true;
        return false;
    case LESSON_COMPARE:
        tell(p, p->cursor, NULL);
        p->waiting = true;
        return false;
    case LESSON_FIX:
        player_keep_reply(p);
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

static enum player_need need_of(const struct player *p)
{
    const enum lesson_item_kind kind = player_item_at(p, p->cursor)->kind;
    return kind == LESSON_PREDICT   ? PLAYER_ANSWER
           : kind == LESSON_DROP    ? PLAYER_DROP
           : kind == LESSON_FIX     ? PLAYER_FIX
           : kind == LESSON_COMPARE ? PLAYER_COMPARE
                                    : PLAYER_PLAY;
}

bool player_waits_for(const struct player *p, enum player_need need)
{
    return p->waiting && need_of(p) == need;
}

enum player_need player_next(struct player *p, struct err *err)
{
    while (!p->waiting && p->cursor < player_card_end(p)) {
        if (do_item(p, err)) {
            player_item_done(p);
        } else if (!p->waiting) {
            /* The item failed: say so once, and leave it behind. */
            p->cursor++;
            break;
        }
    }
    player_judge_question(p);
    if (p->waiting) {
        return need_of(p);
    }
    player_keep_knobs(p);
    return player_card_behind(p) != LESSON_PATH_NONE ? PLAYER_CARD : PLAYER_END;
}

/* ---- cards ----------------------------------------------------------------------------------- */

static void reset_card(struct player *p)
{
    p->cursor = player_card_of(p)->first;
    p->waiting = false;
    p->dropped = false;
    p->playing = (struct lesson_play){ 0 };
    p->judged = false;
    p->measured = false;
    p->reply_count = 0;
    lesson_trial_finish(&p->trial);
    p->question = (struct player_question){ .item = SIZE_MAX };
}

/* The present card begins here. */
static void mark_start(struct player *p)
{
    const struct scene_run *scene = player_scene_of(p);
    const struct sim *sim = run_sim(scene->run);
    p->starts[p->card] =
        (struct card_start){ .known = true,
                             .serial = scene->serial,
                             .mark = run_mark(scene->run),
                             .step = sim_rank_count(sim) > 0 ? sim_steps_done(sim) + 1 : 0,
                             .since = { run_now(scene->run), lesson_measure_payload(sim),
                                        sim_counters(sim) } };
}

/* Steps onto a card; its run stands where the card before left it. */
static bool enter_card(struct player *p, size_t card, struct err *err)
{
    p->card = card;
    p->hints = 0;
    p->tries = 0;
    reset_card(p);
    if (player_item_at(p, p->cursor)->kind == LESSON_SCENE) {
        if (!do_item(p, err)) {
            return false;
        }
        player_item_done(p);
    }
    mark_start(p);
    return true;
}

/* What is left of a `play`, at most so much of it. */
static bool play_on(struct player *p, sim_ps slice, struct err *err)
{
    const struct lesson_item *item = player_item_at(p, p->cursor);
    if (!lesson_play_on(&p->playing, player_scene_of(p)->run, slice, err)) {
        return err_at(err, lesson_info(p->lesson).file, item->line);
    }
    if (p->playing.reached) {
        player_item_done(p);
    }
    return true;
}

/* Does what is left of the card by the declared path, at most one slice of a `play`. */
static bool finish_card_on(struct player *p, sim_ps slice, bool *done, struct err *err)
{
    struct err failed = { 0 };
    *done = false;
    for (;;) {
        const enum player_need need = player_next(p, &failed);
        if (failed.code != ERR_NONE) {
            if (err != NULL) {
                *err = failed;
            }
            return false;
        }
        if (need == PLAYER_CARD || need == PLAYER_END) {
            *done = true;
            return true;
        }
        if (!(need == PLAYER_PLAY ? play_on(p, slice, err) : player_skip(p, err))) {
            return false;
        }
        if (player_waits_for(p, PLAYER_PLAY)) {
            return true;
        }
    }
}

static bool finish_card(struct player *p, struct err *err)
{
    bool done = false;
    return finish_card_on(p, SIM_NEVER, &done, err);
}

/* Where on the path to begin, to come to a place of it: with its scene, or with one before that nobody
 * has come to the end of. Prose and claims compare with it (scenes.NAME). */
static size_t place_to_begin(const struct player *p, size_t place)
{
    size_t from = 0; /* the first card begins with a scene: lesson_load() has seen to it */
    for (size_t i = 1; i <= place; i++) {
        if (player_begins_scene(p, i)) {
            if (!p->starts[p->path[i]].known) {
                return from;
            }
            from = i;
        }
    }
    return from;
}

bool player_goto_begin(struct player *p, size_t card, struct err *err)
{
    if (card >= lesson_card_count(p->lesson)) {
        return err_set(err, ERR_RANGE, "there is no card %zu; the lesson has %zu", card + 1,
                       lesson_card_count(p->lesson));
    }
    lesson_path_lead_to(p->lesson, card, p->answers);
    p->path_length = lesson_path(p->lesson, p->answers, p->path);
    size_t from = 0; /* its place on the path */
    while (p->path[from] != card) {
        from++;
    }
    from = place_to_begin(p, from);
    p->goes_to = card;
    p->goes_keeping_answers = p->keeps_answers;
    p->keeps_answers = true;
    const bool ok = enter_card(p, p->path[from], err);
    if (!ok) {
        p->keeps_answers = p->goes_keeping_answers;
    }
    return ok;
}

bool player_goto_on(struct player *p, sim_ps slice, bool *there, struct err *err)
{
    bool ok = true, done = false;
    if (p->card != p->goes_to) {
        ok = finish_card_on(p, slice, &done, err) &&
             (!done || enter_card(p, player_card_behind(p), err));
    }
    *there = ok && p->card == p->goes_to;
    if (!ok || *there) {
        p->keeps_answers = p->goes_keeping_answers;
    }
    return ok;
}

bool player_goto(struct player *p, size_t card, struct err *err)
{
    bool there = false, ok = player_goto_begin(p, card, err);
    while (ok && !there) {
        ok = player_goto_on(p, SIM_NEVER, &there, err);
    }
    return ok;
}

bool player_restart_card(struct player *p, struct err *err)
{
    const struct card_start *start = &p->starts[p->card];
    struct scene_run *scene = player_scene_of(p);
    if (!start->known || start->serial != scene->serial || p->line_count > 0) {
        return player_goto(p, p->card, err); /* also for lines that came with it and lie ahead */
    }
    player_drop_report(scene);
    if (!run_return(scene->run, start->mark, NULL)) {
        return player_goto(p, p->card, err); /* somebody went back and did something else */
    }
    reset_card(p);
    if (player_item_at(p, p->cursor)->kind == LESSON_SCENE) {
        p->cursor++; /* the mark lies behind it */
    }
    return true;
}

bool player_next_card(struct player *p, struct err *err)
{
    if (!finish_card(p, err)) {
        return false;
    }
    const size_t next = player_card_behind(p); /* the answers are known only now */
    return next != LESSON_PATH_NONE ? enter_card(p, next, err)
                                    : err_set(err, ERR_STATE, "this is the last card");
}

/* ---- what the owner does --------------------------------------------------------------------- */

struct player_target player_target(const struct player *p)
{
    return player_waits_for(p, PLAYER_PLAY)
               ? p->playing.target
               : (struct player_target){ 0, SIM_NEVER, LESSON_GEAR_KEEP, 0 };
}

bool player_reached(struct player *p, enum sim_stopped stopped)
{
    if (!player_waits_for(p, PLAYER_PLAY)) {
        return true;
    }
    if (!lesson_play_reached(&p->playing, player_scene_of(p)->run, stopped)) {
        return false;
    }
    player_item_done(p);
    player_judge_question(p);
    return true;
}

bool player_skip(struct player *p, struct err *err)
{
    if (!p->waiting) {
        return true;
    }
    const struct lesson_item *item = player_item_at(p, p->cursor);
    bool ok = true;
    if (item->kind == LESSON_PREDICT || item->kind == LESSON_FIX) {
        player_try_cancel(p);
        p->question.state = PLAYER_SKIPPED;
    } else if (item->kind == LESSON_COMPARE) {
        ok = true; /* the run stays as it is */
    } else if (item->kind == LESSON_DROP) {
        ok = lesson_play_commands(player_scene_of(p)->run, item, err);
    } else {
        ok = lesson_play_headless(&p->playing, player_scene_of(p)->run, err);
    }
    if (!ok) {
        return err_at(err, lesson_info(p->lesson).file, item->line);
    }
    player_item_done(p);
    return true;
}

/* The run began anew, with another value: so does the card. */
static void begin_anew(struct player *p)
{
    player_drop_report(player_scene_of(p));
    player_scene_of(p)->serial++;
    reset_card(p);
    if (player_item_at(p, p->cursor)->kind == LESSON_SCENE) {
        p->cursor++;
    }
    mark_start(p);
}

bool player_do(struct player *p, const struct sim_cmd *cmd, bool *restarted, struct err *err)
{
    struct scene_run *scene = player_scene_of(p);
    bool again = false;
    player_try_cancel(p);
    const struct lesson_own_sets own = lesson_own_sets_of(scene->run);
    if (!run_do(scene->run, cmd, RUN_LEARNER, &again, err)) {
        return false;
    }
    if (again) {
        lesson_own_sets_again(scene->run, &own, cmd->knob);
        begin_anew(p);
    } else if (cmd->kind == SIM_CMD_DROP) {
        p->dropped = true;
        if (player_waits_for(p, PLAYER_DROP)) {
            player_item_done(p);
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
    if (!how(player_scene_of(p)->run, &again, err)) {
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
    return player_scene_of(p)->run;
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

struct player_question player_question(const struct player *p)
{
    return p->question;
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
    while (ok && player_card_behind(p) != LESSON_PATH_NONE) {
        ok = enter_card(p, player_card_behind(p), err) && finish_card(p, err);
    }
    player_listen(p, NULL, NULL);
    return ok;
}
