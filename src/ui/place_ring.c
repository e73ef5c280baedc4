#include <stdlib.h>

#include "base/mem.h"
#include "ui/graph.h"
#include "ui/place.h"

enum {
    BOX_ROWS = 4,
    RETURN_ROWS = 2, /* the cable from the last switch to the first */
    SIDE_W = 3,      /* at each edge for it */
    LANE_MIN = 3,
    BOX_MAX_W = 16,
    SWITCHES_MIN = 3,
    SWITCHES_MAX = 64
};

/* Switches in the order of the ring, and the cable from each to the next. */
struct ring {
    struct ui_graph graph;
    size_t sw[SWITCHES_MAX], cable[SWITCHES_MAX];
    size_t count;
    bool closed;
    size_t hosts_max; /* of one switch */
    int host_w;
};

static const struct scene_node *node_of(const struct ring *r, size_t n)
{
    return &r->graph.fabric->node[n];
}

/* Cables to other switches; UI_NONE in `*cable` beyond the last. */
static size_t trunks(const struct ring *r, size_t n, size_t cable[2])
{
    const struct ui_graph *g = &r->graph;
    size_t count = 0;
    cable[0] = cable[1] = UI_NONE;
    for (size_t i = g->first[n]; i < g->first[n + 1]; i++) {
        if (!ui_is_end(node_of(r, ui_graph_other(g, g->cable[i], n)))) {
            if (count < 2) {
                cable[count] = g->cable[i];
            }
            count++;
        }
    }
    return count;
}

/* All switches, one after the other, beginning with the first (or in a row with an end). */
static bool find_order(struct ring *r)
{
    const struct ui_graph *g = &r->graph;
    size_t switches = 0;
    size_t ends = 0;
    size_t start = UI_NONE;
    size_t cable[2];
    for (size_t n = 0; n < g->fabric->node_count; n++) {
        if (ui_is_end(node_of(r, n))) {
            continue;
        }
        const size_t count = trunks(r, n, cable);
        if (count < 1 || count > 2) {
            return false;
        }
        switches++;
        const bool first_end = count == 1 && ends++ == 0;
        start = start == UI_NONE || first_end ? n : start;
    }
    if (switches < SWITCHES_MIN || switches > SWITCHES_MAX || (ends != 0 && ends != 2)) {
        return false;
    }
    r->closed = ends == 0;
    size_t came = UI_NONE;
    for (size_t at = start; r->count < switches; r->count++) {
        (void)trunks(r, at, cable);
        const size_t next = cable[0] != came ? cable[0] : cable[1];
        r->sw[r->count] = at;
        r->cable[r->count] = next;
        if (next == UI_NONE) {
            return ++r->count == switches;
        }
        at = ui_graph_other(g, next, at);
        came = next;
        if (at == start) {
            return r->count + 1 == switches && ++r->count > 0;
        }
    }
    return true;
}

static bool count_hosts(struct ring *r)
{
    const struct ui_graph *g = &r->graph;
    size_t hosts = 0;
    for (size_t i = 0; i < r->count; i++) {
        size_t here = 0;
        for (size_t k = g->first[r->sw[i]]; k < g->first[r->sw[i] + 1]; k++) {
            const size_t other = ui_graph_other(g, g->cable[k], r->sw[i]);
            if (ui_is_end(node_of(r, other))) {
                const int w = ui_node_name_w(node_of(r, other)) + 2;
                r->host_w = w > r->host_w ? w : r->host_w;
                here++;
            }
        }
        if (here == 0 && r->closed) {
            return false; /* two leaves and two spines are a circle, but no ring */
        }
        r->hosts_max = here > r->hosts_max ? here : r->hosts_max;
        hosts += here;
    }
    for (size_t i = 0; i < g->end_count; i++) { /* one cable each, or it would stand twice */
        if (g->first[g->end[i] + 1] - g->first[g->end[i]] != 1) {
            return false;
        }
    }
    return hosts == g->end_count && hosts > 0;
}

