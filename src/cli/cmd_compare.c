/*
 * `weft compare`: two runs of one target, with --set on both sides and --vs on the right one.
 *
 * Both are played to their ends, whatever the target is. What was played is then a scenario, a seed and
 * a journal each, and these two are run again side by side until they part.
 */
#include "cli/cli.h"

#include <stdlib.h>
#include <string.h>

#include "base/file.h"
#include "base/mem.h"
#include "cli/settings.h"
#include "cli/target.h"
#include "export/comparison.h"
#include "run/compare.h"
#include "run/condition.h"
#include "run/report.h"

/* Everything that one comparison holds. */
struct pair {
    struct cli_settings settings[2]; /* by enum compare_side */
    struct cli_play play[2];
    struct report report[2];
    struct replay replay[2];
    struct text words[2]; /* the settings as they were written */
    struct differences all, differing;
    char first[512];
    sim_ps first_at;
};

/* ---- before anything runs -------------------------------------------------------------------- */

static bool is_named(const struct cli_words *words, const char *word)
{
    const size_t len = strcspn(word, "=") + 1;
    for (size_t i = 0; i < words->count; i++) {
        if (strncmp(words->item[i], word, len) == 0) {
            return true;
        }
    }
    return false;
}

/* All that are not said otherwise by `unless`. */
static void add_words(struct text *out, const struct cli_words *words,
                      const struct cli_words *unless)
{
    for (size_t i = 0; i < words->count; i++) {
        if (!is_named(unless, words->item[i])) {
            text_addf(out, "%s%s", out->len > 0 ? " " : "", words->item[i]);
        }
    }
}

static bool read_settings(struct pair *p, const struct cli_options *o, struct err *err)
{
    const struct cli_words none = { 0 };
    add_words(&p->words[COMPARE_LEFT], &o->sets, &none);
    add_words(&p->words[COMPARE_RIGHT], &o->sets, &o->vs);
    add_words(&p->words[COMPARE_RIGHT], &o->vs, &none);
    if (o->vs.count == 0) {
        return err_set(err, ERR_USAGE,
                       "against what? --vs NAME=VALUE says how the other run differs");
    }
    return cli_settings_read(&p->settings[COMPARE_LEFT], o, err) &&
           cli_settings_add(&p->settings[COMPARE_RIGHT], &p->settings[COMPARE_LEFT], &o->vs, "vs",
                            err);
}

static bool read_conditions(struct condition *conditions, const struct cli_options *o,
                            struct err *err)
{
    for (size_t i = 0; i < o->fail_ifs.count; i++) {
        if (!condition_parse(&conditions[i], o->fail_ifs.item[i], err)) {
            (void)err_note(err, "--fail-if '%.60s'", o->fail_ifs.item[i]);
            err->code = ERR_USAGE;
            return false;
        }
    }
    return true;
}

/* ---- running --------------------------------------------------------------------------------- */

/* Side by side from 0, in growing steps, until they part or the longer one is at its end. */
static void find_first(struct pair *p)
{
    struct err err = { 0 };
    struct compare compare;
    struct run *left = replay_start(&p->replay[COMPARE_LEFT], &err);
    struct run *right = replay_start(&p->replay[COMPARE_RIGHT], &err);
    const sim_ps end = p->replay[0].end > p->replay[1].end ? p->replay[0].end : p->replay[1].end;
    p->first_at = SIM_NEVER;
    if (left != NULL && right != NULL) {
        compare_begin(&compare, left, right);
        for (sim_ps t = UNIT_US; !compare.other_known; t *= 2) {
            compare_until(&compare, t < end ? t : end);
            if (t >= end) {
                break;
            }
        }
        (void)compare_say(&compare, p->first, sizeof p->first);
        p->first_at = compare.differs ? compare.first.t : SIM_NEVER;
    }
    run_destroy(left);
    run_destroy(right);
}

