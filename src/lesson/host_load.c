/*
 * How Lua comes in: files, texts, modules that a lesson requires, the preludes of the program. Text chunks only, from
 * the lesson's folder and from lua-scripts.
 */
#include "lesson/host_inside.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <lauxlib.h>

#include "base/file.h"
#include "base/mem.h"
#include "base/text.h"
#include "lesson/lesson.h"

/* Its address is the key of the registry under which modules are that were required. */
static const char registry_modules;

void lesson_host_open_modules(lua_State *L)
{
    lua_newtable(L);
    lua_rawsetp(L, LUA_REGISTRYINDEX, &registry_modules);
}

/* ---- loading --------------------------------------------------------------------------------- */

/* Turns "NAME:LINE: message" of a syntax error into place and message. */
static bool syntax_error(lua_State *L, const char *path, int first_line, struct err *err)
{
    const char *message = lua_tostring(L, -1);
    const char *text = message == NULL ? "does not load" : message;
    int line = 0;
    /* The name may hold colons itself; the line is the first ":digits: ". */
    for (const char *p = strchr(text, ':'); p != NULL; p = strchr(p + 1, ':')) {
        const size_t digits = strspn(p + 1, "0123456789");
        if (digits > 0 && p[1 + digits] == ':' && p[2 + digits] == ' ') {
            line = atoi(p + 1);
            text = p + 3 + digits;
            break;
        }
    }
    const bool in_table = strncmp(text, "'}' expected", 12) == 0 && strstr(text, "<eof>") == NULL;
    err_set(err, ERR_SCRIPT, "%s%s", text, in_table ? ": is a comma missing?" : "");
    return err_at(err, path, line == 0 ? first_line : line + first_line - 1);
}

/* Bytes before the Lua source, as other programs put them there: a mark of UTF-8, a line for the shell. Its
 * end stays, so that lines keep their numbers. */
static size_t source_begin(const char *source, size_t size)
{
    const size_t mark = size >= 3 && memcmp(source, "\xef\xbb\xbf", 3) == 0 ? 3 : 0;
    return mark + (source[mark] == '#' ? strcspn(source + mark, "\r\n") : 0);
}

static bool is_utf16(const char *source, size_t size)
{
    return size >= 2 && (memcmp(source, "\xff\xfe", 2) == 0 || memcmp(source, "\xfe\xff", 2) == 0);
}

/* Loads a file, or `text` in its place, as a text chunk onto the stack. */
static bool load_chunk(struct lesson_host *host, const char *text, const char *path,
                       struct err *err)
{
    lua_State *L = host->L;
    char *source = NULL;
    size_t size = 0;
    const char *name = lua_pushfstring(L, "@%s", path); /* may raise: before anything is owned */
    bool ok = false;
    if (text != NULL) {
        source = mem_strdup(text);
        size = strlen(text);
    }
    if (text == NULL && !file_read(path, LESSON_FILE_MAX, &source, &size, err)) {
        ok = false;
    } else if (is_utf16(source, size)) {
        err_set(err, ERR_SCRIPT, "this is UTF-16: save it as UTF-8");
        (void)err_at(err, path, 0);
    } else if (size > 0 && (source[0] == LUA_SIGNATURE[0] || memchr(source, '\0', size) != NULL)) {
        err_set(err, ERR_SCRIPT, "this is not a text file: lessons are Lua source");
        (void)err_at(err, path, 0);
    } else if (luaL_loadbufferx(L, source + source_begin(source, size),
                                size - source_begin(source, size), name, "t") != LUA_OK) {
        (void)syntax_error(L, path, 1, err);
        lua_pop(L, 1);
    } else {
        ok = true;
    }
    free(source);
    lua_remove(L, ok ? -2 : -1); /* the name */
    return ok;
}

/* pcall-able wrapper: luaL_loadbufferx itself is protected, the strings around it are not. */
struct load_job {
    struct lesson_host *host;
    const char *text, *path;
    struct err *err;
    bool ok;
};

static int load_protected(lua_State *L)
{
    struct load_job *job = lua_touserdata(L, 1);
    job->ok = load_chunk(job->host, job->text, job->path, job->err);
    return job->ok ? 1 : 0;
}

bool lesson_host_file(struct lesson_host *host, const char *path, struct err *err)
{
    return lesson_host_text(host, NULL, path, err);
}

