#include "app/lab.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "app/lab_parts.h"
#include "app/step.h"
#include "base/mem.h"

/* ---- presets ----------------------------------------------------------------------------------------- */

static void take_draft(struct lab *lab, struct lesson_draft *draft)
{
    lesson_draft_destroy(lab->draft);
    lab->draft = draft;
    lab->changed = true;
}

bool lab_begin_with(struct lab *lab, const char *preset, struct err *err)
{
    char *file = lesson_presets_find(&lab->presets, preset, err);
    struct lesson_draft *draft =
        file != NULL ? lesson_draft_load(file, lab->data_dir, NULL, err) : NULL;
    if (draft != NULL) {
        const char *slash = strrchr(file, '/');
        const char *base = slash != NULL ? slash + 1 : file;
        snprintf(lab->id, sizeof lab->id, "%.*s", (int)strcspn(base, "."), base);
        take_draft(lab, draft);
    }
    free(file);
    return draft != NULL && lab_count(lab, lab->draft, err);
}

struct lab *lab_create(const char *data_dir, const char *preset, struct err *err)
{
    struct lab *lab = mem_alloc(1, sizeof *lab);
    lab->data_dir = mem_strdup(data_dir);
    if (!lesson_presets_read(data_dir, &lab->presets, err) ||
        !lab_begin_with(lab, preset != NULL ? preset : LAB_FIRST, err)) {
        lab_destroy(lab);
        return NULL;
    }
    return lab;
}

void lab_destroy(struct lab *lab)
{
    if (lab == NULL) {
        return;
    }
    lesson_presets_finish(&lab->presets);
    free(lab->data_dir);
    lesson_draft_destroy(lab->draft);
    free(lab);
}

/* ---- the draft as a lesson --------------------------------------------------------------------------- */

/* Loads what a draft writes. */
static struct lesson *load(const struct lab *lab, struct lesson_draft *draft, struct err *err)
{
    struct text text = { 0 };
    lab_write_card(draft, &text);
    struct lesson *lesson = lesson_load_text(text_str(&text), "lab", lab->data_dir, NULL, err);
    text_finish(&text);
    return lesson;
}

struct lesson *lab_lesson(struct lab *lab, struct err *err)
{
    struct lesson *lesson = load(lab, lab->draft, err);
    lab->changed = lab->changed && lesson == NULL;
    return lesson;
}

/* "16 hosts, 6 switches, 24 cables" */
static void say_counts(struct lab *lab, const struct lesson *lesson)
{
    const struct sim_scenario *sc = &lesson_scene(lesson, 0)->scenario;
    int64_t hosts = 0, switches = 0;
    char a[40], b[40], c[40];
    for (size_t i = 0; i < sc->node_count; i++) {
        hosts += sc->nodes[i].kind == SIM_HOST;
        switches += sc->nodes[i].kind == SIM_SWITCH;
    }
    lab->hosts = hosts;
    snprintf(lab->counts, sizeof lab->counts, "%s, %s, %s",
             units_counted(a, sizeof a, hosts, "host", "hosts"),
             units_counted(b, sizeof b, switches, "switch", "switches"),
             units_counted(c, sizeof c, (int64_t)sc->link_count, "cable", "cables"));
}

bool lab_count(struct lab *lab, struct lesson_draft *draft, struct err *err)
{
    struct lesson *lesson = load(lab, draft, err);
    if (lesson != NULL) {
        say_counts(lab, lesson);
    }
    lesson_destroy(lesson);
    return lesson != NULL;
}

void lab_know(struct lab *lab, const struct sim *sim)
{
    lab->knobs = *sim_knobs(sim);
}

