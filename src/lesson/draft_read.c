/*
 * A draft from what a scenario's file returns.
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <lauxlib.h>

#include "base/mem.h"
#include "lesson/data.h"
#include "lesson/draft.h"

enum { DEPTH_MAX = 8, VALUES_MAX = 60000 };

struct taking {
    struct lesson_problems *problems;
    int line;
    size_t values;
};

static bool take(lua_State *L, int index, int depth, struct taking *t, struct lesson_draft *out);

static struct lesson_draft *append(struct lesson_draft *table)
{
    table->item = mem_grow(table->item, &table->cap, table->count + 1, sizeof *table->item);
    struct lesson_draft *value = &table->item[table->count++];
    *value = (struct lesson_draft){ .kind = LESSON_KIND_COUNT };
    return value;
}

/* Numbers by their size, then names. */
static int compare_keys(const void *a, const void *b)
{
    const struct lesson_draft *x = a, *y = b;
    if (x->numbered != y->numbered) {
        return x->numbered ? -1 : 1;
    }
    const size_t n = strlen(x->key), m = strlen(y->key);
    return x->numbered && n != m ? (n < m ? -1 : 1) : strcmp(x->key, y->key);
}

/* A plain table: its list, then its keys in order. */
static bool take_plain(lua_State *L, int index, int depth, struct taking *t,
                       struct lesson_draft *out)
{
    bool ok = true;
    const lua_Integer n = (lua_Integer)lua_rawlen(L, index);
    for (lua_Integer i = 1; i <= n && ok; i++) {
        lua_rawgeti(L, index, i);
        ok = take(L, lua_gettop(L), depth + 1, t, append(out));
        lua_pop(L, 1);
    }
    const size_t listed = out->count;
    for (lua_pushnil(L); ok && lua_next(L, index) != 0; lua_pop(L, 1)) {
        const bool number = lua_isinteger(L, -2);
        if (number && lua_tointeger(L, -2) >= 1 && lua_tointeger(L, -2) <= n) {
            continue;
        }
        struct lesson_draft *value = append(out);
        char key[32];
        snprintf(key, sizeof key, "%" PRId64, number ? (int64_t)lua_tointeger(L, -2) : 0);
        value->numbered = number;
        value->key = mem_strdup(number                           ? key
                                : lua_type(L, -2) == LUA_TSTRING ? lua_tostring(L, -2)
                                                                 : "?");
        ok = take(L, lua_gettop(L), depth + 1, t, value);
    }
    if (!ok) {
        return false; /* lua_next's key is left: the caller's call ends */
    }
    if (out->count > listed + 1) {
        qsort(out->item + listed, out->count - listed, sizeof *out->item, compare_keys);
    }
    return true;
}

/* What a constructor made: its fields in the order of the table, then its list part. */
static bool take_object(lua_State *L, int index, enum lesson_kind kind, int depth, struct taking *t,
                        struct lesson_draft *out)
{
    bool ok = true;
    out->kind = kind;
    lesson_api_push_fields(L, index);
    const int fields = lua_gettop(L);
    for (int f = 0; f < LESSON_FIELD_COUNT && ok; f++) {
        const struct lesson_field_info *info = lesson_field_info((enum lesson_field)f);
        if (info->kind != kind) {
            continue;
        }
        lua_pushstring(L, info->name);
        if (lua_rawget(L, fields) != LUA_TNIL) {
            struct lesson_draft *value = append(out);
            value->key = mem_strdup(info->name);
            ok = take(L, lua_gettop(L), depth + 1, t, value);
        }
        lua_pop(L, 1);
    }
    const lua_Integer n = (lua_Integer)lua_rawlen(L, fields);
    for (lua_Integer i = 1; i <= n && ok; i++) {
        lua_rawgeti(L, fields, i);
        ok = take(L, lua_gettop(L), depth + 1, t, append(out));
        lua_pop(L, 1);
    }
    lua_pop(L, 1);
    return ok;
}

static bool take(lua_State *L, int index, int depth, struct taking *t, struct lesson_draft *out)
{
    char number[64];
    luaL_checkstack(L, 8, "a scenario");
    if (depth > DEPTH_MAX || ++t->values > VALUES_MAX) {
        return lesson_problem(t->problems, t->line, "the lab takes no scenario as large as this");
    }
    switch (lua_type(L, index)) {
    case LUA_TSTRING:
        out->type = LESSON_DRAFT_TEXT;
        out->text = mem_strdup(lua_tostring(L, index));
        return true;
    case LUA_TNUMBER:
        out->type = LESSON_DRAFT_NUMBER;
        if (lua_isinteger(L, index)) {
            snprintf(number, sizeof number, "%" PRId64, (int64_t)lua_tointeger(L, index));
        } else {
            snprintf(number, sizeof number, "%.17g", lua_tonumber(L, index));
        }
        out->text = mem_strdup(number);
        return true;
    case LUA_TBOOLEAN:
        out->type = LESSON_DRAFT_BOOL;
        out->text = mem_strdup(lua_toboolean(L, index) ? "true" : "false");
        return true;
    case LUA_TTABLE:
        out->type = LESSON_DRAFT_TABLE;
        break;
    default:
        return lesson_problem(t->problems, t->line, "a scenario holds no %s",
                              luaL_typename(L, index));
    }
    const enum lesson_kind kind = lesson_api_kind(L, index, NULL);
    return kind != LESSON_KIND_COUNT ? take_object(L, index, kind, depth, t, out)
                                     : take_plain(L, index, depth, t, out);
}

/* The scenario is built, so that what is wrong is said with the file's own lines, and taken. */
static void read_draft(lua_State *L, int line, struct lesson_reader *reader)
{
    struct sim_scenario sc;
    struct lesson_draft *draft = reader->to;
    struct taking t = { .problems = &reader->problems, .line = line };
    if (lesson_build_scenario(L, 1, "lab", line, &reader->problems, &sc, NULL)) {
        (void)take(L, 1, 0, &t, draft);
    }
    sim_scenario_finish(&sc);
}

struct lesson_draft *lesson_draft_load(const char *path, const char *data_dir, struct text *errors,
                                       struct err *err)
{
    struct err own = { 0 };
    struct lesson_host *host = NULL;
    struct lesson_draft *draft = mem_alloc(1, sizeof *draft);
    struct lesson_reader reader = {
        .want = LESSON_KIND_SCENARIO, .read = read_draft, .to = draft, .data_dir = data_dir
    };
    const bool ok = lesson_read_file(&reader, &host, path, errors, &own);
    lesson_host_destroy(host);
    if (!ok) {
        if (err != NULL) {
            *err = own;
        }
        lesson_draft_destroy(draft);
        return NULL;
    }
    return draft;
}
