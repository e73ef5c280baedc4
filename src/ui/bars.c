#include "ui/bars.h"

#include <stdlib.h>
#include <string.h>

#include "base/mem.h"

enum {
    ROWS_MAX = 64,
    COLUMN_MAX_W = 12,
    LABEL_MAX_W = 10,
    AIR_MAX = 2,   /* rows between two tiers */
    WIDE_WIRE = 3, /* cells of a column from which a wire has two */
    BELOW = -1,    /* tier of NVSwitches */
    UNKNOWN = -2
};

/* A fabric being placed: by node its tier, the cells below which it spans, its row. */
struct plan {
    struct ui_bars *bars;
    const struct ui_graph *graph;
    int w;
    int *tier, *lo, *hi, *row;
    int row_tier[ROWS_MAX];
    char *taken; /* ROWS_MAX x w: a wire is there */
    int tiers;
};

static const struct scene_node *node_of(const struct plan *p, size_t n)
{
    return &p->graph->fabric->node[n];
}

/* ---- tiers ------------------------------------------------------------------------------------ */

/* An NVSwitch: nothing but NVLinks to GPUs. */
static bool hangs_below(const struct plan *p, size_t n)
{
    const struct ui_graph *g = p->graph;
    for (size_t i = g->first[n]; i < g->first[n + 1]; i++) {
        if (g->fabric->cable[g->cable[i]].kind != SCENE_CABLE_NVLINK ||
            !ui_is_end(node_of(p, ui_graph_other(g, g->cable[i], n)))) {
            return false;
        }
    }
    return g->first[n] < g->first[n + 1];
}

/* Cables from the nearest GPU, by the fabric's side. False: a switch that no GPU reaches. */
static bool find_tiers(struct plan *p)
{
    const struct ui_graph *g = p->graph;
    const size_t nodes = g->fabric->node_count;
    size_t *queue = mem_alloc(nodes + 1, sizeof *queue);
    size_t head = 0;
    size_t tail = 0;
    for (size_t n = 0; n < nodes; n++) {
        const bool end = ui_is_end(node_of(p, n));
        p->tier[n] = end ? 0 : hangs_below(p, n) ? BELOW : UNKNOWN;
        if (end && node_of(p, n)->kind == SCENE_NODE_GPU) {
            queue[tail++] = n;
        }
    }
    while (head < tail) {
        const size_t n = queue[head++];
        p->tiers = p->tier[n] > p->tiers ? p->tier[n] : p->tiers;
        for (size_t i = g->first[n]; i < g->first[n + 1]; i++) {
            const size_t other = ui_graph_other(g, g->cable[i], n);
            if (p->tier[other] == UNKNOWN) {
                p->tier[other] = p->tier[n] + 1;
                queue[tail++] = other;
            }
        }
    }
    free(queue);
    for (size_t n = 0; n < nodes; n++) {
        if (p->tier[n] == UNKNOWN) {
            return false;
        }
    }
    return true;
}

/* ---- columns ---------------------------------------------------------------------------------- */

static int name_w(const struct plan *p, size_t n)
{
    return ui_node_name_w(node_of(p, n));
}

static int gap_of(int column_w)
{
    return column_w >= WIDE_WIRE ? 2 : 1;
}

/* The widest columns that fit, and what that allows. */
static bool set_columns(struct plan *p)
{
    struct ui_bars *b = p->bars;
    const struct ui_graph *g = p->graph;
    int longest = 0;
    for (size_t n = 0; n < g->fabric->node_count; n++) {
        const int need = name_w(p, n) + (ui_is_end(node_of(p, n)) ? 0 : 2);
        b->label_w = need > b->label_w ? need : b->label_w;
        longest = ui_is_end(node_of(p, n)) && name_w(p, n) > longest ? name_w(p, n) : longest;
    }
    b->label_w = b->label_w > LABEL_MAX_W ? LABEL_MAX_W : b->label_w;
    const int room = p->w - b->label_w - 1;
    const int ends = (int)g->end_count;
    const int gaps = (int)g->group_count - 1;
    if (ends == 0 || ends > room) {
        return false;
    }
    int w = COLUMN_MAX_W;
    while (w > 0 && ends * w + gaps * gap_of(w) > room) {
        w--;
    }
    b->column_w = w;
    b->wire_w = w >= WIDE_WIRE ? 2 : 1;
    b->named = w >= longest + 2;
    const int gap = gap_of(w);
    int x = b->label_w + 1 + (room - ends * w - gaps * gap) / 2;
    for (size_t i = 0; i < g->group_count && w > 0; i++) {
        for (size_t k = 0; k < g->group[i].count; k++, x += w) {
            const size_t n = g->end[g->group[i].first + k];
            b->column[b->column_count++] = (struct ui_column){ n, x };
            p->lo[n] = x;
            p->hi[n] = x + w;
        }
        x += gap;
    }
    return w > 0;
}

