/*
 * A fabric as pictures look at it: the cables of each node, and which GPUs belong together.
 *
 * A *group* is what stands side by side: the GPUs and memories of one box (joined by cables inside it),
 * or, without boxes, the GPUs of one leaf. Groups are in the order of their first GPU, and so are the
 * GPUs in a group; memories come last. Borrows the fabric; ui_graph_finish() frees.
 */
#ifndef WEFT_UI_GRAPH_H
#define WEFT_UI_GRAPH_H

#include <stdbool.h>
#include <stddef.h>

#include "ui/scene.h"

#define UI_NONE SIZE_MAX

struct ui_group {
    size_t first, count; /* of `end` */
};

struct ui_graph {
    const struct scene_fabric *fabric;
    bool sound;    /* every cable joins two nodes that there are */
    size_t *first; /* cables of node n: cable[first[n]] .. cable[first[n + 1] - 1] */
    size_t *cable;
    size_t *end; /* GPUs and memories, group by group */
    size_t end_count, gpu_count;
    struct ui_group *group;
    size_t group_count;
};

void ui_graph_init(struct ui_graph *graph, const struct scene_fabric *fabric);
void ui_graph_finish(struct ui_graph *graph);

/* The node at the other end of a cable. */
size_t ui_graph_other(const struct ui_graph *graph, size_t cable, size_t node);

/* Not a switch: where traffic begins and ends. */
bool ui_is_end(const struct scene_node *node);

/* Its name, or "?"; and the cells of that. */
const char *ui_node_name(const struct scene_node *node);
int ui_node_name_w(const struct scene_node *node);

/* How many GPUs there are. */
size_t ui_count_gpus(const struct scene_fabric *fabric);

#endif
