#include "lesson/draft.h"

#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "base/units.h"

/* ---- tree ------------------------------------------------------------------------------------------ */

static void finish(struct lesson_draft *d)
{
    for (size_t i = 0; i < d->count; i++) {
        finish(&d->item[i]);
    }
    free(d->item);
    free(d->key);
    free(d->text);
    *d = (struct lesson_draft){ 0 };
}

void lesson_draft_destroy(struct lesson_draft *draft)
{
    if (draft != NULL) {
        finish(draft);
        free(draft);
    }
}

static char *copy_text(const char *s)
{
    return s != NULL ? mem_strdup(s) : NULL;
}

static void copy(struct lesson_draft *to, const struct lesson_draft *from)
{
    *to = *from;
    to->key = copy_text(from->key);
    to->text = copy_text(from->text);
    to->cap = from->count;
    to->item = from->count > 0 ? mem_alloc(from->count, sizeof *to->item) : NULL;
    for (size_t i = 0; i < from->count; i++) {
        copy(&to->item[i], &from->item[i]);
    }
}

struct lesson_draft *lesson_draft_copy(const struct lesson_draft *draft)
{
    struct lesson_draft *to = mem_alloc(1, sizeof *to);
    copy(to, draft);
    return to;
}

struct lesson_draft *lesson_draft_get(const struct lesson_draft *table, const char *key)
{
    for (size_t i = 0; table != NULL && i < table->count; i++) {
        if (table->item[i].key != NULL && strcmp(table->item[i].key, key) == 0) {
            return &table->item[i];
        }
    }
    return NULL;
}

const char *lesson_draft_text(const struct lesson_draft *table, const char *key)
{
    const struct lesson_draft *value = lesson_draft_get(table, key);
    return value != NULL && value->text != NULL ? value->text : "";
}

/* The field, emptied; a new one is appended. */
static struct lesson_draft *fresh(struct lesson_draft *table, const char *key)
{
    struct lesson_draft *value = lesson_draft_get(table, key);
    if (value == NULL) {
        table->item = mem_grow(table->item, &table->cap, table->count + 1, sizeof *table->item);
        value = &table->item[table->count++];
        *value = (struct lesson_draft){ 0 };
    } else {
        finish(value);
    }
    value->key = mem_strdup(key);
    value->kind = LESSON_KIND_COUNT;
    return value;
}

void lesson_draft_put(struct lesson_draft *table, const char *key, enum lesson_draft_type type,
                      const char *text)
{
    char *kept = mem_strdup(text); /* it may be the old value */
    struct lesson_draft *value = fresh(table, key);
    value->type = type;
    value->text = kept;
}

struct lesson_draft *lesson_draft_table(struct lesson_draft *table, const char *key)
{
    struct lesson_draft *value = lesson_draft_get(table, key);
    if (value == NULL) {
        value = fresh(table, key);
        value->type = LESSON_DRAFT_TABLE;
    }
    return value;
}

void lesson_draft_remove(struct lesson_draft *table, const char *key)
{
    struct lesson_draft *value = lesson_draft_get(table, key);
    if (value != NULL) {
        const size_t at = (size_t)(value - table->item);
        finish(value);
        memmove(value, value + 1, (table->count - at - 1) * sizeof *value);
        table->count--;
    }
}

/* ---- fields ---------------------------------------------------------------------------------------- */