/* ---- bars ------------------------------------------------------------------------------------- */

static bool is_lower(const struct plan *p, size_t n, size_t other)
{
    return p->tier[n] == BELOW ? p->tier[other] == 0
                               : p->tier[other] >= 0 && p->tier[other] < p->tier[n];
}

/* The one switch below, when there is just one cable down: of a NIC, say. */
static size_t only_lower(const struct plan *p, size_t n)
{
    const struct ui_graph *g = p->graph;
    size_t found = UI_NONE;
    for (size_t i = g->first[n]; i < g->first[n + 1]; i++) {
        const size_t other = ui_graph_other(g, g->cable[i], n);
        if (is_lower(p, n, other)) {
            if (found != UI_NONE || ui_is_end(node_of(p, other))) {
                return UI_NONE;
            }
            found = other;
        }
    }
    return found;
}

/* Several such share out what the one below spans. */
static void set_slice(struct plan *p, size_t n, size_t lower)
{
    const struct ui_graph *g = p->graph;
    int count = 0;
    int own = 0;
    for (size_t i = g->first[lower]; i < g->first[lower + 1]; i++) {
        const size_t other = ui_graph_other(g, g->cable[i], lower);
        if (!ui_is_end(node_of(p, other)) && only_lower(p, other) == lower) {
            own = other == n ? count : own;
            count++;
        }
    }
    const int w = p->hi[lower] - p->lo[lower];
    p->lo[n] = p->lo[lower] + w * own / count;
    p->hi[n] = p->lo[lower] + w * (own + 1) / count;
    p->hi[n] = p->hi[n] > p->lo[n] ? p->hi[n] : p->lo[n] + 1;
}

static void set_span(struct plan *p, size_t n)
{
    const struct ui_graph *g = p->graph;
    const size_t lower = only_lower(p, n);
    if (lower != UI_NONE) {
        set_slice(p, n, lower);
        return;
    }
    p->lo[n] = p->w;
    p->hi[n] = 0;
    for (size_t i = g->first[n]; i < g->first[n + 1]; i++) {
        const size_t other = ui_graph_other(g, g->cable[i], n);
        if (is_lower(p, n, other)) {
            p->lo[n] = p->lo[other] < p->lo[n] ? p->lo[other] : p->lo[n];
            p->hi[n] = p->hi[other] > p->hi[n] ? p->hi[other] : p->hi[n];
        }
    }
}

/* The lowest row from `from` on in which nothing else stands there; -1: too many. */
static int free_row(struct plan *p, int from, int lo, int hi)
{
    const struct ui_bars *b = p->bars;
    for (int row = from; row < ROWS_MAX; row++) {
        bool free = true;
        for (size_t i = 0; i < b->bar_count && free; i++) {
            free = b->bar[i].row != row || b->bar[i].x1 < lo || b->bar[i].x0 >= hi;
        }
        if (free) {
            return row;
        }
    }
    return -1;
}

static bool add_bar(struct plan *p, size_t node, size_t cable, int from, int lo, int hi, int tier)
{
    struct ui_bars *b = p->bars;
    const int row = free_row(p, from, lo, hi);
    if (row < 0) {
        return false;
    }
    b->bar[b->bar_count++] = (struct ui_bar){ node, cable, row, lo, hi - 1 };
    p->row_tier[row] = tier;
    b->row_count = row >= b->row_count ? row + 1 : b->row_count;
    if (node != UI_NONE) {
        p->row[node] = row;
    }
    return true;
}

