/*
 * The environment of a lesson: what is taken from the standard libraries, what is rewritten.
 */
#include "lesson/sandbox.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include <lauxlib.h>
#include <lualib.h>

#include "lesson/host.h"
#include "lesson/luck.h"

#define UNPACK_MAX 1000
#define SORT_COST  100 /* instructions that putting one key into its place may take the time of */
#define QUOTE_COST 32  /* the same for one byte that %q writes */

/* In a metatable of ours, under this key: the table that the lesson gave to setmetatable. */
static const char users_metatable;

static const char *const base_names[] = { "assert",   "error",  "ipairs",       "pcall",
                                          "rawequal", "rawget", "rawlen",       "rawset",
                                          "select",   "type",   "getmetatable", NULL };
static const char *const math_names[] = {
    "abs",  "acos", "asin", "atan", "ceil",       "cos",  "deg",        "exp",  "floor",
    "fmod", "huge", "log",  "max",  "maxinteger", "min",  "mininteger", "modf", "pi",
    "rad",  "sin",  "sqrt", "tan",  "tointeger",  "type", "ult",        NULL
};
/* Copied behind a wrapper that debits the budget by what they read and write. */
static const char *const string_names[] = { "byte", "char", "len", "reverse", "sub", NULL };
static const char *const utf8_names[] = { "char", "codepoint", "codes", "len", "offset", NULL };

/* ---- order ----------------------------------------------------------------------------------- */

struct key {
    int type; /* LUA_TNUMBER, LUA_TSTRING, LUA_TBOOLEAN */
    lua_Number number;
    bool is_integer;
    lua_Integer integer;
    const char *s;
    size_t len;
    bool flag;
};

static int rank_of(int type)
{
    return type == LUA_TNUMBER ? 0 : type == LUA_TSTRING ? 1 : 2;
}

static int compare_keys(const void *pa, const void *pb)
{
    const struct key *a = pa, *b = pb;
    if (a->type != b->type) {
        return rank_of(a->type) - rank_of(b->type);
    }
    if (a->type == LUA_TNUMBER) {
        if (a->is_integer && b->is_integer) {
            return (a->integer > b->integer) - (a->integer < b->integer);
        }
        return (a->number > b->number) - (a->number < b->number);
    }
    if (a->type == LUA_TSTRING) {
        const size_t n = a->len < b->len ? a->len : b->len;
        const int order = memcmp(a->s, b->s, n);
        return order != 0 ? order : (a->len > b->len) - (a->len < b->len);
    }
    return (int)a->flag - (int)b->flag;
}

/* The key at `index` of the stack; raises for one without an order. */
static struct key read_key(lua_State *L, int index, const char *what)
{
    struct key key = { .type = lua_type(L, index) };
    if (key.type == LUA_TNUMBER) {
        key.is_integer = lua_isinteger(L, index) != 0;
        key.integer = lua_tointeger(L, index);
        key.number = lua_tonumber(L, index);
    } else if (key.type == LUA_TSTRING) {
        key.s = lua_tolstring(L, index, &key.len);
    } else if (key.type == LUA_TBOOLEAN) {
        key.flag = lua_toboolean(L, index) != 0;
    } else {
        luaL_error(L, "%s: a %s as a key has no order that is the same everywhere", what,
                   lua_typename(L, key.type));
    }
    return key;
}

static void push_key(lua_State *L, const struct key *key)
{
    if (key->type == LUA_TSTRING) {
        lua_pushlstring(L, key->s, key->len);
    } else if (key->type == LUA_TBOOLEAN) {
        lua_pushboolean(L, key->flag);
    } else if (key->is_integer) {
        lua_pushinteger(L, key->integer);
    } else {
        lua_pushnumber(L, key->number);
    }
}

/* next(t, key): the smallest key above `key`. */
static int sb_next(lua_State *L)
{
    luaL_checktype(L, 1, LUA_TTABLE);
    lua_settop(L, 2);
    const bool from_start = lua_isnil(L, 2);
    const struct key above = from_start ? (struct key){ 0 } : read_key(L, 2, "next");
    struct key best = { .type = LUA_TNIL };
    size_t seen = 0;
    for (lua_pushnil(L); lua_next(L, 1) != 0; lua_pop(L, 1)) {
        const struct key key = read_key(L, -2, "next");
        if ((from_start || compare_keys(&key, &above) > 0) &&
            (best.type == LUA_TNIL || compare_keys(&key, &best) < 0)) {
            best = key;
        }
        if (++seen % 256 == 0) {
            lesson_host_debit(L, 256);
        }
    }
    lesson_host_debit(L, seen % 256);
    if (best.type == LUA_TNIL) {
        lua_pushnil(L);
        return 1;
    }
    push_key(L, &best);
    lua_pushvalue(L, -1);
    lua_rawget(L, 1);
    return 2;
}

