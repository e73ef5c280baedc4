#define _XOPEN_SOURCE 700 /* mkstemp */

/*
 * What a lesson may not do, tried: each row is a hostile chunk and what must come of it.
 *
 *   want NULL   the chunk runs to its end (and its own asserts hold)
 *   want "..."  the chunk fails with a message that contains this; "not checked", where it is the clock
 *               that ends it, with the short budget
 *
 * After each one the same state must still be able to run something, and everything must be freed.
 */
#include "cmocka_rows.h"

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <lauxlib.h>

#include "lesson/host.h"

struct probe {
    const char *name;
    const char *code;
    const char *want;
};

/* clang-format off */
static struct probe probes[] = {
    /* work */
    { "an endless loop", "while true do end", "runs too long" },
    { "an endless loop behind pcall", "while true do pcall(function() while true do end end) end", "runs too long" },
    { "pcall of pcall of pcall", "while true do pcall(pcall, pcall, pcall, function() end) end", "runs too long" },
    { "an endless iterator", "for _ in function() return 1 end do end", "runs too long" },
    { "an endless ipairs", "for _ in ipairs(setmetatable({}, {__index = function() return 1 end})) do end", "runs too long" },
    { "an endless __index", "local t = {} t = setmetatable(t, {__index = function(s, k) return s[k + 1] end}) return t[1]", "overflow" },
    { "a comparator that never ends", "table.sort({1, 2, 3}, function() while true do end end)", "runs too long" },
    { "a comparator that contradicts itself", "local t = {} for i = 1, 100 do t[i] = i end table.sort(t, function() return true end)", NULL },
    { "backtracking, find", "return (('a'):rep(10000)):find('.-.-.-.-b$')", "runs too long" },
    { "backtracking, gsub", "return (('a'):rep(50)):gsub(('a?'):rep(50) .. ('a'):rep(50), '')", "runs too long" },
    { "backtracking, gmatch", "for _ in (('a'):rep(10000)):gmatch('.-.-.-.-b$') do end", "runs too long" },
    { "backtracking behind pcall", "while true do pcall(string.find, ('a'):rep(10000), '.-.-.-.-b$') end", "runs too long" },
    { "rep of nothing, for ever", "return string.rep('', 1 << 62)", NULL },
    { "rep of much", "return string.rep('x', 1 << 40)", "KiB" },
    { "rep of a separator", "return string.rep('', 1 << 40, 'x')", "KiB" },
    { "move of a huge range", "return table.move({}, 1, 1 << 62, 2)", "runs too long" },
    { "a lying length, concat", "return table.concat(setmetatable({}, {__len = function() return 1 << 62 end, __index = type}))", NULL },
    { "a lying length, insert", "table.insert(setmetatable({}, {__len = function() return 1 << 62 end}), 1, 1)", NULL },
    { "a lying length, remove", "table.remove(setmetatable({}, {__len = function() return 1 << 62 end}), 1)", NULL },
    { "a lying length, unpack", "return table.unpack(setmetatable({}, {__len = function() return 1 << 62 end}))", NULL },
    { "unpack of much", "return table.unpack({}, 1, 1 << 30)", "at most" },
    { "unpack over the end of numbers", "return table.unpack({}, math.mininteger, math.maxinteger)", "at most" },
    { "concat up to the last integer", "return table.concat({}, '', math.maxinteger, math.maxinteger)", "cannot be joined" },
    { "lower of a long text, again and again", "local s = ('x'):rep(200000) while true do s:lower() end", "runs too long" },
    { "format of a long text, again and again", "local s = ('x'):rep(200000) while true do string.format('%s', s) end", "runs too long" },
    { "comparing long texts, again and again", "local a, b = ('x'):rep(200000) .. 'a', ('x'):rep(200000) .. 'a' while true do if a < b then return end end", "not checked" },
    { "a 4th value of for", "for _ in next, {}, nil, setmetatable({}, {__close = function() while true do end end}) do end", "__close is not available" },
    { "a metamethod that is slipped in", "local mt = {} local t = setmetatable({}, mt) mt.__close = function() while true do end end local x <close> = t", "non-closable" },
    { "a finalizer", "setmetatable({}, {__gc = function() while true do end end})", "__gc is not available" },
    { "weak tables", "setmetatable({}, {__mode = 'k'})", "__mode is not available" },
    { "refused memory, again and again", "local t = {} while true do pcall(function() t[#t + 1] = {} end) end", "runs too long" },
    { "refused memory behind pcall", "local t = {} while true do pcall(function() while true do t[#t + 1] = {} end end) end", "runs too long" },
    { "quoting zeros, again and again", "local s = ('\\0'):rep(250000) while true do pcall(string.format, '%q', s) end", "runs too long" },
    { "reading long numbers, again and again", "local s = ('9'):rep(250000) while true do tonumber(s, 36) end", "runs too long" },
    { "pairs over a large table, again and again", "local t = {} for i = 1, 50000 do t['a' .. i] = i end while true do pairs(t) end", "runs too long" },
    { "long texts as keys, again and again", "local s, t, i = ('x'):rep(250000), {}, 0 while true do i = i + 1 t[s .. i] = nil end", "not checked" },
    { "values that never end", "while true do pcall(table.unpack, {}, 1, 1000) end", "runs too long" },
    { "an endless __len", "local mt = {} mt.__len = function(t) return #t end return #setmetatable({}, mt)", "overflow" },
    { "an endless __eq", "local mt = {} mt.__eq = function(a, b) return a == b end return setmetatable({}, mt) == setmetatable({}, mt)", "overflow" },
    { "an endless __concat", "local mt = {} mt.__concat = function(a, b) return a .. b end return setmetatable({}, mt) .. 'x'", "overflow" },
    { "an endless __call", "local mt = {} mt.__call = function(t) return t() + 1 end return setmetatable({}, mt)()", "" },
    { "a chain of __index", "local t = {} for i = 1, 3000 do t = setmetatable({}, {__index = t}) end return t.x", "loop" },
    { "a circle of __index", "local mt = {} local t = {} mt.__index = t setmetatable(t, mt) return t.x", "loop" },
    { "a circle of __newindex", "local mt = {} local t = {} mt.__newindex = t setmetatable(t, mt) t.x = 1", "loop" },
    { "an endless __lt", "local mt = {} mt.__lt = function(a, b) while true do end end return setmetatable({}, mt) < setmetatable({}, mt)", "runs too long" },
    { "a format that is too wide", "return ('%200d'):format(1)", "invalid" },
    { "a format without an argument", "return ('%s'):format()", "no value" },
    { "the widest format", "assert(#('%99.99f'):format(1e300) == 401)", NULL },
    { "chars of much", "return string.char(table.unpack({}, 1, 1000))", "number expected" },
    { "select of nothing", "return select(-1)", "out of range" },
    { "next in a circle", "local t = {} for i = 1, 10000 do t[i] = i end for _ in next, t do end", "runs too long" },
    /* memory */
    { "doubling a string", "local s = 'x' while true do s = s .. s end", "not enough memory" },
    { "doubling a string behind pcall", "local s = 'x' while true do pcall(function() s = s .. s end) end", "runs too long" },
    { "a table that grows", "local t = {} for i = 1, 1 << 40 do t[i] = {} end", "not enough memory" },
    { "a table of strings", "local t = {} for i = 1, 1 << 40 do t[i] = ('x'):rep(100000) .. i end", "" },
    { "concat of much", "local t, s = {}, ('x'):rep(200000) for i = 1, 100 do t[i] = s end return table.concat(t)", "not enough memory" },
    { "format of much", "local s = ('x'):rep(200000) return ('%s%s%s'):format(s, s, s)", "not enough memory" },
    { "tables that hold each other", "local t = {} for i = 1, 1 << 40 do t = {t} end", "" },
    { "closures", "local t = {} for i = 1, 1 << 40 do t[i] = function() return t end end", "not enough memory" },
    { "a text that is too long by one", "return ('x'):rep(262145)", "KiB" },
    { "byte of much", "return ('x'):rep(250000):byte(1, -1)", NULL },
    { "codepoints of much", "return utf8.codepoint(('x'):rep(250000), 1, -1)", NULL },
    { "keys up to the end of numbers", "local t = {} t[math.maxinteger] = 1 t[math.mininteger] = 2 assert(#t == 0) local n = 0 for _ in pairs(t) do n = n + 1 end assert(n == 2)", NULL },
    { "a key that is not a number", "local t = {} t[0/0] = 1", "NaN" },
    /* the C stack */
    { "recursion", "local function f() return 1 + f() end return f()", "overflow" },
    { "recursion through pcall", "local function f() return pcall(f) end return select('#', f())", NULL },
    { "recursion through gsub", "local function f() return (('x'):gsub('.', f)) end return f()", "overflow" },
    { "recursion through a metamethod", "local t = setmetatable({}, {}) local mt = {} mt.__add = function(a) return a + a end t = setmetatable({}, mt) return t + t", "overflow" },
    { "recursion through tostring", "local mt = {} mt.__tostring = function(t) return tostring(t) end return tostring(setmetatable({}, mt))", "overflow" },
    { "recursion through sort", "local function f() table.sort({1, 2}, f) end f()", "overflow" },
    { "recursion through require", "return require 'nothing-of-this-name'", "neither weft nor" },
    /* reach */
    { "no way out", "for _, n in ipairs{'io', 'os', 'debug', 'package', 'coroutine', 'load', 'loadfile', 'loadstring', 'dofile', 'collectgarbage', 'xpcall', 'print', 'warn', 'require_'} do assert(_G[n] == nil, n) end", NULL },
    { "why there is no clock", "return os.time()", "(global 'os'): a lesson reaches nothing outside of itself" },
    { "why there is nothing to seed", "math.randomseed(6)", "(field 'randomseed'): math.random gives everybody the same numbers" },
    { "why nothing is printed", "print('x')", "(global 'print'): a claim shows what it returns behind its verdict" },
    { "no reason for a name of one's own", "return foo.random", "attempt to index a nil value (global 'foo')" },
    { "random numbers are everybody's", "local t = {} for i = 1, 5 do t[i] = math.random(100) end assert(table.concat(t, ' ') == '66 32 65 93 36', table.concat(t, ' '))", NULL },
    { "random numbers lie in their range", "for _ = 1, 1000 do local a, b, c = math.random(), math.random(3), math.random(-2, 2) assert(a >= 0 and a < 1 and b >= 1 and b <= 3 and math.type(b) == 'integer' and c >= -2 and c <= 2) end", NULL },
    { "all of a range are drawn", "local n = {0, 0, 0} for _ = 1, 3000 do local k = math.random(3) n[k] = n[k] + 1 end for _, k in ipairs(n) do assert(k > 900 and k < 1100, k) end", NULL },
    { "the widest range", "local least, most = 0, 0 for _ = 1, 100 do local n = math.random(math.mininteger, math.maxinteger) least, most = math.min(least, n), math.max(most, n) end assert(least < -1 << 60 and most > 1 << 60)", NULL },
    { "a range without a number", "math.random(3, 2)", "there is no number in that range" },
    { "no bytecode out", "assert(string.dump == nil and string.pack == nil)", NULL },
    { "methods of strings are the fenced ones", "assert(('').rep == string.rep and ('').find == string.find and ('').dump == nil)", NULL },
    { "the metatable of strings", "assert(getmetatable('') == false)", NULL },
    { "changing the metatable of strings", "getmetatable('').__index = nil", "index a boolean" },
    { "setmetatable of a string", "setmetatable('', {})", "table expected" },
    { "a protected metatable", "local t = setmetatable({}, {__metatable = 1}) assert(getmetatable(t) == 1) setmetatable(t, {})", "protected" },
    { "getmetatable gives back what was set", "local mt = {} assert(getmetatable(setmetatable({}, mt)) == mt) local t = setmetatable(setmetatable({}, mt), nil) assert(getmetatable(t) == nil)", NULL },
    { "require of a path", "return require '../lessons/index'", "module name" },
    { "require of an absolute path", "return require '/etc/passwd'", "module name" },
    { "require of the prelude", "return require 'prelude/tables'", "module name" },
    { "require of a name with a zero", "return require 'weft\\0x'", "module name" },
    { "require of an empty name", "return require ''", "module name" },
    { "require of a hidden file", "return require '.weft'", "module name" },
    { "require of a table", "return require {}", "string expected" },
    { "another environment", "local _ENV = {} assert = nil return x.y", "index a nil" },
    { "globals are a table of its own", "rawset(_G, 'assert', nil) rawset(string, 'reverse', nil) assert = function() end", NULL },
    { "rawset of the prelude's functions", "rawset(string, 'sub', function() error('mine') end) rawset(string, 'byte', nil) rawset(table, 'concat', nil) assert(('abc'):gsub('b', 'x') == 'axc')", NULL },
    { "no addresses behind a zero", "return ('\\0%p'):format('x')", "%p" },
    { "no addresses in messages", "local ok, e = pcall(function() return {} < {} end) assert(e:find('two table values', 1, true) and not e:find('0x', 1, true))", NULL },
    { "no addresses by a name", "assert(tostring(setmetatable({}, {__name = 'x'})) == 'table')", NULL },
    { "no addresses, tostring", "assert(tostring({}) == 'table' and tostring(print) == 'nil' and tostring(type) == 'function')", NULL },
    { "no addresses, %s", "assert(('%s'):format({}) == 'table' and ('%-8s|'):format(type) == 'function|')", NULL },
    { "no addresses, %p", "return ('%10.3p'):format({})", "%p" },
    { "%% is not %p", "assert(('100%%p'):format() == '100%p')", NULL },
    /* order */
    { "pairs in order", "local s = '' for k in pairs{b = 1, a = 1, [3] = 1, [1.5] = 1, [-1] = 1, [true] = 1, [false] = 1, ['a\\0'] = 1} do s = s .. tostring(k) .. ' ' end assert(s == '-1 1.5 3 a a\\0 b false true ', s)", NULL },
    { "next in order", "local t = {b = 1, a = 2, [3] = 3} local k, v = next(t) assert(k == 3 and v == 3) k = next(t, k) assert(k == 'a') k = next(t, k) assert(k == 'b' and next(t, k) == nil and next({}) == nil)", NULL },
    { "pairs while removing", "local t = {1, 2, 3, 4} local n = 0 for k in pairs(t) do n = n + 1 t[k + 1] = nil end assert(n == 2, n)", NULL },
    { "pairs over tables as keys", "for _ in pairs{[{}] = 1} do end", "no order" },
    { "__pairs", "for k, v in pairs(setmetatable({}, {__pairs = function(t) return next, {x = 1}, nil end})) do assert(k == 'x' and v == 1) end", NULL },
    { "sort is stable", "local t = {{1, 'a'}, {0, 'b'}, {1, 'c'}, {0, 'd'}} table.sort(t, function(a, b) return a[1] < b[1] end) local s = '' for _, e in ipairs(t) do s = s .. e[2] end assert(s == 'bdac', s)", NULL },
    { "sort, insert, remove, move", "local t = {3, 1, 2} table.sort(t) table.insert(t, 4) table.insert(t, 1, 0) assert(table.concat(t, ' ') == '0 1 2 3 4') assert(table.remove(t, 1) == 0 and table.remove(t) == 4 and #t == 3) table.move(t, 1, 3, 2) assert(table.concat(t, ' ') == '1 1 2 3')", NULL },
    { "sorting words", "local t = {'b', 'a', 'c'} table.sort(t, function(a, b) return a > b end) assert(table.concat(t) == 'cba')", NULL },
    /* error objects */
    { "error of a table", "error({code = 1})", "(error object is a table)" },
    { "error of nil", "error(nil)", "without a message" },
    { "error of nothing", "error()", "without a message" },
    { "error of a function", "error(type)", "(error object is a function)" },
    { "error of a boolean", "error(false)", "(error object is a boolean)" },
    { "error of a text with a zero", "error('a\\0b')", "a" },
    { "error of a long text", "error(('x'):rep(200000))", "xxx" },
    { "error with an override of direction", "error('a\\u{202e}b\\u{2067}c\\u{9b}d\\u{feff}e')", "abc\xef\xbf\xbd" "de" },
    { "error of an error in __tostring", "error(setmetatable({}, {__tostring = function() error('x') end}))", "(error object is a table)" },
    { "tostring that gives no text", "return tostring(setmetatable({}, {__tostring = function() return {} end}))", "must return a string" },
    { "error of a number", "error(42)", "42" },
    { "error of a table with a bad __tostring", "error(setmetatable({}, {__tostring = function() return 42 end}))", "(error object is a table)" },
    { "error of a table with an endless __tostring", "error(setmetatable({}, {__tostring = function() while true do end end}))", "(error object is a table)" },
    { "error with control characters", "error('a\\27[2Jb')", "a [2Jb" },
    { "assert without a message", "assert(false)", "assertion failed" },
    { "pcall works", "local ok, e = pcall(error, {1}) assert(not ok and e[1] == 1)", NULL },
    { "letters of ASCII alone", "assert(('aZ\\xe4\\xc4{@[`'):upper() == 'AZ\\xe4\\xc4{@[`' and ('aZ\\xe4\\xc4{@[`'):lower() == 'az\\xe4\\xc4{@[`')", NULL },
    { "numbers as text", "assert(tostring(1/3) == '0.33333333333333' and tostring(2^53) == '9.007199254741e+15' and 1e15 .. '' == '1e+15' and tostring(3 // 1) == '3' and tostring(-0.0) == '-0.0' and ('%5.1f'):format(2.25) == '  2.2')", NULL },
    { "a wrong argument", "('x'):rep({})", "number expected" },
    { "utf8", "assert(utf8.len('gr\\u{fc}n') == 4 and utf8.char(252) == '\\u{fc}')", NULL },
};
/* clang-format on */