/* Cables between switches of this tier. */
static bool add_peers(struct plan *p, int tier)
{
    const struct scene_fabric *f = p->graph->fabric;
    const int from = p->bars->row_count;
    for (size_t i = 0; i < f->cable_count; i++) {
        const size_t a = f->cable[i].a;
        const size_t b = f->cable[i].b;
        if (p->tier[a] == tier && p->tier[b] == tier) {
            const int lo = p->lo[a] < p->lo[b] ? p->lo[a] : p->lo[b];
            const int hi = p->hi[a] > p->hi[b] ? p->hi[a] : p->hi[b];
            if (!add_bar(p, UI_NONE, i, from, lo, hi, tier)) {
                return false;
            }
        }
    }
    return true;
}

static bool set_bars(struct plan *p)
{
    for (int tier = BELOW; tier <= p->tiers; tier++) {
        const int from = p->bars->row_count;
        if (tier == 0) {
            p->bars->end_row = from;
            p->row_tier[from] = 0;
            for (size_t i = 0; i < p->graph->end_count; i++) {
                p->row[p->graph->end[i]] = from;
            }
            p->bars->row_count++;
            if (p->bars->row_count >= ROWS_MAX) {
                return false;
            }
            continue;
        }
        for (size_t n = 0; n < p->graph->fabric->node_count; n++) {
            if (p->tier[n] == tier) {
                set_span(p, n);
                if (!add_bar(p, n, UI_NONE, from, p->lo[n], p->hi[n], tier)) {
                    return false;
                }
            }
        }
        if (tier > 0 && !add_peers(p, tier)) {
            return false;
        }
    }
    return true;
}

/* ---- wires ------------------------------------------------------------------------------------ */

/* Nothing is there between the rows; `apart`: nor beside it. */
static bool is_free(const struct plan *p, int x, int low, int high, bool apart)
{
    const int from = x - (apart ? 1 : 0);
    const int to = x + p->bars->wire_w + (apart ? 1 : 0);
    if (x < 0 || x + p->bars->wire_w > p->w) {
        return false;
    }
    for (int row = low; row <= high; row++) {
        for (int i = from < 0 ? 0 : from; i < to && i < p->w; i++) {
            if (p->taken[row * p->w + i] != 0) {
                return false;
            }
        }
    }
    return true;
}

/* The free place nearest to `wish` within what a bar spans; -1: there is none. */
static int find_place(const struct plan *p, int wish, int lo, int hi, int low, int high)
{
    for (int apart = 1; apart >= 0; apart--) {
        for (int d = 0; d < hi - lo; d++) {
            for (int side = 1; side >= -1; side -= 2) {
                const int x = wish + side * d;
                if (x >= lo && x + p->bars->wire_w <= hi && is_free(p, x, low, high, apart != 0)) {
                    return x;
                }
            }
        }
    }
    return -1;
}

static bool add_wire(struct plan *p, size_t cable, size_t lower, bool half, int wish, int low,
                     int high)
{
    struct ui_bars *b = p->bars;
    const int from = p->tier[lower] == 0 && low < b->end_row ? low : low + 1;
    const int to = low < b->end_row ? high - 1 : high;
    const int x = find_place(p, wish, p->lo[lower], p->hi[lower], from, to);
    if (x < 0) {
        return false;
    }
    for (int row = from; row <= to; row++) {
        memset(&p->taken[row * p->w + x], 1, (size_t)b->wire_w);
    }
    const bool a_is_lower = p->graph->fabric->cable[cable].a == lower;
    b->wire[b->wire_count++] =
        (struct ui_wire){ cable, low < b->end_row ? !a_is_lower : a_is_lower, half, x, low, high };
    return true;
}

static int bar_row(const struct plan *p, size_t cable)
{
    for (size_t i = 0; i < p->bars->bar_count; i++) {
        if (p->bars->bar[i].node == UI_NONE && p->bars->bar[i].cable == cable) {
            return p->bars->bar[i].row;
        }
    }
    return -1;
}

/* Where a wire of `n` ends: the row, and the switch (UI_NONE: a bar of its own). False: it is the other
 * end's wire. */
