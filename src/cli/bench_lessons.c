/*
 * What looking back costs in the shipped lessons: each scene that a lesson shows, played along its
 * declared path to the end.
 */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "cli/bench.h"
#include "cli/cli.h"
#include "cli/target.h"

bool bench_is_wished(const struct cli_options *options, const char *id)
{
    for (size_t i = 0; i < options->operands.count; i++) {
        if (strcmp(options->operands.item[i], id) == 0) {
            return true;
        }
    }
    return options->operands.count == 0;
}

struct row {
    const char *lesson, *scene;
    uint64_t events;
    struct bench_past past;
};

static void add_row(struct text *out, const struct row *row, bool json, bool first)
{
    char events[32];
    if (json) {
        text_addf(out, "%s\n    {\"lesson\": \"%s\", \"scene\": \"%s\", \"events\": %" PRIu64 ", ",
                  first ? "" : ",", row->lesson, row->scene, row->events);
        bench_past_json(out, &row->past);
        text_add(out, "}");
    } else {
        text_addf(out, "%s, scene %s: %s events\n", row->lesson, row->scene,
                  units_grouped(events, sizeof events, (int64_t)row->events));
        bench_past_text(out, &row->past);
    }
}

static bool measure_scene(const struct cli_target_wish *wish, const struct cli_settings *settings,
                          struct row *row, struct text *errors, struct err *err)
{
    struct cli_target target = { 0 };
    struct cli_play play = { 0 };
    bool ok = cli_target_open(&target, wish, errors, err);
    target.looks_back = true;
    if (ok) {
        ok = cli_target_play(&target, settings, &play, err);
        if (ok) {
            row->events = sim_events(run_sim(play.run));
            bench_past_of_run(&row->past, play.run);
        }
        cli_play_finish(&play);
    }
    cli_target_finish(&target);
    return ok;
}

static bool measure_lesson(const struct cli_options *options, const char *data_dir, const char *id,
                           struct text *out, bool *first, struct text *errors, struct err *err)
{
    struct cli_settings settings = { 0 };
    struct lesson *lesson = NULL;
    const struct lesson_places course = { .data_dir = data_dir };
    char *path = lesson_find(&course, id, err);
    bool ok = path != NULL && cli_settings_read(&settings, options, err);
    lesson = ok ? lesson_load(path, data_dir, errors, err) : NULL;
    ok = lesson != NULL;
    for (size_t i = 0; ok && i < lesson_scene_count(lesson); i++) {
        const struct cli_target_wish wish = { .word = id,
                                              .scene = lesson_scene(lesson, i)->name,
                                              .places = &course };
        struct row row = { .lesson = id, .scene = wish.scene };
        ok = measure_scene(&wish, &settings, &row, errors, err);
        if (ok) {
            add_row(out, &row, options->format == CLI_JSON, *first);
            *first = false;
        }
    }
    cli_settings_finish(&settings);
    lesson_destroy(lesson);
    free(path);
    return ok;
}

bool bench_lessons(const struct cli_options *options, struct text *out, struct err *err)
{
    struct text errors = { 0 };
    struct lesson_list list = { 0 };
    char *data_dir = cli_data_dir();
    const struct lesson_places course = { .data_dir = data_dir };
    bool first = true;
    bool ok = lesson_list(&course, &list, &errors, err);
    for (size_t i = 0; ok && i < list.count; i++) {
        if (bench_is_wished(options, list.items[i].id)) {
            ok = measure_lesson(options, data_dir, list.items[i].id, out, &first, &errors, err);
        }
    }
    lesson_list_finish(&list);
    text_finish(&errors);
    free(data_dir);
    return ok;
}

bool bench_lessons_know(const char *id)
{
    struct text errors = { 0 };
    struct lesson_list list = { 0 };
    char *data_dir = cli_data_dir();
    const struct lesson_places course = { .data_dir = data_dir };
    bool known = false;
    (void)lesson_list(&course, &list, &errors, NULL);
    for (size_t i = 0; i < list.count; i++) {
        known = known || strcmp(list.items[i].id, id) == 0;
    }
    lesson_list_finish(&list);
    text_finish(&errors);
    free(data_dir);
    return known;
}