static const struct lesson_budget enough = { 6000000, 1000 };

static void run_probe(void **state)
{
    const struct probe *probe = *state;
    struct err err = { 0 };
    struct lesson_host *host = lesson_host_create(WEFT_SOURCE, NULL, &err);
    assert_non_null(host);
    lua_State *L = lesson_host_lua(host);
    char code[1024];
    (void)snprintf(code, sizeof code, "%s", probe->code);
    assert_true(lesson_host_compile(host, code, "probe.lua", 7, &err));
    const bool by_clock = probe->want != NULL && strcmp(probe->want, "not checked") == 0;
    const bool ok = lesson_host_call(host, by_clock ? &lesson_budget_call : &enough, 0, 0, &err);
    if (probe->want == NULL && !ok) {
        fail_msg("%s", err.msg);
    } else if (probe->want != NULL) {
        assert_false(ok);
        if (strstr(err.msg, probe->want) == NULL) {
            fail_msg("said: %s", err.msg);
        }
    }
    assert_int_equal(lua_gettop(L), 0);
    assert_true(lesson_host_compile(host, "return #('x'):rep(10)", "probe.lua", 1, &err));
    assert_true(lesson_host_call(host, &enough, 0, 1, &err));
    assert_int_equal(lua_tointeger(L, -1), 10);
    lesson_host_destroy(host);
}