/* Upvalues: the table, its keys in order, how far we are. */
static int pairs_next(lua_State *L)
{
    lua_Integer i = lua_tointeger(L, lua_upvalueindex(3));
    for (;;) {
        lua_rawgeti(L, lua_upvalueindex(2), ++i);
        if (lua_isnil(L, -1)) {
            return 1;
        }
        lua_pushvalue(L, -1);
        lua_rawget(L, lua_upvalueindex(1));
        if (!lua_isnil(L, -1)) { /* else: removed meanwhile */
            lua_pushinteger(L, i);
            lua_replace(L, lua_upvalueindex(3));
            return 2;
        }
        lua_pop(L, 2);
    }
}

static int sb_pairs(lua_State *L)
{
    luaL_checkany(L, 1);
    if (luaL_getmetafield(L, 1, "__pairs") != LUA_TNIL) {
        lua_pushvalue(L, 1);
        lua_call(L, 1, 3);
        return 3;
    }
    luaL_checktype(L, 1, LUA_TTABLE);
    lua_settop(L, 1);
    size_t count = 0;
    for (lua_pushnil(L); lua_next(L, 1) != 0; lua_pop(L, 1)) {
        count++;
    }
    lesson_host_debit(L, count * SORT_COST);
    struct key *keys = lua_newuserdatauv(L, (count + 1) * sizeof *keys, 0); /* 2 */
    size_t n = 0;
    for (lua_pushnil(L); n < count && lua_next(L, 1) != 0; lua_pop(L, 1)) {
        keys[n++] = read_key(L, -2, "pairs");
    }
    lua_settop(L, 2);
    qsort(keys, n, sizeof *keys, compare_keys);
    lua_pushvalue(L, 1);
    lua_createtable(L, n > 10000 ? 0 : (int)n, 0);
    for (size_t i = 0; i < n; i++) {
        push_key(L, &keys[i]);
        lua_rawseti(L, -2, (lua_Integer)i + 1);
    }
    lua_pushinteger(L, 0);
    lua_pushcclosure(L, pairs_next, 3);
    return 1;
}

/* ---- metatables ------------------------------------------------------------------------------ */

/* Copies the metamethods of the table at 2 into the table on top. */
static void copy_metamethods(lua_State *L)
{
    static const char *const refused[] = { "__gc", "__close", "__mode" };
    for (lua_pushnil(L); lua_next(L, 2) != 0; lua_pop(L, 1)) {
        lesson_host_debit(L, 4);
        if (lua_type(L, -2) != LUA_TSTRING) {
            continue;
        }
        const char *name = lua_tostring(L, -2);
        if (strncmp(name, "__", 2) != 0) {
            continue;
        }
        for (size_t i = 0; i < sizeof refused / sizeof refused[0]; i++) {
            if (strcmp(name, refused[i]) == 0) {
                luaL_error(L, "setmetatable: %s is not available to a lesson", name);
            }
        }
        lua_pushvalue(L, -2);
        lua_pushvalue(L, -2);
        lua_rawset(L, -5);
    }
}

static int sb_setmetatable(lua_State *L)
{
    luaL_checktype(L, 1, LUA_TTABLE);
    luaL_argexpected(L, lua_isnoneornil(L, 2) || lua_istable(L, 2), 2, "nil or table");
    lua_settop(L, 2);
    if (lua_getmetatable(L, 1)) {
        if (lua_rawgetp(L, -1, &users_metatable) == LUA_TNIL ||
            (lua_pushliteral(L, "__metatable"), lua_rawget(L, -2)) != LUA_TNIL) {
            return luaL_error(L, "cannot change a protected metatable");
        }
        lua_settop(L, 2);
    }
    if (lua_isnil(L, 2)) {
        lua_setmetatable(L, 1);
        return 1;
    }
    lua_newtable(L);
    copy_metamethods(L);
    lua_pushliteral(L, "__metatable");
    if (lua_rawget(L, -2) == LUA_TNIL) { /* so that getmetatable() gives back what was set */
        lua_pushvalue(L, 2);
        lua_setfield(L, -3, "__metatable");
    }
    lua_pop(L, 1);
    lua_pushvalue(L, 2);
    lua_rawsetp(L, -2, &users_metatable);
    lua_setmetatable(L, 1);
    lua_settop(L, 1);
    return 1;
}

