/*
 * Inside the views of a report: what walking them (measure.c) and their fields (measure_fields.c)
 * share and nobody else sees.
 */
#ifndef WEFT_LESSON_MEASURE_INSIDE_H
#define WEFT_LESSON_MEASURE_INSIDE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <lua.h>

#include "lesson/measure.h"
#include "run/report.h"

enum view_kind {
    VIEW_REPORT,
    VIEW_STEPS,
    VIEW_STEP,
    VIEW_COLLECTIVE,
    VIEW_COUNT, /* counters of packets */
    VIEW_PFC,
    VIEW_ECN,
    VIEW_CREDITS,
    VIEW_INSIDE, /* cables inside boxes */
    VIEW_FLOW,
    VIEW_PORT,
    VIEW_WORK,
    VIEW_SET,
    VIEW_SCENES,
    VIEW_CARD, /* counters, from where the card began */
};

struct view {
    enum view_kind kind;
    bool as_env;
    uint64_t call; /* valid in this call only */
    const struct report *report;
    size_t at; /* step, flow, port */
};

/* The measure in force, and the number of the call: in the registry. */
struct measure_context {
    const struct lesson_measure *measure;
    uint64_t call;
};

struct measure_context *measure_context(lua_State *L);

/* Pushes a view that is valid as long as the present call lasts. */
void measure_push_view(lua_State *L, enum view_kind kind, const struct report *report, size_t at);

/* The view at `index`; raises when it is none, or out of its call. */
struct view *measure_check_view(lua_State *L, int index);

/* Pushes the field of a view; false when it has none of this name. */
bool measure_push_field(lua_State *L, const struct view *view, const char *name);

/* Raises the error for a field that a view does not have. */
int measure_no_field(lua_State *L, const struct view *view, const char *name);

#endif
