/*
 * Two runs compared, for people and as JSON.
 */
#ifndef WEFT_EXPORT_COMPARISON_H
#define WEFT_EXPORT_COMPARISON_H

#include <stdbool.h>
#include <stddef.h>

#include "base/text.h"
#include "run/differences.h"
#include "run/report.h"

struct export_side {
    const struct report *report;
    const char *settings; /* what was asked for, "xoff=50KB pfc=off"; "" for nothing */
};

/* A --fail-if, and whether it holds. */
struct export_condition {
    const char *text;
    bool holds;
    const char *error; /* why it could not be judged, or NULL */
};

struct export_comparison {
    const char *name;  /* of what was run */
    const char *scene; /* or NULL */
    struct export_side left, right;
    const char *first; /* the first difference as a sentence; "": there is none */
    sim_ps first_at;   /* SIM_NEVER: there is none */
    const struct differences *differences;
    const struct export_condition *conditions;
    size_t condition_count;
};

void export_comparison_text(struct text *out, const struct export_comparison *comparison);

/* { "schema", "weft", "scenario", "left": { "settings", "seed", "outcome", "end_ns" }, "right",
 *   "first_difference": null | { "at_ns", "sentence" },
 *   "differences": [ { "name", "left", "right", "ratio" } ],   values in the unit that ends the name
 *   "fail_if": [ { "condition", "holds": bool | null, "error" } ] } */
void export_comparison_json(struct text *out, const struct export_comparison *comparison,
                            const char *version);

#endif
