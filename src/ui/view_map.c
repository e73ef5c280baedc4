/*
 * Many GPUs: one mark each, box by box; one mark a switch; and how many are in which state.
 *
 *     g1    ▒▒▒▒▒▒▒▒ ▒▒▒▒▒▒▒▒ ▒▒▒▒▒~░░ ░░░░░░░░
 *     g33   ▒▒▒▒▒▒▒▒ ▒▒▒▒▒▒▒▒ ▒▒▒▒▒▒▒▒ ▒▒▒▒▒▒▒▒
 *     leaf1-8    ▒▒▒▒░▒▒▒
 *     ▒ exchanges 58   ░ waits 5   ~ sends in vain 1
 */
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "ui/lane.h"
#include "ui/picture.h"
#include "ui/view.h"

enum { SERVER = 8, GROUP_MAX = 16, LABEL_MAX_W = 10 };

/* The higher is seen where a mark stands for several GPUs. */
static int rank_of(const struct scene_node *n)
{
    static const int ranks[SCENE_GPU_STATES] = {
        [SCENE_GPU_IDLE] = 0,     [SCENE_GPU_BARRIER] = 1, [SCENE_GPU_COMPUTE] = 2,
        [SCENE_GPU_EXCHANGE] = 3, [SCENE_GPU_STARVED] = 4, [SCENE_GPU_PAUSED] = 5,
        [SCENE_GPU_VAIN] = 6,     [SCENE_GPU_TIMER] = 7,   [SCENE_GPU_DEAD] = 8,
    };
    const int cursor = n->cursor ? 100 : 0;
    return cursor + (n->down ? 9 : (unsigned)n->state < SCENE_GPU_STATES ? ranks[n->state] : 0);
}

void ui_gpu_draw(struct canvas *c, int x, int y, const struct scene_node *n)
{
    canvas_glyph(c, x, y, n->down ? UI_GLYPH_GPU_DEAD : ui_glyph_of_gpu(n->state));
}

void ui_line_states(const struct scene *s, struct canvas *c, struct ui_rect r)
{
    size_t count[SCENE_GPU_STATES] = { 0 };
    const struct ui_rect before = canvas_clip(c, r);
    int x = r.x;
    for (size_t i = 0; i < s->fabric.node_count; i++) {
        const struct scene_node *n = &s->fabric.node[i];
        if (n->kind == SCENE_NODE_GPU && (unsigned)n->state < SCENE_GPU_STATES) {
            count[n->down ? SCENE_GPU_DEAD : n->state]++;
        }
    }
    for (unsigned state = SCENE_GPU_IDLE + 1; state < SCENE_GPU_STATES; state++) {
        char text[96];
        (void)snprintf(text, sizeof text, "%s %zu",
                       ui_word_of_gpu((enum scene_gpu_state)state, s->flows), count[state]);
        const int cells = text_cells(text) + 2;
        if (count[state] > 0 && x + cells <= r.x + r.w) {
            canvas_glyph(c, x, r.y, ui_glyph_of_gpu((enum scene_gpu_state)state));
            canvas_text(c, x + 2, r.y, UI_ROLE_DEFAULT, text);
            x += cells + 2;
        }
    }
    canvas_unclip(c, before);
}

/* ---- what stands where ------------------------------------------------------------------------ */

/* GPUs in chunks: the boxes, or eight marks at a time where there are none of that size. */
struct map {
    const struct ui_graph *graph;
    bool boxes;
    size_t *gpu; /* in order */
    size_t gpu_count;
    size_t *chunk; /* of GPU i */
    size_t chunk_count, chunk_max;
    int label_w;
    int each; /* GPUs of one mark */
    int per_row;
    int rows;
};

static const struct scene_node *node_of(const struct map *m, size_t n)
{
    return &m->graph->fabric->node[n];
}

static void list_gpus(struct map *m)
{
    const struct ui_graph *g = m->graph;
    m->boxes = g->group_count > 1;
    for (size_t i = 0; i < g->group_count; i++) {
        m->boxes = m->boxes && g->group[i].count <= GROUP_MAX && g->group[i].count > 1;
    }
    for (size_t i = 0; i < g->end_count; i++) {
        if (node_of(m, g->end[i])->kind == SCENE_NODE_GPU) {
            m->gpu[m->gpu_count++] = g->end[i];
        }
    }
}

