/*
 * Memory, work and errors of one Lua state; how files come in is host_load.c. The names it offers are in sandbox.c.
 */
#include "lesson/host_inside.h"

#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include <lauxlib.h>
#include <lualib.h>

#include "base/file.h"
#include "base/mem.h"
#include "base/text.h"
#include "lesson/lesson.h"
#include "lesson/missing.h"
#include "lesson/sandbox.h"

/* The hook looks at the budget every TICK instructions. Each of those may copy or hash a string of the
 * largest size, so the time is looked at as often; the processor's own, a system call, every 2 ms. */
#define TICK        100
#define CPU_LOOK_NS 2000000

/* Calls inside calls: more is a recursion that does not end, whatever gives way first. */
#define TOO_DEEP 10000

/* What Lua may have besides for us, outside a call, where an allocation that fails would be the end. */
#define MEMORY_RESERVE ((size_t)1 << 20)

const struct lesson_budget lesson_budget_load = { 20000000, 1000 };
const struct lesson_budget lesson_budget_call = { 2000000, 50 };

/* Their addresses are a key of the registry, and the error that means "not known yet". */
static const char registry_helper, pending_error;

/* ---- memory ---------------------------------------------------------------------------------- */

static void on_tick(lua_State *L, lua_Debug *ar);

/*
 * No memory: Lua collects all its garbage and tries once more. That takes time which grows with what is
 * in use, and a lesson that goes on behind a pcall() could have it done for ever. An allocator cannot
 * raise an error, the next instruction can: it looks at the budget and at the clock.
 */
static void *refuse(struct lesson_host *host)
{
    lua_Debug ar;
    host->left -= (int64_t)(host->memory / 64);
    host->look_ns = 0;
    host->too_deep = host->in_call && lua_getstack(host->L, TOO_DEEP, &ar) != 0;
    if (host->in_call) {
        lua_sethook(host->L, on_tick, LUA_MASKCOUNT, 1);
    }
    return NULL;
}

static void *allocate(void *ud, void *old, size_t old_size, size_t size)
{
    struct lesson_host *host = ud;
    if (size == 0) {
        host->memory -= old == NULL ? 0 : old_size;
        free(old);
        return NULL;
    }
    /* For a new object, old_size is its type. */
    if (old == NULL && old_size == LUA_TSTRING && size > LESSON_STRING_MAX + 64) {
        return refuse(host);
    }
    const size_t had = old == NULL ? 0 : old_size;
    const size_t max = LESSON_MEMORY_MAX + (host->in_call ? 0 : MEMORY_RESERVE);
    if (size > had && host->memory + (size - had) > max) {
        return refuse(host);
    }
    host->memory += size - had; /* wraps to the right value when it shrinks */
    return mem_resize(old, size, 1);
}

/* ---- work ------------------------------------------------------------------------------------ */

static int64_t now_ns(clockid_t clock)
{
    struct timespec t;
    return clock_gettime(clock, &t) == 0 ? (int64_t)t.tv_sec * 1000000000 + t.tv_nsec : 0;
}

struct lesson_host *lesson_host_of(lua_State *L)
{
    return *(struct lesson_host **)lua_getextraspace(L);
}

/* From now on every instruction ends in an error: pcall() cannot swallow it and go on. */
static void give_up(lua_State *L, struct lesson_host *host, enum gave_up why)
{
    if (host->gave_up == NOT_GIVEN_UP) {
        host->gave_up = why;
    }
    lua_sethook(L, on_tick, LUA_MASKCOUNT, 1);
    luaL_error(L, "this runs too long (an endless loop?)");
}

static void on_tick(lua_State *L, lua_Debug *ar)
{
    (void)ar;
    struct lesson_host *host = lesson_host_of(L);
    host->left -= TICK;
    if (host->left <= 0 || host->gave_up != NOT_GIVEN_UP) {
        give_up(L, host, OUT_OF_INSTRUCTIONS);
    }
    if (host->cancel != NULL && atomic_load(host->cancel)) {
        give_up(L, host, CANCELLED);
    }
    if (lua_gethookcount(L) != TICK) {
        lua_sethook(L, on_tick, LUA_MASKCOUNT, TICK); /* as it was before refuse() */
    }
    const int64_t now = now_ns(CLOCK_MONOTONIC);
    if (now >= host->look_ns) {
        host->look_ns = now + CPU_LOOK_NS;
        if (now_ns(CLOCK_THREAD_CPUTIME_ID) > host->cpu_end_ns) {
            give_up(L, host, OUT_OF_TIME);
        }
    }
}

