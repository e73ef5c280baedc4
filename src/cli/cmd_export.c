/* `weft export`: a run as a file for other programs. */
#include "cli/export.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/units.h"

#define LIMIT_DEFAULT INT64_C(256000000)

bool cli_export_begin(struct cli_export *job, size_t tail, struct err *err)
{
    const int64_t limit = job->options->limit_bytes > 0 ? job->options->limit_bytes : LIMIT_DEFAULT;
    const struct sink_options how = { .replace = job->options->force,
                                      .binary = job->format->binary,
                                      .limit = (uint64_t)limit,
                                      .tail = tail };
    job->sink = sink_open(job->path, &how, err);
    return job->sink != NULL;
}

/* What became of it, where that is not all that was asked for. */
static void say_end(const struct cli_export *job, const char *name)
{
    char size[32];
    (void)units_format(size, sizeof size, UNIT_BYTES, (int64_t)sink_bytes(job->sink));
    switch (sink_end(job->sink)) {
    case SINK_LIMIT:
        (void)fprintf(stderr,
                      "%s: cut short at %s, as large as it may become; --limit BYTES allows more, "
                      "%s makes less\n",
                      name, size, job->format->less);
        break;
    case SINK_FULL:
        (void)fprintf(stderr, "%s: cut short at %s: %s\n", name, size, sink_why(job->sink));
        break;
    case SINK_ASKED:
        (void)fprintf(stderr, "%s: stopped at %s; it is whole up to there\n", name, size);
        break;
    case SINK_GOES:
        if (job->notice != NULL) {
            (void)fprintf(stderr, "%s: %s\n", name, job->notice);
        }
        if (job->options->out == NULL) {
            (void)fprintf(stderr, "weft: %s, %s\n", name, size);
        }
        break;
    case SINK_GONE:
        break;
    }
}

static bool finish(struct cli_export *job, struct err *err)
{
    const bool kept = sink_close(job->sink, err);
    const enum sink_end end = sink_end(job->sink);
    if (kept) {
        say_end(job, strcmp(job->path, "-") == 0 ? "stdout" : job->path);
    }
    return kept && (end == SINK_GOES || end == SINK_LIMIT);
}

/* NAME.ending, in the folder where one is. */
static bool choose_path(struct cli_export *job, struct text *path, struct err *err)
{
    if (job->options->out != NULL) {
        return true;
    }
    text_addf(path, "%s%s", job->target->name, job->format->ending);
    for (char *c = path->s; *c != '\0'; c++) {
        *c = *c == '/' || *c == ' ' ? '-' : *c;
    }
    job->path = path->s;
    return cli_out_is_free(job->path, job->options->force, err);
}

static int export_target(struct cli_opened *opened)
{
    struct err err = { 0 };
    struct text path = { 0 };
    const struct cli_options *o = opened->options;
    struct cli_export job = { .options = o,
                              .settings = &opened->settings,
                              .places = opened->places,
                              .target = &opened->target,
                              .format = cli_export_find(o->to, o->out, &err),
                              .path = o->out };
    const bool written = cli_target_takes(job.target, job.settings, &err) &&
                         choose_path(&job, &path, &err) && job.format->write(&job, &err) &&
                         finish(&job, &err);
    int status = written ? CLI_OK : CLI_FAILED;
    if (err.code != ERR_NONE) {
        status = cli_complain(&err);
    }
    sink_destroy(job.sink);
    text_finish(&path);
    return status;
}

static bool is_possible(const struct cli_options *o, struct err *err)
{
    const struct cli_export_format *format = cli_export_find(o->to, o->out, err);
    return format != NULL && cli_export_fits(format, o, err) &&
           (o->out == NULL || strcmp(o->out, "-") == 0 || cli_out_is_free(o->out, o->force, err));
}

int cli_cmd_export(const struct cli_options *options)
{
    return cli_with_target(options, is_possible, export_target);
}