/* A draft that is about to be changed begins with what the run is set to. */
static void take_knobs(const struct lab *lab, struct lesson_draft *draft)
{
    char value[64];
    struct lesson_draft *set = lesson_draft_table(draft, "set");
    for (int k = 0; k < SIM_KNOB_COUNT; k++) {
        const struct sim_knob_info *info = sim_knob_info((enum sim_knob)k);
        const int64_t now = lab->knobs.v[k];
        const bool number = info->type == SIM_KNOB_NUMBER && info->unit == UNIT_COUNT &&
                            now != SIM_AUTO && now != SIM_UNLIMITED;
        lesson_draft_remove(set, info->name);
        if (now != info->def) {
            sim_knob_format((enum sim_knob)k, now, true, value, sizeof value);
            lesson_draft_put(set, info->name, number ? LESSON_DRAFT_NUMBER : LESSON_DRAFT_TEXT,
                             value);
        }
    }
    lesson_draft_remove(set, "pfc"); /* the shorthand: flow_control says it */
    if (set->count == 0) {
        lesson_draft_remove(draft, "set");
    }
}

/* A copy with a change takes the draft's place, if it can be built. */
static bool try_out(struct lab *lab, struct lesson_draft *copy, struct err *err)
{
    if (!lab->changed) {
        take_knobs(lab, copy);
    }
    if (!lab_count(lab, copy, err)) {
        lesson_draft_destroy(copy);
        return false;
    }
    take_draft(lab, copy);
    return true;
}

/* ---- rows -------------------------------------------------------------------------------------------- */

size_t lab_rows(struct lab *lab, struct lesson_draft_row rows[LAB_ROWS_MAX], size_t *fabric)
{
    *fabric = lesson_draft_rows(lab->draft, LESSON_SCENARIO_fabric, rows, LAB_ROWS_MAX);
    return *fabric + lesson_draft_rows(lab->draft, LESSON_SCENARIO_workload, rows + *fabric,
                                       LAB_ROWS_MAX - *fabric);
}

static bool may_be(const struct lesson_field_info *info, int kind)
{
    return ((uint64_t)info->max & UINT64_C(1) << kind) != 0;
}

/* The word of a knob that a text is, where a collective's kind is one. */
static bool is_collective(const struct lesson_draft_row *row)
{
    return row->field == LESSON_COLLECTIVE_kind;
}

const char *lab_row_value(const struct lesson_draft_row *row, char *buf, size_t size)
{
    const struct lesson_draft *v = row->value;
    if (v == NULL) {
        snprintf(buf, size, "-");
    } else if (v->type != LESSON_DRAFT_TABLE) {
        snprintf(buf, size, "%s", v->text);
    } else if (v->kind != LESSON_KIND_COUNT) {
        snprintf(buf, size, "%s", lesson_kind_info(v->kind)->name);
    } else {
        snprintf(buf, size, "%zu in a list", v->count);
    }
    return buf;
}

static enum unit_kind unit_of(enum lesson_type type)
{
    return type == LESSON_TYPE_TIME    ? UNIT_TIME
           : type == LESSON_TYPE_RATE  ? UNIT_RATE
           : type == LESSON_TYPE_BYTES ? UNIT_BYTES
           : type == LESSON_TYPE_SHARE ? UNIT_SHARE
                                       : UNIT_COUNT;
}

const char *lab_row_range(const struct lesson_draft_row *row, char *buf, size_t size)
{
    const struct lesson_field_info *info = lesson_field_info(row->field);
    struct text out = { 0 };
    if (info->type == LESSON_TYPE_OBJECT) {
        for (int k = 0, n = 0; k < LESSON_KIND_COUNT; k++) {
            if (may_be(info, k) && lesson_draft_makes((enum lesson_kind)k)) {
                text_addf(&out, "%s%s", n++ > 0 ? " | " : "",
                          lesson_kind_info((enum lesson_kind)k)->name);
            }
        }
    } else if (info->type == LESSON_TYPE_INT) {
        text_addf(&out, "%" PRId64 " to %" PRId64, info->min, info->max);
    } else if (info->type == LESSON_TYPE_BOOL) {
        text_add(&out, "true | false");
    } else if (is_collective(row)) {
        sim_knob_say_range(&out, SIM_KNOB_COLLECTIVE);
    } else if (unit_of(info->type) != UNIT_COUNT) {
        static const char *const words[] = { "", "ps, ns, us, ms, s", "Mbps, Gbps, GB/s",
                                             "B, KB, KiB, MB, MiB", "a share: 0.5, 50%" };
        text_add(&out, words[unit_of(info->type)]);
    }
    if (!info->required) {
        text_addf(&out, "%s-: not given", out.len > 0 ? " | " : "");
    }
    snprintf(buf, size, "%s", text_str(&out));
    text_finish(&out);
    return buf;
}

