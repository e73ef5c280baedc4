/*
 * Many GPUs: one mark each, box by box; one mark a switch; and how many are in which state.
 *
 *     g1    ▒▒▒▒▒▒▒▒ ▒▒▒▒▒▒▒▒ ▒▒▒▒▒~░░ ░░░░░░░░
 *     g33   ▒▒▒▒▒▒▒▒ ▒▒▒▒▒▒▒▒ ▒▒▒▒▒▒▒▒ ▒▒▒▒▒▒▒▒
 *     leaf1-8    ▒▒▒▒░▒▒▒
 *     ▒ exchanges 58   ░ waits 5   ~ sends in vain 1
 *
 * In the view of all GPUs (Tab) the marks may show a quantity instead, slowest first if one likes, and
 * below stands who waits for whom.
 */
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "base/units.h"
#include "ui/lane.h"
#include "ui/picture.h"
#include "ui/rich.h"
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
    const int cursor = n->cursor ? 100 : n->near_cursor ? 50 : 0;
    return cursor + (n->down ? 9 : (unsigned)n->state < SCENE_GPU_STATES ? ranks[n->state] : 0);
}

void ui_gpu_draw(struct canvas *c, int x, int y, const struct scene_node *n)
{
    canvas_glyph(c, x, y, n->down ? UI_GLYPH_GPU_DEAD : ui_glyph_of_gpu(n->state));
}

static void count_states(const struct scene *s, size_t count[SCENE_GPU_STATES])
{
    for (size_t i = 0; i < s->fabric.node_count; i++) {
        const struct scene_node *n = &s->fabric.node[i];
        if (n->kind == SCENE_NODE_GPU && (unsigned)n->state < SCENE_GPU_STATES) {
            count[n->down ? SCENE_GPU_DEAD : n->state]++;
        }
    }
}

/* The states that there are, with words or without; returns the cells they take. Without a canvas it only
 * counts them. */
static int say_states(const struct scene *s, struct canvas *c, struct ui_rect r, bool words)
{
    size_t count[SCENE_GPU_STATES] = { 0 };
    int x = r.x;
    count_states(s, count);
    for (unsigned state = SCENE_GPU_IDLE + 1; state < SCENE_GPU_STATES; state++) {
        char text[96], many[32];
        const char *word = words ? ui_word_of_gpu((enum scene_gpu_state)state, s->flows) : "";
        (void)snprintf(text, sizeof text, "%s%s%s", word, words ? " " : "",
                       units_grouped(many, sizeof many, (int64_t)count[state]));
        const int cells = text_cells(text) + 2;
        if (count[state] == 0) {
            continue;
        }
        if (c != NULL && x + cells <= r.x + r.w) {
            canvas_glyph(c, x, r.y, ui_glyph_of_gpu((enum scene_gpu_state)state));
            canvas_text(c, x + 2, r.y, UI_ROLE_DEFAULT, text);
        }
        x += cells + 2;
    }
    return x - r.x - 2;
}

int ui_line_states(const struct scene *s, struct canvas *c, struct ui_rect r)
{
    const struct ui_rect before = canvas_clip(c, r);
    const int used = say_states(s, c, r, say_states(s, NULL, r, true) <= r.w);
    canvas_unclip(c, before);
    return used;
}

/* ---- what stands where ------------------------------------------------------------------------ */

/* GPUs in chunks: the boxes, or eight marks at a time where there are none of that size. */
struct map {
    const struct ui_graph *graph;
    const struct scene_many *many;  /* NULL: the state of each, in order */
    const struct scene_each **each; /* by node: what was measured of it, the slowest of several */
    int64_t least, most;            /* of all that are known */
    bool boxes;
    size_t *gpu; /* in order */
    size_t gpu_count;
    size_t *chunk; /* of GPU i */
    size_t chunk_count, chunk_max;
    int label_w;
    int share; /* GPUs of one mark */
    int per_row;
    int rows;
};

static const struct scene_node *node_of(const struct map *m, size_t n)
{
    return &m->graph->fabric->node[n];
}

