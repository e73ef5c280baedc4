/*
 * Words: terms and what they mean (a glossary), keys and the sources they stand for (a bibliography).
 *
 * They come from three places: assets/glossary.txt and assets/bibliography, the index.lua of the folder
 * that a lesson lies in (`terms = { name = "..." }`, `sources = { Key = "..." }`), and the lesson itself.
 * A word means one thing: what one place has, a later one may list, but not explain anew.
 */
#ifndef WEFT_LESSON_WORDS_H
#define WEFT_LESSON_WORDS_H

#include <stdbool.h>
#include <stddef.h>

#include <lua.h>

#include "lesson/lesson.h"
#include "lesson/problems.h"

enum lesson_lexicon { LESSON_GLOSSARY, LESSON_BIBLIOGRAPHY };

/* Zero: none. Owns its texts. */
struct lesson_words {
    struct lesson_word *item;
    size_t count, cap;
};

/* One line of at most `max` bytes, without control characters and without blanks at its ends. */
bool lesson_is_line(const char *s, size_t len, size_t max);

void lesson_words_finish(struct lesson_words *words);
void lesson_words_add(struct lesson_words *words, const char *name, const char *text);
const struct lesson_word *lesson_words_find(const struct lesson_words *words, const char *name);

/* All that data_dir/assets has. False: the file cannot be read. */
bool lesson_words_read(struct lesson_words *words, const char *data_dir, enum lesson_lexicon which,
                       struct err *err);

/*
 * Adds what a table on top of the Lua stack explains, name = "text", by the names in order; its list part
 * is somebody else's. `where` says where the table stands ("lesson.terms"), `field` and `line` where in the
 * source. Words of `known` and names that are no good are noted as problems.
 */
bool lesson_words_explain(lua_State *L, const char *where, const char *field, int line,
                          enum lesson_lexicon which, const struct lesson_words *known,
                          struct lesson_problems *problems, struct lesson_words *words);

/*
 * Reads a field of a lesson (its table is on top of the Lua stack) that lists words of `which` and may
 * explain more of them: at most `max`, each once. `line`: of the field.
 */
bool lesson_words_list(lua_State *L, const char *data_dir, enum lesson_lexicon which, size_t max,
                       int line, struct lesson_problems *problems, struct lesson_words *words);

#endif
