/*
 * Where nodes and cables of a fabric go: cables lie flat, left to right.
 *
 *     g1 o==========| leaf1 |=====| spine1 |=====| leaf2 |==========o g5
 *     g2 o==========|       |                    |       |==========o g6
 *        `- track --'       `track'        `track'
 *
 * A *track* is a cable on the screen: two rows of cells between two things, the upper row carries to
 * the right, the lower one to the left. A *box* is a switch, a *host* a GPU with its name.
 *
 * Placement follows from the cables alone: a switch with GPUs is a leaf, one without is a spine. The
 * first half of the leaves stands left, the second right, each GPU beside its leaf. A single switch
 * has its GPUs on both sides, two GPUs on one cable face each other. Leaves beyond one pair are
 * stacked, and the spines are drawn again beside each pair. Everything else, or what does not fit,
 * is not placed (`fits` false): then another picture is tried (ui/picture.h).
 */
#ifndef WEFT_UI_PLACE_H
#define WEFT_UI_PLACE_H

#include <stdbool.h>
#include <stddef.h>

#include "ui/canvas.h"
#include "ui/scene.h"

struct ui_host {
    size_t node;
    int x, y;   /* of the name (y is the upper row of its track) */
    int name_w; /* cells kept for the name */
    bool right; /* stands at the right edge: the name follows its state */
};

struct ui_box {
    size_t node;
    struct ui_rect rect;     /* frame included */
    int meter_in, meter_out; /* cells of the ingress and egress meters */
    bool numbers;            /* room for bytes beside the meters */
};

struct ui_track {
    size_t cable;
    bool a_left;                /* node a is at the left end */
    int x, y, w;                /* first cell of the upper row, cells */
    size_t left_box, right_box; /* index of a box, UI_NO_BOX: a host */
};

/* A cable that does not lie flat, or not in one piece: cells from one end to the other. */
struct ui_path {
    size_t cable;
    bool a_first; /* begins at node a */
    bool
        both; /* one cell for both directions; else only the lane from its first cell to its last */
    int count;
    struct ui_point {
        int x, y;
    } * cell;
};

#define UI_NO_BOX SIZE_MAX

/* Cells of each of the two meters of a box of that width that has cables on both sides. */
int ui_place_meter(int box_w);

struct ui_place {
    bool fits;
    int rows; /* used, from the top of the area */
    struct ui_host *host;
    size_t host_count;
    struct ui_box *box;
    size_t box_count;
    struct ui_track *track;
    size_t track_count;
    struct ui_path *path;
    size_t path_count;
};

/* Rows the picture needs: with cables close together, and with air. 0: not a shape we can draw. */
void ui_place_rows(const struct scene_fabric *fabric, int *least, int *best);

/* Places a fabric into an area. ui_place_finish() frees, also after `fits` is false. */
void ui_place_init(struct ui_place *place, const struct scene_fabric *fabric, struct ui_rect area);
void ui_place_finish(struct ui_place *place);

/*
 * Where the author put the nodes (place_free.c): rows and columns that somebody stands in, spread over
 * the area. A cable between neighbours of a row is a track; any other is a path.
 */
void ui_place_free_rows(const struct scene_fabric *fabric, int *least, int *best);
void ui_place_free_init(struct ui_place *place, const struct scene_fabric *fabric,
                        struct ui_rect area);

/*
 * Switches in a ring, or in a row of three or more (place_ring.c), GPUs below:
 *
 *     ┌──◂──◂──◂──◂──◂──◂──◂──◂──◂──◂──┐     the cable from the last to the first: two paths
 *     │┌─▸──▸──▸──▸──▸──▸──▸──▸──▸──▸─┐│
 *     │└sw1─┐▸──▸──┌sw2─┐──▸──▸┌sw3─┐─┘│
 *     └─────┘──◂──◂└────┘◂──◂──└────┘──┘
 *        g1▒          g2▒         g3▒
 */
void ui_place_ring_rows(const struct scene_fabric *fabric, int *least, int *best);
void ui_place_ring_init(struct ui_place *place, const struct scene_fabric *fabric,
                        struct ui_rect area);

#endif
