/*
 * Quantities in Lua: a time, a size or a rate that knows its kind. See measure.h.
 */
#ifndef WEFT_LESSON_QUANTITY_H
#define WEFT_LESSON_QUANTITY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <lua.h>

#include "base/units.h"

/* Once for each state, inside a protected call. */
void lesson_quantity_open(lua_State *L);

void lesson_quantity_push(lua_State *L, enum unit_kind unit, int64_t value);

/* Whether the value at `index` is one. */
bool lesson_quantity_is(lua_State *L, int index, enum unit_kind *unit, int64_t *value);

/* The names of `.us` and the like, which give a plain number: from 0, with its unit; NULL behind the
 * last. */
const char *lesson_quantity_part(size_t i, enum unit_kind *unit);

/* "16.8 ms", "-3 us". Returns `buf`. */
const char *lesson_quantity_say(enum unit_kind unit, int64_t value, char *buf, size_t size);

#endif
