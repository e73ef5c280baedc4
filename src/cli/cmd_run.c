/*
 * `weft run`: a run without a screen, and its report.
 *
 * A lesson is played along its declared path by the same player that the screen uses, to the last
 * card of one scene: that of --scene, else the one called "main", else the first. What the path
 * leaves undone then runs on untouched, so that the report is that of a finished run. With --bare,
 * or when the target is a scenario, only the fabric runs, until its work is done.
 */
#include "cli/cli.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/file.h"
#include "base/mem.h"
#include "cli/settings.h"
#include "export/json.h"
#include "export/summary.h"
#include "lesson/lesson.h"
#include "lesson/player.h"
#include "run/report.h"
#include "run/run.h"

/* ---- the result ------------------------------------------------------------------------------ */

/* Looks before the run whether there will be a place for its result. */
static bool out_is_free(const struct cli_options *options, struct err *err)
{
    if (options->out == NULL) {
        return true;
    }
    if (file_exists(options->out) && !options->force) {
        (void)err_set(err, ERR_IO, "the file exists; --force replaces it");
        return err_at(err, options->out, 0);
    }
    struct stat st;
    if (stat(options->out, &st) == 0 && !S_ISREG(st.st_mode) && !S_ISDIR(st.st_mode)) {
        return true; /* a device or a pipe: written in place */
    }
    char *folder = mem_strdup(options->out);
    char *slash = strrchr(folder, '/');
    if (slash != NULL) {
        slash[slash == folder ? 1 : 0] = '\0';
    }
    bool ok = access(slash != NULL ? folder : ".", W_OK | X_OK) == 0 &&
              !(stat(options->out, &st) == 0 && S_ISDIR(st.st_mode));
    free(folder);
    if (!ok) {
        (void)err_set(err, ERR_IO, "no file can be written there");
        (void)err_at(err, options->out, 0);
    }
    return ok;
}

static int exit_of(enum report_outcome outcome)
{
    switch (outcome) {
    case REPORT_DONE:
    case REPORT_TIME_LIMIT:
        return CLI_OK;
    case REPORT_STALLED:
        return CLI_STALLED;
    case REPORT_MEMORY_LIMIT:
        return CLI_FAILED;
    }
    return CLI_FAILED;
}

/* `name`: what was run; `scene`: of that lesson, or NULL. */
static int deliver(const struct cli_options *options, const struct run *run, const char *name,
                   const char *scene)
{
    struct err err = { 0 };
    struct report report;
    struct text out = { 0 };
    struct text title = { 0 };
    report_take(&report, run);
    switch (options->format) {
    case CLI_TEXT:
        text_addf(&title, scene != NULL ? "%s, scene %s" : "%s", name, scene);
        export_summary_report(&out, &report, text_str(&title));
        break;
    case CLI_JSON:
        export_json_report(&out, &report, name, WEFT_VERSION);
        break;
    }
    int status = exit_of(report.outcome);
    if (options->out == NULL) {
        status = cli_print(&out) ? status : CLI_FAILED;
    } else if (!file_write(options->out, text_str(&out), out.len, options->force, &err)) {
        status = cli_complain(&err);
    }
    /* A deed that could not be done makes the result another one than was asked for. */
    if (!run_journal_ok(run, &err)) {
        status = cli_complain(&err);
    }
    text_finish(&title);
    text_finish(&out);
    report_finish(&report);
    return status;
}

/* Runs on until the workload is complete, nothing more can happen, or it is late enough. */
static void finish_work(struct run *run, sim_ps until)
{
    if (sim_outcome(run_sim(run)) == SIM_RUNNING && run_now(run) < until) {
        (void)run_until(run, until, SIM_TRACE_BIT(DONE));
    }
}

/* ---- only a scenario ------------------------------------------------------------------------- */

static int run_scenario(const struct cli_options *options, const struct cli_settings *settings,
                        const struct sim_scenario *from, const char *name, const char *scene)
{
    struct err err = { 0 };
    struct sim_scenario sc;
    sim_scenario_copy(&sc, from);
    for (size_t i = 0; i < settings->set_count; i++) {
        sc.knobs.v[settings->sets[i].knob] = settings->sets[i].value;
    }
    struct run *run = sim_scenario_check(&sc, &err) ? run_create(&sc, settings->seed, &err) : NULL;
    bool ok = run != NULL;
    for (size_t i = 0; ok && i < settings->deed_count; i++) {
        /* The first instant at which something can be done is the one after the start. */
        sim_ps at = settings->deeds[i].at > 0 ? settings->deeds[i].at : 1;
        ok = run_plan(run, at, &settings->deeds[i].cmd, RUN_LEARNER, &err);
    }
    int status;
    if (ok) {
        finish_work(run, options->until_ps);
        status = deliver(options, run, name, scene);
    } else {
        status = cli_complain(&err);
    }
    run_destroy(run);
    sim_scenario_finish(&sc);
    return status;
}