/* The chunk of each GPU, with `each` GPUs a mark. Boxes stay boxes. */
static void find_chunks(struct map *m, int each)
{
    const struct ui_graph *g = m->graph;
    size_t at = 0;
    m->chunk_max = 0;
    for (size_t i = 0; i < g->group_count; i++) {
        size_t in = 0;
        for (size_t k = 0; k < g->group[i].count; k++) {
            if (node_of(m, g->end[g->group[i].first + k])->kind == SCENE_NODE_GPU) {
                m->chunk[at] = m->boxes ? i : at / (size_t)(SERVER * each);
                m->chunk_count = m->chunk[at++] + 1;
                in = m->boxes ? in + 1 : (size_t)(SERVER * each);
                m->chunk_max = in > m->chunk_max ? in : m->chunk_max;
            }
        }
    }
}

/* Chunks with `each` GPUs a mark: cells of one, how many in a row, rows. */
static void arrange(struct map *m, int w, int each)
{
    find_chunks(m, each);
    const int cells = ((int)m->chunk_max + each - 1) / each;
    int per_row = (w - m->label_w + 1) / (cells + 1);
    per_row = per_row < 1 ? 1 : per_row;
    if (per_row < (int)m->chunk_count) { /* so that the rows begin with round numbers */
        int even = 1;
        while (even * 2 <= per_row) {
            even *= 2;
        }
        per_row = even;
    }
    m->each = each;
    m->per_row = per_row;
    m->rows = ((int)m->chunk_count + per_row - 1) / per_row;
}

static void map_init(struct map *m, const struct ui_graph *graph, int w, int h)
{
    *m = (struct map){ .graph = graph };
    m->gpu = mem_alloc(graph->end_count + 1, sizeof *m->gpu);
    m->chunk = mem_alloc(graph->end_count + 1, sizeof *m->chunk);
    list_gpus(m);
    for (size_t i = 0; i < m->gpu_count; i++) {
        const int cells = ui_node_name_w(node_of(m, m->gpu[i])) + 1;
        m->label_w = cells > m->label_w ? cells : m->label_w;
    }
    m->label_w = m->label_w > LABEL_MAX_W ? LABEL_MAX_W : m->label_w;
    m->label_w = m->label_w > w / 3 ? 0 : m->label_w;
    arrange(m, w, 1);
    for (int each = 2; m->rows > h && (size_t)each <= 2 * m->gpu_count; each *= 2) {
        m->boxes = m->boxes && (size_t)each <= m->chunk_max; /* smaller than a mark: no boxes */
        arrange(m, w, each);
    }
}

static void map_finish(struct map *m)
{
    free(m->gpu);
    free(m->chunk);
}

int ui_map_rows(const struct ui_graph *graph, int w)
{
    struct map m;
    map_init(&m, graph, w < 1 ? 1 : w, 1 << 20);
    const int rows = m.rows;
    map_finish(&m);
    return rows;
}

/* ---- drawing ---------------------------------------------------------------------------------- */

/* The GPUs of one mark: the rarest state of them. Returns where the next mark begins. */
static size_t draw_mark(const struct map *m, struct canvas *c, int x, int y, size_t from)
{
    const struct scene_node *best = node_of(m, m->gpu[from]);
    size_t i = from + 1;
    while (i < m->gpu_count && i < from + (size_t)m->each && m->chunk[i] == m->chunk[from]) {
        const struct scene_node *n = node_of(m, m->gpu[i++]);
        best = rank_of(n) > rank_of(best) ? n : best;
    }
    ui_gpu_draw(c, x, y, best);
    if (best->cursor) {
        canvas_attr(c, x, y, 1, UI_REVERSE);
    }
    return i;
}

static void draw_gpus(const struct map *m, struct canvas *c, struct ui_rect r)
{
    size_t i = 0;
    for (int row = 0; row < m->rows && row < r.h; row++) {
        const size_t until = (size_t)(row + 1) * (size_t)m->per_row;
        int x = r.x + m->label_w;
        if (i < m->gpu_count && m->label_w > 0) {
            canvas_text_fit(c, r.x, r.y + row, m->label_w - 1, UI_ROLE_TITLE,
                            node_of(m, m->gpu[i])->name);
        }
        while (i < m->gpu_count && m->chunk[i] < until) {
            const size_t chunk = m->chunk[i];
            while (i < m->gpu_count && m->chunk[i] == chunk) {
                i = draw_mark(m, c, x++, r.y + row, i);
            }
            x++;
        }
    }
}

