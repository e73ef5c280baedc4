#include <stdlib.h>

#include "base/mem.h"
#include "ui/graph.h"
#include "ui/place.h"

enum {
    ROWS_MAX = 64, /* of a scene: the model allows fewer */
    SWITCH_ROWS = 4,
    HOST_ROWS = 2,
    LANE_MIN = 4,
    BOX_MIN_W = 7,
    BOX_MAX_W = 18,
    AIR_MAX = 3 /* rows between two rows of nodes */
};

/* Rows and columns in which somebody stands, counted anew without the empty ones. */
struct layout {
    struct ui_graph graph;
    int row[ROWS_MAX + 1], column[ROWS_MAX + 1]; /* of the author's: ours, or -1 */
    int rows, columns;
    bool tall[ROWS_MAX]; /* a switch is in this row of ours */
    int name_w;
};

static const struct scene_node *node_of(const struct layout *l, size_t n)
{
    return &l->graph.fabric->node[n];
}

static int row_of(const struct layout *l, size_t n)
{
    return l->row[node_of(l, n)->row];
}

static int column_of(const struct layout *l, size_t n)
{
    return l->column[node_of(l, n)->column];
}

static int renumber(int *of, int cap)
{
    int used = 0;
    for (int i = 0; i <= cap; i++) {
        of[i] = of[i] > 0 ? used++ : -1;
    }
    return used;
}

/* False: not all nodes have a place. */
static bool layout_init(struct layout *l, const struct scene_fabric *fabric)
{
    *l = (struct layout){ 0 };
    ui_graph_init(&l->graph, fabric);
    bool ok = l->graph.sound && fabric->node_count > 0;
    for (size_t n = 0; n < fabric->node_count && ok; n++) {
        const struct scene_node *node = &fabric->node[n];
        ok = node->row > 0 && node->row <= ROWS_MAX && node->column > 0 && node->column <= ROWS_MAX;
        if (ok) {
            l->row[node->row] = l->column[node->column] = 1;
            const int w = ui_node_name_w(node);
            l->name_w = w > l->name_w ? w : l->name_w;
        }
    }
    if (!ok) {
        return false;
    }
    l->rows = renumber(l->row, ROWS_MAX);
    l->columns = renumber(l->column, ROWS_MAX);
    for (size_t n = 0; n < fabric->node_count; n++) {
        l->tall[row_of(l, n)] = l->tall[row_of(l, n)] || !ui_is_end(&fabric->node[n]);
    }
    return true;
}

static int rows_with(const struct layout *l, int air)
{
    int rows = (l->rows - 1) * air;
    for (int i = 0; i < l->rows; i++) {
        rows += l->tall[i] ? SWITCH_ROWS : HOST_ROWS;
    }
    return rows;
}

void ui_place_free_rows(const struct scene_fabric *fabric, int *least, int *best)
{
    struct layout l;
    const bool is = layout_init(&l, fabric);
    *least = is ? rows_with(&l, 1) : 0;
    *best = is ? rows_with(&l, AIR_MAX) : 0;
    ui_graph_finish(&l.graph);
}

/* ---- building --------------------------------------------------------------------------------- */

struct builder {
    struct ui_place *place;
    const struct layout *layout;
    struct ui_rect *rect; /* of each node */
    size_t *box;          /* of each switch */
    struct ui_rect area;
    int y[ROWS_MAX];
    int box_w, air;
};

/* Nobody stands between two nodes of one row (or column). */
static bool are_neighbours(const struct layout *l, size_t a, size_t b, bool in_row)
{
    const int at = in_row ? row_of(l, a) : column_of(l, a);
    const int from = in_row ? column_of(l, a) : row_of(l, a);
    const int to = in_row ? column_of(l, b) : row_of(l, b);
    for (size_t n = 0; n < l->graph.fabric->node_count; n++) {
        const int line = in_row ? row_of(l, n) : column_of(l, n);
        const int pos = in_row ? column_of(l, n) : row_of(l, n);
        if (line == at && pos > (from < to ? from : to) && pos < (from < to ? to : from)) {
            return false;
        }
    }
    return true;
}

