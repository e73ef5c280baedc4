/*
 * The names a lesson can reach.
 *
 * base    assert error getmetatable ipairs next pairs pcall rawequal rawget rawlen rawset require
 *         select setmetatable tonumber tostring type
 * string  all but dump, pack, unpack, packsize; find, match, gmatch, gsub are Lua (prelude/)
 * table   all; insert, move, remove, sort are Lua (prelude/)
 * math    all but randomseed; random is that of luck.h: the same numbers for everybody
 * utf8    all
 *
 * What differs from the manual, and why:
 *   pairs, next     go through keys in order: numbers, then strings by their bytes, then false and
 *                   true. Another key (a table, a function) has no order that is the same on every
 *                   machine, and is an error.
 *   setmetatable    copies the metamethods: what is put into the metatable later has no effect. So
 *                   __gc and __close (which would run where no budget counts) and __mode (which
 *                   depends on the collector) can be refused once and for all.
 *   tostring, %s    no addresses: a table is "table".
 *   <close>         refused, as is %p.
 */
#ifndef WEFT_LESSON_SANDBOX_H
#define WEFT_LESSON_SANDBOX_H

#include <lua.h>

/* Replaces the globals of a fresh state. Runs inside a protected call. `load_prelude` pushes the
 * table that prelude/NAME.lua returns when called with the raw functions on top of the stack. */
typedef void lesson_prelude_fn(lua_State *L, const char *name);
void lesson_sandbox_open(lua_State *L, lesson_prelude_fn *load_prelude, lua_CFunction require);

#endif
