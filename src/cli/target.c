#include "cli/target.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/file.h"
#include "base/mem.h"
#include "cli/cli.h"
#include "lesson/path.h"
#include "run/token.h"

/* ---- opening --------------------------------------------------------------------------------- */

bool cli_target_is_saved(const char *word)
{
    const size_t len = strlen(word), suffix = strlen(REPLAY_SUFFIX);
    return len > suffix && strcmp(word + len - suffix, REPLAY_SUFFIX) == 0;
}

/* The scene that a report is about unless --scene says otherwise. */
static int main_scene(const struct lesson *lesson)
{
    for (size_t i = 0; i < lesson_scene_count(lesson); i++) {
        if (strcmp(lesson_scene(lesson, i)->name, "main") == 0) {
            return (int)i;
        }
    }
    return lesson_card_count(lesson) > 0 ? lesson_card(lesson, 0)->scene : 0;
}

/* The scene called `name`, or -1. */
static int scene_named(const struct lesson *lesson, const char *name, struct err *err)
{
    struct text known = { 0 };
    for (size_t i = 0; i < lesson_scene_count(lesson); i++) {
        const char *scene = lesson_scene(lesson, i)->name;
        if (strcmp(scene, name) == 0) {
            text_finish(&known);
            return (int)i;
        }
        text_addf(&known, "%s%s", i == 0 ? "" : ", ", scene);
    }
    (void)err_set(err, ERR_USAGE, "there is no scene '%.60s'; there is %s", name, text_str(&known));
    text_finish(&known);
    return -1;
}

/* Where a lesson's declared path shows a scene last: the card, and the one on which that stay in the
 * scene began. A scene that it does not come by is looked for on the other paths. `answers` (of each
 * item) become those of the path. */
static bool find_stay(const struct lesson *lesson, int scene, int *answers, size_t *first,
                      size_t *last)
{
    size_t *path = mem_alloc(lesson_card_count(lesson), sizeof *path);
    bool found = false;
    for (size_t ways = 0; !found && ways < lesson_path_count(lesson); ways++) {
        lesson_path_answers(lesson, ways, answers);
        const size_t n = lesson_path(lesson, answers, path);
        for (size_t i = 0; i < n; i++) {
            const bool here = lesson_card(lesson, path[i])->scene == scene;
            const bool stays = here && i > 0 && lesson_card(lesson, path[i - 1])->scene == scene;
            *first = here && !stays ? path[i] : *first;
            *last = here ? path[i] : *last;
            found = found || here;
        }
    }
    free(path);
    return found;
}

static bool open_scene(struct cli_target *t, const char *scene, bool bare, struct err *err)
{
    t->name = mem_strdup(lesson_info(t->lesson).id);
    t->scene = scene != NULL ? scene_named(t->lesson, scene, err) : main_scene(t->lesson);
    if (t->scene < 0) {
        return false;
    }
    const struct lesson_scene *s = lesson_scene(t->lesson, (size_t)t->scene);
    sim_scenario_copy(&t->scenario, &s->scenario);
    t->kind = bare ? CLI_TARGET_SCENARIO : CLI_TARGET_PATH;
    t->answers = mem_alloc(lesson_item_count(t->lesson), sizeof *t->answers);
    return bare || find_stay(t->lesson, t->scene, t->answers, &t->first_card, &t->last_card) ||
           err_set(err, ERR_USAGE, "no card shows scene '%s'; --bare runs it", s->name);
}