static bool ring_init(struct ring *r, const struct scene_fabric *fabric)
{
    *r = (struct ring){ 0 };
    ui_graph_init(&r->graph, fabric);
    return r->graph.sound && find_order(r) && count_hosts(r);
}

static int rows_of(const struct ring *r, int air)
{
    return (r->closed ? RETURN_ROWS : 0) + BOX_ROWS + 1 + air + 1;
}

void ui_place_ring_rows(const struct scene_fabric *fabric, int *least, int *best)
{
    struct ring r;
    const bool is = ring_init(&r, fabric);
    *least = is ? rows_of(&r, 0) : 0;
    *best = is ? rows_of(&r, 2) : 0;
    ui_graph_finish(&r.graph);
}

/* ---- building --------------------------------------------------------------------------------- */

struct builder {
    struct ui_place *place;
    const struct ring *ring;
    int left; /* where the first box begins */
    int box_w, pitch, y, air;
};

static struct ui_path *add_path(struct ui_place *p, size_t cable, bool a_first, bool both, int cap)
{
    struct ui_path *path = &p->path[p->path_count++];
    *path = (struct ui_path){ .cable = cable, .a_first = a_first, .both = both };
    path->cell = mem_alloc((size_t)cap + 1, sizeof *path->cell);
    return path;
}

/* From the last cell of a path (or the first one, if it is empty) straight to (x, y). */
static void go_to(struct ui_path *path, int x, int y)
{
    if (path->count == 0) {
        path->cell[path->count++] = (struct ui_point){ x, y };
    }
    struct ui_point at = path->cell[path->count - 1];
    while (at.x != x || at.y != y) {
        at.x += (x > at.x) - (x < at.x);
        at.y += at.x == x ? (y > at.y) - (y < at.y) : 0;
        path->cell[path->count++] = at;
    }
}

/* The cable from the last switch to the first: one lane outside, the other inside, both above. */
static void add_return(struct builder *b, size_t first_box, size_t last_box)
{
    struct ui_place *p = b->place;
    const struct ring *r = b->ring;
    const size_t cable = r->cable[r->count - 1];
    const bool a_last = r->graph.fabric->cable[cable].a == r->sw[r->count - 1];
    const struct ui_rect one = p->box[first_box].rect;
    const struct ui_rect end = p->box[last_box].rect;
    const int cap = 2 * (end.x + end.w - one.x) + 6 * BOX_ROWS;
    struct ui_path *forth = add_path(p, cable, a_last, false, cap);
    go_to(forth, end.x + end.w, one.y + 1);
    go_to(forth, end.x + end.w, one.y - 1);
    go_to(forth, one.x - 1, one.y - 1);
    go_to(forth, one.x - 1, one.y + 1);
    struct ui_path *back = add_path(p, cable, !a_last, false, cap);
    go_to(back, one.x - 1, one.y + 2);
    go_to(back, one.x - 2, one.y + 2);
    go_to(back, one.x - 2, one.y - 2);
    go_to(back, end.x + end.w + 1, one.y - 2);
    go_to(back, end.x + end.w + 1, one.y + 2);
    go_to(back, end.x + end.w, one.y + 2);
    /* tracks without cells: only their meters are drawn */
    p->track[p->track_count++] = (struct ui_track){ .cable = cable,
                                                    .a_left = a_last,
                                                    .x = one.x,
                                                    .y = one.y + 1,
                                                    .left_box = UI_NO_BOX,
                                                    .right_box = first_box };
    p->track[p->track_count++] = (struct ui_track){ .cable = cable,
                                                    .a_left = a_last,
                                                    .x = end.x + end.w,
                                                    .y = one.y + 1,
                                                    .left_box = last_box,
                                                    .right_box = UI_NO_BOX };
}