/* What a field is where somebody begins with nothing: a small fabric of today. */
static const struct {
    enum lesson_field field;
    enum lesson_draft_type type;
    const char *value;
} USUAL[] = {
    { LESSON_LEAF_SPINE_leaves, LESSON_DRAFT_NUMBER, "2" },
    { LESSON_LEAF_SPINE_spines, LESSON_DRAFT_NUMBER, "2" },
    { LESSON_LEAF_SPINE_hosts, LESSON_DRAFT_NUMBER, "4" },
    { LESSON_LEAF_SPINE_rate, LESSON_DRAFT_TEXT, "100Gbps" },
    { LESSON_LEAF_SPINE_uplink_rate, LESSON_DRAFT_TEXT, "100Gbps" },
    { LESSON_LEAF_SPINE_delay, LESSON_DRAFT_TEXT, "500ns" },
    { LESSON_FAT_TREE_ports, LESSON_DRAFT_NUMBER, "4" },
    { LESSON_FAT_TREE_rate, LESSON_DRAFT_TEXT, "100Gbps" },
    { LESSON_FAT_TREE_delay, LESSON_DRAFT_TEXT, "500ns" },
    { LESSON_STAR_hosts, LESSON_DRAFT_NUMBER, "8" },
    { LESSON_STAR_rate, LESSON_DRAFT_TEXT, "100Gbps" },
    { LESSON_STAR_delay, LESSON_DRAFT_TEXT, "500ns" },
    { LESSON_RAIL_boxes, LESSON_DRAFT_NUMBER, "2" },
    { LESSON_RAIL_spines, LESSON_DRAFT_NUMBER, "1" },
    { LESSON_RAIL_rate, LESSON_DRAFT_TEXT, "400Gbps" },
    { LESSON_RAIL_uplink_rate, LESSON_DRAFT_TEXT, "400Gbps" },
    { LESSON_RAIL_delay, LESSON_DRAFT_TEXT, "500ns" },
    { LESSON_CIRCLE_switches, LESSON_DRAFT_NUMBER, "4" },
    { LESSON_CIRCLE_hosts, LESSON_DRAFT_NUMBER, "1" },
    { LESSON_CIRCLE_open, LESSON_DRAFT_BOOL, "true" },
    { LESSON_CIRCLE_clockwise, LESSON_DRAFT_BOOL, "true" },
    { LESSON_CIRCLE_rate, LESSON_DRAFT_TEXT, "40Gbps" },
    { LESSON_CIRCLE_trunk_rate, LESSON_DRAFT_TEXT, "40Gbps" },
    { LESSON_CIRCLE_delay, LESSON_DRAFT_TEXT, "500ns" },
    { LESSON_PAIR_rate, LESSON_DRAFT_TEXT, "100Gbps" },
    { LESSON_PAIR_delay, LESSON_DRAFT_TEXT, "500ns" },
    { LESSON_BOX_gpus, LESSON_DRAFT_NUMBER, "4" },
    { LESSON_BOX_nvlink, LESSON_DRAFT_NUMBER, "4" },
    { LESSON_BOX_pcie, LESSON_DRAFT_NUMBER, "5" },
    { LESSON_BOX_lanes, LESSON_DRAFT_NUMBER, "16" },
    { LESSON_BOX_switches, LESSON_DRAFT_NUMBER, "1" },
    { LESSON_BOX_nics, LESSON_DRAFT_NUMBER, "1" },
    { LESSON_BOX_memory, LESSON_DRAFT_TEXT, "50GB/s" },
    { LESSON_BOX_delay, LESSON_DRAFT_TEXT, "1ns" },
    { LESSON_TRAINING_compute, LESSON_DRAFT_TEXT, "50us" },
    { LESSON_TRAINING_steps, LESSON_DRAFT_NUMBER, "3" },
    { LESSON_RING_bytes, LESSON_DRAFT_TEXT, "256KiB" },
    { LESSON_RING_bucket, LESSON_DRAFT_TEXT, "256KiB" },
    { LESSON_COLLECTIVE_kind, LESSON_DRAFT_TEXT, "tree" },
    { LESSON_COLLECTIVE_bytes, LESSON_DRAFT_TEXT, "256KiB" },
    { LESSON_COLLECTIVE_bucket, LESSON_DRAFT_TEXT, "256KiB" },
    { LESSON_FLOWS_blocks, LESSON_DRAFT_NUMBER, "1" },
    { LESSON_INCAST_to, LESSON_DRAFT_TEXT, "g1" },
    { LESSON_INCAST_from, LESSON_DRAFT_NUMBER, "3" },
    { LESSON_INCAST_bytes, LESSON_DRAFT_TEXT, "1MiB" },
    { LESSON_INCAST_start, LESSON_DRAFT_TEXT, "1us" },
    { LESSON_INCAST_blocks, LESSON_DRAFT_NUMBER, "1" },
    { LESSON_PERMUTATION_shift, LESSON_DRAFT_NUMBER, "1" },
    { LESSON_PERMUTATION_bytes, LESSON_DRAFT_TEXT, "1MiB" },
    { LESSON_PERMUTATION_start, LESSON_DRAFT_TEXT, "1us" },
    { LESSON_POISSON_load, LESSON_DRAFT_TEXT, "50%" },
    { LESSON_POISSON_bytes, LESSON_DRAFT_TEXT, "64KiB" },
    { LESSON_POISSON_pairs, LESSON_DRAFT_NUMBER, "1" },
    { LESSON_POISSON_seed, LESSON_DRAFT_NUMBER, "1" },
    { LESSON_REQUESTS_count, LESSON_DRAFT_NUMBER, "100" },
    { LESSON_REQUESTS_clients, LESSON_DRAFT_NUMBER, "1" },
    { LESSON_REQUESTS_ask, LESSON_DRAFT_TEXT, "1KB" },
    { LESSON_REQUESTS_answer, LESSON_DRAFT_TEXT, "32KB" },
    { LESSON_REQUESTS_gap, LESSON_DRAFT_TEXT, "10us" },
    { LESSON_REQUESTS_seed, LESSON_DRAFT_NUMBER, "1" },
};

