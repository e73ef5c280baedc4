/*
 * Arithmetic and comparison of quantities.
 */
#include "lesson/quantity.h"

#include <math.h>
#include <string.h>

#include <lauxlib.h>

#define QUANTITY "quantity"

struct quantity {
    enum unit_kind unit;
    int64_t value;
};

static const char *const kind_names[] = { "count", "time", "rate", "size" };

void lesson_quantity_push(lua_State *L, enum unit_kind unit, int64_t value)
{
    struct quantity *q = lua_newuserdatauv(L, sizeof *q, 0);
    *q = (struct quantity){ unit, value };
    luaL_setmetatable(L, QUANTITY);
}

bool lesson_quantity_is(lua_State *L, int index, enum unit_kind *unit, int64_t *value)
{
    const struct quantity *q = luaL_testudata(L, index, QUANTITY);
    if (q == NULL) {
        return false;
    }
    *unit = q->unit;
    *value = q->value;
    return true;
}

const char *lesson_quantity_say(enum unit_kind unit, int64_t value, char *buf, size_t size)
{
    if (value < 0 && value != INT64_MIN && size > 1) {
        buf[0] = '-';
        (void)units_format(buf + 1, size - 1, unit, -value);
        return buf;
    }
    return units_format(buf, size, unit, value);
}

/* The quantity at `index`; a unit string is read as the kind of `other`. */
static struct quantity operand(lua_State *L, int index, const struct quantity *other)
{
    const struct quantity *q = luaL_testudata(L, index, QUANTITY);
    if (q != NULL) {
        return *q;
    }
    struct quantity read = { other->unit, 0 };
    struct err err = { 0 };
    if (lua_type(L, index) == LUA_TNUMBER) {
        luaL_error(L, "a %s and a bare number: write %s", kind_names[other->unit],
                   units_example(other->unit));
    } else if (lua_type(L, index) != LUA_TSTRING) {
        luaL_error(L, "a %s and a %s do not go together", kind_names[other->unit],
                   luaL_typename(L, index));
    } else if (!units_parse(lua_tostring(L, index), other->unit, &read.value, &err)) {
        luaL_error(L, "%s", err.msg);
    }
    return read;
}

/* Both operands, of one kind. */
static void operands(lua_State *L, struct quantity *a, struct quantity *b)
{
    const struct quantity *qa = luaL_testudata(L, 1, QUANTITY);
    const struct quantity *qb = luaL_testudata(L, 2, QUANTITY);
    *a = operand(L, 1, qa != NULL ? qa : qb);
    *b = operand(L, 2, qb != NULL ? qb : qa);
    if (a->unit != b->unit) {
        luaL_error(L, "a %s and a %s do not go together", kind_names[a->unit], kind_names[b->unit]);
    }
}

static int push_double(lua_State *L, enum unit_kind unit, double value)
{
    if (!(value > -9.2e18 && value < 9.2e18)) {
        return luaL_error(L, "this %s is too large", kind_names[unit]);
    }
    lesson_quantity_push(L, unit, llround(value));
    return 1;
}

static int q_add(lua_State *L)
{
    struct quantity a, b;
    int64_t sum;
    operands(L, &a, &b);
    if (__builtin_add_overflow(a.value, b.value, &sum)) {
        return luaL_error(L, "this %s is too large", kind_names[a.unit]);
    }
    lesson_quantity_push(L, a.unit, sum);
    return 1;
}

static int q_sub(lua_State *L)
{
    struct quantity a, b;
    int64_t difference;
    operands(L, &a, &b);
    if (__builtin_sub_overflow(a.value, b.value, &difference)) {
        return luaL_error(L, "this %s is too large", kind_names[a.unit]);
    }
    lesson_quantity_push(L, a.unit, difference);
    return 1;
}

static int q_mul(lua_State *L)
{
    const int at = luaL_testudata(L, 1, QUANTITY) != NULL ? 1 : 2;
    const struct quantity *q = luaL_checkudata(L, at, QUANTITY);
    if (lua_type(L, 3 - at) != LUA_TNUMBER) {
        return luaL_error(L, "a %s is multiplied by a number", kind_names[q->unit]);
    }
    int64_t product;
    if (lua_isinteger(L, 3 - at) &&
        !__builtin_mul_overflow(q->value, lua_tointeger(L, 3 - at), &product)) {
        lesson_quantity_push(L, q->unit, product);
        return 1;
    }
    return push_double(L, q->unit, (double)q->value * lua_tonumber(L, 3 - at));
}

