/*
 * What of a run can be plotted over time, by name.
 *
 *     queue leaf1:3     bytes waiting in a switch for that cable (egress): Kmin and Kmax belong to it
 *     held leaf1:3      bytes a switch holds from the neighbour at that port (ingress): XOFF and XON do
 *     goodput g3>g4     payload that arrives, of a flow; or of all flows to a host: goodput g4
 *
 * The two meters of a port are two plots, never one: PAUSE follows the second, ECN the first.
 *
 * A plot is of one of two sorts. A LEVEL is how much there is at a moment (bytes in a queue). A SLOPE is
 * how fast a counter grows (bytes delivered): its reading is the counter, what is shown of it the growth
 * over a stretch of time.
 */
#ifndef WEFT_RUN_PLOT_H
#define WEFT_RUN_PLOT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/err.h"
#include "base/units.h"
#include "sim/sim.h"

/* clang-format off */
/*    id       word       of    sort   unit        column            what it is */
#define RUN_PLOTS(X)                                                                                             \
    X(QUEUE,   "queue",   PORT, LEVEL, UNIT_BYTES, "queue_bytes",    "bytes that wait to leave by this port")      \
    X(HELD,    "held",    PORT, LEVEL, UNIT_BYTES, "held_bytes",     "bytes held from the neighbour at this port") \
    X(PAUSE,   "pause",   PORT, SLOPE, UNIT_SHARE, "pause_share",    "share of time in which its neighbour pauses this port") \
    X(LOAD,    "load",    PORT, SLOPE, UNIT_SHARE, "load_share",     "share of time in which this port sends")     \
    X(CREDITS, "credits", PORT, LEVEL, UNIT_BYTES, "credits_bytes",  "InfiniBand: what this port may send before it gets new credits") \
    X(GOODPUT, "goodput", FLOW, SLOPE, UNIT_RATE,  "goodput_gbps",   "payload of a flow, or for a host, that arrives") \
    X(RATE,    "rate",    FLOW, LEVEL, UNIT_RATE,  "rate_gbps",      "what congestion control (DCQCN) lets this flow send") \
    X(WINDOW,  "window",  FLOW, LEVEL, UNIT_COUNT, "window_packets", "TCP: congestion window of this flow")
/* clang-format on */

enum run_plot_kind {
#define X(id, word, of, sort, unit, column, help) RUN_PLOT_##id,
    RUN_PLOTS(X)
#undef X
        RUN_PLOT_COUNT
};

enum run_plot_of { RUN_PLOT_OF_PORT, RUN_PLOT_OF_FLOW };
enum run_plot_sort { RUN_PLOT_LEVEL, RUN_PLOT_SLOPE };

struct run_plot_info {
    const char *word;
    enum run_plot_of of;
    enum run_plot_sort sort;
    enum unit_kind unit; /* of what is shown: bytes, bit/s, a share of UNIT_ONE, a count */
    const char *column;  /* in a CSV: "queue_bytes"; gbps is 1e9 bit/s */
    const char *help;
};
const struct run_plot_info *run_plot_info(enum run_plot_kind kind);

struct run_plot {
    enum run_plot_kind kind;
    bool host;   /* GOODPUT of a host: `id` is a node */
    uint32_t id; /* port, flow or node */
};

bool run_plot_same(struct run_plot a, struct run_plot b);

/* Reads "queue leaf1:3". The error names the nearest word, port or flow. It exists, but nothing says that
 * it moves: see run_plot_means(). */
bool run_plot_parse(const struct sim *sim, const char *text, struct run_plot *plot,
                    struct err *err);

/* "queue leaf1:3". Returns `buf`. */
const char *run_plot_name(const struct sim *sim, struct run_plot plot, char *buf, size_t size);

/* "leaf1:3": what it is of. Valid as long as the fabric. */
const char *run_plot_thing(const struct sim *sim, struct run_plot plot);

/* False, with the reason: there is no such thing in this fabric as it is set now (a window without tcp,
 * a queue in a host), so it would be a line at 0. */
bool run_plot_means(const struct sim *sim, struct run_plot plot, struct err *err);

/* Lines across a plot, with the names they have in the field; one that does not apply now is -1. They
 * may move: XOFF follows the memory that is free. */
enum { RUN_PLOT_MARKS = 3 };
/* The first one matters most. queue: Kmin, Kmax, full. held: XOFF, XON, room. credits: buffer. rate, goodput, window: one. */
const char *run_plot_mark_name(enum run_plot_kind kind, size_t mark); /* NULL: none */

/* How far below this mark a level may stand and be all the same as high as frames let it: a queue drops what would
 * go beyond "full", so it is full as soon as no full frame fits. Bytes; 0: it can be reached. */
int64_t run_plot_mark_grain(const struct sim *sim, struct run_plot plot, size_t mark);

/* How it stands now. */
struct run_reading {
    int64_t value; /* LEVEL: in its unit. SLOPE: of the counter: bytes, ps */
    int64_t most;  /* LEVEL: highest since the beginning, where the model keeps that; else -1 */
    int64_t mark[RUN_PLOT_MARKS];
};
struct run_reading run_plot_read(const struct sim *sim, struct run_plot plot);

/* The slope in the plot's unit of a counter that grew by `growth` in `span`, which is above 0. */
int64_t run_plot_slope(enum run_plot_kind kind, int64_t growth, sim_ps span);

/* A value for people: "104 KB", "97.2 Gb/s", "100 %". Returns `buf`. */
const char *run_plot_value(enum run_plot_kind kind, int64_t value, char *buf, size_t size);

/* What one would look at first in this fabric as it stands: where most waits and is held, where most time
 * is spent paused, and a flow. At least one where there is a cable. Returns how many, at most `cap`. */
size_t run_plot_default(const struct sim *sim, struct run_plot *plots, size_t cap);

#endif
