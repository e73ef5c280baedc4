/*
 * Many GPUs: how they are ordered and what is measured of each, for the views in which a GPU is one among
 * hundreds.
 *
 *     m   states, finish, progress, waited, computed      what heat map and distribution show
 *     s   as they are numbered, or slowest first          the order of the heat map, of the timeline
 *
 * Rows are those of the history: the ranks of a training, or flows. Values are taken from the run and from
 * what is known of its past (history.h). The order is taken anew only now and then while time moves: rows
 * that change places at every frame cannot be read.
 */
#ifndef WEFT_APP_MANY_H
#define WEFT_APP_MANY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "app/history.h"
#include "base/text.h"
#include "base/units.h"
#include "sim/sim.h"
#include "ui/scene.h"

/* clang-format off */
/*    id         word        unit        slow   of flows  what it is, of a training; of flows */
#define MANY_MEASURES_X(X)                                                                                       \
    X(STATE,    "state",    UNIT_COUNT, MOST,  true,  "what it does now", "what it does now")                      \
    X(FINISH,   "finish",   UNIT_TIME,  MOST,  true,  "at the barrier, after the start of the step", "all acknowledged, after its start") \
    X(PROGRESS, "progress", UNIT_COUNT, LEAST, false, "messages received in this step", "")                        \
    X(BYTES,    "arrived",  UNIT_BYTES, LEAST, true,  "payload received so far", "payload that has arrived")       \
    X(WAITED,   "waited",   UNIT_TIME,  MOST,  true,  "time in this step in which it neither computed nor sent", "time since its start in which it did not send") \
    X(COMPUTED, "computed", UNIT_TIME,  MOST,  false, "computing in this step", "")
/* clang-format on */

enum many_measure {
#define X(id, ...) MANY_##id,
    MANY_MEASURES_X(X)
#undef X
        MANY_MEASURES
};

/* Zero is a valid start. */
struct many {
    enum many_measure measure; /* STATE: of the map; the distribution then shows the next one */
    bool map_sorted;           /* slowest first */
    bool rows_numbered;        /* the timeline; else slowest first where there are many */
    size_t first;              /* row of the timeline that is seen first */
    uint32_t *order;           /* of the timeline's rows, slowest first */
    size_t count;
    int64_t ordered_ms; /* when that was */
};

void many_finish(struct many *many);

/* The next thing to measure of these rows; in the distribution it is never the state. */
void many_next_measure(struct many *many, const struct history *history, enum scene_view view);
const char *many_measure_word(const struct many *many, enum scene_view view);

/* Takes the timeline's order anew when it is old: at `now_ms` of wall time. `still`: time does not move. */
void many_order(struct many *many, const struct sim *sim, const struct history *history,
                int64_t now_ms, bool still);

/* Who waits for whom, and what that has cost: sentences, the most important first, each with a newline. */
void many_say_waits(const struct sim *sim, const struct history *history, struct text *out);

/* The same without the cost, of ranks that are as they are now. */
void many_say_chain(const struct sim *sim, struct text *out);

/* Fills scene->many; the fabric must be filled. `view`: which is looked at. */
void many_fill(const struct many *many, const struct sim *sim, const struct history *history,
               enum scene_view view, struct scene_mem *mem, struct scene *scene);

/* The timeline's rows in order, and from where on they are seen. It must be filled. */
void many_fill_rows(const struct many *many, struct scene_mem *mem, struct scene *scene);

#endif
