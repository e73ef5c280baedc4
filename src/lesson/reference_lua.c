/*
 * The reference for editors: the same tables as annotations of the Lua language server.
 *
 *     weft.NAME            what a constructor makes        weft.NAME.fields   what it is given
 *     weft.NAME            a part, a plain table           weft.knobs         the switches
 *     weft.measured.VIEW   what functions look at          weft.moment.VIEW   the same in the validation table
 */
#include "lesson/reference.h"

#include <inttypes.h>
#include <string.h>

#include "lesson/api.h"
#include "lesson/data.h"
#include "lesson/measure.h"
#include "lesson/moment.h"
#include "lesson/quantity.h"
#include "sim/knobs.h"

/* ---- types ----------------------------------------------------------------------------------- */

static void add_kinds(struct text *out, int64_t kinds)
{
    bool first = true;
    for (int k = 0; k < LESSON_KIND_COUNT; k++) {
        if ((kinds >> k & 1) != 0) {
            text_addf(out, "%sweft.%s", first ? "" : "|",
                      lesson_kind_info((enum lesson_kind)k)->name);
            first = false;
        }
    }
}

static void add_list(struct text *out, int64_t kinds)
{
    text_add(out, "(");
    add_kinds(out, kinds);
    text_add(out, ")[]");
}

static void add_words(struct text *out, const char *const *words)
{
    for (const char *const *w = words; *w != NULL; w++) {
        text_addf(out, "%s\"%s\"", w == words ? "" : "|", *w);
    }
}

static void add_function(struct text *out, enum lesson_kind kind)
{
    const bool measure = kind == LESSON_KIND_MEASURE;
    text_addf(out, "fun(%s): any", measure ? "m: weft.moment.moments" : "r: weft.measured.report");
}

static void add_type(struct text *out, const struct lesson_field_info *f)
{
    static const char *const plain[] = {
        [LESSON_TYPE_TEXT] = "string",       [LESSON_TYPE_PROSE] = "string",
        [LESSON_TYPE_NAME] = "string",       [LESSON_TYPE_INT] = "integer",
        [LESSON_TYPE_NUMBER] = "number",     [LESSON_TYPE_BOOL] = "boolean",
        [LESSON_TYPE_TIME] = "weft.time",    [LESSON_TYPE_RATE] = "weft.rate",
        [LESSON_TYPE_BYTES] = "weft.size",   [LESSON_TYPE_SHARE] = "weft.share",
        [LESSON_TYPE_KNOBS] = "weft.knobs",  [LESSON_TYPE_ANY] = "any",
        [LESSON_TYPE_ITEMS] = "weft.item[]", [LESSON_TYPE_WORDS] = "table<string|integer, string>",
    };
    switch (f->type) {
    case LESSON_TYPE_TEXT:
    case LESSON_TYPE_PROSE:
    case LESSON_TYPE_NAME:
    case LESSON_TYPE_INT:
    case LESSON_TYPE_NUMBER:
    case LESSON_TYPE_BOOL:
    case LESSON_TYPE_TIME:
    case LESSON_TYPE_RATE:
    case LESSON_TYPE_BYTES:
    case LESSON_TYPE_SHARE:
    case LESSON_TYPE_KNOBS:
    case LESSON_TYPE_ITEMS:
    case LESSON_TYPE_WORDS:
    case LESSON_TYPE_ANY:
        text_add(out, plain[f->type]);
        break;
    case LESSON_TYPE_WORD:
        add_words(out, f->words);
        break;
    case LESSON_TYPE_FUNC:
        add_function(out, f->kind);
        break;
    case LESSON_TYPE_OBJECT:
    case LESSON_TYPE_PART:
        add_kinds(out, f->max);
        break;
    case LESSON_TYPE_LIST:
        if (f->max != 0) {
            add_list(out, f->max);
        } else {
            text_add(out, "any[]");
        }
        break;
    case LESSON_TYPE_TABLE:
        text_add(out, "table<string|integer, ");
        add_kinds(out, f->max);
        text_add(out, ">");
        break;
    }
}

/* ---- constructors ---------------------------------------------------------------------------- */

