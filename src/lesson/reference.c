/*
 * The reference for people: one walk over the tables, three ways of writing it down.
 */
#include "lesson/reference.h"

#include <inttypes.h>
#include <string.h>

#include "base/roff.h"
#include "base/units.h"
#include "lesson/api.h"
#include "lesson/check.h"
#include "lesson/data.h"
#include "lesson/measure.h"
#include "lesson/moment.h"
#include "lesson/quantity.h"
#include "sim/command.h"
#include "sim/knobs.h"

enum { WIDTH = 80 };

/* ---- three ways of writing it down ----------------------------------------------------------- */

enum form { FORM_TEXT, FORM_MARKDOWN, FORM_ROFF };

struct page {
    struct text *out;
    enum form form;
    bool in_table; /* Markdown: the last line was a row */
};

static void close_table(struct page *p)
{
    text_add(p->out, p->in_table ? "\n" : "");
    p->in_table = false;
}

/* A heading: 1 for the parts of the reference, 2 for what is in them. */
static void heading(struct page *p, int level, const char *words)
{
    close_table(p);
    if (p->form == FORM_ROFF) {
        (level == 1 ? roff_section : roff_subsection)(p->out, words);
    } else if (p->form == FORM_MARKDOWN) {
        text_addf(p->out, "%s %s\n\n", level == 1 ? "##" : "####", words);
    } else {
        text_addf(p->out, "%s%s\n", p->out->len > 0 ? "\n" : "", words);
    }
}

static void paragraph(struct page *p, const char *words)
{
    const bool markdown = p->form == FORM_MARKDOWN;
    close_table(p);
    if (p->form == FORM_ROFF) {
        roff_paragraph(p->out, words);
        return;
    }
    text_add_wrapped(p->out, markdown ? "" : "  ", words, markdown ? 100 : WIDTH);
    text_add(p->out, markdown ? "\n" : "");
}

/* A cell of a Markdown table: a bar would end it. */
static void cell(struct text *out, const char *words)
{
    for (; *words != '\0'; words++) {
        text_add(out, *words == '|' ? "\\|" : "");
        text_add_n(out, words, *words == '|' ? 0 : 1);
    }
}

/* What is called `name` is `type` (may be empty) and means `help`. */
static void row(struct page *p, const char *name, const char *type, const char *help)
{
    if (p->form == FORM_ROFF) {
        roff_entry(p->out, name, type, help);
        return;
    }
    if (p->form == FORM_TEXT) {
        struct text line = { 0 };
        text_addf(&line, "%s%s%s%s: %s", name, type[0] != '\0' ? " (" : "", type,
                  type[0] != '\0' ? ")" : "", help);
        /* Behind the first line the others stand two cells further in. */
        text_add(p->out, "    ");
        struct text rest = { 0 };
        text_add_wrapped(&rest, "      ", text_str(&line), WIDTH);
        text_add(p->out, text_str(&rest) + strlen("      "));
        text_finish(&rest);
        text_finish(&line);
        return;
    }
    text_add(p->out, p->in_table ? "" : "| name | type | |\n|---|---|---|\n");
    p->in_table = true;
    text_add(p->out, "| `");
    cell(p->out, name);
    text_add(p->out, "` | ");
    cell(p->out, type);
    text_add(p->out, " | ");
    cell(p->out, help);
    text_add(p->out, " |\n");
}

/* ---- constructors ---------------------------------------------------------------------------- */

/* "weft.star or weft.pair"; parts by their name alone. */
static void add_kinds(struct text *out, int64_t kinds)
{
    bool first = true;
    for (int k = 0; k < LESSON_KIND_COUNT; k++) {
        const struct lesson_kind_info *kind = lesson_kind_info((enum lesson_kind)k);
        if ((kinds >> k & 1) != 0) {
            text_addf(out, "%s%s%s", first ? "" : " or ",
                      kind->form == LESSON_FORM_PART ? "" : "weft.", kind->name);
            first = false;
        }
    }
}

static void add_words(struct text *out, const char *const *words)
{
    for (const char *const *w = words; *w != NULL; w++) {
        text_addf(out, "%s\"%s\"", w == words ? "" : " or ", *w);
    }
}