static bool open_lua(struct cli_target *t, const struct cli_target_wish *wish, struct text *errors,
                     struct err *err)
{
    char *path = lesson_find(wish->places, wish->word, err);
    if (path == NULL) {
        return false;
    }
    bool ok;
    struct text broken = { 0 };
    t->lesson = lesson_load(path, wish->places->data_dir, &broken, err);
    if (t->lesson != NULL) {
        ok = open_scene(t, wish->scene, wish->bare, err);
    } else if (err->code != ERR_STATE) {
        text_add(errors, text_str(&broken)); /* all of them, err is the first */
        ok = false;
    } else {
        *err = (struct err){ 0 };
        ok = lesson_load_scenario(path, wish->places->data_dir, &t->scenario, err);
        t->kind = CLI_TARGET_SCENARIO;
        t->name = mem_strdup(ok ? t->scenario.name : "");
        if (ok && wish->scene != NULL) {
            ok = err_set(err, ERR_USAGE, "--scene goes with a lesson, and %s is a scenario", path);
        }
    }
    text_finish(&broken);
    free(path);
    return ok;
}

static bool open_file(struct cli_target *t, const char *path, struct err *err)
{
    char *data = NULL;
    size_t size = 0;
    if (!file_read(path, REPLAY_FILE_MAX, &data, &size, err)) {
        return false;
    }
    const bool ok = replay_read(&t->saved, data, size, path, err);
    free(data);
    if (ok) {
        sim_scenario_copy(&t->scenario, &t->saved.scenario);
        t->name = mem_strndup(t->saved.from, strcspn(t->saved.from, " "));
        if (t->name[0] == '\0') {
            free(t->name);
            t->name = mem_strdup(t->saved.scenario.name);
        }
    }
    return ok;
}

/* A token names a lesson and a scene that must be here. */
static bool open_token(struct cli_target *t, const struct cli_target_wish *wish,
                       struct text *errors, struct err *err)
{
    struct token token;
    if (!token_read(&token, wish->word, err)) {
        return false;
    }
    const struct lesson_places course = { .data_dir = wish->places->data_dir };
    const struct cli_target_wish from = { token.lesson, token.scene, true, &course };
    bool ok = open_lua(t, &from, errors, err);
    if (!ok) {
        (void)err_note(err, "the token's lesson");
    }
    ok = ok && token_open(&token, &t->scenario, &t->saved, err);
    if (ok) { /* from here on it is a scenario of its own */
        sim_scenario_finish(&t->scenario);
        sim_scenario_copy(&t->scenario, &t->saved.scenario);
        t->kind = CLI_TARGET_SAVED;
    }
    token_finish(&token);
    return ok;
}

bool cli_target_open(struct cli_target *t, const struct cli_target_wish *wish, struct text *errors,
                     struct err *err)
{
    *t = (struct cli_target){ .scene = -1 };
    const bool token = token_is(wish->word);
    if (!token && !cli_target_is_saved(wish->word)) {
        return open_lua(t, wish, errors, err);
    }
    if (wish->scene != NULL || wish->bare) {
        return err_set(err, ERR_USAGE, "--%s goes with a lesson; this is a saved run",
                       wish->bare ? "bare" : "scene");
    }
    t->kind = CLI_TARGET_SAVED;
    return token ? open_token(t, wish, errors, err) : open_file(t, wish->word, err);
}

void cli_target_finish(struct cli_target *t)
{
    replay_finish(&t->saved);
    sim_scenario_finish(&t->scenario);
    lesson_destroy(t->lesson);
    free(t->name);
    free(t->answers);
    *t = (struct cli_target){ 0 };
}

int cli_target_complain(const struct text *errors, const struct err *err)
{
    if (errors->len == 0) {
        return cli_complain(err);
    }
    (void)fputs(text_str(errors), stderr);
    return CLI_FAILED;
}

int cli_with_target(const struct cli_options *options, cli_check_fn *check, cli_use_fn *use)
{
    struct err err = { 0 };
    struct text errors = { 0 };
    struct lesson_places *places = cli_places();
    struct cli_opened opened = { .options = options, .places = places };
    const struct cli_target_wish wish = { options->operands.item[0], options->scene, options->bare,
                                          places };
    const bool ok = check(options, &err) && cli_settings_read(&opened.settings, options, &err) &&
                    cli_target_open(&opened.target, &wish, &errors, &err);
    const int status = ok ? use(&opened) : cli_target_complain(&errors, &err);
    cli_target_finish(&opened.target);
    cli_settings_finish(&opened.settings);
    text_finish(&errors);
    cli_places_free(places);
    return status;
}