/* Sanitizers need more stack for the same calls. */
#if defined(__SANITIZE_ADDRESS__) || defined(__clang__)
#define SMALL_STACK ((size_t)4 << 20)
#else
#define SMALL_STACK ((size_t)256 << 10)
#endif

static void *deep_calls_on_this_stack(void *arg)
{
    bool *done = arg;
    static const char *const code[] = {
        "local function f() return 1 + f() end return f()",
        "local function f() return pcall(f) end return f()",
        "local function f() return (('x'):gsub('.', f)) end return f()",
        "local mt = {} mt.__add = function(a) return a + a end local t = setmetatable({}, mt) "
        "return t + t",
        "local mt = {} mt.__index = function(t, k) return t[k .. 'x'] end "
        "return setmetatable({}, mt).x",
        "local mt = {} mt.__tostring = function(t) return ('%s'):format(t) end "
        "return tostring(setmetatable({}, mt))",
        "local function f() table.sort({1, 2}, f) end f()",
        "return ' ' .. (('('):rep(100000))",
    };
    for (size_t i = 0; i < COUNT_OF(code); i++) {
        struct err err = { 0 };
        struct lesson_host *host = lesson_host_create(WEFT_SOURCE, NULL, &err);
        if (host == NULL || !lesson_host_compile(host, code[i], "deep.lua", 1, &err)) {
            return NULL;
        }
        (void)lesson_host_call(host, &lesson_budget_load, 0, 0, &err);
        lesson_host_destroy(host);
    }
    *done = true;
    return NULL;
}