static void add_nodes(struct builder *b)
{
    const struct layout *l = b->layout;
    struct ui_place *p = b->place;
    const int meter = ui_place_meter(b->box_w);
    for (size_t n = 0; n < l->graph.fabric->node_count; n++) {
        const int column = column_of(l, n);
        const int left = b->area.x + b->area.w * column / l->columns;
        const int w = b->area.w * (column + 1) / l->columns - (left - b->area.x);
        const int y = b->y[row_of(l, n)];
        if (ui_is_end(node_of(l, n))) {
            const int name_w = ui_node_name_w(node_of(l, n));
            /* at an edge it stands there, so that its cable is long */
            const int x = column == 0                ? left
                          : column == l->columns - 1 ? left + w - name_w - 2
                                                     : left + (w - name_w - 2) / 2;
            const int at = y + (l->tall[row_of(l, n)] ? 1 : 0);
            const bool right = column == l->columns - 1;
            p->host[p->host_count++] = (struct ui_host){ n, right ? x + 2 : x, at, name_w, right };
            b->rect[n] = (struct ui_rect){ x, at, name_w + 2, 1 };
        } else {
            b->rect[n] = (struct ui_rect){ left + (w - b->box_w) / 2, y, b->box_w, SWITCH_ROWS };
            b->box[n] = p->box_count;
            p->box[p->box_count++] = (struct ui_box){ n, b->rect[n], meter, meter, b->box_w > 16 };
        }
    }
}

/* How many of the first cables join the same two nodes: they need places of their own. */
static int twin_number(const struct builder *b, size_t cable)
{
    const struct scene_fabric *f = b->layout->graph.fabric;
    const struct scene_cable *c = &f->cable[cable];
    int twins = 0;
    for (size_t i = 0; i < cable; i++) {
        twins += (f->cable[i].a == c->a && f->cable[i].b == c->b) ||
                 (f->cable[i].a == c->b && f->cable[i].b == c->a);
    }
    return twins;
}

static void add_flat(struct builder *b, size_t cable, size_t left, size_t right)
{
    struct ui_place *p = b->place;
    const struct layout *l = b->layout;
    const struct ui_rect from = b->rect[left];
    const struct ui_rect to = b->rect[right];
    p->track[p->track_count++] = (struct ui_track){
        .cable = cable,
        .a_left = l->graph.fabric->cable[cable].a == left,
        .x = from.x + from.w,
        .y = ui_is_end(node_of(l, left)) ? from.y : from.y + 1,
        .w = to.x - from.x - from.w,
        .left_box = ui_is_end(node_of(l, left)) ? UI_NO_BOX : b->box[left],
        .right_box = ui_is_end(node_of(l, right)) ? UI_NO_BOX : b->box[right],
    };
}

static void add_cell(struct ui_path *path, int x, int y)
{
    path->cell[path->count++] = (struct ui_point){ x, y };
}

/* Straight down from the upper node: two columns of cells, or one for both directions. */
static struct ui_path *new_path(struct builder *b, size_t cable, size_t first, bool both)
{
    struct ui_place *p = b->place;
    struct ui_path *path = &p->path[p->path_count++];
    *path = (struct ui_path){ .cable = cable,
                              .a_first = b->layout->graph.fabric->cable[cable].a == first,
                              .both = both };
    path->cell = mem_alloc((size_t)(b->area.w + 2 * b->area.h) + 8, sizeof *path->cell);
    return path;
}

static int foot_of(const struct builder *b, size_t n)
{
    return b->rect[n].y + b->rect[n].h;
}

static void add_upright(struct builder *b, size_t cable, size_t upper, size_t lower, int twin)
{
    const struct ui_rect narrow =
        b->rect[upper].w < b->rect[lower].w ? b->rect[upper] : b->rect[lower];
    const int x = narrow.x + narrow.w / 2 - 1 + 3 * twin;
    struct ui_path *down = new_path(b, cable, upper, false);
    struct ui_path *up = new_path(b, cable, lower, false);
    for (int y = foot_of(b, upper); y < b->rect[lower].y; y++) {
        add_cell(down, x + 1, y);
    }
    for (int y = b->rect[lower].y - 1; y >= foot_of(b, upper); y--) {
        add_cell(up, x, y);
    }
}

/* Where a bend leaves a node to that side (1: right): a box near its corner. */
static int door_of(struct ui_rect r, int side)
{
    return r.w < BOX_MIN_W ? r.x + r.w / 2 : side > 0 ? r.x + r.w - 3 : r.x + 2;
}