static size_t usual_of(enum lesson_field field)
{
    for (size_t i = 0; i < sizeof USUAL / sizeof *USUAL; i++) {
        if (USUAL[i].field == field) {
            return i;
        }
    }
    return SIZE_MAX;
}

const char *lesson_draft_usual(enum lesson_field field)
{
    const size_t i = usual_of(field);
    return i != SIZE_MAX ? USUAL[i].value : NULL;
}

/* The kinds a field may be of. */
static bool may_be(const struct lesson_field_info *info, enum lesson_kind kind)
{
    return ((uint64_t)info->max & UINT64_C(1) << kind) != 0;
}

static void make(struct lesson_draft *value, enum lesson_kind kind, const struct lesson_draft *old)
{
    value->type = LESSON_DRAFT_TABLE;
    value->kind = kind;
    for (int f = 0; f < LESSON_FIELD_COUNT; f++) {
        const struct lesson_field_info *info = lesson_field_info((enum lesson_field)f);
        if (info->kind != kind) {
            continue;
        }
        const struct lesson_draft *same = lesson_draft_get(old, info->name);
        const size_t usual = usual_of((enum lesson_field)f);
        if (same != NULL && same->text != NULL &&
            (usual == SIZE_MAX || USUAL[usual].type == same->type)) {
            lesson_draft_put(value, info->name, same->type, same->text);
        } else if (same != NULL && info->type == LESSON_TYPE_OBJECT &&
                   may_be(info, same->kind)) { /* the box that the hosts are */
            struct lesson_draft *box = fresh(value, info->name);
            free(box->key); /* the copy has its own */
            copy(box, same);
        } else if (info->required && usual != SIZE_MAX) {
            lesson_draft_put(value, info->name, USUAL[usual].type, USUAL[usual].value);
        } else if (info->required && info->type == LESSON_TYPE_OBJECT) {
            for (int k = 0; k < LESSON_KIND_COUNT; k++) {
                if (may_be(info, (enum lesson_kind)k)) {
                    make(fresh(value, info->name), (enum lesson_kind)k, NULL);
                    break;
                }
            }
        }
    }
}

bool lesson_draft_makes(enum lesson_kind kind)
{
    return kind != LESSON_KIND_FABRIC && kind != LESSON_KIND_FLOWS;
}

void lesson_draft_become(struct lesson_draft *table, enum lesson_field field, enum lesson_kind kind)
{
    const char *name = lesson_field_info(field)->name;
    struct lesson_draft old = { 0 };
    const struct lesson_draft *was = lesson_draft_get(table, name);
    if (was != NULL) {
        copy(&old, was);
    }
    make(fresh(table, name), kind, &old);
    finish(&old);
    if (kind == LESSON_KIND_BOX &&
        field != LESSON_SCENARIO_fabric) { /* a host reaches the fabric */
        static const enum lesson_field needs[] = { LESSON_BOX_nvlink, LESSON_BOX_pcie,
                                                   LESSON_BOX_nics };
        struct lesson_draft *box = lesson_draft_get(table, name);
        for (size_t i = 0; i < sizeof needs / sizeof *needs; i++) {
            lesson_draft_put(box, lesson_field_info(needs[i])->name, LESSON_DRAFT_NUMBER,
                             lesson_draft_usual(needs[i]));
        }
    }
}

