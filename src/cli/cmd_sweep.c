/*
 * `weft sweep`: a grid of runs on all cores, as a table; slices of it, and slices joined.
 *
 * Each worker opens the target for itself: a lesson is a Lua state. Results are kept by number and
 * written at the end in one go, so the bytes do not depend on how many workers there were, and an
 * interrupted sweep leaves nothing behind.
 */
#include "cli/cli.h"

#include <inttypes.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "app/workers.h"
#include "base/file.h"
#include "base/mem.h"
#include "base/rng.h"
#include "base/units.h"
#include "cli/sweep.h"
#include "cli/target.h"
#include "run/report.h"

/* A table of SWEEP_RUNS_MAX rows is smaller. */
#define TABLE_BYTES_MAX ((size_t)1 << 30)

struct sweep {
    const struct cli_options *options;
    struct cli_target_wish wish;
    struct cli_settings base;
    struct sweep_grid grid;
    uint64_t hash;
    int64_t first, stride; /* runs of this slice, from 0 */
    size_t count;
    struct sweep_result *results; /* one a run of this slice */
    bool bar;                     /* somebody looks on */
};

/* ---- one run --------------------------------------------------------------------------------- */

/* What a worker holds. */
struct opened {
    struct cli_target target;
    struct err err; /* the target was there a moment ago, and may be gone */
};

static void *open_target(void *arg)
{
    const struct sweep *sweep = arg;
    struct opened *opened = mem_alloc(1, sizeof *opened);
    struct text errors = { 0 };
    if (!cli_target_open(&opened->target, &sweep->wish, &errors, &opened->err) &&
        opened->err.code == ERR_NONE) {
        (void)err_set(&opened->err, ERR_STATE, "the target has changed");
    }
    text_finish(&errors);
    return opened;
}

static void close_target(void *arg, void *state)
{
    struct opened *opened = state;
    (void)arg;
    cli_target_finish(&opened->target);
    free(opened);
}

static void do_run(void *arg, void *state, size_t job)
{
    struct sweep *sweep = arg;
    struct opened *opened = state;
    struct sweep_result *result = &sweep->results[job];
    struct cli_settings settings;
    struct cli_play play = { 0 };
    struct report report;
    struct err err = opened->err;
    sweep_grid_settings(&sweep->grid, sweep->first + (int64_t)job * sweep->stride, &sweep->base,
                        &settings);
    if (err.code == ERR_NONE && cli_target_play(&opened->target, &settings, &play, &err) &&
        run_journal_ok(play.run, &err)) {
        report_take(&report, play.run);
        result->outcome = report.outcome;
        metrics_take(&result->metrics, &report);
        report_finish(&report);
    } else {
        result->error = mem_strdup(err.msg);
    }
    cli_play_finish(&play);
    cli_settings_finish(&settings);
}

/* ---- looking on ------------------------------------------------------------------------------ */

/* "64 runs" */
static const char *runs(const struct sweep *sweep, char *buf, size_t size)
{
    return units_counted(buf, size, (int64_t)sweep->count, "run", "runs");
}

static void draw_bar(void *arg, size_t done)
{
    enum { CELLS = 30 };
    const struct sweep *sweep = arg;
    const size_t full = sweep->count > 0 ? done * CELLS / sweep->count : CELLS;
    char cells[CELLS + 1], number[64];
    memset(cells, '.', CELLS);
    memset(cells, '#', full);
    cells[CELLS] = '\0';
    if (done < sweep->count) {
        (void)fprintf(stderr, "\r[%s] %zu of %s", cells, done, runs(sweep, number, sizeof number));
    } else { /* and away with it */
        (void)fprintf(stderr, "\r%*s\r", CELLS + 50, "");
    }
    (void)fflush(stderr);
}

/* ---- the slice ------------------------------------------------------------------------------- */

/* All that decides the results, and so which slices belong together. */
static bool hash_sweep(struct sweep *sweep, const struct cli_target *target, struct err *err)
{
    struct text all = { 0 };
    const struct cli_settings *base = &sweep->base;
    struct replay from = target->saved;
    char buf[512];
    bool ok = true;
    from.scenario = target->scenario;
    text_addf(&all, "weft %s %s %d\n", WEFT_VERSION, target->name, (int)target->kind);
    replay_write(&all, &from);
    sweep_grid_name(&all, &sweep->grid);
    text_addf(&all, "\nseed %" PRIu64 " %d until %" PRId64 " %d\n", base->seed, base->has_seed,
              base->until, base->has_until);
    for (size_t i = 0; i < base->deed_count; i++) {
        text_addf(&all, "%" PRId64 " %s\n", base->deeds[i].at,
                  sim_cmd_format(&base->deeds[i].cmd, buf, sizeof buf));
    }
    if (target->kind == CLI_TARGET_PATH) { /* what the author does on the way */
        char *data = NULL;
        size_t size = 0;
        ok = file_read(lesson_info(target->lesson).file, REPLAY_FILE_MAX, &data, &size, err);
        text_add_n(&all, data, size);
        free(data);
    }
    sweep->hash = rng_hash_bytes(text_str(&all), all.len, 0);
    text_finish(&all);
    return ok;
}

