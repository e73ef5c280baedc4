/* `weft lab [PRESET]`: free experiment, no lesson; --list: what one can start from. */
#include "cli/cli.h"

#include <stdlib.h>

#include <jansson.h>

#include "app/app.h"
#include "cli/open.h"
#include "export/json.h"
#include "lesson/presets.h"

static void add_json(struct text *out, const struct lesson_presets *presets)
{
    json_t *rows = json_array();
    for (size_t i = 0; i < presets->count; i++) {
        const struct lesson_preset *p = &presets->item[i];
        json_t *row = json_object();
        json_object_set_new(row, "id", json_string(p->id));
        json_object_set_new(row, "year", p->year > 0 ? json_integer(p->year) : json_null());
        json_object_set_new(row, "name", export_json_text(p->name));
        json_object_set_new(row, "file", export_json_text(p->file));
        json_array_append_new(rows, row);
    }
    json_t *root = json_object();
    json_object_set_new(root, "presets", rows);
    char *s = json_dumps(root, JSON_INDENT(2));
    text_addf(out, "%s\n", s);
    free(s);
    json_decref(root);
}

static void add_text(struct text *out, const struct lesson_presets *presets)
{
    for (size_t i = 0; i < presets->count; i++) {
        const struct lesson_preset *p = &presets->item[i];
        text_addf(out, "%4d  %-20s %s\n", p->year, p->id, p->name);
    }
}

static int list(const struct cli_options *options, const struct lesson_places *places)
{
    struct err err = { 0 };
    struct text out = { 0 };
    struct lesson_presets presets;
    int status = CLI_FAILED;
    if (!lesson_presets_read(places->data_dir, &presets, &err)) {
        status = cli_complain(&err);
    } else {
        (options->format == CLI_JSON ? add_json : add_text)(&out, &presets);
        status = cli_print(&out) ? CLI_OK : CLI_FAILED;
    }
    lesson_presets_finish(&presets);
    text_finish(&out);
    return status;
}

static int open_lab(const struct cli_options *options, const struct lesson_places *places)
{
    struct err err = { 0 };
    struct cli_settings settings = { 0 };
    const char *preset = options->operands.count > 0 ? options->operands.item[0] : NULL;
    bool ok = cli_settings_read(&settings, options, &err);
    if (ok) {
        const struct app_options app = cli_app_options(options, &settings, places);
        ok = (cli_wants_plain(options) ? app_plain_lab : app_lab)(&app, preset, &err);
    }
    if (!ok && err.code == ERR_NAME) {
        err.code = ERR_USAGE; /* a slip of the keyboard */
    }
    const int status = ok ? CLI_OK : cli_complain(&err);
    cli_settings_finish(&settings);
    return status;
}

int cli_cmd_lab(const struct cli_options *options)
{
    struct lesson_places *places = cli_places();
    const int status = options->presets ? list(options, places) : open_lab(options, places);
    cli_places_free(places);
    return status;
}
