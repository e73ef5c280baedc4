/*
 * What Lua sees of a run: `r`, the report, read-only, with typed values.
 *
 *     r.steps[2].duration - r.steps[1].duration > 0.99 * r.timeout
 *     r.packets.dropped == 1          r.scenes.mixed.outcome == "done"
 *     r.this.duration                 the first step to end after this card began
 *
 * Quantities are values of a kind (time, bytes, rate). They compare with their own kind and with
 * unit strings ("5us"; `==` only with their own kind), add with their own kind, multiply with
 * numbers; one divided by another is a number. `.us`, `.ms`, `.bytes`, `.gbps` ... are numbers.
 *
 * What is not over yet (an unfinished step, a scene that was not run) cannot be looked at: the
 * access raises the error of lesson_host_pending(), prose shows "..." and a claim is not judged.
 *
 * `r` is valid inside the call it was given to; kept longer, it says so instead of misbehaving.
 */
#ifndef WEFT_LESSON_MEASURE_H
#define WEFT_LESSON_MEASURE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <lua.h>

#include "base/text.h"
#include "lesson/lesson.h"

/* What the views of one call look at. The host keeps a pointer to it while the call lasts. */
struct lesson_measure {
    struct lesson_sight sight;
    const char *const *scenes; /* names */
    size_t scene_count;
};

/* What Lua can look at: a row for each field, those of a view together. */
struct lesson_measured {
    const char *of; /* the view it is a field of: "report" (which is `r`), "step", "flow" ... */
    const char *name;
    const char *takes; /* a function: what it is called with, a type; else NULL */
    const char *type;  /* what it is or gives: "time", "size", "rate", "integer", "number", "text",
                          "boolean" or a view */
    const char *help;
};
/* Row `i`, from 0; false behind the last. */
bool lesson_measured(size_t i, struct lesson_measured *row);

/* Payload bytes that have arrived; what goes by way of host memory counts once. */
int64_t lesson_measure_payload(const struct sim *sim);

/* Prepares the metatables; once for each state, inside a protected call. */
void lesson_measure_open(lua_State *L);

/* Begins and ends the validity of all views pushed in between. */
void lesson_measure_begin(lua_State *L, const struct lesson_measure *measure);
void lesson_measure_end(lua_State *L);

/* Pushes `r`, or (as_env) the environment of a prose expression: the fields of `r`, and math. */
void lesson_measure_push(lua_State *L, bool as_env);

/* Pushes the report of a scene; one that was not run raises as in lesson_host_pending(). */
void lesson_measure_push_scene(lua_State *L, int scene);

/* Appends the value on top of the stack as a person reads it; pops it. */
void lesson_measure_say(lua_State *L, struct text *out);

#endif