/* The same row of a copy of the draft. */
static bool find_row(struct lesson_draft *copy, const struct lab *lab,
                     const struct lesson_draft_row *row, struct lesson_draft_row *out)
{
    struct lesson_draft_row was[LAB_ROWS_MAX], is[LAB_ROWS_MAX];
    for (int part = 0; part < 2; part++) {
        const enum lesson_field field =
            part == 0 ? LESSON_SCENARIO_fabric : LESSON_SCENARIO_workload;
        const size_t n = lesson_draft_rows(lab->draft, field, was, LAB_ROWS_MAX);
        (void)lesson_draft_rows(copy, field, is, LAB_ROWS_MAX);
        for (size_t i = 0; i < n; i++) {
            if (was[i].table == row->table && was[i].field == row->field) {
                *out = is[i];
                return true;
            }
        }
    }
    return false;
}

/* Names of the fabric that is no longer there. */
static void forget_names(struct lesson_draft *draft)
{
    static const char *const lists[] = { "routes", "pins", "faults" };
    for (size_t i = 0; i < sizeof lists / sizeof *lists; i++) {
        lesson_draft_remove(draft, lists[i]);
    }
}

static bool become(struct lab *lab, const struct lesson_draft_row *row, const char *kind_name,
                   struct err *err)
{
    const struct lesson_field_info *info = lesson_field_info(row->field);
    struct lesson_draft *copy = lesson_draft_copy(lab->draft);
    struct lesson_draft_row at;
    int kind = 0;
    while (kind < LESSON_KIND_COUNT &&
           (!may_be(info, kind) || !lesson_draft_makes((enum lesson_kind)kind) ||
            strcmp(lesson_kind_info((enum lesson_kind)kind)->name, kind_name) != 0)) {
        kind++;
    }
    if (kind == LESSON_KIND_COUNT || !find_row(copy, lab, row, &at)) {
        char range[200];
        lesson_draft_destroy(copy);
        return err_set(err, ERR_NAME, "\"%.40s\" is none of %s", kind_name,
                       lab_row_range(row, range, sizeof range));
    }
    lesson_draft_become(at.table, row->field, (enum lesson_kind)kind);
    if (row->field == LESSON_SCENARIO_fabric) {
        forget_names(copy);
    }
    return try_out(lab, copy, err);
}

bool lab_set(struct lab *lab, const struct lesson_draft_row *row, const char *typed,
             struct err *err)
{
    const struct lesson_field_info *info = lesson_field_info(row->field);
    const bool out = strcmp(typed, "-") == 0;
    if (info->type == LESSON_TYPE_OBJECT && !out) {
        return become(lab, row, typed, err);
    }
    if (out && info->required) {
        return err_set(err, ERR_RANGE, "%s must be given", info->name);
    }
    struct lesson_draft *copy = lesson_draft_copy(lab->draft);
    struct lesson_draft_row at;
    bool ok = find_row(copy, lab, row, &at);
    if (ok && out) {
        lesson_draft_remove(at.table, info->name);
    } else if (ok) {
        ok = lesson_draft_set(at.table, row->field, typed, err);
    }
    if (!ok) {
        lesson_draft_destroy(copy);
        return false;
    }
    return try_out(lab, copy, err);
}

/* ---- Left and Right ---------------------------------------------------------------------------------- */

/* The next of the kinds, or of the words, round; "-" among them where it may be left out. */
static bool next_kind(const struct lesson_draft_row *row, bool up, char *out, size_t size)
{
    const struct lesson_field_info *info = lesson_field_info(row->field);
    const int n = LESSON_KIND_COUNT;
    int kind = row->value != NULL ? (int)row->value->kind : n;
    for (int i = 0; i < n; i++) { /* not round to itself */
        kind = (kind + (up ? 1 : n)) % (n + 1);
        if (kind == n ? !info->required
                      : may_be(info, kind) && lesson_draft_makes((enum lesson_kind)kind)) {
            snprintf(out, size, "%s",
                     kind == n ? "-" : lesson_kind_info((enum lesson_kind)kind)->name);
            return true;
        }
    }
    return false;
}