static void add_type(struct text *out, const struct lesson_field_info *f)
{
    switch (f->type) {
    case LESSON_TYPE_TEXT:
        text_add(out, "text");
        break;
    case LESSON_TYPE_PROSE:
        text_add(out, "Markdown");
        break;
    case LESSON_TYPE_NAME:
        text_add(out, "small letters, digits, -");
        break;
    case LESSON_TYPE_INT:
        text_addf(out, "whole number, %" PRId64, f->min);
        if (f->max > f->min) {
            text_addf(out, " to %" PRId64, f->max);
        }
        break;
    case LESSON_TYPE_NUMBER:
        text_add(out, "number");
        break;
    case LESSON_TYPE_BOOL:
        text_add(out, "true or false");
        break;
    case LESSON_TYPE_TIME:
        text_add(out, units_example(UNIT_TIME));
        break;
    case LESSON_TYPE_RATE:
        text_add(out, units_example(UNIT_RATE));
        break;
    case LESSON_TYPE_BYTES:
        text_add(out, units_example(UNIT_BYTES));
        break;
    case LESSON_TYPE_SHARE:
        text_add(out, units_example(UNIT_SHARE));
        break;
    case LESSON_TYPE_WORD:
        add_words(out, f->words);
        break;
    case LESSON_TYPE_FUNC:
        text_add(out, "function");
        break;
    case LESSON_TYPE_OBJECT:
        if ((f->max & (f->max - 1)) != 0) {
            text_add(out, "one of these"); /* which the sentence lists */
            break;
        }
        add_kinds(out, f->max);
        break;
    case LESSON_TYPE_PART:
        add_kinds(out, f->max);
        break;
    case LESSON_TYPE_LIST:
    case LESSON_TYPE_TABLE:
        text_add(out, f->type == LESSON_TYPE_LIST ? "list" : "table");
        if (f->max != 0) {
            text_add(out, " of ");
            add_kinds(out, f->max);
        }
        break;
    case LESSON_TYPE_WORDS:
        text_add(out, "list of words, name = text");
        break;
    case LESSON_TYPE_ITEMS:
        text_add(out, "list of items");
        break;
    case LESSON_TYPE_KNOBS:
        text_add(out, "switch = value");
        break;
    case LESSON_TYPE_ANY:
        break; /* the sentence says it */
    }
}

static void field_row(struct page *p, const struct lesson_field_info *f)
{
    struct text type = { 0 };
    add_type(&type, f);
    if (!f->required) {
        text_addf(&type, "%soptional", type.len > 0 ? "; " : "");
    }
    row(p, f->name, text_str(&type), f->help);
    text_finish(&type);
}

/* How it is called. */
static void call_of(struct text *out, enum lesson_kind kind)
{
    static const char *const parts[] = {
        [LESSON_PARTS_NONE] = "{ name = value, ... }",
        [LESSON_PARTS_ITEMS] = "{ name = value, ..., item, item, ... }",
        [LESSON_PARTS_FLOWS] = "{ flow, flow, ..., name = value }",
        [LESSON_PARTS_TEXT] = "{ \"text\", name = value, ... }",
        [LESSON_PARTS_WAYS] = "{ on = \"...\", [2] = { item, ... }, name = { item, ... }, ... }",
        [LESSON_PARTS_NAMES] = "{ \"name\", \"name\", ... }",
    };
    const struct lesson_kind_info *info = lesson_kind_info(kind);
    switch (info->form) {
    case LESSON_FORM_TABLE:
        text_addf(out, "weft.%s %s", info->name, parts[lesson_kind_parts(kind)]);
        break;
    case LESSON_FORM_TEXT:
        text_addf(out, "weft.%s \"...\" or weft.%s [[ ... ]]", info->name, info->name);
        break;
    case LESSON_FORM_CLAIM:
        text_addf(out, "weft.%s(\"...\", function(r) return ... end)", info->name);
        break;
    case LESSON_FORM_PART:
        text_addf(out, "%s: %s", info->name, parts[lesson_kind_parts(kind)]);
        break;
    }
}

static void kind_section(struct page *p, enum lesson_kind kind)
{
    const struct lesson_kind_info *info = lesson_kind_info(kind);
    struct text call = { 0 };
    text_add(&call, p->form == FORM_MARKDOWN ? "`" : "");
    call_of(&call, kind);
    text_add(&call, p->form == FORM_MARKDOWN ? "`" : "");
    heading(p, 2, text_str(&call));
    text_finish(&call);
    paragraph(p, info->help);
    for (int i = 0; i < LESSON_FIELD_COUNT; i++) {
        const struct lesson_field_info *f = lesson_field_info((enum lesson_field)i);
        /* Of a text or a claim the call shows the fields. */
        if (f->kind == kind &&
            (info->form == LESSON_FORM_TABLE || info->form == LESSON_FORM_PART)) {
            field_row(p, f);
        }
    }
    if (kind == LESSON_KIND_SET) {
        row(p, "KNOB", "see the switches", "its new value");
    }
    if (lesson_kind_parts(kind) == LESSON_PARTS_WAYS) {
        row(p, "[NUMBER]", "list of items; optional", "for who chose the answer of this number");
    }
}