static void add_fields(struct text *out, enum lesson_kind kind)
{
    static const char *const parts[] = {
        [LESSON_PARTS_ITEMS] = "weft.item the items, in order",
        [LESSON_PARTS_FLOWS] = "weft.flow the flows",
        [LESSON_PARTS_TEXT] = "string the text",
        [LESSON_PARTS_WAYS] = "weft.item[] for who chose the answer of this number",
        [LESSON_PARTS_NAMES] = "string the names",
    };
    for (int i = 0; i < LESSON_FIELD_COUNT; i++) {
        const struct lesson_field_info *f = lesson_field_info((enum lesson_field)i);
        if (f->kind != kind) {
            continue;
        }
        text_addf(out, "---@field %s%s ", f->name, f->required ? "" : "?");
        add_type(out, f);
        text_addf(out, " %s", f->help);
        if (f->type == LESSON_TYPE_INT) {
            text_addf(out, " (%" PRId64 " to %" PRId64 ")", f->min, f->max);
        }
        text_add(out, "\n");
    }
    if (lesson_kind_parts(kind) != LESSON_PARTS_NONE) {
        text_addf(out, "---@field [integer] %s\n", parts[lesson_kind_parts(kind)]);
    }
}

static void add_constructor(struct text *out, enum lesson_kind kind)
{
    const struct lesson_kind_info *info = lesson_kind_info(kind);
    if (info->form == LESSON_FORM_PART) {
        text_addf(out, "\n---%s\n---@class weft.%s\n", info->help, info->name);
        add_fields(out, kind);
        return;
    }
    text_addf(out, "\n---%s\n---@class weft.%s%s\n", info->help, info->name,
              lesson_kind_is_item(kind) ? ": weft.item" : "");
    if (info->form == LESSON_FORM_TABLE && kind != LESSON_KIND_SET) {
        text_addf(out, "\n---@class weft.%s.fields\n", info->name);
        add_fields(out, kind);
    }
    text_addf(out, "\n---%s\n", info->help);
    switch (info->form) {
    case LESSON_FORM_TABLE:
        text_addf(
            out, "---@param fields %s%s%s\n", kind == LESSON_KIND_SET ? "weft.knobs" : "weft.",
            kind == LESSON_KIND_SET ? "" : info->name, kind == LESSON_KIND_SET ? "" : ".fields");
        break;
    case LESSON_FORM_TEXT:
        text_add(out, "---@param text string\n");
        break;
    case LESSON_FORM_CLAIM:
        text_add(out, "---@param text string\n---@param check ");
        add_function(out, kind);
        text_add(out, "\n");
        break;
    case LESSON_FORM_PART:
        break;
    }
    text_addf(out, "---@return weft.%s\nfunction weft.%s(%s) end\n", info->name, info->name,
              info->form == LESSON_FORM_TABLE  ? "fields"
              : info->form == LESSON_FORM_TEXT ? "text"
                                               : "text, check");
}

/* ---- switches -------------------------------------------------------------------------------- */

static void add_knob_type(struct text *out, enum sim_knob knob)
{
    static const char *const units[] = { [UNIT_COUNT] = "integer",
                                         [UNIT_TIME] = "weft.time",
                                         [UNIT_RATE] = "weft.rate",
                                         [UNIT_BYTES] = "weft.size",
                                         [UNIT_SHARE] = "weft.share" };
    const struct sim_knob_info *info = sim_knob_info(knob);
    if (info->type == SIM_KNOB_CHOICE) {
        const char *const *words = sim_knob_choices(knob);
        text_add(out,
                 strcmp(words[0], "off") == 0 && strcmp(words[1], "on") == 0 ? "boolean|" : "");
        add_words(out, words);
        return;
    }
    text_add(out, units[info->unit]);
    text_add(out, (info->allow & SIM_MAY_AUTO) != 0 ? "|\"auto\"" : "");
    text_add(out, (info->allow & SIM_MAY_UNLIMITED) != 0 ? "|\"unlimited\"" : "");
}

