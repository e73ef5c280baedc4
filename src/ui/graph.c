#include "ui/graph.h"

#include <stdlib.h>

#include "base/mem.h"
#include "base/text.h"

bool ui_is_end(const struct scene_node *node)
{
    return node->kind != SCENE_NODE_SWITCH;
}

const char *ui_node_name(const struct scene_node *node)
{
    return node->name != NULL ? node->name : "?";
}

int ui_node_name_w(const struct scene_node *node)
{
    return text_cells(ui_node_name(node));
}

size_t ui_count_gpus(const struct scene_fabric *fabric)
{
    size_t n = 0;
    for (size_t i = 0; i < fabric->node_count; i++) {
        n += fabric->node[i].kind == SCENE_NODE_GPU;
    }
    return n;
}

size_t ui_graph_other(const struct ui_graph *graph, size_t cable, size_t node)
{
    const struct scene_cable *c = &graph->fabric->cable[cable];
    return c->a == node ? c->b : c->a;
}

static size_t *filled(size_t count, size_t value)
{
    size_t *list = mem_alloc(count + 1, sizeof *list);
    for (size_t i = 0; i <= count; i++) {
        list[i] = value;
    }
    return list;
}

/* Whose cables are whose. */
static void list_cables(struct ui_graph *g)
{
    const struct scene_fabric *f = g->fabric;
    for (size_t i = 0; i < f->cable_count; i++) {
        g->first[f->cable[i].a + 1]++;
        g->first[f->cable[i].b + 1]++;
    }
    for (size_t n = 0; n < f->node_count; n++) {
        g->first[n + 1] += g->first[n];
    }
    size_t *at = mem_alloc(f->node_count + 1, sizeof *at);
    for (size_t n = 0; n < f->node_count; n++) {
        at[n] = g->first[n];
    }
    for (size_t i = 0; i < f->cable_count; i++) {
        g->cable[at[f->cable[i].a]++] = i;
        g->cable[at[f->cable[i].b]++] = i;
    }
    free(at);
}

/* The box of each node, as one of its nodes: all that hangs together by cables inside. */
static size_t *find_boxes(const struct ui_graph *g)
{
    const size_t nodes = g->fabric->node_count;
    size_t *box = filled(nodes, UI_NONE);
    size_t *stack = mem_alloc(nodes + 1, sizeof *stack);
    for (size_t n = 0; n < nodes; n++) {
        size_t depth = 0;
        if (box[n] == UI_NONE) {
            box[n] = n;
            stack[depth++] = n;
        }
        while (depth > 0) {
            const size_t at = stack[--depth];
            for (size_t i = g->first[at]; i < g->first[at + 1]; i++) {
                const size_t other = ui_graph_other(g, g->cable[i], at);
                if (g->fabric->cable[g->cable[i]].kind != SCENE_CABLE_FABRIC &&
                    box[other] == UI_NONE) {
                    box[other] = n;
                    stack[depth++] = other;
                }
            }
        }
    }
    free(stack);
    return box;
}

/* What an end belongs to: its box, its leaf, or itself. */
static size_t owner_of(const struct ui_graph *g, const size_t *box, size_t node)
{
    for (size_t i = g->first[node]; i < g->first[node + 1]; i++) {
        if (g->fabric->cable[g->cable[i]].kind != SCENE_CABLE_FABRIC) {
            return box[node];
        }
    }
    return g->first[node] < g->first[node + 1] ? ui_graph_other(g, g->cable[g->first[node]], node)
                                               : node;
}

static void find_groups(struct ui_graph *g)
{
    const size_t nodes = g->fabric->node_count;
    size_t *box = find_boxes(g);
    size_t *group_of = filled(nodes, UI_NONE);
    for (size_t n = 0; n < nodes; n++) {
        if (ui_is_end(&g->fabric->node[n])) {
            size_t *group = &group_of[owner_of(g, box, n)];
            *group = *group == UI_NONE ? g->group_count++ : *group;
            g->group[*group].count++;
            g->gpu_count += g->fabric->node[n].kind == SCENE_NODE_GPU;
        }
    }
    for (size_t i = 0; i < g->group_count; i++) {
        g->group[i].first = g->end_count;
        g->end_count += g->group[i].count;
        g->group[i].count = 0;
    }
    for (int memories = 0; memories < 2; memories++) { /* GPUs first */
        for (size_t n = 0; n < nodes; n++) {
            const enum scene_node_kind kind = memories != 0 ? SCENE_NODE_MEMORY : SCENE_NODE_GPU;
            if (g->fabric->node[n].kind == kind) {
                struct ui_group *group = &g->group[group_of[owner_of(g, box, n)]];
                g->end[group->first + group->count++] = n;
            }
        }
    }
    free(box);
    free(group_of);
}

void ui_graph_init(struct ui_graph *graph, const struct scene_fabric *fabric)
{
    *graph = (struct ui_graph){ .fabric = fabric, .sound = true };
    graph->first = mem_alloc(fabric->node_count + 2, sizeof *graph->first);
    graph->cable = mem_alloc(2 * fabric->cable_count + 1, sizeof *graph->cable);
    graph->end = mem_alloc(fabric->node_count + 1, sizeof *graph->end);
    graph->group = mem_alloc(fabric->node_count + 1, sizeof *graph->group);
    for (size_t i = 0; i < fabric->cable_count; i++) {
        const struct scene_cable *c = &fabric->cable[i];
        graph->sound = graph->sound && c->a < fabric->node_count && c->b < fabric->node_count;
    }
    if (graph->sound) {
        list_cables(graph);
        find_groups(graph);
    }
}

void ui_graph_finish(struct ui_graph *graph)
{
    free(graph->first);
    free(graph->cable);
    free(graph->end);
    free(graph->group);
    *graph = (struct ui_graph){ 0 };
}
