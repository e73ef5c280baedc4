/*
 * The inside of a lesson, shared by the files that build it and the files that use it.
 */
#ifndef WEFT_LESSON_DATA_H
#define WEFT_LESSON_DATA_H

#include <stdbool.h>
#include <stddef.h>

#include "lesson/api.h"
#include "lesson/host.h"
#include "lesson/lesson.h"
#include "lesson/problems.h"
#include "lesson/words.h"

#define LESSON_ITEMS_MAX  500
#define LESSON_SCENES_MAX 32
#define LESSON_NO_FUNC    (-2) /* LUA_NOREF */

/* One {expression} of a text: where it stands in the text, and its compiled function. */
struct lesson_expr {
    size_t from, to; /* from '{' to behind '}' */
    int func;
    bool given; /* asks for what is set, not for what was measured: never old */
};

/* A text with expressions. */
struct lesson_prose {
    const char *text; /* borrowed from the item or choice */
    struct lesson_expr *exprs;
    size_t count;
    bool gave_up; /* its values took too long: not asked again, a picture is drawn many times */
};

struct lesson {
    struct lesson_host *host;
    char *path;
    char *id, *title;
    int year, minutes, level;
    struct lesson_words terms, sources;
    char **builds_on; /* ids */
    size_t builds_on_count;
    char *after;        /* the same, joined */
    char *term_names;   /* of `terms`, joined */
    size_t path_length; /* cards of the declared path */
    int builds_on_line, terms_line;
    struct lesson_scene *scenes;
    const char **scene_names; /* the same, for measure.h */
    int *scene_lines;
    size_t scene_count;
    struct lesson_item *items;
    int *funcs; /* one for each item: truth or claim, in the registry; else LESSON_NO_FUNC */
    size_t item_count;
    struct lesson_card *cards;
    char **card_titles;
    size_t card_count;
    struct lesson_prose *proses;
    size_t prose_count, prose_cap;
};

/* ---- reading a file -------------------------------------------------------------------------- */

/* A file that returns one object: what kind is wanted, and who reads it. `read` runs inside a
 * protected call with the object at index 1; it notes what is wrong in `problems`. */
struct lesson_reader {
    enum lesson_kind want;
    void (*read)(lua_State *L, int line, struct lesson_reader *reader);
    void *to;
    const char *data_dir;
    const char *text;           /* in place of what the file holds; or NULL */
    struct lesson_files *files; /* may be NULL */
    const atomic_bool *cancel;  /* may be NULL */
    struct lesson_problems problems;
};

/* Runs the file in a host of its own, which the caller destroys whatever happens. All problems go
 * to `errors` (may be NULL), the first to `err`; ERR_STATE: it returns something else. */
bool lesson_read_file(struct lesson_reader *reader, struct lesson_host **host, const char *path,
                      struct text *errors, struct err *err);

/* ---- building (each notes its problems) ------------------------------------------------------ */

/* The weft.scenario at `index` of the stack. `sc` is initialised and, on success, checked. */
bool lesson_build_scenario(lua_State *L, int index, const char *name, int line,
                           struct lesson_problems *problems, struct sim_scenario *sc, char **scale);

/* Its parts: what is to be read is on top of the stack, and stays there. */
bool lesson_build_fabric(lua_State *L, int line, struct lesson_problems *problems,
                         struct sim_scenario *sc);
bool lesson_build_work(lua_State *L, int line, struct lesson_problems *problems,
                       struct sim_scenario *sc);

bool lesson_build_classes(lua_State *L, int line, struct lesson_problems *problems,
                          struct sim_scenario *sc);
bool lesson_build_arbitration(lua_State *L, int line, struct lesson_problems *problems,
                              struct sim_scenario *sc);

/* A node (or only a host or memory, where flows may end) by the name that a field holds; notes the nearest name if there is none. */
bool lesson_find_node(const struct sim_scenario *sc, const struct lesson_value *name, bool host,
                      struct lesson_problems *problems, uint32_t *node);
/* Notes the error of a layer below unless `ok`, or adrift (problems.h); returns `ok`. */
bool lesson_noted(bool ok, struct lesson_problems *problems, int line, const struct err *err);
int64_t lesson_value_or(const struct lesson_value *v, int64_t otherwise);

/* Whether a lesson may have such an item. */
bool lesson_kind_is_item(enum lesson_kind kind);

/* Items and cards, from the list part of the lesson's fields at `index`. Flows and ports that they name
 * are looked for when the scenes are `whole`. */
bool lesson_build_items(struct lesson *lesson, int index, bool whole,
                        struct lesson_problems *problems);

/* Finds and compiles the expressions of a text that the lesson keeps. */
bool lesson_build_prose(struct lesson *lesson, const char *text, int line,
                        struct lesson_problems *problems);

void lesson_item_finish(struct lesson_item *item);

/* ---- asking its functions -------------------------------------------------------------------- */

struct lesson_measure;

/* A function in the registry, to be called with `r` or (as_env) with `r` as its environment. */
struct lesson_question {
    const struct lesson_measure *measure;
    int func;
    bool as_env;
    int more;          /* results that are wanted besides the first; nil where there are none */
    const int *scenes; /* called with the reports of these scenes instead; or NULL */
    size_t scene_count;
    const struct lesson_budget *budget; /* NULL: lesson_budget_call */
};
/* On success its one result is on top of the stack. The caller calls lesson_measure_end(). */
bool lesson_ask(struct lesson *lesson, const struct lesson_question *question, struct err *err);

/* ---- files ----------------------------------------------------------------------------------- */

/* The folder a path lies in; the caller frees. */
char *lesson_folder(const char *path);

#endif