/* ---- strings --------------------------------------------------------------------------------- */

/* Pushes the text of the value at `index`: as tostring, without addresses. */
static void push_text(lua_State *L, int index)
{
    const int type = lua_type(L, index);
    if (luaL_getmetafield(L, index, "__tostring") != LUA_TNIL) {
        lua_pop(L, 1);
        luaL_tolstring(L, index, NULL); /* checks that a string comes back */
    } else if (type == LUA_TTABLE || type == LUA_TFUNCTION || type == LUA_TUSERDATA ||
               type == LUA_TTHREAD || type == LUA_TLIGHTUSERDATA) {
        lua_pushstring(L, lua_typename(L, type));
    } else {
        luaL_tolstring(L, index, NULL);
    }
}

static int sb_tostring(lua_State *L)
{
    luaL_checkany(L, 1);
    push_text(L, 1);
    return 1;
}

/* Upvalue: the original function. Debits by the length of its string arguments. */
static int debited(lua_State *L)
{
    size_t bytes = 16;
    const int n = lua_gettop(L);
    for (int i = 1; i <= n; i++) {
        if (lua_type(L, i) == LUA_TSTRING) {
            bytes += lua_rawlen(L, i);
        }
    }
    lesson_host_debit(L, bytes / 4);
    lua_pushvalue(L, lua_upvalueindex(1));
    lua_insert(L, 1);
    lua_call(L, n, LUA_MULTRET);
    return lua_gettop(L);
}

/* lower and upper by ASCII alone: those of C ask the locale. Upvalue: the first letter to change. */
static int change_case(lua_State *L)
{
    size_t len = 0;
    const char *s = luaL_checklstring(L, 1, &len);
    const char first = (char)lua_tointeger(L, lua_upvalueindex(1));
    lesson_host_debit(L, len / 4 + 4);
    luaL_Buffer b;
    char *out = luaL_buffinitsize(L, &b, len);
    for (size_t i = 0; i < len; i++) {
        const bool letter = s[i] >= first && s[i] <= first + ('z' - 'a');
        out[i] = letter ? (char)(s[i] ^ ('a' ^ 'A')) : s[i];
    }
    luaL_pushresultsize(&b, len);
    return 1;
}

/* Looks at each conversion of a format; returns what one byte of its strings may cost. */
static size_t check_format(lua_State *L, const char *fmt, size_t len)
{
    size_t cost = 1;
    const char *end = fmt + len; /* it may hold zeros */
    for (const char *p = fmt; p < end && (p = memchr(p, '%', (size_t)(end - p))) != NULL; p++) {
        p += 1 + strspn(p + 1, "-+ #0123456789.");
        if (*p == 'p') {
            luaL_error(L, "string.format: %%p is not available to a lesson");
        }
        cost = *p == 'q' ? QUOTE_COST : cost;
    }
    return cost;
}

static int sb_format(lua_State *L)
{
    size_t len = 0;
    const char *fmt = luaL_checklstring(L, 1, &len);
    lesson_host_debit(L, len / 4 + 16);
    const size_t cost = check_format(L, fmt, len);
    const int n = lua_gettop(L);
    for (int i = 2; i <= n; i++) {
        const int type = lua_type(L, i);
        if (type != LUA_TSTRING && type != LUA_TNUMBER && type != LUA_TBOOLEAN &&
            type != LUA_TNIL) {
            push_text(L, i);
            lua_replace(L, i);
        } else if (type == LUA_TSTRING) {
            lesson_host_debit(L, lua_rawlen(L, i) * cost / 4);
        }
    }
    lua_pushvalue(L, lua_upvalueindex(1));
    lua_insert(L, 1);
    lua_call(L, n, 1);
    return 1;
}

