/*
 * Where a fabric of boxes or of several tiers goes: switches as bars, cables as wires that end on them.
 *
 *     spine1   ──────┬───────────────┬─────        a bar: a switch, as wide as what hangs below it
 *     spine2   ────────┬───────────────┬───        a wire: from a bar or a GPU up to a bar; it passes
 *     leaf1-2    ──┬─┬─┬─┬─      ──┬─┬─┬─┬─        those between
 *     g1-8         ▒ ▒ ▒ ▒         ▒ ▒ ▒ ▒         a column: a GPU, or the memory of a box
 *     nvs1-2     ──┴─┴─┴─┴─      ──┴─┴─┴─┴─        NVSwitches hang below
 *
 * Rows are counted from below. Columns stand in the groups of ui/graph.h. A cable between switches of
 * one tier becomes a bar of its own above them. Where there is room a wire has two cells (up and down)
 * and rows of air between tiers, in which packets are seen to travel; else one cell for both.
 */
#ifndef WEFT_UI_BARS_H
#define WEFT_UI_BARS_H

#include <stdbool.h>
#include <stddef.h>

#include "ui/canvas.h"
#include "ui/graph.h"

struct ui_bar {
    size_t node;  /* UI_NONE: no switch, */
    size_t cable; /* but this cable between two of them */
    int row;
    int x0, x1; /* first and last cell */
};

struct ui_wire {
    size_t cable;
    bool a_low; /* node a is at the lower end */
    bool half;  /* it ends on the bar of this cable, where the other half ends, too */
    int x;
    int low, high; /* rows at its ends */
};

struct ui_column {
    size_t node;
    int x;
};

struct ui_bars {
    bool fits;
    int wire_w;   /* cells of a wire: 1, or 2 for up and down */
    int column_w; /* cells from one GPU to the next */
    int label_w;  /* cells at the left for names */
    bool named;   /* there is room for each GPU's name beside it */
    bool names;   /* else for a row of names below */
    int end_row;  /* of the GPUs */
    int row_count;
    int *y;   /* of each row, on the screen */
    int rows; /* screen rows used, the row of names included */
    struct ui_bar *bar;
    size_t bar_count;
    struct ui_wire *wire;
    size_t wire_count;
    struct ui_column *column;
    size_t column_count;
};

/* Screen rows that it needs at this width, and with air. 0: it cannot be drawn so. */
void ui_bars_rows(const struct ui_graph *graph, int w, int *least, int *best);

/* ui_bars_finish() frees, also after `fits` is false. */
void ui_bars_init(struct ui_bars *bars, const struct ui_graph *graph, struct ui_rect area);
void ui_bars_finish(struct ui_bars *bars);

#endif
