/*
 * A time axis on a row of cells, with long silences cut out.
 *
 *     0              94 us //16.8 ms          16.9 ms
 *     |-- segment --------| cut |--- segment ----|
 *
 * A cut takes two columns, whatever its length; the rest of the time is divided evenly over the
 * other columns. When cuts would take more than half of the row none is made.
 */
#ifndef WEFT_UI_AXIS_H
#define WEFT_UI_AXIS_H

#include <stdbool.h>
#include <stdint.h>

#include "ui/scene.h"

struct ui_axis {
    const struct scene_axis *axis;
    int w;
    size_t cuts;
    int64_t span; /* ps drawn at length: without the cuts; at least 1 */
};

struct ui_axis ui_axis(const struct scene_axis *axis, int w);

/* The column of a moment; those inside a cut fall on its first column. Clamped to 0 .. w - 1. */
int ui_axis_col(const struct ui_axis *a, int64_t t_ps);

/* First column of a cut. */
int ui_axis_cut_col(const struct ui_axis *a, size_t cut);

/* The time a column stands for; false when it belongs to a cut. */
bool ui_axis_span(const struct ui_axis *a, int col, int64_t *t0_ps, int64_t *t1_ps);

#endif