static int sb_rep(lua_State *L)
{
    size_t len = 0, sep_len = 0;
    const char *s = luaL_checklstring(L, 1, &len);
    const lua_Integer n = luaL_checkinteger(L, 2);
    const char *sep = luaL_optlstring(L, 3, "", &sep_len);
    if (n <= 0 || len + sep_len == 0) {
        lua_pushliteral(L, "");
        return 1;
    }
    if ((lua_Unsigned)n > LESSON_STRING_MAX / (len + sep_len)) {
        return luaL_error(L, "string.rep: a lesson's strings may have %d KiB",
                          (int)(LESSON_STRING_MAX >> 10));
    }
    lesson_host_debit(L, (size_t)n * (len + sep_len) / 16 + (size_t)n);
    luaL_Buffer b;
    luaL_buffinit(L, &b);
    for (lua_Integer i = 0; i < n; i++) {
        luaL_addlstring(&b, s, len);
        if (i + 1 < n) {
            luaL_addlstring(&b, sep, sep_len);
        }
    }
    luaL_pushresult(&b);
    return 1;
}

/* ---- tables ---------------------------------------------------------------------------------- */

static int sb_concat(lua_State *L)
{
    luaL_checktype(L, 1, LUA_TTABLE);
    size_t sep_len = 0;
    const char *sep = luaL_optlstring(L, 2, "", &sep_len);
    const lua_Integer from = luaL_optinteger(L, 3, 1);
    const lua_Integer to = luaL_optinteger(L, 4, (lua_Integer)lua_rawlen(L, 1));
    luaL_Buffer b;
    luaL_buffinit(L, &b);
    for (lua_Integer i = from; i <= to; i++) {
        const int type = lua_rawgeti(L, 1, i);
        if (type != LUA_TSTRING && type != LUA_TNUMBER) {
            return luaL_error(L, "table.concat: a %s at index %d cannot be joined",
                              luaL_typename(L, -1), (int)i);
        }
        lesson_host_debit(L, 1 + (lua_rawlen(L, -1) + sep_len) / 16);
        luaL_addvalue(&b);
        if (i < to) {
            luaL_addlstring(&b, sep, sep_len);
        } else {
            break; /* `to` may be the largest integer */
        }
    }
    luaL_pushresult(&b);
    return 1;
}

static int sb_unpack(lua_State *L)
{
    luaL_checktype(L, 1, LUA_TTABLE);
    const lua_Integer from = luaL_optinteger(L, 2, 1);
    const lua_Integer to = luaL_optinteger(L, 3, (lua_Integer)lua_rawlen(L, 1));
    if (from > to) {
        return 0;
    }
    if ((lua_Unsigned)to - (lua_Unsigned)from >= UNPACK_MAX) {
        return luaL_error(L, "table.unpack: at most %d values", UNPACK_MAX);
    }
    const int n = (int)(to - from) + 1;
    lesson_host_debit(L, (size_t)n);
    luaL_checkstack(L, n, "table.unpack");
    for (int i = 0; i < n; i++) {
        lua_rawgeti(L, 1, from + i);
    }
    return n;
}

/* ---- putting it together --------------------------------------------------------------------- */

/* Copies the named functions of the table at `from` into the table on top. */
static void copy_names(lua_State *L, int from, const char *const *names, bool with_debit)
{
    for (; *names != NULL; names++) {
        lua_getfield(L, from, *names);
        if (with_debit) {
            lua_pushcclosure(L, debited, 1);
        }
        lua_setfield(L, -2, *names);
    }
}

/* All functions of the table on top into the table below it; pops it. */
static void merge(lua_State *L)
{
    for (lua_pushnil(L); lua_next(L, -2) != 0;) {
        lua_pushvalue(L, -2);
        lua_insert(L, -2);
        lua_rawset(L, -5);
    }
    lua_pop(L, 1);
}

/* Pushes what the prelude may call without a debit: its arguments are small. `lib` at 1: string. */
static void push_raw(lua_State *L, int string_lib, int math_lib)
{
    lua_newtable(L);
    static const char *const names[] = { "byte", "sub", NULL };
    copy_names(L, string_lib, names, false);
    lua_getfield(L, math_lib, "tointeger");
    lua_setfield(L, -2, "tointeger");
    lua_pushcfunction(L, sb_unpack);
    lua_setfield(L, -2, "unpack");
    lua_pushcfunction(L, sb_concat);
    lua_setfield(L, -2, "concat");
}