static void deep_calls_fit_a_small_stack(void **state)
{
    (void)state;
    pthread_attr_t attr;
    pthread_t thread;
    bool done = false;
    assert_int_equal(pthread_attr_init(&attr), 0);
    assert_int_equal(pthread_attr_setstacksize(&attr, SMALL_STACK), 0);
    assert_int_equal(pthread_create(&thread, &attr, deep_calls_on_this_stack, &done), 0);
    assert_int_equal(pthread_join(thread, NULL), 0);
    assert_true(done);
    (void)pthread_attr_destroy(&attr);
}

static void nested_source_is_an_error(void **state)
{
    (void)state;
    struct err err = { 0 };
    struct lesson_host *host = lesson_host_create(WEFT_SOURCE, NULL, &err);
    static char code[100001];
    memset(code, '(', sizeof code - 1);
    assert_false(lesson_host_compile(host, code, "deep.lua", 1, &err));
    assert_non_null(strstr(err.msg, "overflow"));
    lesson_host_destroy(host);
}

static void what_one_lesson_breaks_stays_with_it(void **state)
{
    (void)state;
    struct err err = { 0 };
    for (int round = 0; round < 2; round++) {
        struct lesson_host *host = lesson_host_create(WEFT_SOURCE, NULL, &err);
        assert_non_null(host);
        const char *code = round == 0 ? "string.rep = nil table = nil math.floor = 1 _G.pairs = nil"
                                      : "assert(string.rep and table.sort and pairs and "
                                        "math.floor(1.5) == 1 and ('x'):rep(2) == 'xx')";
        assert_true(lesson_host_compile(host, code, "probe.lua", 1, &err));
        assert_true(lesson_host_call(host, &lesson_budget_load, 0, 0, &err));
        lesson_host_destroy(host);
    }
}

