/*
 * Of the scene (ui/scene.h): what was over time. The timeline of each GPU, many of them, the scrubber, plots; all over
 * axes on which silences may be cut. Units, ownership and what zero means are said there.
 */
#ifndef WEFT_UI_SCENE_TIME_H
#define WEFT_UI_SCENE_TIME_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/units.h"
#include "ui/scene_fabric.h"

/* ---- Time --------------------------------------------------------------------------------- */

/* A silence that is not drawn at its length: `//` stands for it (rule 6 of the picture). */
struct scene_cut {
    int64_t t0_ps, t1_ps;
};

struct scene_axis {
    int64_t t0_ps, t1_ps; /* left and right end; t1 > t0 or nothing is drawn */
    int64_t now_ps;
    const struct scene_cut *cut; /* ascending, inside the axis, not overlapping */
    size_t cut_count;
};

enum scene_tick_kind {
    SCENE_TICK_BARRIER, /* opens: all rows go on */
    SCENE_TICK_DROP,
    SCENE_TICK_PAUSE,
    SCENE_TICK_TIMEOUT,
    SCENE_TICK_KINDS
};

struct scene_tick {
    int64_t t_ps;
    enum scene_tick_kind kind;
};

/* A stretch of time a GPU spent in one state. */
struct scene_run {
    int64_t t0_ps, t1_ps;
    enum scene_gpu_state state;
};

struct scene_row {
    const char *name;
    const char *word; /* what it does now: "sends", "wants g4"; shown where there is room */
    const struct scene_run *run; /* ascending */
    size_t run_count;
    const struct scene_tick *tick; /* this GPU's own: drops of its packets, its timeouts */
    size_t tick_count;
};

struct scene_timeline {
    const char *title; /* "training step 2, round 5 of 14" */
    struct scene_axis axis;
    const struct scene_row *row;
    size_t row_count;
    const int64_t *barrier_ps; /* moments at which the barrier opened: a line through all rows */
    size_t barrier_count;
    size_t first;      /* first row shown, where there are more than lines; clamped */
    const char *order; /* "slowest first"; NULL: as they are numbered */
};

/* ---- Many GPUs ---------------------------------------------------------------------------- */

/* From this many rows on, a GPU is a mark among others, and how they differ is a view of its own. */
enum { SCENE_MANY = 33 };

/* What was measured of one of the timeline's rows. */
struct scene_each {
    const char *name;
    size_t node; /* of the fabric */
    int64_t value;
    bool known; /* false: it has none yet */
};

/* All of them side by side: heat map, distribution, and who waits for whom. */
struct scene_many {
    const struct scene_each *each; /* in the order in which they are shown */
    size_t count;
    bool sorted;         /* by `value`, slowest first; else as they are numbered */
    bool measured;       /* the map shows `value`; else the state of each */
    const char *title;   /* of the map: "1,024 GPUs, slowest first" */
    const char *measure; /* what `value` is: "finish of step 2", */
    const char *means;   /* "at the barrier, after its start" */
    enum unit_kind unit;
    const char *missing; /* of those without a value: "are still on their way"; NULL: "have none" */
    const char *const *wait; /* who waits for whom: sentences, the most important first */
    size_t wait_count;
};

struct scene_scrubber {
    struct scene_axis axis; /* the whole run so far; now_ps is the bullet */
    const struct scene_tick *tick;
    size_t tick_count;
    const char *gear; /* "packet" */
    const char *rate; /* "1 us/s", "skipping", "paused" */
};

/* ---- Plots -------------------------------------------------------------------------------- */

enum { SCENE_PLOT_LINES = 3 };

/* A stretch of time of one series. */
struct scene_span {
    int64_t t0_ps, t1_ps;
    int64_t low, high;              /* least and most in it, in the series' unit */
    int64_t line[SCENE_PLOT_LINES]; /* where its lines were; -1: not there */
};

/* A quantity over time. Those of one kind share a scale and a panel; others never do: what is held from a
 * neighbour and what waits for a cable are not the same bytes. */
struct scene_series {
    const char *name; /* "held leaf1:1" */
    const char *kind; /* "held" */
    const char *now;  /* "104 KB" */
    enum unit_kind unit;
    bool mean; /* of a column one wants the mean, not least and most: a rate, a share of time */
    const char *line_name[SCENE_PLOT_LINES]; /* "XOFF"; NULL: none. The first one matters most */
    const struct scene_span *span;           /* ascending; up to now */
    size_t span_count;
};

struct scene_plot {
    struct scene_axis axis;
    const struct scene_series *series;
    size_t series_count;
    const int64_t *barrier_ps; /* as in the timeline */
    size_t barrier_count;
    const char *about; /* a what-if: what is plotted of both sides; NULL: series have names */
    const char *note;  /* for the heading: "m chooses", "reading what was before: 3 ms"; or NULL */
};

#endif