const char *cli_target_scene(const struct cli_target *t)
{
    return t->lesson != NULL ? lesson_scene(t->lesson, (size_t)t->scene)->name : NULL;
}

/* ---- playing a fabric ------------------------------------------------------------------------ */

/* Runs on until the workload is complete, nothing more can happen, or it is late enough. */
static void finish_work(struct run *run, sim_ps until)
{
    if (sim_outcome(run_sim(run)) == SIM_RUNNING && run_now(run) < until) {
        (void)run_until(run, until, SIM_TRACE_BIT(DONE));
    }
}

static bool changes(const struct cli_settings *s)
{
    return s->set_count > 0 || s->deed_count > 0 || s->has_seed || s->has_until;
}

/* The run at 0, with the settings, and all that will be done to it ahead. */
static struct run *start_scenario(const struct cli_target *t, const struct cli_settings *s,
                                  struct err *err)
{
    const bool saved = t->kind == CLI_TARGET_SAVED;
    struct replay from = { .seed = saved && !s->has_seed ? t->saved.seed : s->seed,
                           .lines = t->saved.lines,
                           .line_count = t->saved.line_count };
    sim_scenario_copy(&from.scenario, &t->scenario);
    for (size_t i = 0; i < s->set_count; i++) {
        from.scenario.knobs.v[s->sets[i].knob] = s->sets[i].value;
    }
    struct run *run = replay_start(&from, err);
    for (size_t i = 0; run != NULL && i < s->deed_count; i++) {
        /* The first instant at which something can be done is the one after the start. */
        const sim_ps at = s->deeds[i].at > 0 ? s->deeds[i].at : 1;
        if (!run_plan(run, at, &s->deeds[i].cmd, RUN_LEARNER, err)) {
            run_destroy(run);
            run = NULL;
        }
    }
    sim_scenario_finish(&from.scenario);
    return run;
}

static bool is_expected(const struct cli_target *t, const struct cli_settings *s)
{
    return t->kind == CLI_TARGET_SAVED && t->saved.has_result && !changes(s);
}

static bool play_scenario(const struct cli_target *t, const struct cli_settings *s,
                          struct cli_play *play, struct err *err)
{
    play->expected = is_expected(t, s);
    play->run = start_scenario(t, s, err);
    if (play->run == NULL) {
        return false;
    }
    if (!t->looks_back) {
        run_forward_only(play->run);
    }
    const sim_ps until = play->expected ? t->saved.end : s->until;
    finish_work(play->run, until);
    if (play->expected && run_now(play->run) < until) {
        (void)run_until(play->run, until, 0); /* what was saved had gone on after the work */
    }
    return true;
}

/* ---- playing a lesson's path ----------------------------------------------------------------- */

/* Runs to the player's target, or to --until, or until nothing more can happen: then false. */
static bool reach_target(struct player *player, sim_ps until)
{
    for (;;) {
        struct player_target target = player_target(player);
        struct run *run = player_run(player);
        sim_ps to = target.until < until ? target.until : until;
        enum sim_stopped stopped = run_until(run, to, target.stop_kinds);
        if (player_reached(player, stopped)) {
            return true;
        }
        if (stopped == SIM_AT_END || (stopped == SIM_AT_TIME && run_now(run) >= until)) {
            return false;
        }
    }
}

/* The player's card begins here. */
static void note_card(struct cli_cards *cards, struct player *player)
{
    if (cards == NULL) {
        return;
    }
    const sim_ps now = run_now(player_run(player));
    while (cards->count > 0 && cards->v[cards->count - 1].at > now) {
        cards->count--;
    }
    cards->v = mem_grow(cards->v, &cards->cap, cards->count + 1, sizeof *cards->v);
    cards->v[cards->count++] = (struct cli_card_begin){ player_card(player), now };
}

