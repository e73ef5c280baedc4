/*
 * Sweeps: a grid of settings, and the table that its runs make.
 *
 *     --set xoff=50KB,100KB --set seed=1..3      xoff changes slowest: 6 runs
 *
 * Run k (from 1) is the same everywhere: by itself, on all cores, in a slice of the grid. Slice I of N
 * has the runs I, I + N, I + 2N, ..., so that all slices take about as long. A table names the sweep by
 * a hash of all that decides its results (version, target, grid, seed, end), so that only slices of the
 * same sweep can be joined; joined, they are the bytes of the whole.
 *
 * As CSV (RFC 4180, one row a run) the columns are
 *     sweep, runs, run    the hash, how many the whole sweep has, which one this is
 *     NAME...             a switch each, as --set reads it back
 *     outcome             done, stalled, time-limit, memory-limit; error: it could not be run
 *     METRIC...           as in run/metrics.h; empty: there is none
 *     error               why it could not be run
 * and as JSON the same, in one object with a row a run.
 */
#ifndef WEFT_CLI_SWEEP_H
#define WEFT_CLI_SWEEP_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/err.h"
#include "base/text.h"
#include "cli/options.h"
#include "cli/settings.h"
#include "run/metrics.h"

#define SWEEP_RUNS_MAX INT64_C(1000000)
#define SWEEP_AXES_MAX 16

/* ---- the grid -------------------------------------------------------------------------------- */

/* One --set with all its values. */
struct sweep_axis {
    char *name; /* as written */
    bool seed;  /* else a switch: */
    enum sim_knob knob;
    int64_t *values;
    size_t count;
};

struct sweep_grid {
    struct sweep_axis axes[SWEEP_AXES_MAX];
    size_t axis_count;
    int64_t runs;
};

/* Reads the --set words; every value is checked. To be finished in either case. */
bool sweep_grid_read(struct sweep_grid *grid, const struct cli_words *sets, struct err *err);
void sweep_grid_finish(struct sweep_grid *grid);

/* "xoff=50000B,100000B seed=1,2,3": the grid in one way of writing it, for its hash. */
void sweep_grid_name(struct text *out, const struct sweep_grid *grid);

/* The value that an axis has in a run (from 0). */
int64_t sweep_grid_value(const struct sweep_grid *grid, int64_t run, size_t axis);

/* The settings of a run (from 0): those of `base` (which has no sets) and its place in the grid. To be
 * finished. */
void sweep_grid_settings(const struct sweep_grid *grid, int64_t run,
                         const struct cli_settings *base, struct cli_settings *out);

/* ---- the table ------------------------------------------------------------------------------- */

/* What came of one run. */
struct sweep_result {
    enum report_outcome outcome;
    struct metrics metrics;
    char *error; /* NULL: it was run */
};

/* A table, or a slice of one. Rows are text in the table's format, so that joining copies bytes. */
struct sweep_row {
    int64_t run; /* from 1 */
    char *text;
    const char *file; /* where it was read, for messages; borrowed */
    int line;
};
struct sweep_table {
    enum cli_format format; /* CLI_CSV or CLI_JSON */
    char *head;             /* before the rows */
    int64_t runs;           /* of the whole sweep */
    char sweep[17];         /* its hash; joined tables only */
    const char *first;      /* the file that came first; borrowed */
    struct sweep_row *rows;
    size_t row_count, row_cap;
};

void sweep_table_begin(struct sweep_table *table, enum cli_format format, const char *target,
                       uint64_t hash, const struct sweep_grid *grid);
void sweep_table_add(struct sweep_table *table, uint64_t hash, const struct sweep_grid *grid,
                     int64_t run, const struct sweep_result *result);
void sweep_table_write(struct text *out, const struct sweep_table *table);
void sweep_table_finish(struct sweep_table *table);

/* Adds the slice in a file's text, which is cut up, to a table that was all zero before the first one.
 * `file` is borrowed. False when it is no slice of the same sweep. */
bool sweep_table_join(struct sweep_table *table, const char *file, char *data, size_t size,
                      struct err *err);

/* Sorts what was joined; false when a run is missing or there twice. */
bool sweep_table_whole(struct sweep_table *table, struct err *err);

#endif
