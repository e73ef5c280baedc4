/*
 * A row of the validation table: a Lua file of assets/validation, turned into data.
 *
 *     row      what is claimed, and where the claim comes from
 *      case    one set-up: a scenario (or several, or a probe), seeds, and when to look
 *       measure   one number: a Lua function of what was seen, and what it should be
 *        peer     what another simulator measured, how far off that may be, and why it is
 *
 * See validate.h for running them.
 */
#ifndef WEFT_LESSON_VALIDATION_H
#define WEFT_LESSON_VALIDATION_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/err.h"
#include "base/text.h"
#include "base/units.h"
#include "sim/probe.h"
#include "sim/scenario.h"
#include "sim/trace.h"

struct lesson_host;

enum validation_over { VALIDATION_MEAN, VALIDATION_MEDIAN, VALIDATION_WORST };

/* When to look at a run. */
struct validation_look {
    bool is_event; /* the next record of `kind` at `port`; else at a time */
    sim_ps at;
    enum sim_trace_kind kind;
    char port[32]; /* "": anywhere */
};

/* One figure, or the range of several runs, in the measure's unit. */
struct validation_peer {
    char *name;
    double least, most;  /* equal: one figure */
    bool has_within;     /* else only the direction can be compared, and `why` says so */
    double below, above; /* beyond the margin: a difference that needs a reason */
    char *why;           /* NULL: there is none */
};

struct validation_measure {
    char *name;
    int line, func;           /* func: in the registry of the host */
    int unit;                 /* index into validation_unit() */
    bool has_expected;        /* within `tolerance` of `expected`; else */
    bool has_least, has_most; /* between these */
    double expected, tolerance;
    double least, most;
    char *disputed; /* why the expected value is believed to be wrong; NULL: it is not */
    struct validation_peer *peers;
    size_t peer_count;
};

struct validation_case {
    char *name;  /* "" when there is but one */
    char *probe; /* or scenarios */
    struct sim_scenario *scenarios;
    size_t scenario_count;
    struct validation_look *looks; /* none: at the end */
    size_t look_count;
    sim_ps limit;
    uint64_t seeds; /* 1 to this */
    enum validation_over over;
    struct validation_measure *measures;
    size_t measure_count;
};

struct validation_row {
    struct lesson_host *host;
    const struct sim_probe_entry *probes; /* that its cases may name besides those of run/probe.h */
    char *path, *id, *setup, *source;
    char *pending; /* why it cannot be run yet, or NULL */
    bool full;
    struct validation_case *cases;
    size_t case_count;
};

/* Loads and checks a file; all errors go to `errors` (may be NULL), the first to `err`. */
bool validation_load(struct validation_row *row, const char *path, const char *data_dir,
                     const struct sim_probe_entry *probes, struct text *errors, struct err *err);
void validation_finish(struct validation_row *row);

/* The units of measures: their name, and what one of them is in a quantity's own unit. UNIT_COUNT:
 * plain numbers only. */
struct validation_unit {
    const char *name, *one; /* "packets", "packet" */
    enum unit_kind kind;
    double size;
};
const struct validation_unit *validation_unit(int unit);

#endif
