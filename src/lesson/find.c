/*
 * Finding lessons: folders with an index.lua, ids, numbers, paths.
 */
#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include <lauxlib.h>

#include "base/file.h"
#include "base/mem.h"
#include "lesson/data.h"
#include "lesson/lesson.h"

char *lesson_folder(const char *path)
{
    const char *slash = strrchr(path, '/');
    return slash == NULL ? mem_strdup(".") : mem_strndup(path, (size_t)(slash - path));
}

/* ---- the course ------------------------------------------------------------------------------ */

void lesson_index_finish(struct lesson_index *index)
{
    for (size_t i = 0; i < index->count; i++) {
        free(index->ids[i]);
    }
    lesson_words_finish(&index->words[LESSON_GLOSSARY]);
    lesson_words_finish(&index->words[LESSON_BIBLIOGRAPHY]);
    index->count = 0;
}

bool lesson_is_id(const char *s)
{
    return *s != '\0' && *s != '-' && s[strspn(s, "abcdefghijklmnopqrstuvwxyz0123456789-")] == '\0';
}

/* What an index may list: rows of the validation table have capitals. */
static bool is_id(const char *s)
{
    return *s != '\0' && s[strspn(s, "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"
                                     "0123456789-")] == '\0';
}

/* An index being read. */
struct index_reader {
    struct lesson_index *index;
    struct lesson_words known[2]; /* by enum lesson_lexicon: what the assets have */
    struct lesson_problems problems;
};

/* Its fields: the table is at index 1. */
static void read_index_words(lua_State *L, struct index_reader *reader)
{
    static const char *const fields[] = { [LESSON_GLOSSARY] = "terms",
                                          [LESSON_BIBLIOGRAPHY] = "sources",
                                          [LESSON_BIBLIOGRAPHY + 1] = NULL };
    struct lesson_problems *problems = &reader->problems;
    for (lua_pushnil(L); lua_next(L, 1) != 0; lua_pop(L, 1)) {
        const char *name = lua_type(L, -2) == LUA_TSTRING ? lua_tostring(L, -2) : NULL;
        if (name != NULL && strcmp(name, fields[0]) != 0 && strcmp(name, fields[1]) != 0) {
            const char *near = lesson_nearest(fields, name);
            (void)lesson_problem(problems,
                                 lesson_source_line(problems->source, 1, "return", name, 0),
                                 "an index has no field `%.60s`; %s%s%s", name,
                                 near != NULL ? "did you mean `" : "it has ids, terms and sources",
                                 near != NULL ? near : "", near != NULL ? "`?" : "");
        }
    }
    for (int which = LESSON_GLOSSARY; which <= LESSON_BIBLIOGRAPHY; which++) {
        const int line = lesson_source_line(problems->source, 1, "return", fields[which], 0);
        lua_pushstring(L, fields[which]);
        const int type = lua_rawget(L, 1);
        if (type == LUA_TTABLE && lua_rawlen(L, -1) == 0) {
            (void)lesson_words_explain(L, fields[which], fields[which], line,
                                       (enum lesson_lexicon)which, &reader->known[which], problems,
                                       &reader->index->words[which]);
        } else if (type != LUA_TNIL) {
            (void)lesson_problem(
                problems, line, "%s of an index explains: { [\"name\"] = \"...\" }", fields[which]);
        }
        lua_pop(L, 1);
    }
}

/* Argument 1: what index.lua returned; 2: the reader. */
static int read_index(lua_State *L)
{
    struct index_reader *reader = lua_touserdata(L, 2);
    struct lesson_index *index = reader->index;
    if (!lua_istable(L, 1)) {
        return luaL_error(L, "an index returns the list of its ids, not a %s", luaL_typename(L, 1));
    }
    const size_t n = lua_rawlen(L, 1);
    for (size_t i = 1; i <= n && index->count < LESSON_INDEX_MAX; i++) {
        lua_rawgeti(L, 1, (lua_Integer)i);
        if (lua_type(L, -1) != LUA_TSTRING || !is_id(lua_tostring(L, -1))) {
            return luaL_error(L, "entry %d of the list is no id", (int)i);
        }
        index->ids[index->count++] = mem_strdup(lua_tostring(L, -1));
        lua_pop(L, 1);
    }
    read_index_words(L, reader);
    return 0;
}

/* Runs the file and reads what it returns. */
static bool run_index(struct index_reader *reader, const char *data_dir, struct err *err)
{
    struct lesson_host *host = lesson_host_create(data_dir, NULL, err);
    bool ok = host != NULL && lesson_host_file(host, reader->problems.path, err);
    if (ok) {
        lua_State *L = lesson_host_lua(host);
        lua_pushcfunction(L, read_index);
        lua_insert(L, 1);
        lua_pushlightuserdata(L, reader);
        ok = lesson_host_call(host, &lesson_budget_load, 2, 0, err);
    }
    lesson_host_destroy(host);
    return ok;
}