static void the_budget_decides_not_the_clock(void **state)
{
    (void)state;
    /* The same instruction count is used up at the same place, every time. */
    lua_Integer reached[2];
    for (int round = 0; round < 2; round++) {
        struct err err = { 0 };
        struct lesson_host *host = lesson_host_create(WEFT_SOURCE, NULL, &err);
        lua_State *L = lesson_host_lua(host);
        assert_true(lesson_host_compile(host, "n = 0 while true do n = n + 1 end", "p", 1, &err));
        static const struct lesson_budget small = { 100000, 60000 };
        assert_false(lesson_host_call(host, &small, 0, 0, &err));
        assert_int_equal(err.code, ERR_LIMIT);
        lua_getglobal(L, "n");
        reached[round] = lua_tointeger(L, -1);
        lesson_host_destroy(host);
    }
    assert_true(reached[0] > 1000);
    assert_int_equal(reached[0], reached[1]);
}

/* All memory is used up and kept; the functions around the next call still have what they need. */
static void a_full_lesson_can_still_be_asked(void **state)
{
    (void)state;
    struct err err = { 0 };
    struct lesson_host *host = lesson_host_create(WEFT_SOURCE, NULL, &err);
    lua_State *L = lesson_host_lua(host);
    static const char fill[] = "t = {} local function fill(n) pcall(function() "
                               "while true do t[#t + 1] = ('x'):rep(n) end end) end "
                               "fill(100000) fill(1000) fill(100) fill(41)";
    assert_true(lesson_host_compile(host, fill, "full.lua", 1, &err));
    static const struct lesson_budget large = { INT64_C(1) << 40, 60000 };
    assert_true(lesson_host_call(host, &large, 0, 0, &err));
    for (int i = 0; i < 2000; i++) {
        lua_pushfstring(L, "a text that is new: %d", i); /* not protected: this would end us */
        (void)luaL_ref(L, LUA_REGISTRYINDEX);
    }
    assert_true(lesson_host_compile(host, "return #t", "full.lua", 1, &err));
    assert_true(lesson_host_call(host, &lesson_budget_call, 0, 1, &err));
    lesson_host_destroy(host);
}