/* Plays on from where the player is to the end of card `last`. */
static bool play_path(struct player *player, size_t last, sim_ps until, struct cli_cards *cards,
                      struct err *err)
{
    note_card(cards, player);
    for (;;) {
        enum player_need need = player_next(player, err);
        if (err->code != ERR_NONE) {
            return false;
        }
        switch (need) {
        case PLAYER_ANSWER:
        case PLAYER_FIX:
        case PLAYER_COMPARE:
        case PLAYER_DROP:
            if (!player_skip(player, err)) {
                return false;
            }
            break;
        case PLAYER_PLAY:
            if (!reach_target(player, until)) {
                return true;
            }
            break;
        case PLAYER_CARD:
            if (player_card(player) >= last) {
                return true;
            }
            if (!player_next_card(player, err)) {
                return false;
            }
            note_card(cards, player);
            break;
        case PLAYER_END:
            return true;
        }
    }
}

static bool play_lesson(const struct cli_target *t, const struct cli_settings *s,
                        struct cli_play *play, struct err *err)
{
    const struct player_options how = {
        .seed = s->seed, .sets = s->sets, .set_count = s->set_count, .forward_only = !t->looks_back
    };
    play->player = player_create(t->lesson, &how, err);
    if (play->player == NULL) {
        return false;
    }
    player_assume(play->player, t->answers);
    /* Scenes before this one have a clock of their own: --until is about this one. */
    if (!player_goto(play->player, t->first_card, err) ||
        !play_path(play->player, t->last_card, s->until, t->cards, err)) {
        return false;
    }
    play->run = player_run(play->player);
    finish_work(play->run, s->until);
    return true;
}

bool cli_target_takes(const struct cli_target *t, const struct cli_settings *s, struct err *err)
{
    return t->kind != CLI_TARGET_PATH || s->deed_count == 0 ||
           err_set(err, ERR_USAGE, "--do goes with --bare: a lesson's path acts by itself");
}

bool cli_target_play(const struct cli_target *t, const struct cli_settings *s,
                     struct cli_play *play, struct err *err)
{
    *play = (struct cli_play){ 0 };
    if (!cli_target_takes(t, s, err)) {
        return false;
    }
    return t->kind == CLI_TARGET_PATH ? play_lesson(t, s, play, err)
                                      : play_scenario(t, s, play, err);
}

/* ---- as a value ------------------------------------------------------------------------------ */

static void take_run(struct replay *replay, const struct cli_target *t, struct run *run)
{
    struct text from = { 0 };
    const char *scene = cli_target_scene(t);
    if (t->kind == CLI_TARGET_SAVED) {
        text_add(&from, t->saved.from);
    } else if (scene != NULL) {
        text_addf(&from, "%s %s", t->name, scene);
    }
    replay_take(replay, run, WEFT_VERSION, text_str(&from));
    text_finish(&from);
}

void cli_play_take(const struct cli_play *play, const struct cli_target *t, struct replay *replay)
{
    take_run(replay, t, play->run);
}

bool cli_target_replay(const struct cli_target *t, const struct cli_settings *s,
                       struct replay *replay, struct err *err)
{
    *replay = (struct replay){ 0 };
    if (t->kind == CLI_TARGET_PATH) {
        struct cli_play play;
        const bool ok = cli_target_play(t, s, &play, err) && run_journal_ok(play.run, err);
        if (ok) {
            take_run(replay, t, play.run);
        }
        cli_play_finish(&play);
        return ok;
    }
    struct run *run = start_scenario(t, s, err);
    if (run == NULL) {
        return false;
    }
    take_run(replay, t, run);
    replay->has_result = is_expected(t, s);
    replay->outcome = t->saved.outcome;
    replay->end = t->saved.end;
    replay->trace = t->saved.trace;
    run_destroy(run);
    return true;
}

void cli_play_finish(struct cli_play *play)
{
    if (play->player != NULL) {
        player_destroy(play->player);
    } else {
        run_destroy(play->run);
    }
    *play = (struct cli_play){ 0 };
}
