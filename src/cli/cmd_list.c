/* `weft list`: the course by year, and the lessons of one's own with their files. */
#include "cli/cli.h"

#include <stdio.h>
#include <stdlib.h>

#include <jansson.h>

#include "base/mem.h"
#include "export/json.h"
#include "lesson/lesson.h"

static void add_json(struct text *out, const struct lesson_list *list, const size_t *order)
{
    json_t *lessons = json_array();
    for (size_t i = 0; i < list->count; i++) {
        const struct lesson_info *info = &list->items[order[i]];
        json_t *row = json_object();
        json_object_set_new(row, "id", json_string(info->id));
        json_object_set_new(row, "number", json_integer(info->number));
        json_object_set_new(row, "year", json_integer(info->year));
        json_object_set_new(row, "title", export_json_text(info->title));
        json_object_set_new(row, "minutes", json_integer(info->minutes));
        json_object_set_new(row, "file", export_json_text(info->file));
        json_array_append_new(lessons, row);
    }
    json_t *root = json_object();
    json_object_set_new(root, "lessons", lessons);
    char *s = json_dumps(root, JSON_INDENT(2));
    text_addf(out, "%s\n", s);
    free(s);
    json_decref(root);
}

static void add_text(struct text *out, const struct lesson_list *list, const size_t *order)
{
    for (size_t i = 0; i < list->count; i++) {
        const struct lesson_info *info = &list->items[order[i]];
        int blanks = 36 - text_cells(info->title);
        text_addf(out, "%3d  %d  %s%*s %2d min  level %d  %s%s%s%s%s\n", info->number, info->year,
                  info->title, blanks > 0 ? blanks : 0, "", info->minutes, info->level, info->id,
                  info->after[0] != '\0' ? "  after " : "", info->after, info->own ? "  " : "",
                  info->own ? info->file : "");
    }
}

int cli_cmd_list(const struct cli_options *options)
{
    struct err err = { 0 };
    struct text out = { 0 };
    struct text errors = { 0 };
    struct lesson_list list = { 0 };
    struct lesson_places *places = cli_places();
    int status = CLI_OK;
    const char *folder = options->operands.count > 0 ? options->operands.item[0] : NULL;
    if (folder != NULL && !cli_places_only(places, folder)) {
        (void)err_set(&err, ERR_NAME, "there is no folder of this name");
        (void)err_at(&err, folder, 0);
        status = cli_complain(&err);
    } else if (!lesson_list(places, &list, &errors, &err)) {
        status = cli_complain(&err);
    } else {
        size_t *by_year = mem_alloc(list.count + 1, sizeof *by_year);
        lesson_list_by_year(&list, by_year);
        if (options->format == CLI_JSON) {
            add_json(&out, &list, by_year);
        } else {
            add_text(&out, &list, by_year);
        }
        free(by_year);
        /* A lesson that does not load is left out, and said so. */
        if (errors.len > 0) {
            (void)fputs(text_str(&errors), stderr);
            status = CLI_FAILED;
        }
        if (!cli_print(&out)) {
            status = CLI_FAILED;
        }
    }
    lesson_list_finish(&list);
    text_finish(&errors);
    text_finish(&out);
    cli_places_free(places);
    return status;
}