/* What other programs put into a text file. */
static struct text_file {
    const char *name, *bytes, *want; /* want: as in a probe */
} text_files[] = {
    { "a mark of UTF-8", "\xef\xbb\xbfreturn 7", NULL },
    { "a line for the shell", "#!/usr/bin/env weft\nreturn 7", NULL },
    { "a mark and a line for the shell", "\xef\xbb\xbf#!weft\r\nreturn 7\r\n", NULL },
    { "lines of another system", "local x = 7\r-- y\rreturn x\r", NULL },
    { "lines keep their numbers", "#!weft\n\nx = = 1", ":3" },
    { "a mark and bytecode", "\xef\xbb\xbf\x1bLua", "binary" },
    { "UTF-16", "\xff\xfer.e.t.u.r.n.", "UTF-16" },
    { "only a line for the shell", "#", NULL },
    { "nothing", "", NULL },
};

static void a_text_file(void **state)
{
    const struct text_file *row = *state;
    char path[] = "/tmp/weft-text-XXXXXX", said[800];
    struct err err = { 0 };
    FILE *file = fdopen(mkstemp(path), "w");
    assert_non_null(file);
    (void)fputs(row->bytes, file);
    (void)fclose(file);
    struct lesson_host *host = lesson_host_create(WEFT_SOURCE, NULL, &err);
    const bool ok = lesson_host_file(host, path, &err);
    (void)unlink(path);
    assert_int_equal(ok, row->want == NULL);
    if (row->want != NULL && strstr(err_text(&err, said, sizeof said), row->want) == NULL) {
        fail_msg("said: %s", said);
    }
    if (ok && strstr(row->bytes, "return") != NULL) {
        assert_int_equal(lua_tointeger(lesson_host_lua(host), -1), 7);
    }
    lesson_host_destroy(host);
}

