/*
 * A draft: a scenario as it is written, not as it is built; what the lab changes.
 *
 *     preset.lua --lesson_draft_load--> tree --lesson_draft_set--> tree
 *     tree --lesson_draft_write--> "weft.scenario { ... }" --lesson_load_text--> a lesson
 *
 * A tree of values with the names they have in the language (api.h), so that what is written again says
 * the same, and whoever shows it needs no word about fabrics: kinds, fields, units, ranges and help come
 * from the table. A draft only says; whether it can be built is found out by loading what it writes, and
 * each value remembers the line it was written in, so that an error leads back to it.
 *
 * Ownership: a draft owns its values. Pointers to one are valid until its table changes.
 */
#ifndef WEFT_LESSON_DRAFT_H
#define WEFT_LESSON_DRAFT_H

#include <stdbool.h>
#include <stddef.h>

#include "base/err.h"
#include "base/text.h"
#include "lesson/api.h"

enum lesson_draft_type {
    LESSON_DRAFT_BOOL,
    LESSON_DRAFT_NUMBER,
    LESSON_DRAFT_TEXT,
    LESSON_DRAFT_TABLE
};

struct lesson_draft {
    char *key;     /* of a field; NULL: an entry of the list part, or the whole */
    bool numbered; /* the key is a number: [3] = ... */
    enum lesson_draft_type type;
    char *text;            /* no TABLE: the value without quotes */
    enum lesson_kind kind; /* TABLE: its constructor; LESSON_KIND_COUNT: a plain table */
    struct lesson_draft *item;
    size_t count, cap;
    int line; /* where lesson_draft_write() has put it last, from 1 */
};

/* A scenario's file. It must be one that can be built. The caller destroys it. */
struct lesson_draft *lesson_draft_load(const char *path, const char *data_dir, struct text *errors,
                                       struct err *err);
struct lesson_draft *lesson_draft_copy(const struct lesson_draft *draft);
void lesson_draft_destroy(struct lesson_draft *draft);

/* The value of a field, or NULL. */
struct lesson_draft *lesson_draft_get(const struct lesson_draft *table, const char *key);
/* The same, for a text or number: "" where it is not given. */
const char *lesson_draft_text(const struct lesson_draft *table, const char *key);

/* Sets a field to what a person has typed, checked as far as its type goes (a number, a quantity with its
 * unit, a word). The rest of what may be wrong is found by loading. */
bool lesson_draft_set(struct lesson_draft *table, enum lesson_field field, const char *typed,
                      struct err *err);
/* Sets a text or a number without looking. */
void lesson_draft_put(struct lesson_draft *table, const char *key, enum lesson_draft_type type,
                      const char *value);
/* The plain table of a field; made, if it is not there. */
struct lesson_draft *lesson_draft_table(struct lesson_draft *table, const char *key);
void lesson_draft_remove(struct lesson_draft *table, const char *key);

/* Makes the OBJECT field one of another kind: what both kinds have is kept, what the new one needs gets a
 * value that is usual. */
void lesson_draft_become(struct lesson_draft *table, enum lesson_field field,
                         enum lesson_kind kind);
/* The usual value of a field, or NULL: for one that is not given. */
const char *lesson_draft_usual(enum lesson_field field);
/* A kind that lesson_draft_become() can make out of nothing. */
bool lesson_draft_makes(enum lesson_kind kind);

/* A field of a table, as a row. */
struct lesson_draft_row {
    struct lesson_draft *table;
    enum lesson_field field;
    struct lesson_draft *value; /* NULL: not given */
    int depth;                  /* of tables inside tables */
};
/* Fields that one value each decides (numbers, words, kinds of fabric), of the OBJECT field and what is
 * inside it, in the order of the table. Returns how many, at most `cap`. */
size_t lesson_draft_rows(struct lesson_draft *scenario, enum lesson_field field,
                         struct lesson_draft_row *rows, size_t cap);

/* Appends it as Lua, its first line at `*line` (counted on), inner lines behind `indent` blanks. Fields of
 * its own whose names are in `but` (up to NULL; or NULL) are left out. */
void lesson_draft_write(struct lesson_draft *draft, int indent, const char *const *but, int *line,
                        struct text *out);

#endif
