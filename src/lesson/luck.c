#include "lesson/luck.h"

#include <lauxlib.h>

#include "base/rng.h"
#include "lesson/host.h"

/* One of `n` values (0: of all there are) from a number with 64 random bits: the first of those drawn from
 * it that is below the largest multiple of n, so that all are equally likely. */
static uint64_t one_of(uint64_t n, uint64_t bits)
{
    const uint64_t beyond = n > 0 ? (UINT64_MAX - n + 1) % n : 0; /* 2^64 modulo n */
    while (n > 0 && bits > UINT64_MAX - beyond) {
        bits = rng_mix(bits);
    }
    return n > 0 ? bits % n : bits;
}

int lesson_luck_random(lua_State *L)
{
    const uint64_t bits = rng_mix3(1, lesson_host_draw(L), rng_hash_name("math.random"));
    lua_Integer low = 1;
    lua_Integer high = 0;
    switch (lua_gettop(L)) {
    case 0:
        lua_pushnumber(L, (lua_Number)(bits >> 11) * 0x1p-53);
        return 1;
    case 1:
        high = luaL_checkinteger(L, 1);
        break;
    case 2:
        low = luaL_checkinteger(L, 1);
        high = luaL_checkinteger(L, 2);
        break;
    default:
        return luaL_error(L, "random takes up to two numbers");
    }
    luaL_argcheck(L, low <= high, lua_gettop(L), "there is no number in that range");
    /* The difference of any two integers fits without a sign; one more than all of them is 0. */
    const uint64_t span = (uint64_t)high - (uint64_t)low + 1;
    lua_pushinteger(L, (lua_Integer)((uint64_t)low + one_of(span, bits)));
    return 1;
}