static bool goes_up(const struct plan *p, size_t n, size_t cable, int *row, size_t *upper)
{
    const size_t other = ui_graph_other(p->graph, cable, n);
    *upper = other;
    if (p->tier[n] == BELOW) {
        return false;
    }
    if (p->tier[other] == p->tier[n] && p->tier[n] > 0) {
        *upper = UI_NONE;
        *row = bar_row(p, cable);
        return *row >= 0;
    }
    *row = p->row[other];
    return p->tier[other] > p->tier[n] || (p->tier[n] == 0 && p->tier[other] == BELOW);
}

/* Where the only wire from below ends on a bar; -1: there are several, or none. */
static int only_landing(const struct plan *p, size_t n)
{
    const struct ui_bars *b = p->bars;
    int x = -1;
    for (size_t i = 0; i < b->wire_count; i++) {
        const struct scene_cable *c = &p->graph->fabric->cable[b->wire[i].cable];
        if (c->a == n || c->b == n) {
            if (x >= 0) {
                return -1;
            }
            x = b->wire[i].x;
        }
    }
    return x;
}

/* Wires of one node, nearest bars first; each wishes to be where what it leads to is, or they spread. */
static bool add_wires(struct plan *p, size_t n)
{
    const struct ui_graph *g = p->graph;
    int count = 0; /* wires to what spans more than `n` */
    int own = 0;   /* to what stands on `n` alone */
    int done = 0;
    const int landing = p->tier[n] > 0 ? only_landing(p, n) : -1;
    for (size_t i = g->first[n]; i < g->first[n + 1]; i++) {
        int row;
        size_t upper;
        if (goes_up(p, n, g->cable[i], &row, &upper)) {
            const bool alone = upper != UI_NONE && only_lower(p, upper) == n;
            own += alone;
            count += !alone;
        }
    }
    for (int at = 0; at < p->bars->row_count; at++) {
        for (size_t i = g->first[n]; i < g->first[n + 1]; i++) {
            int row;
            size_t upper;
            if (!goes_up(p, n, g->cable[i], &row, &upper) || row != at) {
                continue;
            }
            const bool alone = upper != UI_NONE && only_lower(p, upper) == n;
            const int wish = p->tier[n] == 0         ? p->lo[n]
                             : alone                 ? p->lo[upper]
                             : count == 1 && own > 0 ? p->hi[n] - p->bars->wire_w /* beside those */
                             : count == 1 && landing >= 0
                                 ? landing /* straight on */
                                 : p->lo[n] + (p->hi[n] - p->lo[n]) * (2 * done + 1) / (2 * count) -
                                       p->bars->wire_w / 2;
            done += !alone;
            const int low = row < p->row[n] ? row : p->row[n];
            const int high = row < p->row[n] ? p->row[n] : row;
            if (!add_wire(p, g->cable[i], n, upper == UI_NONE, wish, low, high)) {
                return false;
            }
        }
    }
    return true;
}

static bool set_wires(struct plan *p)
{
    for (int tier = 0; tier <= p->tiers; tier++) {
        for (size_t n = 0; n < p->graph->fabric->node_count; n++) {
            if (p->tier[n] == tier && !add_wires(p, n)) {
                return false;
            }
        }
    }
    return true;
}

/* Bars as long as what ends on them and begins there. */
static void trim_bars(struct plan *p)
{
    struct ui_bars *b = p->bars;
    for (size_t i = 0; i < b->bar_count; i++) {
        struct ui_bar *bar = &b->bar[i];
        int x0 = p->w;
        int x1 = -1;
        for (size_t k = 0; k < b->wire_count; k++) {
            const struct ui_wire *w = &b->wire[k];
            const struct scene_cable *c = &p->graph->fabric->cable[w->cable];
            const size_t low = w->a_low ? c->a : c->b;
            const bool own = bar->node == UI_NONE ? w->half && w->cable == bar->cable
                             : w->half            ? low == bar->node
                                                  : c->a == bar->node || c->b == bar->node;
            if (own) {
                x0 = w->x < x0 ? w->x : x0;
                x1 = w->x + b->wire_w - 1 > x1 ? w->x + b->wire_w - 1 : x1;
            }
        }
        if (x1 >= x0) {
            bar->x0 = x0;
            bar->x1 = x1;
        }
    }
}