/* A bend: out of the upper node at its foot, across in the row of air, down into the lower one. In one
 * row: out at the foot and back up, below what stands between. */
static void add_bend(struct builder *b, size_t cable, size_t upper, size_t lower)
{
    struct ui_path *path = new_path(b, cable, upper, true);
    const bool level = row_of(b->layout, upper) == row_of(b->layout, lower);
    const struct ui_rect from = b->rect[upper];
    const struct ui_rect to = b->rect[lower];
    const int side = to.x > from.x ? 1 : -1;
    int x = door_of(from, side);
    const int goal = door_of(to, -side);
    int y = foot_of(b, upper);
    const int across =
        level ? b->y[row_of(b->layout, upper)] +
                    (b->layout->tall[row_of(b->layout, upper)] ? SWITCH_ROWS : HOST_ROWS)
              : b->y[row_of(b->layout, lower)] - 1;
    for (; y < across; y++) {
        add_cell(path, x, y);
    }
    for (; x != goal; x += goal > x ? 1 : -1) {
        add_cell(path, x, y);
    }
    for (; level ? y >= foot_of(b, lower) : y < to.y; y += level ? -1 : 1) {
        add_cell(path, x, y);
    }
}

static bool add_cables(struct builder *b)
{
    const struct layout *l = b->layout;
    for (size_t i = 0; i < l->graph.fabric->cable_count; i++) {
        const struct scene_cable *c = &l->graph.fabric->cable[i];
        const bool in_row = row_of(l, c->a) == row_of(l, c->b);
        const bool in_column = column_of(l, c->a) == column_of(l, c->b);
        const bool near = (in_row || in_column) && are_neighbours(l, c->a, c->b, in_row);
        const bool a_first =
            in_row ? column_of(l, c->a) < column_of(l, c->b) : row_of(l, c->a) < row_of(l, c->b);
        const size_t first = a_first ? c->a : c->b;
        const size_t second = a_first ? c->b : c->a;
        const int twin = twin_number(b, i);
        if (in_row && in_column) {
            return false; /* from a node to itself */
        }
        if (in_row && near && twin == 0) {
            add_flat(b, i, first, second);
        } else if (in_column && near) {
            add_upright(b, i, first, second, twin);
        } else {
            add_bend(b, i, first, second);
        }
    }
    return true;
}

static bool measure(struct builder *b)
{
    const struct layout *l = b->layout;
    const int pitch = b->area.w / l->columns;
    b->box_w = pitch - (pitch / 3 > LANE_MIN ? pitch / 3 : LANE_MIN);
    b->box_w = b->box_w > BOX_MAX_W ? BOX_MAX_W : b->box_w;
    const int spare = b->area.h - rows_with(l, 1);
    if (spare < 0 || b->box_w < BOX_MIN_W || b->box_w < l->name_w + 3) {
        return false;
    }
    b->air = 1 + (l->rows > 1 ? spare / (l->rows - 1) : 0);
    b->air = b->air > AIR_MAX ? AIR_MAX : b->air;
    int y = b->area.y;
    for (int i = 0; i < l->rows; i++) {
        b->y[i] = y;
        y += (l->tall[i] ? SWITCH_ROWS : HOST_ROWS) + b->air;
    }
    return true;
}

void ui_place_free_init(struct ui_place *place, const struct scene_fabric *fabric,
                        struct ui_rect area)
{
    *place = (struct ui_place){ 0 };
    struct layout l;
    struct builder b = { .place = place, .layout = &l, .area = area };
    if (layout_init(&l, fabric) && area.w > 0 && measure(&b)) {
        b.rect = mem_alloc(fabric->node_count + 1, sizeof *b.rect);
        b.box = mem_alloc(fabric->node_count + 1, sizeof *b.box);
        place->host = mem_alloc(fabric->node_count + 1, sizeof *place->host);
        place->box = mem_alloc(fabric->node_count + 1, sizeof *place->box);
        place->track = mem_alloc(fabric->cable_count + 1, sizeof *place->track);
        place->path = mem_alloc(2 * fabric->cable_count + 1, sizeof *place->path);
        add_nodes(&b);
        place->fits = add_cables(&b);
        place->rows = rows_with(&l, b.air);
        free(b.rect);
        free(b.box);
    }
    ui_graph_finish(&l.graph);
}
