/*
 * Series: what a few plots of a run were over time.
 *
 *      run_until   o-----o-----o-----o-----o--->     the run goes in slices
 *      readings    x     x     x     x     x         between them, at multiples of `every`
 *      points      [     ][    ][          ][        equal neighbours are one; old ones are merged
 *
 * The engine knows nothing of this: no event is made, nothing is written into the arena, and since slicing
 * is invisible the run is the same with and without. Moments are multiples of `every` from 0, whatever the
 * screen or the caller's slices do, so the same run gives the same series. Where nothing happens for long
 * (a timeout), and nothing has changed at the last look, it is not looked at.
 *
 *     struct run_series_set set;
 *     run_series_begin(&set, sim, plots, count, 0);
 *     while (!run_series_until(&set, run, until, 1000)) { ... }     in portions, for who has keys to answer
 *     run_series_over(&set.series[0], t0, t1, &span);
 *
 * A run that goes back is not read again: what is known stays known up to `known`. Doing something else
 * there makes it wrong: run_series_cut().
 *
 * Memory is bounded: at RUN_SERIES_POINTS the older half of the points is merged pair by pair, with the
 * least and the most of both, so a spike never disappears and the present stays sharp.
 *
 * Units: those of struct run_reading. Times are ps.
 */
#ifndef WEFT_RUN_SERIES_H
#define WEFT_RUN_SERIES_H

#include "base/text.h"
#include "run/plot.h"
#include "run/run.h"

enum { RUN_SERIES_MAX = 16, RUN_SERIES_POINTS = 4096 };

/* What was read from `t` to `until`; then, until the next point, nothing changed (a level), or the counter
 * grew evenly from `last` to the next `first` (a slope). */
struct run_series_point {
    sim_ps t, until;
    int64_t first, last, low, high;
    int64_t mark[RUN_PLOT_MARKS];
};

struct run_series {
    struct run_plot plot;
    sim_ps known;                   /* latest moment read; -1: none */
    sim_ps window;                  /* a slope is taken over at least so long: some frames */
    int64_t most;                   /* as in the reading before */
    struct run_series_point *point; /* ascending */
    size_t count, cap;
};

struct run_series_set {
    sim_ps every;
    sim_ps known; /* of all series: read up to here */
    bool still;   /* nothing has changed at the last look */
    struct run_series series[RUN_SERIES_MAX];
    size_t count;
};

/* How often one has to look so that no frame goes by unseen: what a full one takes on the fastest cable; 50 ns
 * at the least, 1 us at the most. */
sim_ps run_series_often(const struct sim *sim);

/* `every` 0: run_series_often(). Nothing is read yet. */
void run_series_begin(struct run_series_set *set, const struct sim *sim,
                      const struct run_plot *plots, size_t count, sim_ps every);
void run_series_finish(struct run_series_set *set);

/* Runs on and reads, up to `until` (not SIM_NEVER). A run that is not yet where the set is goes there
 * first; of what lies behind one that is farther nothing is read. At most `readings` moments; true: `until`
 * is reached, or the run goes no further. */
bool run_series_until(struct run_series_set *set, struct run *run, sim_ps until, size_t readings);

/* All that was of these plots from 0 to now, read by a fork; `run` only lends its journal. At once: for
 * who has no keys to answer. */
void run_series_past(struct run_series_set *set, const struct run *run,
                     const struct run_plot *plots, size_t count);

/* What was known from `t` on is not so any more. */
void run_series_cut(struct run_series_set *set, sim_ps t);

/* A stretch of time of one plot, in its unit (run_plot_info). */
struct run_series_span {
    int64_t low, high;            /* least and most in it */
    int64_t last;                 /* at its end; a slope: over all of it */
    int64_t mark[RUN_PLOT_MARKS]; /* at its end; -1: none */
};

/* Over [t0, t1]; false when nothing of it is known. A slope over less than the window is the one of the
 * window around it. */
bool run_series_over(const struct run_series *series, sim_ps t0, sim_ps t1,
                     struct run_series_span *span);

/* As a sentence, for who cannot see it: "held leaf1:1 from 0 to 184 us: least 0 B, most 104 KB at 73 us; at
 * XOFF (100 KB) first at 71 us, 12.3 us in all". */
void run_series_say(const struct run_series *series, const struct sim *sim, sim_ps t0, sim_ps t1,
                    struct text *out);

/* Whether it is not the same all the time from `t0` to `t1`. */
bool run_series_moves(const struct run_series *series, sim_ps t0, sim_ps t1);

#endif
