/*
 * Finding lessons: the course in lessons/index.lua, ids, numbers, paths.
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

bool lesson_asset_has(const char *assets, const char *name)
{
    char *data = NULL;
    size_t size = 0;
    struct err err = { 0 };
    if (!file_read(assets, LESSON_FILE_MAX, &data, &size, &err)) {
        return false;
    }
    const size_t n = strlen(name);
    bool found = false;
    for (const char *line = data; line != NULL && !found; line = strchr(line, '\n')) {
        line += *line == '\n';
        found = n > 0 && strncmp(line, name, n) == 0 && line[n] == ':';
        if (*line == '\0') {
            break;
        }
    }
    free(data);
    return found;
}

/* ---- the course ------------------------------------------------------------------------------ */

void lesson_index_finish(struct lesson_index *index)
{
    for (size_t i = 0; i < index->count; i++) {
        free(index->ids[i]);
    }
    index->count = 0;
}

static char *lesson_path(const char *data_dir, const char *id)
{
    struct text path = { 0 };
    text_addf(&path, "%s/lessons/%s.lua", data_dir, id);
    return path.s;
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

/* Argument 1: what index.lua returned; 2: the index. */
static int read_index(lua_State *L)
{
    struct lesson_index *index = lua_touserdata(L, 2);
    luaL_argcheck(L, lua_istable(L, 1), 1, "index.lua must return a list of ids");
    const size_t n = lua_rawlen(L, 1);
    for (size_t i = 1; i <= n && index->count < LESSON_INDEX_MAX; i++) {
        lua_rawgeti(L, 1, (lua_Integer)i);
        if (lua_type(L, -1) != LUA_TSTRING || !is_id(lua_tostring(L, -1))) {
            return luaL_error(L, "index.lua: entry %d is no id", (int)i);
        }
        index->ids[index->count++] = mem_strdup(lua_tostring(L, -1));
        lua_pop(L, 1);
    }
    return 0;
}

bool lesson_index_read(const char *data_dir, const char *folder, struct lesson_index *index,
                       struct err *err)
{
    struct text path = { 0 };
    text_addf(&path, "%s/%s/index.lua", data_dir, folder);
    struct lesson_host *host = lesson_host_create(data_dir, NULL, err);
    bool ok = host != NULL && lesson_host_file(host, text_str(&path), err);
    if (ok) {
        lua_State *L = lesson_host_lua(host);
        lua_pushcfunction(L, read_index);
        lua_insert(L, 1);
        lua_pushlightuserdata(L, index);
        ok = lesson_host_call(host, &lesson_budget_load, 2, 0, err);
    }
    lesson_host_destroy(host);
    text_finish(&path);
    return ok;
}

bool lesson_list(const char *data_dir, struct lesson_list *list, struct text *errors,
                 struct err *err)
{
    struct lesson_index course = { .count = 0 };
    *list = (struct lesson_list){ 0 };
    const bool ok = lesson_index_read(data_dir, "lessons", &course, err);
    list->items = mem_alloc(course.count + 1, sizeof *list->items);
    for (size_t i = 0; ok && i < course.count; i++) {
        char *path = lesson_path(data_dir, course.ids[i]);
        struct lesson *lesson = lesson_load(path, data_dir, errors, NULL);
        if (lesson != NULL) {
            struct lesson_info info = lesson_info(lesson);
            info.id = mem_strdup(info.id);
            info.title = mem_strdup(info.title);
            info.file = mem_strdup(path);
            info.number = (int)i + 1;
            list->items[list->count++] = info;
        }
        lesson_destroy(lesson);
        free(path);
    }
    lesson_index_finish(&course);
    return ok;
}

void lesson_list_finish(struct lesson_list *list)
{
    for (size_t i = 0; i < list->count; i++) {
        free((char *)(uintptr_t)list->items[i].id); /* ours; const for the readers */
        free((char *)(uintptr_t)list->items[i].title);
        free((char *)(uintptr_t)list->items[i].file);
    }
    free(list->items);
    *list = (struct lesson_list){ 0 };
}

static bool looks_like_path(const char *target)
{
    const size_t n = strlen(target);
    return strchr(target, '/') != NULL || (n > 4 && strcmp(target + n - 4, ".lua") == 0);
}

static char *find_in_course(const char *data_dir, const char *target,
                            const struct lesson_index *course, struct err *err)
{
    if (isdigit((unsigned char)target[0])) {
        char *end = NULL;
        const long number = strtol(target, &end, 10);
        if (*end == '\0' && number >= 1 && (size_t)number <= course->count) {
            return lesson_path(data_dir, course->ids[number - 1]);
        }
    }
    const char *names[LESSON_INDEX_MAX + 1] = { NULL };
    for (size_t i = 0; i < course->count; i++) {
        names[i] = course->ids[i];
        if (strcmp(course->ids[i], target) == 0) {
            return lesson_path(data_dir, target);
        }
    }
    const char *near = lesson_nearest(names, target);
    if (near != NULL) {
        (void)err_set(err, ERR_NAME, "there is no lesson \"%s\"; did you mean %s?", target, near);
    } else {
        (void)err_set(err, ERR_NAME, "there is no lesson \"%s\"; `weft list` shows them", target);
    }
    return NULL;
}

char *lesson_find(const char *data_dir, const char *target, struct err *err)
{
    if (looks_like_path(target)) {
        if (file_exists(target)) {
            return mem_strdup(target);
        }
        (void)err_set(err, ERR_NAME, "there is no file of this name");
        (void)err_at(err, target, 0);
        return NULL;
    }
    /* A lesson that is not (yet) in the index is found by its id as well. */
    char *path = is_id(target) ? lesson_path(data_dir, target) : NULL;
    if (path != NULL && strcmp(target, "index") != 0 && file_exists(path)) {
        return path;
    }
    free(path);
    struct lesson_index course = { .count = 0 };
    path = lesson_index_read(data_dir, "lessons", &course, err)
               ? find_in_course(data_dir, target, &course, err)
               : NULL;
    lesson_index_finish(&course);
    return path;
}