static void set_function(lua_State *L, const char *name, lua_CFunction f)
{
    lua_pushcfunction(L, f);
    lua_setfield(L, -2, name);
}

static void set_case(lua_State *L, const char *name, char first)
{
    lua_pushinteger(L, first);
    lua_pushcclosure(L, change_case, 1);
    lua_setfield(L, -2, name);
}

/* Where lesson_sandbox_open() keeps its tables on the stack: the real libraries, the globals to be. */
enum { BASE = 1, STRING, TABLE, MATH, UTF8, OURS };

static void open_base(lua_State *L, lua_CFunction require)
{
    lua_newtable(L);
    copy_names(L, BASE, base_names, false);
    set_function(L, "next", sb_next);
    set_function(L, "pairs", sb_pairs);
    set_function(L, "setmetatable", sb_setmetatable);
    set_function(L, "tostring", sb_tostring);
    set_function(L, "require", require);
    lua_getfield(L, BASE, "tonumber");
    lua_pushcclosure(L, debited, 1);
    lua_setfield(L, -2, "tonumber");
    lua_pushvalue(L, OURS);
    lua_setfield(L, OURS, "_G");
    /* Before the prelude is loaded: its chunks see these globals. */
    lua_pushvalue(L, OURS);
    lua_rawseti(L, LUA_REGISTRYINDEX, LUA_RIDX_GLOBALS);
}

/* ("x"):rep goes through the metatable of strings, which nobody can reach or change. Their methods are
 * the table on top of the stack. */
static void open_methods(lua_State *L)
{
    lua_pushliteral(L, "");
    lua_newtable(L);
    lua_pushvalue(L, -3);
    lua_setfield(L, -2, "__index");
    lua_pushboolean(L, 0);
    lua_setfield(L, -2, "__metatable");
    lua_setmetatable(L, -2);
    lua_pop(L, 1);
}

static void open_string(lua_State *L, lesson_prelude_fn *load_prelude)
{
    lua_newtable(L);
    copy_names(L, STRING, string_names, true);
    lua_getfield(L, STRING, "format");
    lua_pushcclosure(L, sb_format, 1);
    lua_setfield(L, -2, "format");
    set_function(L, "rep", sb_rep);
    set_case(L, "lower", 'A');
    set_case(L, "upper", 'a');
    push_raw(L, STRING, MATH);
    load_prelude(L, "patterns");
    merge(L);
    open_methods(L);
    lua_setfield(L, OURS, "string");
}

static void open_table(lua_State *L, lesson_prelude_fn *load_prelude)
{
    lua_newtable(L);
    set_function(L, "concat", sb_concat);
    set_function(L, "unpack", sb_unpack);
    lua_getfield(L, TABLE, "pack");
    lua_setfield(L, -2, "pack");
    push_raw(L, STRING, MATH);
    load_prelude(L, "tables");
    merge(L);
    lua_setfield(L, OURS, "table");
}

static void open_rest(lua_State *L)
{
    lua_newtable(L);
    copy_names(L, MATH, math_names, false);
    lua_pushcfunction(L, lesson_luck_random);
    lua_setfield(L, -2, "random");
    lua_setfield(L, OURS, "math");

    lua_newtable(L);
    copy_names(L, UTF8, utf8_names, true);
    lua_getfield(L, UTF8, "charpattern");
    lua_setfield(L, -2, "charpattern");
    lua_setfield(L, OURS, "utf8");
}

void lesson_sandbox_open(lua_State *L, lesson_prelude_fn *load_prelude, lua_CFunction require)
{
    lua_settop(L, 0);
    luaL_requiref(L, LUA_GNAME, luaopen_base, 0);
    luaL_requiref(L, LUA_STRLIBNAME, luaopen_string, 0);
    luaL_requiref(L, LUA_TABLIBNAME, luaopen_table, 0);
    luaL_requiref(L, LUA_MATHLIBNAME, luaopen_math, 0);
    luaL_requiref(L, LUA_UTF8LIBNAME, luaopen_utf8, 0);
    open_base(L, require);
    open_string(L, load_prelude);
    open_table(L, load_prelude);
    open_rest(L);
    /* Nobody reaches the originals through the table of loaded modules. */
    lua_newtable(L);
    lua_setfield(L, LUA_REGISTRYINDEX, LUA_LOADED_TABLE);
    lua_settop(L, 0);
}