static int q_div(lua_State *L)
{
    const struct quantity *q = luaL_testudata(L, 1, QUANTITY);
    if (q != NULL && lua_type(L, 2) == LUA_TNUMBER) {
        return push_double(L, q->unit, (double)q->value / lua_tonumber(L, 2));
    }
    struct quantity a, b;
    operands(L, &a, &b);
    if (b.value == 0) {
        return luaL_error(L, "division by a %s of zero", kind_names[b.unit]);
    }
    lua_pushnumber(L, (double)a.value / (double)b.value);
    return 1;
}

static int q_unm(lua_State *L)
{
    const struct quantity *q = luaL_checkudata(L, 1, QUANTITY);
    lesson_quantity_push(L, q->unit, q->value == INT64_MIN ? INT64_MAX : -q->value);
    return 1;
}

static int q_eq(lua_State *L)
{
    const struct quantity *a = luaL_testudata(L, 1, QUANTITY);
    const struct quantity *b = luaL_testudata(L, 2, QUANTITY);
    lua_pushboolean(L, a != NULL && b != NULL && a->unit == b->unit && a->value == b->value);
    return 1;
}

static int q_lt(lua_State *L)
{
    struct quantity a, b;
    operands(L, &a, &b);
    lua_pushboolean(L, a.value < b.value);
    return 1;
}

static int q_le(lua_State *L)
{
    struct quantity a, b;
    operands(L, &a, &b);
    lua_pushboolean(L, a.value <= b.value);
    return 1;
}

static int q_tostring(lua_State *L)
{
    const struct quantity *q = luaL_checkudata(L, 1, QUANTITY);
    char buf[64];
    lua_pushstring(L, lesson_quantity_say(q->unit, q->value, buf, sizeof buf));
    return 1;
}

static int q_concat(lua_State *L)
{
    for (int i = 1; i <= 2; i++) {
        if (!lua_isstring(L, i) && luaL_testudata(L, i, QUANTITY) == NULL) {
            return luaL_error(L, "a quantity and a %s cannot be joined", luaL_typename(L, i));
        }
        luaL_tolstring(L, i, NULL);
    }
    lua_concat(L, 2);
    return 1;
}

/* q.us and the like. */
static const struct {
    const char *name;
    enum unit_kind unit;
    double scale;
} parts[] = {
    { "ps", UNIT_TIME, 1 },    { "ns", UNIT_TIME, 1e3 },  { "us", UNIT_TIME, 1e6 },
    { "ms", UNIT_TIME, 1e9 },  { "s", UNIT_TIME, 1e12 },  { "bytes", UNIT_BYTES, 1 },
    { "kb", UNIT_BYTES, 1e3 }, { "mb", UNIT_BYTES, 1e6 }, { "gbps", UNIT_RATE, 1e9 },
};

const char *lesson_quantity_part(size_t i, enum unit_kind *unit)
{
    if (i >= sizeof parts / sizeof parts[0]) {
        return NULL;
    }
    *unit = parts[i].unit;
    return parts[i].name;
}

/* One of these: a plain number. */
static int q_index(lua_State *L)
{
    const struct quantity *q = luaL_checkudata(L, 1, QUANTITY);
    const char *name = luaL_checkstring(L, 2);
    for (size_t i = 0; i < sizeof parts / sizeof parts[0]; i++) {
        if (parts[i].unit == q->unit && strcmp(parts[i].name, name) == 0) {
            lua_pushnumber(L, (double)q->value / parts[i].scale);
            return 1;
        }
    }
    return luaL_error(L, "a %s has no `.%s`", kind_names[q->unit], name);
}

void lesson_quantity_open(lua_State *L)
{
    static const luaL_Reg methods[] = {
        { "__add", q_add },
        { "__sub", q_sub },
        { "__mul", q_mul },
        { "__div", q_div },
        { "__unm", q_unm },
        { "__eq", q_eq },
        { "__lt", q_lt },
        { "__le", q_le },
        { "__index", q_index },
        { "__concat", q_concat },
        { "__tostring", q_tostring },
        { NULL, NULL },
    };
    luaL_newmetatable(L, QUANTITY);
    luaL_setfuncs(L, methods, 0);
    lua_pushboolean(L, 0);
    lua_setfield(L, -2, "__metatable");
    lua_pop(L, 1);
}