bool lesson_index_read_in(const char *data_dir, const char *folder, struct lesson_index *index,
                          struct err *err)
{
    struct index_reader reader = { .index = index };
    struct text path = { 0 };
    char *source = NULL;
    size_t size = 0;
    text_addf(&path, "%s/index.lua", folder);
    reader.problems.path = text_str(&path);
    if (file_read(text_str(&path), LESSON_FILE_MAX, &source, &size, NULL)) {
        reader.problems.source = lesson_source_create(source);
    }
    /* Without assets there is no word that could be explained twice. */
    (void)lesson_words_read(&reader.known[0], data_dir, LESSON_GLOSSARY, NULL);
    (void)lesson_words_read(&reader.known[1], data_dir, LESSON_BIBLIOGRAPHY, NULL);
    bool ok = run_index(&reader, data_dir, err);
    if (ok && reader.problems.count > 0) {
        ok = false;
        if (err != NULL) {
            *err = reader.problems.first;
        }
    }
    if (!ok && err != NULL && err->where[0] == '\0') {
        (void)err_at(err, text_str(&path), 0);
    }
    lesson_words_finish(&reader.known[0]);
    lesson_words_finish(&reader.known[1]);
    lesson_problems_finish(&reader.problems);
    lesson_source_destroy((struct lesson_source *)(uintptr_t)reader.problems.source);
    free(source);
    text_finish(&path);
    return ok;
}

bool lesson_index_read(const char *data_dir, const char *folder, struct lesson_index *index,
                       struct err *err)
{
    struct text path = { 0 };
    text_addf(&path, "%s/%s", data_dir, folder);
    const bool ok = lesson_index_read_in(data_dir, text_str(&path), index, err);
    text_finish(&path);
    return ok;
}

/* ---- places ---------------------------------------------------------------------------------- */

static char *path_in(const char *folder, const char *id)
{
    struct text path = { 0 };
    text_addf(&path, "%s/%s.lua", folder, id);
    return path.s;
}

static char *course_folder(const struct lesson_places *places)
{
    struct text path = { 0 };
    text_addf(&path, "%s/lessons", places->data_dir);
    return path.s;
}

/* The file of the first folder that has the lesson, the course last; NULL: none has. */
static char *file_of(const struct lesson_places *places, const char *id, bool *own)
{
    char *path = NULL;
    *own = true;
    for (size_t i = 0; i < places->own_count; i++) {
        path = path_in(places->own[i], id);
        if (file_exists(path)) {
            return path;
        }
        free(path);
    }
    if (places->alone) {
        return NULL;
    }
    *own = false;
    char *folder = course_folder(places);
    path = path_in(folder, id);
    free(folder);
    if (!file_exists(path)) {
        free(path);
        path = NULL;
    }
    return path;
}

/* What the indexes list, each id once, with the folder of the index. */
struct ids {
    struct {
        char *id, *folder;
    } * item;
    size_t count, cap;
};

static void ids_finish(struct ids *ids)
{
    for (size_t i = 0; i < ids->count; i++) {
        free(ids->item[i].id);
        free(ids->item[i].folder);
    }
    free(ids->item);
    *ids = (struct ids){ 0 };
}

static void add_ids(struct ids *ids, const struct lesson_index *index, const char *folder)
{
    for (size_t i = 0; i < index->count; i++) {
        bool known = false;
        for (size_t j = 0; j < ids->count && !known; j++) {
            known = strcmp(ids->item[j].id, index->ids[i]) == 0;
        }
        if (!known) {
            ids->item = mem_grow(ids->item, &ids->cap, ids->count + 1, sizeof *ids->item);
            ids->item[ids->count].id = mem_strdup(index->ids[i]);
            ids->item[ids->count++].folder = mem_strdup(folder);
        }
    }
}

/* A folder of one's own need not have an index; one that does not load is reported, unless it must be
 * there. */
static bool add_folder(const struct lesson_places *places, const char *folder, bool must,
                       struct ids *ids, struct text *errors, struct err *err)
{
    struct lesson_index index = { .count = 0 };
    struct err own = { 0 };
    char *path = path_in(folder, "index");
    bool ok = !must && !file_exists(path);
    if (!ok) {
        ok = lesson_index_read_in(places->data_dir, folder, &index, &own);
        add_ids(ids, &index, folder);
    }
    if (!ok && must && err != NULL) {
        *err = own;
    } else if (!ok && errors != NULL) {
        char buf[sizeof own.msg + sizeof own.where + 8];
        text_addf(errors, "%s\n", err_text(&own, buf, sizeof buf));
    }
    lesson_index_finish(&index);
    free(path);
    return ok || !must;
}

