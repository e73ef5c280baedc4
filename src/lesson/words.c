/*
 * Reading words from files and from Lua.
 */
#include "lesson/words.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "base/file.h"
#include "base/mem.h"
#include "lesson/data.h"
#include "lesson/index.h"

#define NAME_MAX_BYTES 60
#define TEXT_MAX_BYTES 400
#define EXPLAINED_MAX  500 /* by one table */

static const struct {
    const char *asset; /* the file */
    const char *name;  /* what people call it */
    const char *field; /* of a lesson, of an index */
} lexicons[] = {
    [LESSON_GLOSSARY] = { "glossary.txt", "glossary", "terms" },
    [LESSON_BIBLIOGRAPHY] = { "bibliography", "bibliography", "sources" },
};

void lesson_words_finish(struct lesson_words *words)
{
    for (size_t i = 0; i < words->count; i++) {
        free((char *)(uintptr_t)words->item[i].name); /* ours; const for the readers */
        free((char *)(uintptr_t)words->item[i].text);
    }
    free(words->item);
    *words = (struct lesson_words){ 0 };
}

void lesson_words_add(struct lesson_words *words, const char *name, const char *text)
{
    words->item = mem_grow(words->item, &words->cap, words->count + 1, sizeof *words->item);
    words->item[words->count++] =
        (struct lesson_word){ .name = mem_strdup(name), .text = mem_strdup(text) };
}

const struct lesson_word *lesson_words_find(const struct lesson_words *words, const char *name)
{
    for (size_t i = 0; i < words->count; i++) {
        if (strcmp(words->item[i].name, name) == 0) {
            return &words->item[i];
        }
    }
    return NULL;
}

/* The word that may be meant, of up to two places; or NULL. */
static const char *nearest(const struct lesson_words *a, const struct lesson_words *b,
                           const char *name)
{
    const char **names = mem_alloc(a->count + b->count + 1, sizeof *names);
    for (size_t i = 0; i < a->count; i++) {
        names[i] = a->item[i].name;
    }
    for (size_t i = 0; i < b->count; i++) {
        names[a->count + i] = b->item[i].name;
    }
    const char *near = lesson_nearest(names, name);
    free(names);
    return near;
}

/* ---- files ----------------------------------------------------------------------------------- */

bool lesson_words_read(struct lesson_words *words, const char *data_dir, enum lesson_lexicon which,
                       struct err *err)
{
    struct text path = { 0 };
    char *data = NULL;
    size_t size = 0;
    text_addf(&path, "%s/assets/%s", data_dir, lexicons[which].asset);
    const bool ok = file_read(text_str(&path), LESSON_FILE_MAX, &data, &size, err);
    for (char *line = data, *next = NULL; ok && line != NULL && *line != '\0'; line = next) {
        next = strchr(line, '\n');
        if (next != NULL) {
            *next++ = '\0';
        }
        char *text = strstr(line, ": ");
        if (*line != '#' && text != NULL) {
            *text = '\0';
            lesson_words_add(words, line, text + 2);
        }
    }
    free(data);
    text_finish(&path);
    return ok;
}

/* ---- what Lua explains ----------------------------------------------------------------------- */

static bool is_name(const char *s)
{
    return isalpha((unsigned char)*s) &&
           s[strspn(s, "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
                       "abcdefghijklmnopqrstuvwxyz_0123456789")] == '\0';
}

/* Where `name = ` stands in the table of a field. */
static int line_of(const struct lesson_problems *problems, int line, const char *field,
                   const char *name)
{
    struct text key = { 0 };
    text_addf(&key, is_name(name) ? "%s" : "[\"%s\"]", name);
    const int found = lesson_source_line(problems->source, line, field, text_str(&key), 0);
    text_finish(&key);
    return found;
}

static bool is_key(const char *s)
{
    return isalpha((unsigned char)*s) &&
           s[strspn(s, "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-")] == '\0';
}

bool lesson_is_line(const char *s, size_t len, size_t max)
{
    bool clean = len > 0 && len <= max && s[0] != ' ' && s[len - 1] != ' ';
    for (size_t i = 0; i < len; i++) {
        clean = clean && (unsigned char)s[i] >= ' ' && s[i] != 0x7f;
    }
    return clean;
}

/* The value is on top of the stack. */
static bool explain(lua_State *L, const char *where, const char *field, int line, const char *name,
                    enum lesson_lexicon which, const struct lesson_words *known,
                    struct lesson_problems *problems, struct lesson_words *words)
{
    const int at = line_of(problems, line, field, name);
    size_t len = 0;
    const char *text = lua_type(L, -1) == LUA_TSTRING ? lua_tolstring(L, -1, &len) : NULL;
    if (!lesson_is_line(name, strlen(name), NAME_MAX_BYTES) || strpbrk(name, "[]{}:") != NULL) {
        return lesson_problem(problems, at,
                              "%s: \"%.60s\" is no good name: one to %d letters without :[]{}",
                              where, name, NAME_MAX_BYTES);
    }
    if (which == LESSON_BIBLIOGRAPHY && !is_key(name)) {
        return lesson_problem(problems, at,
                              "%s: \"%.60s\" cannot be cited: a key is letters, digits and -, like "
                              "Guo16",
                              where, name);
    }
    if (lesson_words_find(known, name) != NULL) {
        return lesson_problem(problems, at,
                              "%s.%.60s: the %s has it already; list it, %s = { \"%.60s\" }", where,
                              name, lexicons[which].name, lexicons[which].field, name);
    }
    if (text == NULL) {
        return lesson_problem(problems, at, "%s.%.60s wants a sentence, not a %s", where, name,
                              lua_typename(L, lua_type(L, -1)));
    }
    if (!lesson_is_line(text, len, TEXT_MAX_BYTES)) {
        return lesson_problem(problems, at, "%s.%.60s wants one line of at most %d letters", where,
                              name, TEXT_MAX_BYTES);
    }
    lesson_words_add(words, name, text);
    return true;
}