/* ---- the whole -------------------------------------------------------------------------------- */

/* All but the rows of the screen. */
static bool make(struct plan *p, const struct ui_graph *g, int w)
{
    struct ui_bars *b = p->bars;
    const size_t nodes = g->fabric->node_count;
    p->graph = g;
    p->w = w;
    if (!g->sound || g->gpu_count == 0 || (int)g->end_count > w || nodes > 4 * (size_t)w) {
        return false;
    }
    b->bar = mem_alloc(nodes + g->fabric->cable_count + 1, sizeof *b->bar);
    b->wire = mem_alloc(2 * g->fabric->cable_count + 1, sizeof *b->wire);
    b->column = mem_alloc(g->end_count + 1, sizeof *b->column);
    p->tier = mem_alloc(nodes + 1, sizeof *p->tier);
    p->lo = mem_alloc(nodes + 1, sizeof *p->lo);
    p->hi = mem_alloc(nodes + 1, sizeof *p->hi);
    p->row = mem_alloc(nodes + 1, sizeof *p->row);
    p->taken = mem_alloc((size_t)ROWS_MAX * (size_t)w, 1);
    bool ok = find_tiers(p) && set_columns(p) && set_bars(p);
    const bool wide = ok && b->wire_w > 1;
    ok = ok && set_wires(p);
    if (!ok && wide) { /* one cell for both directions may do */
        b->wire_w = 1;
        b->wire_count = 0;
        memset(p->taken, 0, (size_t)ROWS_MAX * (size_t)w);
        ok = set_wires(p);
    }
    if (ok) {
        trim_bars(p);
    }
    free(p->tier);
    free(p->lo);
    free(p->hi);
    free(p->row);
    free(p->taken);
    return ok;
}

/* Places between rows where air may be. */
static int tier_gaps(const struct plan *p)
{
    int gaps = 0;
    for (int row = 1; row < p->bars->row_count; row++) {
        gaps += p->row_tier[row] != p->row_tier[row - 1];
    }
    return gaps;
}

void ui_bars_rows(const struct ui_graph *graph, int w, int *least, int *best)
{
    struct ui_bars b = { 0 };
    struct plan p = { .bars = &b };
    *least = *best = 0;
    if (make(&p, graph, w)) {
        *least = b.row_count;
        *best = *least + (b.named ? 0 : 1) + AIR_MAX * tier_gaps(&p);
    }
    ui_bars_finish(&b);
}

void ui_bars_init(struct ui_bars *bars, const struct ui_graph *graph, struct ui_rect area)
{
    *bars = (struct ui_bars){ 0 };
    struct plan p = { .bars = bars };
    if (area.w < 1 || !make(&p, graph, area.w) || bars->row_count > area.h) {
        return;
    }
    const int gaps = tier_gaps(&p);
    bars->names = !bars->named && bars->row_count < area.h;
    const int least = bars->row_count + (bars->names ? 1 : 0);
    int air = gaps > 0 ? (area.h - least) / gaps : 0;
    air = air > AIR_MAX ? AIR_MAX : air;
    bars->rows = least + air * gaps;
    bars->y = mem_alloc((size_t)bars->row_count + 1, sizeof *bars->y);
    int y = area.y;
    for (int row = bars->row_count - 1; row >= 0; row--) {
        bars->y[row] = y++;
        y += row > 0 && p.row_tier[row] != p.row_tier[row - 1] ? air : 0;
    }
    for (size_t i = 0; i < bars->bar_count; i++) {
        bars->bar[i].x0 += area.x;
        bars->bar[i].x1 += area.x;
    }
    for (size_t i = 0; i < bars->wire_count; i++) {
        bars->wire[i].x += area.x;
    }
    for (size_t i = 0; i < bars->column_count; i++) {
        bars->column[i].x += area.x;
    }
    bars->fits = true;
}

void ui_bars_finish(struct ui_bars *bars)
{
    free(bars->bar);
    free(bars->wire);
    free(bars->column);
    free(bars->y);
    *bars = (struct ui_bars){ 0 };
}