/* How much of two names is the same, digits at its end left out: "leaf" of leaf1 and leaf12. */
static bool same_family(const char *a, const char *b)
{
    while (*a != '\0' && *a == *b && !isdigit((unsigned char)*a)) {
        a++;
        b++;
    }
    return (*a == '\0' || isdigit((unsigned char)*a)) && (*b == '\0' || isdigit((unsigned char)*b));
}

/* A switch in one cell: the rarest that happens on its cables. */
static void draw_switch(const struct ui_graph *g, struct canvas *c, int x, int y, size_t node)
{
    const struct scene_lane *best = NULL;
    bool out = false;
    for (size_t i = g->first[node]; i < g->first[node + 1]; i++) {
        const struct scene_cable *cable = &g->fabric->cable[g->cable[i]];
        const struct scene_lane *lanes[] = { &cable->ab, &cable->ba };
        for (size_t k = 0; k < 2; k++) {
            if (best == NULL || ui_lane_rank(lanes[k]) > ui_lane_rank(best)) {
                best = lanes[k];
                out = (k == 0) == (cable->a == node);
            }
        }
    }
    bool idle = best == NULL;
    const enum ui_glyph glyph = best != NULL ? ui_lane_cell(best, out, &idle) : UI_GLYPH_V;
    canvas_glyph(c, x, y, idle ? UI_GLYPH_LANE_OPEN : glyph);
    if (g->fabric->node[node].cursor) {
        canvas_attr(c, x, y, 1, UI_REVERSE);
    }
}

/* Families of switches, one a row: "leaf1" and a mark for each. Returns the rows. */
static int draw_switches(const struct ui_graph *g, struct canvas *c, struct ui_rect r)
{
    int rows = 0;
    const struct scene_fabric *f = g->fabric;
    for (size_t n = 0; n < f->node_count && rows < r.h; n++) {
        const char *name = ui_node_name(&f->node[n]);
        bool first = f->node[n].kind == SCENE_NODE_SWITCH;
        for (size_t k = 0; k < n && first; k++) {
            first = f->node[k].kind != SCENE_NODE_SWITCH ||
                    !same_family(ui_node_name(&f->node[k]), name);
        }
        if (!first) {
            continue;
        }
        int x = r.x + 1 + canvas_text_fit(c, r.x, r.y + rows, LABEL_MAX_W, UI_ROLE_TITLE, name);
        x = x < r.x + LABEL_MAX_W ? r.x + LABEL_MAX_W : x;
        for (size_t k = n; k < f->node_count; k++) {
            if (f->node[k].kind == SCENE_NODE_SWITCH &&
                same_family(ui_node_name(&f->node[k]), name)) {
                if (x >= r.x + r.w) {
                    canvas_glyph(c, r.x + r.w - 1, r.y + rows, UI_GLYPH_ELLIPSIS);
                    break;
                }
                draw_switch(g, c, x++, r.y + rows, k);
            }
        }
        rows++;
    }
    return rows;
}

void ui_view_map(const struct scene *s, struct canvas *c, struct ui_rect r)
{
    struct ui_graph graph;
    ui_graph_init(&graph, &s->fabric);
    ui_map_draw(s, c, r, &graph);
    ui_graph_finish(&graph);
}

void ui_map_draw(const struct scene *s, struct canvas *c, struct ui_rect r,
                 const struct ui_graph *graph)
{
    if (r.w < 1 || r.h < 1 || graph->gpu_count == 0) {
        return;
    }
    const struct ui_rect before = canvas_clip(c, r);
    const int below = r.h > 1 ? 1 : 0; /* the states */
    struct map m;
    map_init(&m, graph, r.w, r.h - below);
    draw_gpus(&m, c, (struct ui_rect){ r.x, r.y, r.w, r.h - below });
    int y = r.y + m.rows;
    if (y < r.y + r.h - below) {
        y += draw_switches(graph, c, (struct ui_rect){ r.x, y, r.w, r.y + r.h - below - y });
    }
    if (below > 0) {
        y = y > r.y + r.h - 1 ? r.y + r.h - 1 : y;
        struct ui_rect line = { r.x, y, r.w, 1 };
        if (m.each > 1) {
            char text[64];
            (void)snprintf(text, sizeof text,
                           r.w < 60 ? "a mark: %d" : "a mark: %d GPUs, the rarest", m.each);
            line.w -= text_cells(text) + 1;
            canvas_text(c, r.x + r.w - text_cells(text), y, UI_ROLE_DIM, text);
        }
        ui_line_states(s, c, line);
    }
    map_finish(&m);
    canvas_unclip(c, before);
}