/* ---- what is typed ----------------------------------------------------------------------------------- */

static bool is_number(const char *s)
{
    return *s != '\0' && s[strspn(s, "0123456789")] == '\0' && strlen(s) < 10;
}

static bool quantity(enum unit_kind unit, const char *typed, struct err *err)
{
    int64_t value;
    return units_parse(typed, unit, &value, err);
}

bool lesson_draft_set(struct lesson_draft *table, enum lesson_field field, const char *typed,
                      struct err *err)
{
    static const enum unit_kind units[] = { [LESSON_TYPE_TIME] = UNIT_TIME,
                                            [LESSON_TYPE_RATE] = UNIT_RATE,
                                            [LESSON_TYPE_BYTES] = UNIT_BYTES,
                                            [LESSON_TYPE_SHARE] = UNIT_SHARE };
    const struct lesson_field_info *info = lesson_field_info(field);
    enum lesson_draft_type type = LESSON_DRAFT_TEXT;
    bool ok = true;
    switch ((int)info->type) {
    case LESSON_TYPE_INT:
        type = LESSON_DRAFT_NUMBER;
        ok = is_number(typed) ||
             err_set(err, ERR_SYNTAX, "\"%.40s\": a whole number, please", typed);
        break;
    case LESSON_TYPE_BOOL:
        type = LESSON_DRAFT_BOOL;
        typed = strcmp(typed, "on") == 0 || strcmp(typed, "yes") == 0   ? "true"
                : strcmp(typed, "off") == 0 || strcmp(typed, "no") == 0 ? "false"
                                                                        : typed;
        ok = strcmp(typed, "true") == 0 || strcmp(typed, "false") == 0 ||
             err_set(err, ERR_SYNTAX, "\"%.40s\": true or false, please", typed);
        break;
    case LESSON_TYPE_TIME:
    case LESSON_TYPE_RATE:
    case LESSON_TYPE_BYTES:
    case LESSON_TYPE_SHARE:
        ok = quantity(units[info->type], typed, err);
        break;
    case LESSON_TYPE_ANY: /* a generation or a rate, a number of hosts or ... */
        type = is_number(typed) ? LESSON_DRAFT_NUMBER : LESSON_DRAFT_TEXT;
        break;
    case LESSON_TYPE_TEXT:
    case LESSON_TYPE_NAME:
    case LESSON_TYPE_WORD:
        break;
    default:
        ok = err_set(err, ERR_SYNTAX, "%s is not typed in one word", info->name);
        break;
    }
    if (ok) {
        lesson_draft_put(table, info->name, type, typed);
    }
    return ok;
}

/* ---- rows -------------------------------------------------------------------------------------------- */

static bool is_single(enum lesson_type type)
{
    return type == LESSON_TYPE_INT || type == LESSON_TYPE_BOOL || type == LESSON_TYPE_TIME ||
           type == LESSON_TYPE_RATE || type == LESSON_TYPE_BYTES || type == LESSON_TYPE_SHARE ||
           type == LESSON_TYPE_ANY || type == LESSON_TYPE_TEXT || type == LESSON_TYPE_WORD ||
           type == LESSON_TYPE_OBJECT;
}

struct rows {
    struct lesson_draft_row *row;
    size_t count, cap;
};

static void add_row(struct rows *rows, struct lesson_draft *table, enum lesson_field field,
                    int depth)
{
    const struct lesson_field_info *info = lesson_field_info(field);
    struct lesson_draft *value = lesson_draft_get(table, info->name);
    if (rows->count == rows->cap || !is_single(info->type)) {
        return;
    }
    rows->row[rows->count++] =
        (struct lesson_draft_row){ .table = table, .field = field, .value = value, .depth = depth };
    if (value == NULL || value->type != LESSON_DRAFT_TABLE) {
        return;
    }
    for (int f = 0; f < LESSON_FIELD_COUNT; f++) {
        if (lesson_field_info((enum lesson_field)f)->kind == value->kind) {
            add_row(rows, value, (enum lesson_field)f, depth + 1);
        }
    }
}

size_t lesson_draft_rows(struct lesson_draft *scenario, enum lesson_field field,
                         struct lesson_draft_row *row, size_t cap)
{
    struct rows rows = { row, 0, cap };
    add_row(&rows, scenario, field, 0);
    return rows.count;
}
