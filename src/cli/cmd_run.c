/* `weft run`: a run without a screen, and its report; the run itself as a file or a token. */
#include "cli/cli.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/file.h"
#include "base/mem.h"
#include "cli/settings.h"
#include "cli/target.h"
#include "export/json.h"
#include "export/summary.h"
#include "run/metrics.h"
#include "run/report.h"
#include "run/token.h"

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

/* One row, named as in the table of a sweep. */
static void add_csv(struct text *out, const struct report *report, const char *name)
{
    char buf[64];
    struct metrics metrics;
    metrics_take(&metrics, report);
    text_add(out, "scenario,seed,outcome");
    for (int m = 0; m < METRIC_COUNT; m++) {
        text_addf(out, ",%s", metric_info((enum metric)m)->name);
    }
    text_addf(out, "\n%s,%" PRIu64 ",%s", name, sim_seed(report->sim),
              report_outcome_word(report->outcome));
    for (int m = 0; m < METRIC_COUNT; m++) {
        text_addf(out, ",%s", metric_exact(metrics.v[m], buf, sizeof buf));
    }
    text_add(out, "\n");
}

static void add_report(struct text *out, enum cli_format format, const struct report *report,
                       const char *name, const char *scene)
{
    struct text title = { 0 };
    switch (format) {
    case CLI_TEXT:
        text_addf(&title, scene != NULL ? "%s, scene %s" : "%s", name, scene);
        export_summary_report(out, report, text_str(&title));
        break;
    case CLI_JSON:
        export_json_report(out, report, name, WEFT_VERSION);
        break;
    case CLI_CSV:
        add_csv(out, report, name);
        break;
    case CLI_LUA:
    case CLI_MARKDOWN: /* of `weft api` alone */
        break;
    }
    text_finish(&title);
}

/* ---- keeping the run ------------------------------------------------------------------------- */

static bool save(const struct cli_options *options, const struct replay *replay, struct err *err)
{
    struct text file = { 0 };
    replay_write(&file, replay);
    const bool ok =
        file.len <= REPLAY_FILE_MAX
            ? file_write(options->save, text_str(&file), file.len, options->force, err)
            : err_set(err, ERR_LIMIT, "this run would fill more than %zu bytes", REPLAY_FILE_MAX);
    text_finish(&file);
    return ok;
}

static bool two_files(const struct cli_options *o, struct err *err)
{
    return o->out == NULL || o->save == NULL || strcmp(o->out, o->save) != 0 ||
           err_set(err, ERR_USAGE, "--out and --save name the same file");
}

/* Only who has the same lesson can read a token. */
static bool has_token(const struct cli_target *target, const char *data_dir, struct err *err)
{
    const struct lesson_places course = { .data_dir = data_dir };
    char *path =
        target->lesson != NULL ? lesson_find(&course, lesson_info(target->lesson).id, NULL) : NULL;
    free(path);
    return path != NULL || err_set(err, ERR_USAGE,
                                   "--token is for the lessons of the course; --save FILE.weft "
                                   "keeps any run");
}

static bool add_token(struct text *out, const struct cli_target *target,
                      const struct replay *replay, struct err *err)
{
    const struct lesson_scene *scene = lesson_scene(target->lesson, (size_t)target->scene);
    const bool ok = token_write(out, replay, lesson_info(target->lesson).id, scene->name,
                                &scene->scenario, err);
    text_add(out, ok ? "\n" : "");
    return ok;
}

/* ---- the command ----------------------------------------------------------------------------- */

/* A saved run must come out as it did: says so when it does not. */
static bool judge(const struct cli_options *options, const struct cli_target *target,
                  const struct cli_play *play)
{
    struct text why = { 0 };
    bool same = true;
    if (play->expected) {
        (void)run_until(play->run, target->saved.end, 0);
        same = replay_judge(&target->saved, play->run, &why) != REPLAY_OTHER;
    }
    if (!same) {
        struct err err = { 0 };
        (void)err_set(&err, ERR_STATE, "%s", text_str(&why));
        (void)err_at(&err, token_is(options->operands.item[0]) ? "" : options->operands.item[0], 0);
        (void)cli_complain(&err);
    }
    text_finish(&why);
    return same;
}

static int deliver(const struct cli_options *options, const struct cli_target *target,
                   const struct cli_play *play)
{
    struct err err = { 0 };
    struct report report;
    struct replay replay = { 0 };
    struct text out = { 0 };
    bool ok = true;
    report_take(&report, play->run);
    int status = exit_of(report.outcome);
    if (!options->token) {
        add_report(&out, options->format, &report, target->name, cli_target_scene(target));
    }
    if (options->token || options->save != NULL) {
        cli_play_take(play, target, &replay);
        ok = !options->token || add_token(&out, target, &replay, &err);
        ok = ok && (options->save == NULL || save(options, &replay, &err));
    }
    if (ok && options->out != NULL) {
        ok = file_write(options->out, text_str(&out), out.len, options->force, &err);
    } else if (ok && !cli_print(&out)) {
        status = CLI_FAILED;
    }
    if (!judge(options, target, play)) {
        status = CLI_FAILED;
    }
    /* A deed that could not be done makes the result another one than was asked for. */
    if (!ok || !run_journal_ok(play->run, &err)) {
        status = cli_complain(&err);
    }
    text_finish(&out);
    replay_finish(&replay);
    report_finish(&report);
    return status;
}

static bool files_are_free(const struct cli_options *o, struct err *err)
{
    return two_files(o, err) && cli_out_is_free(o->out, o->force, err) &&
           cli_out_is_free(o->save, o->force, err);
}

static int play_target(struct cli_opened *opened)
{
    struct err err = { 0 };
    struct cli_play play = { 0 };
    const struct cli_target *target = &opened->target;
    const bool played =
        (!opened->options->token || has_token(target, opened->places->data_dir, &err)) &&
        cli_target_play(target, &opened->settings, &play, &err);
    const int status = played ? deliver(opened->options, target, &play) : cli_complain(&err);
    cli_play_finish(&play);
    return status;
}

int cli_cmd_run(const struct cli_options *options)
{
    return cli_with_target(options, files_are_free, play_target);
}