static bool all_ids(const struct lesson_places *places, struct ids *ids, struct text *errors,
                    struct err *err)
{
    bool ok = true;
    if (!places->alone) { /* first, so that its numbers stay what they are */
        char *course = course_folder(places);
        ok = add_folder(places, course, true, ids, errors, err);
        free(course);
    }
    for (size_t i = 0; ok && i < places->own_count; i++) {
        ok = add_folder(places, places->own[i], places->alone && i == 0, ids, errors, err);
    }
    return ok;
}

/* ---- the list -------------------------------------------------------------------------------- */

/* The lesson that the index in `folder` calls `id`. */
static void add_lesson(const struct lesson_places *places, const char *folder, const char *id,
                       int number, struct lesson_list *list, struct text *errors)
{
    bool own = false;
    char *path = file_of(places, id, &own);
    if (path == NULL) { /* an id without a file: loading says so */
        path = path_in(folder, id);
    }
    struct lesson *lesson = lesson_load(path, places->data_dir, errors, NULL);
    if (lesson != NULL) {
        struct lesson_info info = lesson_info(lesson);
        info.id = mem_strdup(info.id);
        info.title = mem_strdup(info.title);
        info.after = mem_strdup(info.after);
        info.file = mem_strdup(path);
        info.number = number;
        info.own = own;
        list->items[list->count++] = info;
    }
    lesson_destroy(lesson);
    free(path);
}

bool lesson_list(const struct lesson_places *places, struct lesson_list *list, struct text *errors,
                 struct err *err)
{
    struct ids ids = { 0 };
    *list = (struct lesson_list){ 0 };
    const bool ok = all_ids(places, &ids, errors, err);
    list->items = mem_alloc(ids.count + 1, sizeof *list->items);
    for (size_t i = 0; ok && i < ids.count; i++) {
        add_lesson(places, ids.item[i].folder, ids.item[i].id, (int)i + 1, list, errors);
    }
    ids_finish(&ids);
    return ok;
}

void lesson_list_finish(struct lesson_list *list)
{
    for (size_t i = 0; i < list->count; i++) {
        free((char *)(uintptr_t)list->items[i].id); /* ours; const for the readers */
        free((char *)(uintptr_t)list->items[i].title);
        free((char *)(uintptr_t)list->items[i].file);
        free((char *)(uintptr_t)list->items[i].after);
    }
    free(list->items);
    *list = (struct lesson_list){ 0 };
}

static bool looks_like_path(const char *target)
{
    const size_t n = strlen(target);
    return strchr(target, '/') != NULL || (n > 4 && strcmp(target + n - 4, ".lua") == 0);
}

/* ---- one lesson ------------------------------------------------------------------------------ */

static char *find_listed(const struct lesson_places *places, const char *target,
                         const struct ids *ids, struct err *err)
{
    bool own = false;
    if (isdigit((unsigned char)target[0])) {
        char *end = NULL;
        const long number = strtol(target, &end, 10);
        if (*end == '\0' && number >= 1 && (size_t)number <= ids->count) {
            return file_of(places, ids->item[number - 1].id, &own);
        }
    }
    const char **names = mem_alloc(ids->count + 1, sizeof *names);
    for (size_t i = 0; i < ids->count; i++) {
        names[i] = ids->item[i].id;
    }
    const char *near = lesson_nearest(names, target);
    if (near != NULL) {
        (void)err_set(err, ERR_NAME, "there is no lesson \"%s\"; did you mean %s?", target, near);
    } else {
        (void)err_set(err, ERR_NAME, "there is no lesson \"%s\"; `weft list` shows them", target);
    }
    free(names);
    return NULL;
}

char *lesson_find(const struct lesson_places *places, const char *target, struct err *err)
{
    if (looks_like_path(target)) {
        if (file_exists(target)) {
            return mem_strdup(target);
        }
        (void)err_set(err, ERR_NAME, "there is no regular file of this name");
        (void)err_at(err, target, 0);
        return NULL;
    }
    bool own = false;
    char *path =
        is_id(target) && strcmp(target, "index") != 0 ? file_of(places, target, &own) : NULL;
    struct ids ids = { 0 };
    if (path == NULL && all_ids(places, &ids, NULL, err)) {
        path = find_listed(places, target, &ids, err);
    }
    ids_finish(&ids);
    return path;
}