enum group { GROUP_SCENARIO, GROUP_ITEM, GROUP_PART, GROUP_COUNT };

static enum group group_of(enum lesson_kind kind)
{
    return lesson_kind_info(kind)->form == LESSON_FORM_PART ? GROUP_PART
           : lesson_kind_is_item(kind)                      ? GROUP_ITEM
                                                            : GROUP_SCENARIO;
}

static void constructors(struct page *p)
{
    static const struct {
        const char *title, *help;
    } groups[] = {
        [GROUP_SCENARIO] = { "Lessons, scenarios, fabrics, workloads",
                             "A file ends with one of weft.lesson, weft.scenario or "
                             "weft.validation. "
                             "A quantity with a unit is a text; a bare number for it is an "
                             "error." },
        [GROUP_ITEM] = { "Items", "What a lesson does, in order. A card begins at each say and at "
                                  "each scene; "
                                  "a say right behind a scene belongs to the scene's card." },
        [GROUP_PART] = { "Parts", "Plain tables inside of others, written without weft." },
    };
    for (int g = 0; g < GROUP_COUNT; g++) {
        heading(p, 1, groups[g].title);
        paragraph(p, groups[g].help);
        for (int k = 0; k < LESSON_KIND_COUNT; k++) {
            if (group_of((enum lesson_kind)k) == (enum group)g) {
                kind_section(p, (enum lesson_kind)k);
            }
        }
    }
}

/* ---- what is measured ------------------------------------------------------------------------ */

typedef bool measured_fn(size_t i, struct lesson_measured *row);

/* Rows of one view follow each other, as fields of `first` or of what it leads to. */
static void measured(struct page *p, measured_fn *next)
{
    struct lesson_measured m;
    const char *of = "";
    for (size_t i = 0; next(i, &m); i++) {
        if (strcmp(of, m.of) != 0) {
            of = m.of;
            heading(p, 2, of);
        }
        struct text name = { 0 };
        text_addf(&name,
                  m.takes == NULL                ? "%s"
                  : strcmp(m.takes, "text") == 0 ? "%s(\"...\")"
                                                 : "%s(1)",
                  m.name);
        row(p, text_str(&name), m.type, m.help);
        text_finish(&name);
    }
}

static void measured_parts(struct page *p)
{
    static const char *const names[] = {
        [UNIT_TIME] = "time", [UNIT_RATE] = "rate", [UNIT_BYTES] = "size"
    };
    heading(p, 2, "time, size, rate");
    paragraph(p,
              "Quantities compare with their own kind and with texts (r.finish < \"2ms\"; == only "
              "with their own kind), add, subtract, multiply with numbers; one by another is a "
              "number. As plain numbers:");
    enum unit_kind unit;
    const char *name;
    for (size_t i = 0; (name = lesson_quantity_part(i, &unit)) != NULL; i++) {
        struct text dotted = { 0 };
        text_addf(&dotted, ".%s", name);
        row(p, text_str(&dotted), "number", names[unit]);
        text_finish(&dotted);
    }
}

static void reports(struct page *p)
{
    heading(p, 1, "What is measured");
    paragraph(p,
              "In prose {steps[1].duration} is filled from the learner's own run: any Lua "
              "expression over the fields of the report, math and string. Functions get the "
              "report as r: r.steps[1].duration. What is not over yet shows as \"...\" and is not "
              "judged.");
    measured(p, lesson_measured);
    measured_parts(p);
    heading(p, 1, "What a row of the validation table measures");
    paragraph(p,
              "The function of weft.measure gets the moments of the run: m[1], m[2] ..., m.last, "
              "each a moment; with several scenarios m[1][1].");
    measured(p, lesson_moment_field);
}

/* ---- commands and switches ------------------------------------------------------------------- */

static void commands(struct page *p)
{
    heading(p, 1, "Commands");
    paragraph(p,
              "As weft.fault, the faults of a scenario and --do take them. NODE is a name on the "
              "screen, PORT a switch's port (\"leaf1:3\"), SRC>DST a flow.");
    const struct sim_cmd_form *form;
    for (size_t i = 0; (form = sim_cmd_form(i)) != NULL; i++) {
        row(p, form->words, "", form->help);
    }
}