static void add_hosts(struct builder *b, size_t sw, struct ui_rect box)
{
    const struct ui_graph *g = &b->ring->graph;
    int x = box.x + 1;
    for (size_t k = g->first[sw]; k < g->first[sw + 1]; k++) {
        const size_t cable = g->cable[k];
        const size_t host = ui_graph_other(g, cable, sw);
        if (!ui_is_end(&g->fabric->node[host])) {
            continue;
        }
        const int y = box.y + BOX_ROWS + 1 + b->air;
        struct ui_place *p = b->place;
        const int name_w = b->ring->host_w - 2;
        p->host[p->host_count++] = (struct ui_host){ host, x, y, name_w, false };
        const bool a_host = g->fabric->cable[cable].a == host;
        struct ui_path *up = add_path(p, cable, a_host, false, b->air + 1);
        go_to(up, x + name_w - 1, y - 1);
        go_to(up, x + name_w - 1, box.y + BOX_ROWS);
        struct ui_path *down = add_path(p, cable, !a_host, false, b->air + 1);
        go_to(down, x + name_w, box.y + BOX_ROWS);
        go_to(down, x + name_w, y - 1);
        x += b->ring->host_w;
    }
}

static bool measure(struct builder *b, struct ui_rect area)
{
    const struct ring *r = b->ring;
    const int n = (int)r->count;
    const int side = r->closed ? SIDE_W : 0;
    const int hosts_w = (int)r->hosts_max * r->host_w + 1;
    b->pitch = (area.w - 2 * side + LANE_MIN) / n;
    b->box_w = b->pitch - (b->pitch * 2 / 5 > LANE_MIN ? b->pitch * 2 / 5 : LANE_MIN);
    b->box_w = b->box_w > BOX_MAX_W ? BOX_MAX_W : b->box_w;
    const int used = (n - 1) * b->pitch + b->box_w;
    b->left = area.x + (area.w - used) / 2;
    for (size_t i = 0; i < r->count; i++) {
        if (ui_node_name_w(node_of(r, r->sw[i])) + 2 > b->box_w) {
            return false;
        }
    }
    const int edge = used - b->box_w + hosts_w > used ? used - b->box_w + hosts_w : used;
    return b->box_w >= 5 && hosts_w <= b->pitch && used + 2 * side <= area.w &&
           b->left + edge <= area.x + area.w;
}

static void build(struct builder *b)
{
    struct ui_place *p = b->place;
    const struct ring *r = b->ring;
    const int meter = ui_place_meter(b->box_w);
    for (size_t i = 0; i < r->count; i++) {
        const struct ui_rect rect = { b->left + (int)i * b->pitch, b->y, b->box_w, BOX_ROWS };
        p->box[p->box_count++] = (struct ui_box){ r->sw[i], rect, meter, meter, false };
        add_hosts(b, r->sw[i], rect);
    }
    for (size_t i = 0; i + 1 < r->count; i++) {
        const struct ui_rect left = p->box[i].rect;
        p->track[p->track_count++] = (struct ui_track){
            .cable = r->cable[i],
            .a_left = r->graph.fabric->cable[r->cable[i]].a == r->sw[i],
            .x = left.x + left.w,
            .y = left.y + 1,
            .w = b->pitch - b->box_w,
            .left_box = i,
            .right_box = i + 1,
        };
    }
    if (r->closed) {
        add_return(b, 0, p->box_count - 1);
    }
}

void ui_place_ring_init(struct ui_place *place, const struct scene_fabric *fabric,
                        struct ui_rect area)
{
    *place = (struct ui_place){ 0 };
    struct ring r;
    struct builder b = { .place = place, .ring = &r };
    if (ring_init(&r, fabric) && rows_of(&r, 0) <= area.h && measure(&b, area)) {
        place->host = mem_alloc(fabric->node_count + 1, sizeof *place->host);
        place->box = mem_alloc(fabric->node_count + 1, sizeof *place->box);
        place->track = mem_alloc(fabric->cable_count + 3, sizeof *place->track);
        place->path = mem_alloc(2 * fabric->cable_count + 3, sizeof *place->path);
        b.air = area.h - rows_of(&r, 0);
        b.air = b.air > 2 ? 2 : b.air;
        b.y = area.y + (r.closed ? RETURN_ROWS : 0);
        place->rows = rows_of(&r, b.air);
        build(&b);
        place->fits = true;
    }
    ui_graph_finish(&r.graph);
}