uint64_t lesson_host_draw(lua_State *L)
{
    return lesson_host_of(L)->draws++;
}

void lesson_host_debit(lua_State *L, size_t work)
{
    struct lesson_host *host = lesson_host_of(L);
    host->left -= work > INT32_MAX ? INT32_MAX : (int64_t)work;
    if (host->left <= 0) {
        give_up(L, host, OUT_OF_INSTRUCTIONS);
    }
}

static void start_budget(struct lesson_host *host, const struct lesson_budget *budget)
{
    host->left = budget->instructions;
    host->draws = 0;
    host->cpu_ms = budget->cpu_ms;
    host->cpu_end_ns = now_ns(CLOCK_THREAD_CPUTIME_ID) + budget->cpu_ms * 1000000;
    host->look_ns = now_ns(CLOCK_MONOTONIC) + CPU_LOOK_NS;
    host->gave_up = NOT_GIVEN_UP;
    host->pending = false;
    host->too_deep = false;
    host->failed = (struct err){ 0 };
    lua_sethook(host->L, on_tick, LUA_MASKCOUNT, TICK);
}

/* ---- errors ---------------------------------------------------------------------------------- */

bool lesson_host_owns(const struct lesson_host *host, const char *source)
{
    return strncmp(source, host->scripts, strlen(host->scripts)) == 0;
}

int lesson_host_where(lua_State *L, const char **path)
{
    const struct lesson_host *host = lesson_host_of(L);
    lua_Debug ar;
    for (int level = 0; level < 64 && lua_getstack(L, level, &ar); level++) {
        lua_getinfo(L, "Sl", &ar);
        if (ar.currentline > 0 && ar.source[0] == '@' && !lesson_host_owns(host, ar.source + 1)) {
            *path = ar.source + 1;
            return ar.currentline;
        }
    }
    *path = NULL;
    return 0;
}

/* Behind "NAME:LINE: ", when the message begins with the place of a frame; else the message. */
static const char *without_place(lua_State *L, const char *message)
{
    lua_Debug ar;
    for (int level = 0; level < 64 && lua_getstack(L, level, &ar); level++) {
        lua_getinfo(L, "S", &ar);
        const size_t n = strlen(ar.short_src);
        if (strncmp(message, ar.short_src, n) != 0 || message[n] != ':') {
            continue;
        }
        const char *p = message + n + 1;
        const size_t digits = strspn(p, "0123456789");
        if (digits > 0 && p[digits] == ':' && p[digits + 1] == ' ') {
            return p + digits + 2;
        }
    }
    return message;
}

/*
 * The message handler. It runs where the error is, possibly with hooks off and memory gone: so it
 * calls no Lua, allocates nothing, and keeps what it saw in host->failed.
 */
static int on_error(lua_State *L)
{
    struct lesson_host *host = lesson_host_of(L);
    if (lua_touserdata(L, 1) == &pending_error) {
        host->pending = true;
        return 1;
    }
    if (lua_type(L, 1) == LUA_TSTRING) {
        const char *message = without_place(L, lua_tostring(L, 1));
        const char *why = lesson_missing_why(message);
        err_set(&host->failed, ERR_SCRIPT, "%s%s%s", message, why != NULL ? ": " : "",
                why != NULL ? why : "");
    } else if (lua_isnil(L, 1) || lua_isnone(L, 1)) {
        err_set(&host->failed, ERR_SCRIPT, "error() was called without a message");
    } else if (lua_isinteger(L, 1)) {
        err_set(&host->failed, ERR_SCRIPT, "%lld", (long long)lua_tointeger(L, 1));
    } else {
        err_set(&host->failed, ERR_SCRIPT, "(error object is a %s)", luaL_typename(L, 1));
    }
    const char *path = NULL;
    const int line = lesson_host_where(L, &path);
    if (path != NULL) {
        err_at(&host->failed, path, line);
    }
    return 1;
}

