/*
 * math.random for lessons: numbers that look random, and are the same for everybody.
 *
 * The n-th number drawn in a call is a function of n: each question to a lesson (a truth, a claim, a value)
 * and each reading of its file begins the sequence anew, so no answer depends on what was asked before,
 * nor on the machine. There is no randomseed, for there is nothing to seed.
 */
#ifndef WEFT_LESSON_LUCK_H
#define WEFT_LESSON_LUCK_H

#include <lua.h>

/* random(), random(m), random(m, n): as the Lua manual has it, but for random(0). */
int lesson_luck_random(lua_State *L);

#endif