static void knobs(struct page *p)
{
    heading(p, 1, "Switches");
    paragraph(p, "For weft.set, weft.switch, set of a scenario, and --set; pfc = true or false is "
                 "short for flow_control = \"pfc\" or \"none\". A change acts at once (live), when "
                 "the next training step begins (next-step) or begins the run again (restart).");
    const char *group = "";
    for (int k = 0; k < SIM_KNOB_COUNT; k++) {
        const struct sim_knob_info *info = sim_knob_info((enum sim_knob)k);
        char def[64];
        struct text values = { 0 };
        if (strcmp(group, info->group) != 0) {
            group = info->group;
            heading(p, 2, group);
        }
        sim_knob_say_range(&values, (enum sim_knob)k);
        text_addf(&values, "; else %s; %s",
                  sim_knob_format((enum sim_knob)k, info->def, false, def, sizeof def),
                  sim_when_name(info->when));
        row(p, info->name, text_str(&values), info->help);
        text_finish(&values);
    }
}

/* ---- plots ----------------------------------------------------------------------------------- */

static void plots(struct page *p)
{
    heading(p, 1, "Plots");
    paragraph(
        p, "For weft.plot, `:plot` and --plot: a word and what it is of, \"queue leaf1:3\". A "
           "port is PORT, \"leaf1:3\", or a host that has only one; a flow SRC>DST, and for "
           "goodput also a host. Lines across it: queue Kmin, Kmax, full; held XOFF, XON, room; "
           "credits buffer; goodput and rate line; window ssthresh. In the middle: its name in a "
           "CSV.");
    for (int k = 0; k < RUN_PLOT_COUNT; k++) {
        const struct run_plot_info *info = run_plot_info((enum run_plot_kind)k);
        struct text name = { 0 };
        text_addf(&name, "%s %s", info->word, info->of == RUN_PLOT_OF_PORT ? "PORT" : "SRC>DST");
        row(p, text_str(&name), info->column, info->help);
        text_finish(&name);
    }
}

/* ---- rules ----------------------------------------------------------------------------------- */

static void rules(struct page *p)
{
    heading(p, 1, "What weft check finds");
    paragraph(p,
              "Each finding has its file, its line and, with --format json, the name of its rule.");
    for (int r = 0; r < LESSON_RULE_COUNT; r++) {
        row(p, lesson_rule_name((enum lesson_rule)r), "", lesson_rule_help((enum lesson_rule)r));
    }
}

/* ---- the whole ------------------------------------------------------------------------------- */

static void reference(struct page *p)
{
    constructors(p);
    reports(p);
    commands(p);
    knobs(p);
    plots(p);
    rules(p);
    close_table(p);
}

void lesson_reference_text(struct text *out)
{
    reference(&(struct page){ .out = out });
}

void lesson_reference_markdown(struct text *out)
{
    reference(&(struct page){ .out = out, .form = FORM_MARKDOWN });
}

static const char shape[] =
    "A lesson is a Lua file that returns its parts, in the order in which they happen:\n"
    "  local weft = require \"weft\"\n"
    "\n"
    "  return weft.lesson {\n"
    "    api = 1, id = \"my-lesson\", year = 2014, title = \"My lesson\", minutes = 5,\n"
    "    scenes = { main = weft.scenario { fabric = ..., workload = ... } },\n"
    "    weft.scene \"main\",\n"
    "    weft.say [[ Prose, in Markdown. Step 1 took {steps[1].duration}. ]],\n"
    "    weft.predict { ask = \"...\", choices = { ... }, truth = function(r) return ... end },\n"
    "    weft.play { to = \"barrier\" },\n"
    "    weft.claim(\"...\", function(r) return ... end),\n"
    "  }\n"
    "`weft new NAME` writes one that can be changed, `weft check FILE` plays it in every branch "
    "and judges its "
    "claims, and a lesson that is open is read anew whenever its file is saved.\n";

void lesson_reference_roff(struct text *out)
{
    roff_begin(out, "weft-lesson", 5, "weft", "File formats");
    roff_section(out, "Name");
    roff_words(out, "weft-lesson - the language that lessons of weft are written in");
    text_add(out, "\n");
    roff_section(out, "Description");
    roff_lines(out, shape);
    reference(&(struct page){ .out = out, .form = FORM_ROFF });
    roff_section(out, "See also");
    text_add(out, ".BR weft (1)\n");
}