static void syntax_errors_name_their_line(void **state)
{
    (void)state;
    struct err err = { 0 };
    struct lesson_host *host = lesson_host_create(WEFT_SOURCE, NULL, &err);
    assert_false(lesson_host_compile(host, "x = = 1", "prose.lua", 12, &err));
    assert_string_equal(err.where, "prose.lua:12");
    assert_null(strstr(err.msg, "(prose)"));
    lesson_host_destroy(host);
}

int main(void)
{
    struct CMUnitTest tests[192];
    size_t n = 0;
    ROWS(tests, n, probes, run_probe);
    ROWS(tests, n, text_files, a_text_file);
    tests[n++] = (struct CMUnitTest)cmocka_unit_test(what_one_lesson_breaks_stays_with_it);
    tests[n++] = (struct CMUnitTest)cmocka_unit_test(the_budget_decides_not_the_clock);
    tests[n++] = (struct CMUnitTest)cmocka_unit_test(a_full_lesson_can_still_be_asked);
    tests[n++] = (struct CMUnitTest)cmocka_unit_test(syntax_errors_name_their_line);
    tests[n++] = (struct CMUnitTest)cmocka_unit_test(deep_calls_fit_a_small_stack);
    tests[n++] = (struct CMUnitTest)cmocka_unit_test(nested_source_is_an_error);
    return _cmocka_run_group_tests("lesson/sandbox", tests, n, NULL, NULL);
}