static void cut_slice(struct sweep *sweep)
{
    const struct cli_options *o = sweep->options;
    sweep->stride = o->shards > 0 ? o->shards : 1;
    sweep->first = o->shards > 0 ? o->shard - 1 : 0;
    const int64_t left = sweep->grid.runs - sweep->first;
    sweep->count = left > 0 ? (size_t)((left + sweep->stride - 1) / sweep->stride) : 0;
    sweep->results = mem_alloc(sweep->count, sizeof *sweep->results);
}

static int write_table(const struct cli_options *options, const struct sweep_table *table)
{
    struct err err = { 0 };
    struct text out = { 0 };
    int status = CLI_OK;
    sweep_table_write(&out, table);
    if (options->out == NULL) {
        status = cli_print(&out) ? CLI_OK : CLI_FAILED;
    } else if (!file_write(options->out, text_str(&out), out.len, options->force, &err)) {
        status = cli_complain(&err);
    }
    text_finish(&out);
    return status;
}

/* Writes what came; runs that could not be run are a failure of the whole. */
static int deliver(const struct sweep *sweep, const char *target)
{
    struct sweep_table table;
    size_t broken = 0;
    sweep_table_begin(&table, sweep->options->format, target, sweep->hash, &sweep->grid);
    for (size_t i = 0; i < sweep->count; i++) {
        sweep_table_add(&table, sweep->hash, &sweep->grid,
                        sweep->first + (int64_t)i * sweep->stride + 1, &sweep->results[i]);
        broken += sweep->results[i].error != NULL;
    }
    int status = write_table(sweep->options, &table);
    if (broken > 0) {
        char number[64];
        (void)fprintf(stderr, "weft: %zu of %s could not be run; the column error says why\n",
                      broken, runs(sweep, number, sizeof number));
        status = CLI_FAILED;
    }
    sweep_table_finish(&table);
    return status;
}

/* Ends as the signal would have ended us, having said what was done. */
static int give_up(const struct sweep *sweep, int signum, size_t done)
{
    char number[64];
    (void)fprintf(stderr, "%sweft: stopped with %zu of %s done; nothing was written\n",
                  sweep->bar ? "\n" : "", done, runs(sweep, number, sizeof number));
    (void)signal(signum, SIG_DFL);
    (void)raise(signum);
    return CLI_FAILED;
}

static int run_slice(struct sweep *sweep, const char *target)
{
    const struct workers workers = { .jobs = sweep->count,
                                     .threads = sweep->options->jobs,
                                     .arg = sweep,
                                     .begin = open_target,
                                     .end = close_target,
                                     .work = do_run,
                                     .progress = sweep->bar ? draw_bar : NULL };
    size_t done;
    const int signum = workers_run(&workers, &done);
    return signum != 0 ? give_up(sweep, signum, done) : deliver(sweep, target);
}

/* ---- the command ----------------------------------------------------------------------------- */

static void sweep_finish(struct sweep *sweep)
{
    for (size_t i = 0; i < sweep->count; i++) {
        free(sweep->results[i].error);
    }
    free(sweep->results);
    sweep_grid_finish(&sweep->grid);
    cli_settings_finish(&sweep->base);
}

/* --set is the grid, not a setting of every run. */
static bool read_base(struct cli_settings *base, const struct cli_options *options, struct err *err)
{
    struct cli_options without = *options;
    without.sets = (struct cli_words){ 0 };
    return cli_settings_read(base, &without, err);
}

static int sweep_target(const struct cli_options *options, const struct lesson_places *places)
{
    struct err err = { 0 };
    struct text errors = { 0 };
    struct cli_target target = { 0 };
    struct sweep sweep = {
        .options = options,
        .wish = { options->operands.item[0], options->scene, options->bare, places },
        .bar = isatty(STDERR_FILENO) != 0 && !options->plain,
    };
    int status;
    if (sweep_grid_read(&sweep.grid, &options->sets, &err) &&
        read_base(&sweep.base, options, &err) &&
        cli_out_is_free(options->out, options->force, &err) &&
        cli_target_open(&target, &sweep.wish, &errors, &err) &&
        cli_target_takes(&target, &sweep.base, &err) && hash_sweep(&sweep, &target, &err)) {
        cut_slice(&sweep);
        status = run_slice(&sweep, target.name);
    } else {
        status = cli_target_complain(&errors, &err);
    }
    cli_target_finish(&target);
    sweep_finish(&sweep);
    text_finish(&errors);
    return status;
}

static bool join_files(struct sweep_table *table, const struct cli_words *files, struct err *err)
{
    bool ok = true;
    for (size_t i = 0; ok && i < files->count; i++) {
        char *data = NULL;
        size_t size = 0;
        ok = file_read(files->item[i], TABLE_BYTES_MAX, &data, &size, err) &&
             sweep_table_join(table, files->item[i], data, size, err);
        free(data);
    }
    return ok && sweep_table_whole(table, err);
}

static int merge(const struct cli_options *options)
{
    struct err err = { 0 };
    struct sweep_table table = { 0 };
    int status;
    if (cli_out_is_free(options->out, options->force, &err) &&
        join_files(&table, &options->operands, &err)) {
        status = write_table(options, &table);
    } else {
        status = cli_complain(&err);
    }
    sweep_table_finish(&table);
    return status;
}

int cli_cmd_sweep(const struct cli_options *options)
{
    if (options->merge) {
        return merge(options);
    }
    struct lesson_places *places = cli_places();
    const int status = sweep_target(options, places);
    cli_places_free(places);
    return status;
}
