/*
 * Plots of a run as a table: CSV as RFC 4180 has it (a head, CRLF, quotes where needed).
 *
 *     time_ns,leaf1:3.queue_bytes,leaf1:3.queue_max_bytes,leaf1:3.queue_kmin_bytes,...
 *     0,0,0,100000,...
 *     1000,8344,12516,100000,...
 *
 * A row for every multiple of `every`, from 0 to the end of the run; the last is the first one at or behind
 * it. Of a silence of more than SERIES_CSV_SILENCE rows, in which nothing at all happens (a timeout), there
 * are only the first and the last. Nothing else decides what is in it: the same run gives the same bytes.
 *
 * Columns of a plot, in this order, called THING.WORD_UNIT (run/plot.h):
 *
 *     a level    leaf1:3.held_bytes       how much there is at that time
 *                leaf1:3.held_max_bytes   the most since the row before
 *     a slope    g1>g2.goodput_gbps       over the time since the row before; empty in the first row
 *     its lines  leaf1:3.held_xoff_bytes  where they were; empty: not there (PFC off)
 *
 * gbps is 1e9 bit/s, a share is from 0 to 1. A file that was cut short ends behind a whole row.
 */
#ifndef WEFT_EXPORT_SERIES_CSV_H
#define WEFT_EXPORT_SERIES_CSV_H

#include "export/source.h"
#include "run/plot.h"

#define SERIES_CSV_EVERY   UNIT_US
#define SERIES_CSV_SILENCE 1000

enum { SERIES_CSV_PLOTS_MAX = 64 };

struct series_csv_options {
    const char *const *plots; /* "queue leaf1:3"; none: run_plot_default() at the end of the run */
    size_t plot_count;
    sim_ps every; /* 0: SERIES_CSV_EVERY */
};

/* Whether there are such plots; the error names the nearest. */
bool export_series_csv_check(const struct export_source *source,
                             const struct series_csv_options *options, struct err *err);

/* For what has been checked. False: there is no whole file. */
bool export_series_csv(const struct export_source *source, const struct series_csv_options *options,
                       struct sink *sink);

#endif
