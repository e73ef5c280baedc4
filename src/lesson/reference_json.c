/*
 * The reference for programs: the same tables as one JSON object.
 *
 *     constructors  of each: its name, group, form, what stands in it without a name, its fields
 *     measured      what functions and prose look at      moments   the same in the validation table
 *     parts         of a quantity, as plain numbers: .us, .bytes, .gbps
 *     commands      of weft.fault, weft.compare, --do     rules     what weft check finds
 *     plots         of weft.plot
 *
 * Switches are not in it: `weft knobs --format json` has them.
 */
#include "lesson/reference.h"

#include <stdlib.h>

#include <jansson.h>

#include "lesson/api.h"
#include "lesson/check.h"
#include "lesson/data.h"
#include "lesson/measure.h"
#include "lesson/moment.h"
#include "lesson/quantity.h"
#include "sim/command.h"

static void set_text(json_t *object, const char *key, const char *text)
{
    json_object_set_new(object, key, text != NULL ? json_string(text) : json_null());
}

static const char *type_word(enum lesson_type type)
{
    switch (type) {
    case LESSON_TYPE_TEXT:
        return "text";
    case LESSON_TYPE_PROSE:
        return "prose";
    case LESSON_TYPE_NAME:
        return "name";
    case LESSON_TYPE_INT:
        return "integer";
    case LESSON_TYPE_NUMBER:
        return "number";
    case LESSON_TYPE_BOOL:
        return "boolean";
    case LESSON_TYPE_TIME:
        return "time";
    case LESSON_TYPE_RATE:
        return "rate";
    case LESSON_TYPE_BYTES:
        return "size";
    case LESSON_TYPE_SHARE:
        return "share";
    case LESSON_TYPE_WORD:
        return "word";
    case LESSON_TYPE_FUNC:
        return "function";
    case LESSON_TYPE_OBJECT:
        return "object";
    case LESSON_TYPE_LIST:
        return "list";
    case LESSON_TYPE_TABLE:
        return "table";
    case LESSON_TYPE_PART:
        return "part";
    case LESSON_TYPE_KNOBS:
        return "knobs";
    case LESSON_TYPE_ITEMS:
        return "items";
    case LESSON_TYPE_WORDS:
        return "words";
    case LESSON_TYPE_ANY:
        return "any";
    }
    return "any";
}

static json_t *kinds_of(int64_t kinds)
{
    json_t *names = json_array();
    for (int k = 0; k < LESSON_KIND_COUNT; k++) {
        if ((kinds >> k & 1) != 0) {
            json_array_append_new(names, json_string(lesson_kind_info((enum lesson_kind)k)->name));
        }
    }
    return names;
}

/* min and max of an integer, the words of a word, what constructors an object may come from. */
static json_t *field_of(const struct lesson_field_info *f)
{
    json_t *row = json_object();
    set_text(row, "name", f->name);
    set_text(row, "type", type_word(f->type));
    json_object_set_new(row, "required", json_boolean(f->required));
    if (f->type == LESSON_TYPE_INT) {
        json_object_set_new(row, "min", json_integer(f->min));
        json_object_set_new(row, "max", json_integer(f->max));
    } else if (f->max != 0) {
        json_object_set_new(row, "of", kinds_of(f->max));
    }
    if (f->words != NULL) {
        json_t *words = json_array();
        for (const char *const *w = f->words; *w != NULL; w++) {
            json_array_append_new(words, json_string(*w));
        }
        json_object_set_new(row, "words", words);
    }
    set_text(row, "help", f->help);
    return row;
}

static const char *parts_word(enum lesson_parts parts)
{
    switch (parts) {
    case LESSON_PARTS_NONE:
        break;
    case LESSON_PARTS_ITEMS:
        return "items";
    case LESSON_PARTS_FLOWS:
        return "flows";
    case LESSON_PARTS_TEXT:
        return "text";
    case LESSON_PARTS_WAYS:
        return "ways";
    case LESSON_PARTS_NAMES:
        return "names";
    }
    return NULL;
}

