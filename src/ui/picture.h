/*
 * Which picture a fabric gets. The first that fits is drawn, from the most telling to the densest:
 *
 *     places   where the author put the nodes (ui/place_free.c)
 *     lanes    two rows a cable, with meters: pairs, stars, two tiers, rings (ui/place.h)
 *     bars     a mark or two a cable: boxes, tiers, rails (ui/bars.h)
 *     map      a mark a GPU, a mark a switch (view_map.c)
 *
 * A few GPUs that fit nowhere are a list, one line each (view_gpus.c).
 */
#ifndef WEFT_UI_PICTURE_H
#define WEFT_UI_PICTURE_H

#include <stdbool.h>

#include "ui/canvas.h"
#include "ui/graph.h"
#include "ui/scene.h"

/* Rows that the picture needs which `w` cells and at most `most` rows allow, and those it likes. */
void ui_picture_rows(const struct scene_fabric *fabric, int w, int most, int *least, int *best);

/* False, and nothing drawn: it does not fit. */
bool ui_bars_draw(const struct scene *scene, struct canvas *c, struct ui_rect r,
                  const struct ui_graph *graph);

/* Always draws: where there are more GPUs than cells, one mark stands for several. */
void ui_map_draw(const struct scene *scene, struct canvas *c, struct ui_rect r,
                 const struct ui_graph *graph);
int ui_map_rows(const struct ui_graph *graph, int w);   /* those of the GPUs */
int ui_map_families(const struct scene_fabric *fabric); /* rows of the switches, by name */

/* How many GPUs are in which state, in one row: "▒ exchanges 28  ░ waits 4"; without the words where they have
 * no room. Returns the cells it took. */
int ui_line_states(const struct scene *scene, struct canvas *c, struct ui_rect r);

/* The same below a picture of so many rows, if `r` has a row left; and that shades stand for traffic. */
void ui_line_legend(const struct scene *scene, struct canvas *c, struct ui_rect r, int rows);

/* The state of a GPU in one cell. */
void ui_gpu_draw(struct canvas *c, int x, int y, const struct scene_node *node);

#endif