static void add_knobs(struct text *out)
{
    text_add(out, "\n---Switches: see `weft knobs`.\n---@class weft.knobs\n"
                  "---@field pfc? boolean|\"on\"|\"off\" short for flow_control = pfc or none\n");
    for (int k = 0; k < SIM_KNOB_COUNT; k++) {
        const struct sim_knob_info *info = sim_knob_info((enum sim_knob)k);
        text_addf(out, "---@field %s? ", info->name);
        add_knob_type(out, (enum sim_knob)k);
        text_addf(out, " %s\n", info->help);
    }
}

/* ---- what is measured ------------------------------------------------------------------------ */

typedef bool measured_fn(size_t i, struct lesson_measured *row);

static void add_value(struct text *out, const char *type, const char *views)
{
    static const struct {
        const char *type, *lua;
    } plain[] = {
        { "time", "weft.quantity" }, { "size", "weft.quantity" }, { "rate", "weft.quantity" },
        { "integer", "integer" },    { "number", "number" },      { "text", "string" },
        { "boolean", "boolean" },
    };
    for (size_t i = 0; i < sizeof plain / sizeof plain[0]; i++) {
        if (strcmp(plain[i].type, type) == 0) {
            text_add(out, plain[i].lua);
            return;
        }
    }
    text_addf(out, "weft.%s.%s", views, type);
}

static void add_measured(struct text *out, const char *views, measured_fn *next)
{
    struct lesson_measured m;
    const char *of = "";
    for (size_t i = 0; next(i, &m); i++) {
        if (strcmp(of, m.of) != 0) {
            of = m.of;
            text_addf(out, "\n---@class weft.%s.%s\n", views, of);
        }
        text_addf(out, "---@field %s ", m.name);
        if (m.takes != NULL) {
            text_add(out, "fun(which: ");
            add_value(out, m.takes, views);
            text_add(out, "): ");
        }
        add_value(out, m.type, views);
        text_addf(out, " %s\n", m.help);
    }
}

/* The views that are lists or names: no rows of their own. */
static void add_lists(struct text *out)
{
    text_add(out, "\n---@class weft.measured.steps\n---@field [integer] weft.measured.step\n"
                  "\n---@class weft.measured.scenes\n---@field [string] weft.measured.report\n"
                  "\n---@class weft.measured.set\n---@field [string] any a switch as it stands\n"
                  "\n---@class weft.moment.moments\n---@field [integer] weft.moment.moment\n"
                  "---@field last weft.moment.moment\n");
}

static void add_quantity(struct text *out)
{
    text_add(out, "\n---A time, a size or a rate.\n---@class weft.quantity\n");
    enum unit_kind unit;
    const char *name;
    for (size_t i = 0; (name = lesson_quantity_part(i, &unit)) != NULL; i++) {
        text_addf(out, "---@field %s number\n", name);
    }
    text_add(out, "---@operator add(weft.quantity|string): weft.quantity\n"
                  "---@operator sub(weft.quantity|string): weft.quantity\n"
                  "---@operator mul(number): weft.quantity\n"
                  "---@operator div(number): weft.quantity\n"
                  "---@operator div(weft.quantity|string): number\n");
}

/* ---- the whole ------------------------------------------------------------------------------- */

void lesson_reference_lua(struct text *out)
{
    text_add(out,
             "---@meta weft\n"
             "-- Printed by `weft api --format lua`: what editors with the Lua language server\n"
             "-- complete and check. The program does not read it.\n\n"
             "---A time with its unit: \"10us\".\n---@alias weft.time string\n\n"
             "---A rate with its unit: \"100Gbps\".\n---@alias weft.rate string\n\n"
             "---A size with its unit: \"8MiB\".\n---@alias weft.size string\n\n"
             "---A share: \"20%\", 0.2.\n---@alias weft.share string|number\n\n"
             "---What a lesson does.\n---@class weft.item\n\n"
             "---@class weft\nlocal weft = {}\n");
    add_quantity(out);
    add_measured(out, "measured", lesson_measured);
    add_measured(out, "moment", lesson_moment_field);
    add_lists(out);
    add_knobs(out);
    for (int k = 0; k < LESSON_KIND_COUNT; k++) {
        add_constructor(out, (enum lesson_kind)k);
    }
    text_add(out, "\nreturn weft\n");
}