static int compare_names(const void *a, const void *b)
{
    return strcmp(*(const char *const *)a, *(const char *const *)b);
}

bool lesson_words_explain(lua_State *L, const char *where, const char *field, int line,
                          enum lesson_lexicon which, const struct lesson_words *known,
                          struct lesson_problems *problems, struct lesson_words *words)
{
    const char **names = mem_alloc(EXPLAINED_MAX, sizeof *names);
    size_t n = 0;
    bool ok = true;
    for (lua_pushnil(L); lua_next(L, -2) != 0; lua_pop(L, 1)) {
        if (lua_type(L, -2) == LUA_TSTRING && n < EXPLAINED_MAX) {
            names[n++] = lua_tostring(L, -2); /* the table keeps it alive */
        } else if (lua_type(L, -2) != LUA_TNUMBER && ok) {
            ok = lesson_problem(problems, line, "%s takes \"name\" or name = \"text\", at most %d",
                                where, EXPLAINED_MAX);
        }
    }
    qsort(names, n, sizeof *names, compare_names);
    for (size_t i = 0; i < n; i++) {
        lua_pushstring(L, names[i]);
        (void)lua_rawget(L, -2);
        ok = explain(L, where, field, line, names[i], which, known, problems, words) && ok;
        lua_pop(L, 1);
    }
    free(names);
    return ok;
}

/* ---- what a lesson lists --------------------------------------------------------------------- */

/* The words of the index beside the lesson. One that does not load is noted. */
static bool read_index(const char *data_dir, enum lesson_lexicon which,
                       struct lesson_problems *problems, struct lesson_words *words)
{
    char *folder = lesson_folder(problems->path);
    struct lesson_index index = { .count = 0 };
    struct text path = { 0 };
    struct err err = { 0 };
    text_addf(&path, "%s/index.lua", folder);
    const bool ok = !file_exists(text_str(&path)) ||
                    lesson_index_read_in(data_dir, folder, &index, &err) ||
                    lesson_problem_err(problems, 0, &err);
    for (size_t i = 0; i < index.words[which].count; i++) {
        lesson_words_add(words, index.words[which].item[i].name, index.words[which].item[i].text);
    }
    lesson_index_finish(&index);
    text_finish(&path);
    free(folder);
    return ok;
}

/* What is looked through for a word: the asset, and, once that does not have it, the index. */
struct shelf {
    struct lesson_words asset, index;
    bool has_index;
};

/* The entry on top of the stack, `i` from 1. */
static bool list_word(lua_State *L, const char *data_dir, enum lesson_lexicon which, int i,
                      int line, struct shelf *shelf, struct lesson_problems *problems,
                      struct lesson_words *words)
{
    const char *field = lexicons[which].field;
    const int at = lesson_source_line(problems->source, line, field, NULL, i);
    const char *name = lua_type(L, -1) == LUA_TSTRING ? lua_tostring(L, -1) : NULL;
    if (name == NULL) {
        return lesson_problem(problems, at, "lesson.%s[%d] wants a text, not a %s", field, i,
                              lua_typename(L, lua_type(L, -1)));
    }
    if (lesson_words_find(words, name) != NULL) {
        return lesson_problem(problems, at, "lesson.%s[%d]: \"%.60s\" is there twice", field, i,
                              name);
    }
    const struct lesson_word *word = lesson_words_find(&shelf->asset, name);
    if (word == NULL && !shelf->has_index) {
        shelf->has_index = true;
        if (!read_index(data_dir, which, problems, &shelf->index)) {
            return false;
        }
    }
    word = word != NULL ? word : lesson_words_find(&shelf->index, name);
    if (word != NULL) {
        lesson_words_add(words, word->name, word->text);
        return true;
    }
    const char *near = nearest(&shelf->asset, &shelf->index, name);
    return lesson_problem(problems, at,
                          "lesson.%s[%d]: the %s has no \"%.60s\"; %s%s%sexplain it here: "
                          "[\"%.60s\"] = \"...\"",
                          field, i, lexicons[which].name, name,
                          near != NULL ? "did you mean \"" : "", near != NULL ? near : "",
                          near != NULL ? "\"? Or " : "", name);
}

bool lesson_words_list(lua_State *L, const char *data_dir, enum lesson_lexicon which, size_t max,
                       int line, struct lesson_problems *problems, struct lesson_words *words)
{
    struct shelf shelf = { .has_index = false };
    struct text where = { 0 };
    struct err err = { 0 };
    const int n = lesson_api_length(L, -1);
    text_addf(&where, "lesson.%s", lexicons[which].field);
    bool ok = lesson_words_read(&shelf.asset, data_dir, which, &err) ||
              lesson_problem_err(problems, line, &err);
    ok = ok && lesson_words_explain(L, text_str(&where), lexicons[which].field, line, which,
                                    &shelf.asset, problems, words);
    const size_t all = (size_t)n + words->count;
    if (all > max) {
        ok = lesson_problem(problems, line, "lesson.%s: at most %d here, not %d",
                            lexicons[which].field, (int)max, (int)all);
    }
    for (int i = 1; i <= n && all <= max; i++) {
        lua_rawgeti(L, -1, i);
        ok = list_word(L, data_dir, which, i, line, &shelf, problems, words) && ok;
        lua_pop(L, 1);
    }
    lesson_words_finish(&shelf.asset);
    lesson_words_finish(&shelf.index);
    text_finish(&where);
    return ok;
}