/* What was measured, by node. */
static void take_measures(struct map *m)
{
    const struct scene_many *many = m->many;
    m->each = mem_alloc(m->graph->fabric->node_count + 1, sizeof *m->each);
    m->least = INT64_MAX;
    for (size_t i = many->count; i-- > 0;) { /* slowest first: so those stay */
        const struct scene_each *e = &many->each[i];
        if (e->node < m->graph->fabric->node_count) {
            m->each[e->node] = e;
            m->most = e->known && e->value > m->most ? e->value : m->most;
            m->least = e->known && e->value < m->least ? e->value : m->least;
        }
    }
}

/* Slowest first: in the order of what was measured, those behind of which nothing was. */
static void list_sorted(struct map *m)
{
    const struct scene_many *many = m->many;
    m->boxes = false;
    for (size_t i = 0; i < many->count && m->gpu_count < m->graph->gpu_count; i++) {
        const size_t node = many->each[i].node;
        if (node < m->graph->fabric->node_count && m->each[node] == &many->each[i] &&
            node_of(m, node)->kind == SCENE_NODE_GPU) {
            m->gpu[m->gpu_count++] = node;
        }
    }
    for (size_t i = 0; i < m->graph->end_count && m->gpu_count < m->graph->gpu_count; i++) {
        const size_t node = m->graph->end[i];
        if (node_of(m, node)->kind == SCENE_NODE_GPU && m->each[node] == NULL) {
            m->gpu[m->gpu_count++] = node;
        }
    }
}