/* ---- a lesson's path ------------------------------------------------------------------------- */

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

/* The last card on which a scene is in force; -1: never. */
static long last_card_of(const struct lesson *lesson, int scene)
{
    long last = -1;
    for (size_t i = 0; i < lesson_card_count(lesson); i++) {
        if (lesson_card(lesson, i)->scene == scene) {
            last = (long)i;
        }
    }
    return last;
}

/* The card on which that stay in the scene began. */
static size_t first_card_before(const struct lesson *lesson, size_t last)
{
    size_t first = last;
    while (first > 0 && lesson_card(lesson, first - 1)->scene == lesson_card(lesson, last)->scene) {
        first--;
    }
    return first;
}

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

/* Plays on from where the player is to the end of card `last`. */
static bool play_path(struct player *player, size_t last, sim_ps until, struct err *err)
{
    for (;;) {
        enum player_need need = player_next(player, err);
        if (err->code != ERR_NONE) {
            return false;
        }
        switch (need) {
        case PLAYER_ANSWER:
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
            break;
        case PLAYER_END:
            return true;
        }
    }
}

static int run_path(const struct cli_options *options, const struct cli_settings *settings,
                    struct lesson *lesson, const char *scene, size_t last)
{
    struct err err = { 0 };
    const struct player_options how = { settings->seed, settings->sets, settings->set_count };
    struct player *player = player_create(lesson, &how, &err);
    int status;
    /* Scenes before this one have a clock of their own: --until is about this one. */
    if (player != NULL && player_goto(player, first_card_before(lesson, last), &err) &&
        play_path(player, last, options->until_ps, &err)) {
        struct run *run = player_run(player);
        finish_work(run, options->until_ps);
        status = deliver(options, run, lesson_info(lesson).id, scene);
    } else {
        status = cli_complain(&err);
    }
    player_destroy(player);
    return status;
}

static int run_lesson(const struct cli_options *options, const struct cli_settings *settings,
                      struct lesson *lesson)
{
    struct err err = { 0 };
    int scene =
        options->scene != NULL ? scene_named(lesson, options->scene, &err) : main_scene(lesson);
    if (scene < 0) {
        return cli_complain(&err);
    }
    const struct lesson_scene *s = lesson_scene(lesson, (size_t)scene);
    if (options->bare) {
        return run_scenario(options, settings, &s->scenario, lesson_info(lesson).id, s->name);
    }
    if (settings->deed_count > 0) {
        (void)err_set(&err, ERR_USAGE, "--do goes with --bare: a lesson's path acts by itself");
        return cli_complain(&err);
    }
    long last = last_card_of(lesson, scene);
    if (last < 0) {
        (void)err_set(&err, ERR_USAGE, "no card shows scene '%s'; --bare runs it", s->name);
        return cli_complain(&err);
    }
    return run_path(options, settings, lesson, s->name, (size_t)last);
}

/* ---- the target ------------------------------------------------------------------------------ */

static int run_scenario_file(const struct cli_options *options, const struct cli_settings *settings,
                             const char *path, const char *data_dir)
{
    struct err err = { 0 };
    struct sim_scenario sc;
    if (!lesson_load_scenario(path, data_dir, &sc, &err)) {
        return cli_complain(&err);
    }
    int status;
    if (options->scene != NULL) {
        (void)err_set(&err, ERR_USAGE, "--scene goes with a lesson, and %s is a scenario", path);
        status = cli_complain(&err);
    } else {
        status = run_scenario(options, settings, &sc, sc.name, NULL);
    }
    sim_scenario_finish(&sc);
    return status;
}

static int run_file(const struct cli_options *options, const struct cli_settings *settings,
                    const char *path, const char *data_dir)
{
    struct err err = { 0 };
    struct text errors = { 0 };
    struct lesson *lesson = lesson_load(path, data_dir, &errors, &err);
    int status;
    if (lesson != NULL) {
        status = run_lesson(options, settings, lesson);
    } else if (err.code == ERR_STATE) {
        status = run_scenario_file(options, settings, path, data_dir);
    } else {
        (void)fputs(text_str(&errors), stderr); /* all of them, err is the first */
        status = CLI_FAILED;
    }
    lesson_destroy(lesson);
    text_finish(&errors);
    return status;
}

int cli_cmd_run(const struct cli_options *options)
{
    struct err err = { 0 };
    struct cli_settings settings = { 0 };
    char *data_dir = cli_data_dir();
    char *path = NULL;
    int status;
    if (cli_settings_read(&settings, options, &err) && out_is_free(options, &err) &&
        (path = lesson_find(data_dir, options->operands.item[0], &err)) != NULL) {
        status = run_file(options, &settings, path, data_dir);
    } else {
        status = cli_complain(&err);
    }
    cli_settings_finish(&settings);
    free(path);
    free(data_dir);
    return status;
}