/* The verdict on a call that returned `status`; the error object is on top of the stack. */
static bool judge(struct lesson_host *host, int status, struct err *err)
{
    struct err seen = host->failed;
    if (host->gave_up == OUT_OF_INSTRUCTIONS) {
        seen.code = ERR_LIMIT;
        (void)snprintf(seen.msg, sizeof seen.msg, "this runs too long (an endless loop?)");
    } else if (host->gave_up == OUT_OF_TIME) {
        seen.code = ERR_LIMIT;
        (void)snprintf(seen.msg, sizeof seen.msg,
                       "not checked: this takes more than %lld ms of processor time",
                       (long long)host->cpu_ms);
    } else if (host->gave_up == CANCELLED) {
        err_set(&seen, ERR_STATE, "cancelled");
    } else if (host->pending) {
        err_set(&seen, ERR_STATE, "this cannot be known yet");
    } else if (status == LUA_OK) {
        return true;
    } else if (status == LUA_ERRMEM && host->too_deep) {
        err_set(&seen, ERR_LIMIT, "stack overflow (a function that calls itself without end?)");
    } else if (status == LUA_ERRMEM) {
        err_set(&seen, ERR_LIMIT,
                "not enough memory: a lesson may use %d MiB, and strings of %d KiB",
                (int)(LESSON_MEMORY_MAX >> 20), (int)(LESSON_STRING_MAX >> 10));
    } else if (seen.code == ERR_NONE) {
        err_set(&seen, ERR_SCRIPT, "an error while handling an error");
    }
    if (err != NULL) {
        *err = seen;
    }
    return false;
}

bool lesson_host_call(struct lesson_host *host, const struct lesson_budget *budget, int args,
                      int results, struct err *err)
{
    lua_State *L = host->L;
    const int base = lua_gettop(L) - args;
    lua_pushcfunction(L, on_error);
    lua_insert(L, base);
    start_budget(host, budget);
    host->in_call = true;
    const int status = lua_pcall(L, args, results, base);
    host->in_call = false;
    lua_sethook(L, NULL, 0, 0);
    lua_remove(L, base);
    /* pcall() may have caught a "not known yet" or a budget error: neither counts as success. */
    if (judge(host, status, err)) {
        return true;
    }
    lua_settop(L, base - 1);
    return false;
}

struct lesson_budget lesson_host_left(const struct lesson_host *host)
{
    const int64_t ns = host->cpu_end_ns - now_ns(CLOCK_THREAD_CPUTIME_ID);
    return (struct lesson_budget){ host->left > 0 ? host->left : 0, ns > 0 ? ns / 1000000 : 0 };
}

int lesson_host_pending(lua_State *L)
{
    lua_pushlightuserdata(L, (void *)(uintptr_t)&pending_error); /* an address, never followed */
    return lua_error(L);
}

bool lesson_host_was_pending(const struct lesson_host *host)
{
    return host->pending;
}

/* ---- life ------------------------------------------------------------------------------------ */

static int helper_where(lua_State *L)
{
    const char *path = NULL;
    const int line = lesson_host_where(L, &path);
    lua_pushstring(L, path);
    lua_pushinteger(L, line);
    return 2;
}

static int open_all(lua_State *L)
{
    lesson_host_open_modules(L);
    lua_newtable(L);
    lua_pushcfunction(L, helper_where);
    lua_setfield(L, -2, "where");
    lua_rawsetp(L, LUA_REGISTRYINDEX, &registry_helper);
    lesson_sandbox_open(L, lesson_host_prelude, lesson_host_require);
    return 0;
}

struct lesson_host *lesson_host_create(const char *data_dir, const char *folder, struct err *err)
{
    struct lesson_host *host = mem_alloc(1, sizeof *host);
    struct text path = { 0 };
    text_addf(&path, "%s/lua-scripts/", data_dir);
    host->scripts = path.s;
    if (folder != NULL) {
        struct text own = { 0 };
        text_addf(&own, "%s/", folder);
        host->folder = own.s;
    }
    host->L = lua_newstate(allocate, host);
    assert(host->L != NULL); /* it fits into any cap of ours */
    *(struct lesson_host **)lua_getextraspace(host->L) = host;
    lua_pushcfunction(host->L, open_all);
    if (!lesson_host_call(host, &lesson_budget_load, 0, 0, err)) {
        (void)err_note(err, "while opening %s", host->scripts);
        lesson_host_destroy(host);
        return NULL;
    }
    return host;
}

void lesson_host_destroy(struct lesson_host *host)
{
    if (host == NULL) {
        return;
    }
    lua_close(host->L);
    assert(host->memory == 0);
    free(host->scripts);
    free(host->folder);
    free(host);
}

void lesson_host_follow(struct lesson_host *host, struct lesson_files *files,
                        const atomic_bool *cancel)
{
    host->files = files;
    host->cancel = cancel;
}

lua_State *lesson_host_lua(struct lesson_host *host)
{
    return host->L;
}

void lesson_host_push_helper_on(lua_State *L)
{
    lua_rawgetp(L, LUA_REGISTRYINDEX, &registry_helper);
}

void lesson_host_push_helper(struct lesson_host *host)
{
    lesson_host_push_helper_on(host->L);
}