static bool next_word(const char *const *words, const char *now, bool up, char *out, size_t size)
{
    size_t n = 0, at = 0;
    for (; words[n] != NULL; n++) {
        at = strcmp(words[n], now) == 0 ? n : at;
    }
    snprintf(out, size, "%s", words[(at + (up ? 1 : n - 1)) % n]);
    return true;
}

/* The next number, or quantity, as it is typed. */
static bool next_quantity(const struct lesson_field_info *info, const char *now, bool up, char *out,
                          size_t size)
{
    const enum unit_kind unit = unit_of(info->type);
    const bool counted = info->type == LESSON_TYPE_INT;
    int64_t value, next;
    if (!units_parse(now, unit, &value, NULL) ||
        !step_quantity(unit, value, up, counted ? info->min : 0,
                       counted ? info->max : INT64_MAX / 2, &next)) {
        return false;
    }
    step_typed(unit, next, out, size);
    if (counted) {
        snprintf(out, size, "%" PRId64, next);
    }
    return true;
}

static bool next_value(const struct lesson_draft_row *row, const char *now, bool up, char *out,
                       size_t size)
{
    const struct lesson_field_info *info = lesson_field_info(row->field);
    if (info->type == LESSON_TYPE_OBJECT) {
        return next_kind(row, up, out, size);
    }
    if (strcmp(now, "-") == 0) {
        const char *usual = lesson_draft_usual(row->field);
        snprintf(out, size, "%s", usual != NULL ? usual : "");
        return usual != NULL;
    }
    if (is_collective(row)) {
        return next_word(sim_knob_choices(SIM_KNOB_COLLECTIVE), now, up, out, size);
    }
    if (info->type == LESSON_TYPE_BOOL) {
        snprintf(out, size, "%s",
                 !info->required && strcmp(now, "true") == 0 ? "-"
                 : strcmp(now, "true") == 0                  ? "false"
                                                             : "true");
        return true;
    }
    if (info->type == LESSON_TYPE_ANY && now[strspn(now, "0123456789")] != '\0') {
        struct lesson_field_info rate = *info; /* a rate in place of a generation */
        rate.type = LESSON_TYPE_RATE;
        return next_quantity(&rate, now, up, out, size);
    }
    if (next_quantity(info, now, up, out, size)) {
        return true;
    }
    snprintf(out, size, "-");
    return !up && !info->required;
}

bool lab_step(struct lab *lab, const struct lesson_draft_row *row, bool up, struct err *err)
{
    enum {
        TRIES = 4
    }; /* an odd number of ports, a box without a NIC: the value behind it may do */
    char now[64], next[64];
    struct err first = { 0 };
    const struct lesson_field_info *info = lesson_field_info(row->field);
    lab_row_value(row, now, sizeof now);
    if (info->type == LESSON_TYPE_TEXT && !is_collective(row)) {
        return err_set(err, ERR_STATE, "type it: Enter");
    }
    struct lesson_draft_row at = *row;
    struct lesson_draft pretended = { 0 };
    char was[64];
    snprintf(was, sizeof was, "%s", now);
    for (int i = 0; i < TRIES; i++) {
        struct err why = { 0 };
        if (!next_value(&at, now, up, next, sizeof next) || strcmp(next, was) == 0) {
            return err_set(err, ERR_RANGE, "%s",
                           first.code != ERR_NONE ? first.msg
                           : up                   ? "there is no larger one; Enter types a value"
                                                  : "there is no smaller one; Enter types a value");
        }
        if (lab_set(lab, row, next, &why)) {
            return true;
        }
        first = first.code == ERR_NONE ? why : first;
        snprintf(now, sizeof now, "%s", next);
        if (info->type == LESSON_TYPE_OBJECT) { /* go on from the kind that would not do */
            for (int k = 0; k < LESSON_KIND_COUNT; k++) {
                if (strcmp(lesson_kind_info((enum lesson_kind)k)->name, next) == 0) {
                    pretended.kind = (enum lesson_kind)k;
                }
            }
            at.value = &pretended;
        }
    }
    *err = first;
    return false;
}
