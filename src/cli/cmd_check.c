/* `weft check`: lessons are tests. */
#include "cli/cli.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <jansson.h>

#include "app/fit.h"
#include "base/mem.h"
#include "base/units.h"
#include "export/json.h"
#include "lesson/check.h"
#include "lesson/lesson.h"

/* All that is checked: said lesson after lesson, for who waits, or as one object. */
struct checking {
    const struct lesson_places *places;
    json_t *lessons; /* NULL: as text */
    bool ok;
};

/* ---- two ways of saying it ------------------------------------------------------------------- */

/* Its lines, then a line that sums them up. */
static bool print_text(const struct lesson_check *result, const char *path)
{
    struct text out = { 0 };
    char claims[64], complaints[64];
    lesson_check_say(result, &out);
    text_add_clean(&out, path, strlen(path), false);
    text_addf(&out, ": %s, %d true, %d false or not checked, %s\n",
              units_counted(claims, sizeof claims, result->claims, "claim", "claims"), result->held,
              result->failed,
              units_counted(complaints, sizeof complaints, result->complaints, "complaint",
                            "complaints"));
    const bool ok = cli_print(&out);
    text_finish(&out);
    return ok;
}

static json_t *json_of_finding(const struct lesson_finding *finding)
{
    static const char *const verdicts[] = {
        [LESSON_HOLDS] = "ok", [LESSON_FAILS] = "failed", [LESSON_COMPLAINED] = "complaint"
    };
    json_t *row = json_object();
    json_object_set_new(row, "verdict", json_string(verdicts[finding->verdict]));
    json_object_set_new(row, "rule", json_string(lesson_rule_name(finding->rule)));
    json_object_set_new(row, "file", export_json_text(finding->file));
    json_object_set_new(row, "line", finding->line > 0 ? json_integer(finding->line) : json_null());
    json_object_set_new(row, "text", export_json_text(finding->text));
    return row;
}

static json_t *json_of_check(const struct lesson_check *result, const char *path)
{
    json_t *root = json_object();
    json_object_set_new(root, "id", result->id != NULL ? json_string(result->id) : json_null());
    json_object_set_new(root, "file", export_json_text(path));
    json_object_set_new(root, "ok", json_boolean(result->failed + result->complaints == 0));
    json_object_set_new(root, "claims", json_integer(result->claims));
    json_object_set_new(root, "held", json_integer(result->held));
    json_object_set_new(root, "failed", json_integer(result->failed));
    json_object_set_new(root, "complaints", json_integer(result->complaints));
    json_t *findings = json_array();
    for (size_t i = 0; i < result->count; i++) {
        json_array_append_new(findings, json_of_finding(&result->findings[i]));
    }
    json_object_set_new(root, "findings", findings);
    return root;
}

/* What kept a lesson from being checked at all. */
static json_t *json_of_error(const char *word, const struct err *err)
{
    char text[sizeof err->msg + sizeof err->where + 8];
    struct lesson_check none = { .failed = 1, .count = 1 };
    none.findings = mem_alloc(1, sizeof *none.findings);
    none.findings[0] =
        (struct lesson_finding){ .verdict = LESSON_FAILS,
                                 .rule = LESSON_RULE_LOAD,
                                 .file = mem_strdup(word),
                                 .text = mem_strdup(err_text(err, text, sizeof text)) };
    json_t *root = json_of_check(&none, word);
    lesson_check_finish(&none);
    return root;
}

static bool print_json(json_t *lessons, bool ok)
{
    struct text out = { 0 };
    json_t *root = json_object();
    json_object_set_new(root, "schema", json_integer(1));
    json_object_set_new(root, "weft", json_string(WEFT_VERSION));
    json_object_set_new(root, "ok", json_boolean(ok));
    json_object_set_new(root, "lessons", lessons);
    char *s = json_dumps(root, JSON_INDENT(2));
    text_addf(&out, "%s\n", s);
    free(s);
    json_decref(root);
    const bool printed = cli_print(&out);
    text_finish(&out);
    return printed;
}

/* ---- checking -------------------------------------------------------------------------------- */

/* Something kept a lesson, or a course, from being checked. */
static void complain(struct checking *all, const char *word, const struct err *err)
{
    (void)cli_complain(err);
    all->ok = false;
    if (all->lessons != NULL) {
        json_array_append_new(all->lessons, json_of_error(word, err));
    }
}

static void check_word(struct checking *all, const struct lesson_places *places, const char *word)
{
    struct err err = { 0 };
    char *path = lesson_find(places, word, &err);
    if (path == NULL) {
        complain(all, word, &err);
        return;
    }
    struct lesson_check result = { 0 };
    const bool ok = lesson_check(path, places, app_fit, &result, &err);
    if (all->lessons != NULL) {
        json_array_append_new(all->lessons, json_of_check(&result, path));
    } else {
        all->ok = print_text(&result, path) && all->ok;
    }
    if (!ok) {
        (void)cli_complain(&err);
        all->ok = false;
    }
    lesson_check_finish(&result);
    free(path);
}

/* A course of one's own: all that its index lists. */
static void check_folder(struct checking *all, const char *folder)
{
    struct err err = { 0 };
    struct text errors = { 0 };
    struct lesson_list list = { 0 };
    struct lesson_places only = {
        .data_dir = all->places->data_dir, .own = &folder, .own_count = 1, .alone = true
    };
    if (!lesson_list(&only, &list, &errors, &err)) {
        complain(all, folder, &err);
    } else if (errors.len > 0) { /* what does not load is not in the list */
        (void)fputs(text_str(&errors), stderr);
        all->ok = false;
        if (all->lessons != NULL) {
            struct lesson_check unloaded = { 0 };
            lesson_check_add_errors(&unloaded, text_str(&errors));
            json_array_append_new(all->lessons, json_of_check(&unloaded, folder));
            lesson_check_finish(&unloaded);
        }
    }
    only.alone = false; /* its lessons may speak of those of the course */
    for (size_t i = 0; i < list.count; i++) {
        check_word(all, &only, list.items[i].file);
    }
    lesson_list_finish(&list);
    text_finish(&errors);
}

int cli_cmd_check(const struct cli_options *options)
{
    struct lesson_places *places = cli_places();
    struct checking all = { .places = places,
                            .lessons = options->format == CLI_JSON ? json_array() : NULL,
                            .ok = true };
    for (size_t i = 0; i < options->operands.count; i++) {
        const char *word = options->operands.item[i];
        if (cli_places_means_folder(places, word)) {
            check_folder(&all, word);
        } else {
            check_word(&all, places, word);
        }
    }
    if (all.lessons != NULL && !print_json(all.lessons, all.ok)) {
        all.ok = false;
    }
    cli_places_free(places);
    return all.ok ? CLI_OK : CLI_FAILED;
}