static json_t *constructors(void)
{
    static const char *const forms[] = { [LESSON_FORM_TABLE] = "table",
                                         [LESSON_FORM_TEXT] = "text",
                                         [LESSON_FORM_CLAIM] = "claim",
                                         [LESSON_FORM_PART] = "part" };
    json_t *all = json_array();
    for (int k = 0; k < LESSON_KIND_COUNT; k++) {
        const enum lesson_kind kind = (enum lesson_kind)k;
        const struct lesson_kind_info *info = lesson_kind_info(kind);
        json_t *row = json_object(), *fields = json_array();
        for (int i = 0; i < LESSON_FIELD_COUNT; i++) {
            const struct lesson_field_info *f = lesson_field_info((enum lesson_field)i);
            if (f->kind == kind) {
                json_array_append_new(fields, field_of(f));
            }
        }
        set_text(row, "name", info->name);
        set_text(row, "form", forms[info->form]);
        json_object_set_new(row, "item", json_boolean(lesson_kind_is_item(kind)));
        set_text(row, "unnamed", parts_word(lesson_kind_parts(kind)));
        set_text(row, "help", info->help);
        json_object_set_new(row, "fields", fields);
        json_array_append_new(all, row);
    }
    return all;
}

static json_t *measured(bool (*next)(size_t i, struct lesson_measured *row))
{
    struct lesson_measured m;
    json_t *all = json_array();
    for (size_t i = 0; next(i, &m); i++) {
        json_t *row = json_object();
        set_text(row, "of", m.of);
        set_text(row, "name", m.name);
        set_text(row, "takes", m.takes);
        set_text(row, "type", m.type);
        set_text(row, "help", m.help);
        json_array_append_new(all, row);
    }
    return all;
}

static json_t *quantity_parts(void)
{
    static const char *const names[] = {
        [UNIT_TIME] = "time", [UNIT_RATE] = "rate", [UNIT_BYTES] = "size"
    };
    json_t *all = json_array();
    enum unit_kind unit;
    const char *name;
    for (size_t i = 0; (name = lesson_quantity_part(i, &unit)) != NULL; i++) {
        json_t *row = json_object();
        set_text(row, "name", name);
        set_text(row, "of", names[unit]);
        json_array_append_new(all, row);
    }
    return all;
}

static json_t *commands(void)
{
    json_t *all = json_array();
    const struct sim_cmd_form *form;
    for (size_t i = 0; (form = sim_cmd_form(i)) != NULL; i++) {
        json_t *row = json_object();
        set_text(row, "form", form->words);
        set_text(row, "help", form->help);
        json_array_append_new(all, row);
    }
    return all;
}

static json_t *plots(void)
{
    json_t *all = json_array();
    for (int k = 0; k < RUN_PLOT_COUNT; k++) {
        const struct run_plot_info *info = run_plot_info((enum run_plot_kind)k);
        json_t *row = json_object();
        set_text(row, "name", info->word);
        set_text(row, "of", info->of == RUN_PLOT_OF_PORT ? "port" : "flow");
        set_text(row, "column", info->column);
        set_text(row, "help", info->help);
        json_array_append_new(all, row);
    }
    return all;
}

static json_t *rules(void)
{
    json_t *all = json_array();
    for (int r = 0; r < LESSON_RULE_COUNT; r++) {
        json_t *row = json_object();
        set_text(row, "name", lesson_rule_name((enum lesson_rule)r));
        set_text(row, "help", lesson_rule_help((enum lesson_rule)r));
        json_array_append_new(all, row);
    }
    return all;
}

void lesson_reference_json(struct text *out, const char *version)
{
    json_t *root = json_object();
    json_object_set_new(root, "schema", json_integer(1));
    set_text(root, "weft", version);
    json_object_set_new(root, "api", json_integer(lesson_field_info(LESSON_LESSON_api)->max));
    json_object_set_new(root, "constructors", constructors());
    json_object_set_new(root, "measured", measured(lesson_measured));
    json_object_set_new(root, "moments", measured(lesson_moment_field));
    json_object_set_new(root, "parts", quantity_parts());
    json_object_set_new(root, "commands", commands());
    json_object_set_new(root, "plots", plots());
    json_object_set_new(root, "rules", rules());
    char *s = json_dumps(root, JSON_INDENT(2));
    text_addf(out, "%s\n", s);
    free(s);
    json_decref(root);
}