static bool play_both(struct pair *p, const struct cli_target *target, struct err *err)
{
    for (int side = 0; side < 2; side++) {
        if (!cli_target_play(target, &p->settings[side], &p->play[side], err) ||
            !run_journal_ok(p->play[side].run, err)) {
            return err_note(err, "the %s run", side == COMPARE_LEFT ? "left" : "right");
        }
        report_take(&p->report[side], p->play[side].run);
    }
    differences_take(&p->all, &p->report[0], &p->report[1], true);
    differences_take(&p->differing, &p->report[0], &p->report[1], false);
    for (int side = 0; side < 2; side++) {
        replay_take(&p->replay[side], p->play[side].run, WEFT_VERSION, NULL);
    }
    find_first(p);
    return true;
}

static void pair_finish(struct pair *p)
{
    for (int side = 0; side < 2; side++) {
        report_finish(&p->report[side]);
        replay_finish(&p->replay[side]);
        cli_play_finish(&p->play[side]);
        cli_settings_finish(&p->settings[side]);
        text_finish(&p->words[side]);
    }
    differences_finish(&p->all);
    differences_finish(&p->differing);
}

/* ---- the result ------------------------------------------------------------------------------ */

/* 1 when a condition holds, or cannot be judged. */
static int judge(const struct pair *p, const struct condition *conditions,
                 struct export_condition *verdicts, const struct cli_options *o)
{
    int status = CLI_OK;
    for (size_t i = 0; i < o->fail_ifs.count; i++) {
        struct err err = { 0 };
        verdicts[i].text = o->fail_ifs.item[i];
        if (!condition_holds(&conditions[i], &p->all, &verdicts[i].holds, &err)) {
            (void)err_note(&err, "--fail-if '%.60s'", verdicts[i].text);
            (void)cli_complain(&err);
            verdicts[i].error = "a number is missing";
        }
        if (verdicts[i].holds || verdicts[i].error != NULL) {
            status = CLI_FAILED;
        }
    }
    return status;
}

static int deliver(const struct pair *p, const struct condition *conditions,
                   const struct cli_target *target, const struct cli_options *o)
{
    struct err err = { 0 };
    struct text out = { 0 };
    struct export_condition *verdicts = mem_alloc(o->fail_ifs.count, sizeof *verdicts);
    int status = judge(p, conditions, verdicts, o);
    const struct export_comparison comparison = {
        .name = target->name,
        .scene = cli_target_scene(target),
        .left = { &p->report[COMPARE_LEFT], text_str(&p->words[COMPARE_LEFT]) },
        .right = { &p->report[COMPARE_RIGHT], text_str(&p->words[COMPARE_RIGHT]) },
        .first = p->first,
        .first_at = p->first_at,
        .differences = &p->differing,
        .conditions = verdicts,
        .condition_count = o->fail_ifs.count,
    };
    if (o->format == CLI_JSON) {
        export_comparison_json(&out, &comparison, WEFT_VERSION);
    } else {
        export_comparison_text(&out, &comparison);
    }
    if (o->out == NULL) {
        status = cli_print(&out) ? status : CLI_FAILED;
    } else if (!file_write(o->out, text_str(&out), out.len, o->force, &err)) {
        status = cli_complain(&err);
    }
    free(verdicts);
    text_finish(&out);
    return status;
}

int cli_cmd_compare(const struct cli_options *options)
{
    struct err err = { 0 };
    struct text errors = { 0 };
    struct pair pair = { 0 };
    struct cli_target target = { 0 };
    struct condition *conditions = mem_alloc(options->fail_ifs.count, sizeof *conditions);
    struct lesson_places *places = cli_places();
    const struct cli_target_wish wish = { options->operands.item[0], options->scene, options->bare,
                                          places };
    int status;
    if (read_settings(&pair, options, &err) && read_conditions(conditions, options, &err) &&
        cli_out_is_free(options->out, options->force, &err) &&
        cli_target_open(&target, &wish, &errors, &err) && play_both(&pair, &target, &err)) {
        status = deliver(&pair, conditions, &target, options);
    } else {
        status = cli_target_complain(&errors, &err);
    }
    pair_finish(&pair);
    cli_target_finish(&target);
    text_finish(&errors);
    free(conditions);
    cli_places_free(places);
    return status;
}
