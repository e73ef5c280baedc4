/* The formats of `weft export` that need no picture, and the table of all. */
#include "cli/export.h"

#include <string.h>

#include "app/keymap.h"
#include "export/trace_json.h"
#include "lesson/worksheet.h"

const struct cli_export_format cli_export_formats[] = {
#define X(name, ending, binary, write, takes, less, help)                                          \
    { name, ending, binary, write, takes, less, help },
    CLI_EXPORTS(X)
#undef X
        { 0 }
};

static bool ends_with(const char *s, const char *ending)
{
    const size_t len = strlen(s);
    const size_t n = strlen(ending);
    return len > n && strcmp(s + len - n, ending) == 0;
}

/* Neither what was asked for nor how the file's name ends is a format. */
static const struct cli_export_format *unknown(const char *to, const char *out, struct err *err)
{
    const struct cli_export_format *best = NULL;
    struct text known = { 0 };
    size_t best_distance = 4; /* farther away it is another word, not a slip */
    for (const struct cli_export_format *f = cli_export_formats; f->name != NULL; f++) {
        const bool ending = to != NULL && strcmp(to, f->ending + 1) == 0;
        const size_t distance = ending ? 0 : to != NULL ? text_distance(to, f->name) : 4;
        if (distance < best_distance && distance < strlen(f->name)) {
            best_distance = distance;
            best = f;
        }
        text_addf(&known, "%s%s", known.len > 0 ? ", " : "", f->name);
    }
    if (to == NULL && out != NULL) {
        (void)err_set(err, ERR_USAGE, "no format is known by the end of %.60s; --to takes %s", out,
                      text_str(&known));
    } else if (to == NULL) {
        (void)err_set(err, ERR_USAGE, "what shall it become? --to takes %s", text_str(&known));
    } else if (best != NULL) {
        (void)err_set(err, ERR_USAGE, "there is no format '%.60s'; did you mean %s?", to,
                      best->name);
    } else {
        (void)err_set(err, ERR_USAGE, "there is no format '%.60s'; --to takes %s", to,
                      text_str(&known));
    }
    text_finish(&known);
    return NULL;
}

const struct cli_export_format *cli_export_find(const char *to, const char *out, struct err *err)
{
    for (const struct cli_export_format *f = cli_export_formats; f->name != NULL; f++) {
        if (to != NULL ? strcmp(f->name, to) == 0 : out != NULL && ends_with(out, f->ending)) {
            return f;
        }
    }
    return unknown(to, out, err);
}

static bool has_word(const char *words, const char *word)
{
    const size_t len = strlen(word);
    for (const char *at = words; (at = strstr(at, word)) != NULL; at += len) {
        if ((at == words || at[-1] == ' ') && (at[len] == '\0' || at[len] == ' ')) {
            return true;
        }
    }
    return false;
}

/* The formats that take a flag: "svg, asciicast". Empty: all of them do. */
static void add_takers(struct text *out, const char *flag)
{
    for (const struct cli_export_format *f = cli_export_formats; f->name != NULL; f++) {
        if (has_word(f->takes, flag)) {
            text_addf(out, "%s%s", out->len > 0 ? ", " : "", f->name);
        }
    }
}

bool cli_export_fits(const struct cli_export_format *format, const struct cli_options *o,
                     struct err *err)
{
    bool fits = true;
    for (int f = 0; f < CLI_FLAG_COUNT && fits; f++) {
        const char *flag = cli_flag_info((enum cli_flag)f)->name;
        struct text takers = { 0 };
        add_takers(&takers, flag);
        if (cli_flag_given(o, (enum cli_flag)f) && takers.len > 0 &&
            !has_word(format->takes, flag)) {
            fits = err_set(err, ERR_USAGE, "--%s means nothing to %s; it is for %s", flag,
                           format->name, text_str(&takers));
        }
        text_finish(&takers);
    }
    return fits;
}

/* ---- event by event -------------------------------------------------------------------------- */

bool cli_export_source(struct cli_export *job, struct export_source *source, struct err *err)
{
    struct replay replay;
    if (!cli_target_replay(job->target, job->settings, &replay, err)) {
        return false;
    }
    *source =
        (struct export_source){ .run = replay_start(&replay, err),
                                .until = replay.has_result ? replay.end : job->settings->until,
                                .past_done = replay.has_result,
                                .name = job->target->name,
                                .scene = cli_target_scene(job->target),
                                .version = WEFT_VERSION };
    replay_finish(&replay);
    return source->run != NULL;
}

bool cli_export_json(struct cli_export *job, struct err *err)
{
    struct export_source source;
    if (!cli_export_source(job, &source, err)) {
        return false;
    }
    bool ok = cli_export_begin(job, 0, err);
    if (ok) {
        (void)export_trace_json(&source, job->options->fine, job->sink);
        ok = run_journal_ok(source.run, err);
    }
    run_destroy(source.run);
    return ok;
}

/* ---- for paper ------------------------------------------------------------------------------- */

bool cli_export_worksheet(struct cli_export *job, struct err *err)
{
    struct text sheet = { 0 };
    bool ok = job->target->kind == CLI_TARGET_PATH ||
              err_set(err, ERR_USAGE, "a worksheet is made of a lesson, as a whole");
    ok = ok && lesson_worksheet(job->target->lesson, job->options->notes, &sheet, err) &&
         cli_export_begin(job, 0, err);
    if (ok) {
        struct text keyed = { 0 };
        (void)keymap_fill(NULL, text_str(&sheet), &keyed);
        (void)sink_add_text(job->sink, &keyed);
        (void)sink_tail(job->sink, "", "\n(cut short)\n");
        text_finish(&keyed);
    }
    text_finish(&sheet);
    return ok;
}
