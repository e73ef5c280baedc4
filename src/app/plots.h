/*
 * Plots of a session: what is plotted, and its series.
 *
 *     run of the session  ---- fork, back to 0 ---->  reader: goes where the session is, reading
 *                                                     on its way (run/series.h), a few ms a tick
 *
 * A plot may be chosen at any moment and then tells of all that was before: the reader goes through it
 * again. It looks at its own fork only, at fixed moments, so what is drawn does not depend on the screen,
 * on how fast one watches, or on what was skipped. Going back costs nothing; when the session's journal
 * is not what it was, what was read from the first line that differs on is read again.
 *
 * Until somebody chooses, what one would look at first is plotted: run_plot_default().
 */
#ifndef WEFT_APP_PLOTS_H
#define WEFT_APP_PLOTS_H

#include <stdbool.h>
#include <stddef.h>

#include "run/series.h"
#include "ui/scene.h"

enum { PLOTS_MAX = 6 };

struct plots {
    struct run_plot shown[PLOTS_MAX];
    char name[PLOTS_MAX][128]; /* the same as texts, for another fabric */
    size_t count;
    bool chosen; /* by somebody: not replaced by what is busiest */
    struct run_series_set set;
    struct run *reader; /* NULL: none yet */
    bool behind;        /* the reader has not come to the present yet */
};

/* Zero is a valid start. */
void plots_finish(struct plots *plots);

/* The session has another run: what is not there goes, nothing is known of the rest. */
void plots_attach(struct plots *plots, const struct sim *sim);

/* Plots these instead, or what is busiest (count 0). */
void plots_show(struct plots *plots, const struct sim *sim, const struct run_plot *shown,
                size_t count);

/* Puts one on, or takes it away: `*on` says which. False: there is no room for more. */
bool plots_toggle(struct plots *plots, const struct sim *sim, struct run_plot plot, bool *on);
bool plots_has(const struct plots *plots, struct run_plot plot);

/* Reads on towards the present of `run`, for a few ms (`patient`: to its end). True: there is more to do. */
bool plots_work(struct plots *plots, const struct run *run, bool patient);

/* What may be chosen, the best first: what is at `port` (SIM_NONE: no cursor) and of `flow` (SIM_NONE),
 * what is plotted now, what is busiest, then everything there is. Returns how many, at most `cap`. */
size_t plots_choices(const struct plots *plots, const struct sim *sim, uint32_t port, uint32_t flow,
                     struct run_plot *out, size_t cap);

/* "queue leaf1:3 to g3", "held leaf1:3 from g3": its name with the other end. Returns `buf`. */
const char *plots_name(const struct sim *sim, struct run_plot plot, char *buf, size_t size);

#endif