bool lesson_host_text(struct lesson_host *host, const char *text, const char *path, struct err *err)
{
    struct load_job job = { host, text, path, err, false };
    lua_pushcfunction(host->L, load_protected);
    lua_pushlightuserdata(host->L, &job);
    if (!lesson_host_call(host, &lesson_budget_load, 1, 1, err)) {
        return false;
    }
    if (!job.ok) {
        lua_pop(host->L, 1);
        return false;
    }
    if (!lesson_host_call(host, &lesson_budget_load, 0, 1, err)) {
        if (err != NULL && err->where[0] == '\0') {
            (void)err_at(err, path, 0);
        }
        return false;
    }
    return true;
}

bool lesson_host_compile(struct lesson_host *host, const char *code, const char *path, int line,
                         struct err *err)
{
    if (luaL_loadbufferx(host->L, code, strlen(code), "=(prose)", "t") != LUA_OK) {
        (void)syntax_error(host->L, path, 1, err);
        lua_pop(host->L, 1);
        return err_at(err, path, line);
    }
    return true;
}

/* ---- require --------------------------------------------------------------------------------- */

static bool is_module_name(const char *name)
{
    const size_t n = strlen(name);
    return n > 0 && n < 64 && strspn(name, "abcdefghijklmnopqrstuvwxyz0123456789_-") == n;
}

/* The path of a module, pushed; NULL when there is none. */
static const char *find_module(lua_State *L, const struct lesson_host *host, const char *name)
{
    const char *const folders[] = { host->scripts, host->folder };
    for (size_t i = 0; i < 2; i++) {
        if (folders[i] == NULL) {
            continue;
        }
        const char *path = lua_pushfstring(L, "%s%s.lua", folders[i], name);
        if (i > 0 && host->files != NULL) {
            lesson_files_add(host->files, path);
        }
        if (file_exists(path)) {
            return path;
        }
        lua_pop(L, 1);
    }
    return NULL;
}

static int raise_err(lua_State *L, const struct err *err)
{
    char buf[sizeof err->msg + sizeof err->where + 8];
    return luaL_error(L, "%s", err_text(err, buf, sizeof buf));
}

/* require "weft": lua-scripts/ first, then the lesson's folder; nothing else, ever. */
int lesson_host_require(lua_State *L)
{
    struct lesson_host *host = lesson_host_of(L);
    size_t len = 0;
    const char *name = luaL_checklstring(L, 1, &len);
    lua_settop(L, 1);
    if (!is_module_name(name) || strlen(name) != len) {
        return luaL_error(L, "require \"%s\": a module name has small letters, digits, _ and -",
                          name);
    }
    lua_rawgetp(L, LUA_REGISTRYINDEX, &registry_modules); /* 2 */
    lua_pushvalue(L, 1);
    lua_rawget(L, 2); /* 3: what it returned before, or true while it loads */
    if (lua_toboolean(L, 3)) {
        if (lua_isboolean(L, 3)) {
            return luaL_error(L, "require \"%s\": it requires itself", name);
        }
        return 1;
    }
    const char *path = find_module(L, host, name); /* 4 */
    if (path == NULL) {
        return luaL_error(L, "require \"%s\": neither weft nor the lesson's folder has %s.lua",
                          name, name);
    }
    lua_pushvalue(L, 1);
    lua_pushboolean(L, 1);
    lua_rawset(L, 2);
    struct err err = { 0 };
    if (!load_chunk(host, NULL, path, &err)) {
        return raise_err(L, &err);
    }
    lua_pushvalue(L, 1);
    if (lesson_host_owns(host, path)) {
        lesson_host_push_helper_on(L);
    } else {
        lua_pushnil(L);
    }
    lua_call(L, 2, 1);
    if (lua_isnil(L, -1) || lua_isboolean(L, -1)) {
        return luaL_error(L, "require \"%s\": it returns nothing", name);
    }
    lua_pushvalue(L, 1);
    lua_pushvalue(L, -2);
    lua_rawset(L, 2);
    return 1;
}

/* prelude/NAME.lua, called with the raw functions that are on top of the stack. */
void lesson_host_prelude(lua_State *L, const char *name)
{
    struct lesson_host *host = lesson_host_of(L);
    const char *path = lua_pushfstring(L, "%sprelude/%s.lua", host->scripts, name);
    struct err err = { 0 };
    if (!load_chunk(host, NULL, path, &err)) {
        raise_err(L, &err);
    }
    lua_remove(L, -2); /* the path */
    lua_pushvalue(L, -2);
    lua_call(L, 1, 1);
    lua_remove(L, -2); /* the raw functions */
}