static void list_gpus(struct map *m)
{
    const struct ui_graph *g = m->graph;
    if (m->many != NULL && m->many->sorted) {
        list_sorted(m);
        return;
    }
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

/* The chunk of each GPU, with `share` GPUs a mark. Boxes stay boxes. */
static void find_chunks(struct map *m, int share)
{
    const struct ui_graph *g = m->graph;
    size_t at = 0;
    m->chunk_max = 0;
    for (size_t i = 0; i < g->group_count; i++) {
        size_t in = 0;
        for (size_t k = 0; k < g->group[i].count; k++) {
            if (node_of(m, g->end[g->group[i].first + k])->kind == SCENE_NODE_GPU) {
                m->chunk[at] = m->boxes ? i : at / (size_t)(SERVER * share);
                m->chunk_count = m->chunk[at++] + 1;
                in = m->boxes ? in + 1 : (size_t)(SERVER * share);
                m->chunk_max = in > m->chunk_max ? in : m->chunk_max;
            }
        }
    }
}

/* Chunks with `share` GPUs a mark: cells of one, how many in a row, rows. */
static void arrange(struct map *m, int w, int share)
{
    find_chunks(m, share);
    const int cells = ((int)m->chunk_max + share - 1) / share;
    int per_row = (w - m->label_w + 1) / (cells + 1);
    per_row = per_row < 1 ? 1 : per_row;
    if (per_row < (int)m->chunk_count) { /* so that the rows begin with round numbers */
        int even = 1;
        while (even * 2 <= per_row) {
            even *= 2;
        }
        per_row = even;
    }
    m->share = share;
    m->per_row = per_row;
    m->rows = ((int)m->chunk_count + per_row - 1) / per_row;
}

static void map_init(struct map *m, const struct ui_graph *graph, const struct scene_many *many,
                     int w, int h)
{
    *m = (struct map){ .graph = graph, .many = many };
    if (many != NULL) {
        take_measures(m);
    }
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
    for (int share = 2; m->rows > h && (size_t)share <= 2 * m->gpu_count; share *= 2) {
        m->boxes = m->boxes && (size_t)share <= m->chunk_max; /* smaller than a mark: no boxes */
        arrange(m, w, share);
    }
}

static void map_finish(struct map *m)
{
    free(m->gpu);
    free(m->chunk);
    free(m->each);
}

int ui_map_rows(const struct ui_graph *graph, int w)
{
    struct map m;
    map_init(&m, graph, NULL, w < 1 ? 1 : w, 1 << 20);
    const int rows = m.rows;
    map_finish(&m);
    return rows;
}

/* ---- drawing ---------------------------------------------------------------------------------- */

/* Of two GPUs under one mark: is `n` the one to show? The rarest state, or the slowest. */
static bool outranks(const struct map *m, size_t n, size_t best)
{
    if (m->many == NULL || !m->many->measured) {
        return rank_of(node_of(m, n)) > rank_of(node_of(m, best));
    }
    const struct scene_each *a = m->each[n], *b = m->each[best];
    if (a == NULL || b == NULL) {
        return b == NULL && a != NULL;
    }
    return a->known == b->known ? a->value > b->value : !a->known;
}

/* How much, in eighths of the way from the least to the most. */
static enum ui_glyph heat_of(const struct map *m, size_t node)
{
    const struct scene_each *each = m->each[node];
    if (each == NULL || !each->known) {
        return UI_GLYPH_HEAT_NONE;
    }
    const double range = (double)m->most - (double)m->least;
    const int eighth = range > 0 ? (int)(((double)each->value - (double)m->least) / range * 8) : 0;
    return (enum ui_glyph)(UI_GLYPH_HEAT_1 + (eighth > 7 ? 7 : eighth < 0 ? 0 : eighth));
}

/* The GPUs of one mark. Returns where the next mark begins. */
static size_t draw_mark(const struct map *m, struct canvas *c, int x, int y, size_t from)
{
    size_t best = m->gpu[from];
    bool cursor = node_of(m, best)->near_cursor;
    size_t i = from + 1;
    while (i < m->gpu_count && i < from + (size_t)m->share && m->chunk[i] == m->chunk[from]) {
        best = outranks(m, m->gpu[i], best) ? m->gpu[i] : best;
        cursor = cursor || node_of(m, m->gpu[i])->near_cursor;
        i++;
    }
    if (m->many != NULL && m->many->measured) {
        canvas_glyph(c, x, y, heat_of(m, best));
    } else {
        ui_gpu_draw(c, x, y, node_of(m, best));
    }
    if (cursor) {
        canvas_attr(c, x, y, 1, UI_REVERSE);
    }
    canvas_spot(c, (struct ui_rect){ x, y, 1, 1 }, UI_SPOT_NODE, node_of(m, best)->id);
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
    canvas_spot(c, (struct ui_rect){ x, y, 1, 1 }, UI_SPOT_NODE, g->fabric->node[node].id);
}

/* Is it a switch, and the first with such a name? */
static bool begins_family(const struct scene_fabric *f, size_t n)
{
    bool first = f->node[n].kind == SCENE_NODE_SWITCH;
    for (size_t k = 0; k < n && first; k++) {
        first = f->node[k].kind != SCENE_NODE_SWITCH ||
                !same_family(ui_node_name(&f->node[k]), ui_node_name(&f->node[n]));
    }
    return first;
}

int ui_map_families(const struct scene_fabric *f)
{
    int families = 0;
    for (size_t n = 0; n < f->node_count; n++) {
        families += begins_family(f, n);
    }
    return families;
}

/* Families of switches, one a row: "leaf1" and a mark for each. Returns the rows. */
static int draw_switches(const struct ui_graph *g, struct canvas *c, struct ui_rect r)
{
    int rows = 0;
    const struct scene_fabric *f = g->fabric;
    for (size_t n = 0; n < f->node_count && rows < r.h; n++) {
        const char *name = ui_node_name(&f->node[n]);
        if (!begins_family(f, n)) {
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

/* "a mark: 4 GPUs, rarest state", at the right end of a row. Returns its cells and a blank. */
static int say_share(const struct map *m, struct canvas *c, struct ui_rect r, int y)
{
    char text[64];
    if (m->share == 1) {
        return 0;
    }
    const char *which = m->many != NULL && m->many->measured ? "the slowest" : "rarest state";
    (void)snprintf(text, sizeof text, r.w < 60 ? "a mark: %d" : "a mark: %d GPUs, %s", m->share,
                   which);
    canvas_text(c, r.x + r.w - text_cells(text), y, UI_ROLE_DIM, text);
    return text_cells(text) + 1;
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
    map_init(&m, graph, NULL, r.w, r.h - below);
    draw_gpus(&m, c, (struct ui_rect){ r.x, r.y, r.w, r.h - below });
    int y = r.y + m.rows;
    if (y < r.y + r.h - below) {
        y += draw_switches(graph, c, (struct ui_rect){ r.x, y, r.w, r.y + r.h - below - y });
    }
    if (below > 0) {
        y = y > r.y + r.h - 1 ? r.y + r.h - 1 : y;
        struct ui_rect line = { r.x, y, r.w, 1 };
        line.w -= say_share(&m, c, r, y);
        ui_line_states(s, c, line);
    }
    map_finish(&m);
    canvas_unclip(c, before);
}

/* ---- The view of all GPUs ---------------------------------------------------------------------- */

enum { WAITS_LEAST = 2, WAITS_BEST = 6, SCALE_WORDS_W = 50 };

/* What the marks mean: "█ most 16.8 ms (g437)  ▁ least 94 us (g1)", or how many are in which state; where no heading
 * says it (`titled`) also what is shown. Returns the cells it took. */
static int draw_scale(const struct scene *s, struct canvas *c, struct ui_rect r,
                      const struct map *m, bool titled)
{
    const struct scene_many *many = &s->many;
    if (!many->measured) {
        return ui_line_states(s, c, r);
    }
    const struct scene_each *most = NULL, *least = NULL;
    size_t missing = 0;
    for (size_t i = 0; i < many->count; i++) {
        const struct scene_each *e = &many->each[i];
        most = e->known && (most == NULL || e->value > most->value) ? e : most;
        least = e->known && (least == NULL || e->value < least->value) ? e : least;
        missing += e->known ? 0 : 1;
    }
    char text[64];
    int x = r.x;
    const struct ui_rect before = canvas_clip(c, r);
    if (titled) {
        x += canvas_textf(c, x, r.y, UI_ROLE_TITLE, "%s   ", many->title);
    }
    if (most != NULL) {
        const bool words = r.w >= SCALE_WORDS_W;
        canvas_glyph(c, x, r.y, heat_of(m, most->node));
        x += 2 + canvas_textf(c, x + 2, r.y, UI_ROLE_DEFAULT, "%s%s (%s)  ", words ? "most " : "",
                              units_format(text, sizeof text, many->unit, most->value), most->name);
        canvas_glyph(c, x, r.y, heat_of(m, least->node));
        x += 2 + canvas_textf(c, x + 2, r.y, UI_ROLE_DEFAULT, words ? "least %s (%s)  " : "%s  ",
                              units_format(text, sizeof text, many->unit, least->value),
                              least->name);
    }
    if (missing > 0) {
        char said[96];
        (void)snprintf(said, sizeof said, "%s %s",
                       units_grouped(text, sizeof text, (int64_t)missing),
                       many->missing != NULL ? many->missing : "have none");
        const int room = r.x + r.w - x - 2;
        const char *form = text_cells(said) <= room ? said : text;
        if (text_cells(form) <= room) {
            canvas_glyph(c, x, r.y, UI_GLYPH_HEAT_NONE);
            x += 4 + canvas_text(c, x + 2, r.y, UI_ROLE_DEFAULT, form);
        }
    }
    canvas_unclip(c, before);
    return x - 2 - r.x;
}

/* The sentences, wrapped, as far as there is room. */
void ui_view_waits(const struct scene *s, struct canvas *c, struct ui_rect r)
{
    struct rich text = { 0 };
    for (size_t i = 0; i < s->many.wait_count; i++) {
        rich_text(&text, s->many.wait[i], 2, UI_ROLE_DEFAULT);
    }
    rich_wrap(&text, r.w);
    rich_draw(&text, c, r, 0);
    rich_finish(&text);
}

static int waits_rows(const struct scene *s, int w)
{
    struct rich text = { 0 };
    for (size_t i = 0; i < s->many.wait_count; i++) {
        rich_text(&text, s->many.wait[i], 2, UI_ROLE_DEFAULT);
    }
    const int rows = (int)rich_wrap(&text, w);
    rich_finish(&text);
    return rows;
}

/* How the view divides its rows: marks, what they mean, a heading, who waits for whom. */
struct parts {
    int waits;   /* rows */
    bool merged; /* what the marks mean stands in the heading */
    int below;   /* rows that are not for marks */
};

/* Who waits has as many rows as it wants, unless marks of single GPUs need them. */
static struct parts parts_of(const struct scene *s, struct ui_rect r, const struct ui_graph *graph)
{
    struct parts p = { .waits = waits_rows(s, r.w - 1), .below = 1 };
    if (p.waits == 0 || r.h < 8) {
        p.waits = 0;
        return p;
    }
    const int marks = ui_map_rows(graph, r.w);
    const int spare = r.h - marks - 2;
    p.merged = spare < WAITS_LEAST && spare + 1 >= WAITS_LEAST;
    const int most = spare < WAITS_LEAST ? WAITS_LEAST : spare > WAITS_BEST ? WAITS_BEST : spare;
    p.waits = p.waits < most ? p.waits : most;
    p.below = p.waits + (p.merged ? 1 : 2);
    return p;
}

/* The marks, what they mean, and who waits for whom. */
static void draw_all(const struct scene *s, struct canvas *c, struct ui_rect r,
                     const struct ui_graph *graph, struct parts p)
{
    static const char title[] = "who waits for whom";
    const struct ui_rect before = canvas_clip(c, (struct ui_rect){ r.x - 1, r.y, r.w + 2, r.h });
    struct map m;
    map_init(&m, graph, s->many.count > 0 ? &s->many : NULL, r.w, r.h - p.below);
    draw_gpus(&m, c, (struct ui_rect){ r.x, r.y, r.w, r.h - p.below });
    int y = r.y + m.rows;
    y += draw_switches(graph, c, (struct ui_rect){ r.x, y, r.w, r.y + r.h - p.below - y });
    y = y > r.y + r.h - p.below ? r.y + r.h - p.below : y;
    struct ui_rect line = { r.x, y, r.w, 1 };
    y += p.merged ? 0 : 1;
    if (p.waits > 0) {
        ui_heading(c, (struct ui_rect){ r.x - 1, y, r.w + 2, 1 }, title);
        ui_view_waits(s, c, (struct ui_rect){ r.x + 1, y + 1, r.w - 1, p.waits });
    }
    if (p.merged) { /* behind the title, with a blank at both ends, and the line goes on */
        line.x += (int)sizeof title + 3;
        line.w -= (int)sizeof title + 3;
        canvas_blank(c, (struct ui_rect){ line.x - 1, line.y, line.w + 1, 1 });
    }
    line.w -= say_share(&m, c, r, line.y);
    const int used = draw_scale(s, c, line, &m, p.waits == 0);
    if (p.merged && m.share == 1) {
        canvas_hfill(c, line.x + used + 1, line.y, line.w - used, UI_ROLE_DIM,
                     ui_glyph_text(UI_GLYPH_H, c->ascii));
    }
    map_finish(&m);
    canvas_unclip(c, before);
}

void ui_view_all(const struct scene *s, struct canvas *c, struct ui_rect r)
{
    struct ui_graph graph;
    ui_graph_init(&graph, &s->fabric);
    if (r.w > 0 && r.h > 1 && graph.gpu_count > 0) {
        draw_all(s, c, r, &graph, (struct parts){ .below = 1 });
    }
    ui_graph_finish(&graph);
}

void ui_view_map(const struct scene *s, struct canvas *c, struct ui_rect r)
{
    struct ui_graph graph;
    ui_graph_init(&graph, &s->fabric);
    if (r.w > 0 && r.h > 1 && graph.gpu_count > 0) {
        draw_all(s, c, r, &graph, parts_of(s, r, &graph));
    }
    ui_graph_finish(&graph);
}
