#include "ui/place.h"

#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "ui/graph.h"

enum {
    PITCH_CLOSE = 2, /* rows from one GPU to the next */
    PITCH_AIRY = 3,
    SPINE_ROWS = 4, /* frame and one track */
    HOST_LANE = 5,  /* fewest cells of a lane that still shows something move */
    SPINE_LANE = 4,
    COMPACT_W = 76, /* narrower: half a screen, with shorter meters and lanes */
    COMPACT_LANE = 3,
    NAME_MAX_W = 12,
    NAME_MIN_W = 3,
    NODES_MAX = 256 /* no screen has the rows for more */
};

/* ---- What kind of fabric is it? --------------------------------------------------------------- */

enum shape_kind { SHAPE_OTHER, SHAPE_PAIR, SHAPE_STAR, SHAPE_TIERS };

struct shape {
    enum shape_kind kind;
    const struct scene_fabric *fabric;
    size_t *cable_of; /* of a GPU: its only cable */
    size_t *leaf, *spine;
    size_t leaf_count, spine_count, gpu_count;
    int name_w; /* of the longest GPU name */
};

static bool is_gpu(const struct scene_fabric *f, size_t node)
{
    return ui_is_end(&f->node[node]); /* a memory, too: it has a cable and a name */
}

static size_t other_end(const struct scene_cable *cable, size_t node)
{
    return cable->a == node ? cable->b : cable->a;
}

static bool contains(const size_t *list, size_t count, size_t value)
{
    for (size_t i = 0; i < count; i++) {
        if (list[i] == value) {
            return true;
        }
    }
    return false;
}

/* The cable between two nodes, or SIZE_MAX. */
static size_t find_cable(const struct scene_fabric *f, size_t a, size_t b)
{
    for (size_t i = 0; i < f->cable_count; i++) {
        const struct scene_cable *c = &f->cable[i];
        if ((c->a == a && c->b == b) || (c->a == b && c->b == a)) {
            return i;
        }
    }
    return SIZE_MAX;
}

/* Gives each GPU its cable; false when one has none or several. */
static bool find_host_cables(struct shape *s)
{
    const struct scene_fabric *f = s->fabric;
    for (size_t n = 0; n < f->node_count; n++) {
        s->cable_of[n] = SIZE_MAX;
    }
    for (size_t i = 0; i < f->cable_count; i++) {
        const size_t ends[2] = { f->cable[i].a, f->cable[i].b };
        for (size_t e = 0; e < 2; e++) {
            if (ends[e] >= f->node_count) {
                return false;
            }
            if (is_gpu(f, ends[e])) {
                if (s->cable_of[ends[e]] != SIZE_MAX) {
                    return false;
                }
                s->cable_of[ends[e]] = i;
            }
        }
    }
    for (size_t n = 0; n < f->node_count; n++) {
        if (is_gpu(f, n)) {
            if (s->cable_of[n] == SIZE_MAX) {
                return false;
            }
            const int w = text_cells(f->node[n].name != NULL ? f->node[n].name : "");
            s->name_w = w > s->name_w ? w : s->name_w;
            s->gpu_count++;
        }
    }
    s->name_w = s->name_w > NAME_MAX_W ? NAME_MAX_W : s->name_w;
    return true;
}

/* Sorts the switches into leaves and spines, in the order of the node list. */
static void find_switches(struct shape *s)
{
    const struct scene_fabric *f = s->fabric;
    for (size_t n = 0; n < f->node_count; n++) {
        if (is_gpu(f, n)) {
            continue;
        }
        bool leaf = false;
        for (size_t i = 0; i < f->cable_count && !leaf; i++) {
            const struct scene_cable *c = &f->cable[i];
            leaf = (c->a == n || c->b == n) && is_gpu(f, other_end(c, n));
        }
        if (leaf) {
            s->leaf[s->leaf_count++] = n;
        } else {
            s->spine[s->spine_count++] = n;
        }
    }
}

/* Two tiers are drawable when all cables between switches join a leaf and a spine, at most one for
 * each pair; or, without spines, when one trunk joins two leaves. */
static bool tiers_are_plain(const struct shape *s)
{
    const struct scene_fabric *f = s->fabric;
    for (size_t i = 0; i < f->cable_count; i++) {
        const struct scene_cable *c = &f->cable[i];
        if (is_gpu(f, c->a) || is_gpu(f, c->b)) {
            continue;
        }
        const bool a_leaf = contains(s->leaf, s->leaf_count, c->a);
        const bool b_leaf = contains(s->leaf, s->leaf_count, c->b);
        const bool trunk = a_leaf && b_leaf && s->leaf_count == 2 && s->spine_count == 0;
        if ((a_leaf == b_leaf && !trunk) || find_cable(f, c->a, c->b) != i) {
            return false;
        }
    }
    return true;
}

static enum shape_kind classify(struct shape *s)
{
    const struct scene_fabric *f = s->fabric;
    if (f->node_count == 0 || f->node_count > NODES_MAX || !find_host_cables(s)) {
        return SHAPE_OTHER;
    }
    find_switches(s);
    if (s->leaf_count == 0) {
        return s->gpu_count == 2 && f->cable_count == 1 && s->spine_count == 0 ? SHAPE_PAIR
                                                                               : SHAPE_OTHER;
    }
    if (s->gpu_count + s->leaf_count + s->spine_count != f->node_count || !tiers_are_plain(s)) {
        return SHAPE_OTHER;
    }
    if (s->leaf_count == 1 && s->spine_count == 0) {
        return SHAPE_STAR;
    }
    return SHAPE_TIERS;
}

static void shape_init(struct shape *s, const struct scene_fabric *fabric)
{
    *s = (struct shape){ .fabric = fabric };
    s->cable_of = mem_alloc(fabric->node_count + 1, sizeof *s->cable_of);
    s->leaf = mem_alloc(fabric->node_count + 1, sizeof *s->leaf);
    s->spine = mem_alloc(fabric->node_count + 1, sizeof *s->spine);
    s->kind = classify(s);
}

static void shape_finish(struct shape *s)
{
    free(s->cable_of);
    free(s->leaf);
    free(s->spine);
}

int ui_place_meter(int box_w)
{
    enum { METER_MAX = 6 };
    const int half = (box_w - 3) / 2; /* without the frame and a gap */
    return half > METER_MAX ? METER_MAX : half;
}

/* ---- Rows ------------------------------------------------------------------------------------- */

static size_t hosts_of(const struct shape *s, size_t sw)
{
    size_t n = 0;
    for (size_t node = 0; node < s->fabric->node_count; node++) {
        if (is_gpu(s->fabric, node) &&
            other_end(&s->fabric->cable[s->cable_of[node]], node) == sw) {
            n++;
        }
    }
    return n;
}

/* Leaves stand in pairs: the first half left, the second right. */
static size_t pair_count(const struct shape *s)
{
    return (s->leaf_count + 1) / 2;
}

static int host_rows(size_t hosts, int pitch)
{
    return hosts == 0 ? 2 : (int)hosts * pitch - (pitch - 2);
}

static int max_int(int a, int b)
{
    return a > b ? a : b;
}

/* Rows inside the frames of the pair number `i` of leaves. */
static int pair_rows(const struct shape *s, size_t i, int pitch)
{
    int rows = max_int(host_rows(hosts_of(s, s->leaf[i]), pitch), (int)s->spine_count * SPINE_ROWS);
    if (i + pair_count(s) < s->leaf_count) {
        rows = max_int(rows, host_rows(hosts_of(s, s->leaf[i + pair_count(s)]), pitch));
    }
    return rows;
}

static int shape_rows(const struct shape *s, int pitch)
{
    int rows = 0;
    switch (s->kind) {
    case SHAPE_PAIR:
        rows = pitch;
        break;
    case SHAPE_STAR:
        rows = host_rows((s->gpu_count + 1) / 2, pitch) + 2;
        break;
    case SHAPE_TIERS:
        for (size_t i = 0; i < pair_count(s); i++) {
            rows += pair_rows(s, i, pitch) + 2;
        }
        break;
    case SHAPE_OTHER:
        break;
    }
    return rows;
}

void ui_place_rows(const struct scene_fabric *fabric, int *least, int *best)
{
    struct shape s;
    shape_init(&s, fabric);
    *least = shape_rows(&s, PITCH_CLOSE);
    *best = shape_rows(&s, PITCH_AIRY);
    shape_finish(&s);
}

/* ---- Columns ---------------------------------------------------------------------------------- */

struct columns {
    int name_w;
    int host_lane, spine_lane;
    int leaf_w, spine_w;     /* frames included */
    int leaf_meter;          /* cells of a leaf's meters */
    int spine_in, spine_out; /* cells of a spine's meters */
    bool numbers;
    int left_leaf, left_spine, spine, right_spine, right_leaf, right_host; /* x of each column */
};

/* Divides `w` cells, with `name_w` of them for names; false when the lanes would be too short to
 * show anything. */
static bool columns_of_tiers(const struct shape *s, int name_w, int w, struct columns *c)
{
    *c = (struct columns){ .name_w = name_w, .leaf_meter = 6, .spine_in = 4, .spine_out = 3 };
    c->numbers = w >= 82;
    c->leaf_w = w >= 130 ? 24 : w >= 82 ? 18 : 16;
    c->spine_w = 10;
    const bool compact = w < COMPACT_W;
    if (compact) {
        c->leaf_meter = 5;
        c->leaf_w = 13;
    }
    if (w >= 130) {
        c->spine_in = c->spine_out = 6;
        c->spine_w = 16;
    }
    const bool trunk = s->spine_count == 0;
    const int fixed = 2 * (name_w + 2) + 2 * c->leaf_w + (trunk ? 0 : c->spine_w);
    const int half = (w - fixed) / 2;
    c->spine_lane = half * 7 / 15;
    c->host_lane = half - c->spine_lane;
    c->left_leaf = name_w + 2 + c->host_lane;
    c->left_spine = c->left_leaf + c->leaf_w;
    c->right_leaf = w - name_w - 2 - c->host_lane - c->leaf_w;
    c->spine = c->left_spine + c->spine_lane;
    c->right_spine = c->spine + c->spine_w;
    c->right_host = c->right_leaf + c->leaf_w;
    return c->host_lane >= (compact ? COMPACT_LANE : HOST_LANE) &&
           c->spine_lane >= (compact ? COMPACT_LANE : SPINE_LANE);
}

/* ---- Building --------------------------------------------------------------------------------- */

struct builder {
    struct ui_place *place;
    const struct shape *shape;
    struct ui_rect area;
    struct columns col;
    int pitch;
};

static size_t add_box(struct builder *b, size_t node, struct ui_rect rect, int in, int out)
{
    struct ui_place *p = b->place;
    const bool numbers = b->col.numbers && rect.w - 2 >= in + out + 4;
    p->box[p->box_count] = (struct ui_box){ node, rect, in, out, numbers };
    return p->box_count++;
}

static void add_track(struct builder *b, size_t cable, size_t left_node, int x, int y, int w,
                      size_t left_box, size_t right_box)
{
    struct ui_place *p = b->place;
    p->track[p->track_count++] = (struct ui_track){
        .cable = cable,
        .a_left = b->shape->fabric->cable[cable].a == left_node,
        .x = x,
        .y = y,
        .w = w,
        .left_box = left_box,
        .right_box = right_box,
    };
}

/* A GPU at the left edge with its lane towards `box`, or at the right edge. */
static void add_host(struct builder *b, size_t node, bool right, int y, int lane_x, int lane_w,
                     size_t box)
{
    struct ui_place *p = b->place;
    const int x = right ? lane_x + lane_w + 2 : b->area.x;
    p->host[p->host_count++] = (struct ui_host){ node, x, y, b->col.name_w, right };
    if (box == UI_NO_BOX) {
        return;
    }
    const size_t cable = b->shape->cable_of[node];
    if (right) {
        const size_t sw = other_end(&b->shape->fabric->cable[cable], node);
        add_track(b, cable, sw, lane_x, y, lane_w, box, UI_NO_BOX);
    } else {
        add_track(b, cable, node, lane_x, y, lane_w, UI_NO_BOX, box);
    }
}

/* All GPUs of a leaf, from row `y` down. */
static void add_hosts_of(struct builder *b, size_t leaf, bool right, int y, size_t box)
{
    const struct scene_fabric *f = b->shape->fabric;
    const struct columns *c = &b->col;
    for (size_t node = 0; node < f->node_count; node++) {
        if (is_gpu(f, node) && other_end(&f->cable[b->shape->cable_of[node]], node) == leaf) {
            const int x = b->area.x + (right ? c->right_host : c->name_w + 2);
            add_host(b, node, right, y, x, c->host_lane, box);
            y += b->pitch;
        }
    }
}

/* One pair of leaves and, between them, every spine. */
static void add_pair(struct builder *b, size_t i, int y)
{
    const struct shape *s = b->shape;
    const struct columns *c = &b->col;
    const int rows = pair_rows(s, i, b->pitch);
    const int x0 = b->area.x;
    const size_t left = s->leaf[i];
    const size_t j = i + pair_count(s);
    const size_t right = j < s->leaf_count ? s->leaf[j] : SIZE_MAX;
    const size_t lbox =
        add_box(b, left, (struct ui_rect){ x0 + c->left_leaf, y, c->leaf_w, rows + 2 },
                c->leaf_meter, c->leaf_meter);
    size_t rbox = UI_NO_BOX;
    add_hosts_of(b, left, false, y + 1, lbox);
    if (right != SIZE_MAX) {
        rbox = add_box(b, right, (struct ui_rect){ x0 + c->right_leaf, y, c->leaf_w, rows + 2 },
                       c->leaf_meter, c->leaf_meter);
        add_hosts_of(b, right, true, y + 1, rbox);
        const size_t trunk = find_cable(s->fabric, left, right);
        if (trunk != SIZE_MAX) {
            const int x = x0 + c->left_spine;
            add_track(b, trunk, left, x, y + rows / 2, x0 + c->right_leaf - x, lbox, rbox);
        }
    }
    for (size_t k = 0; k < s->spine_count; k++) {
        const int top = y + 1 + rows * (2 * (int)k + 1) / (2 * (int)s->spine_count) - 2;
        const size_t sbox =
            add_box(b, s->spine[k], (struct ui_rect){ x0 + c->spine, top, c->spine_w, SPINE_ROWS },
                    c->spine_in, c->spine_out);
        const size_t lcable = find_cable(s->fabric, left, s->spine[k]);
        if (lcable != SIZE_MAX) {
            add_track(b, lcable, left, x0 + c->left_spine, top + 1, c->spine_lane, lbox, sbox);
        }
        const size_t rcable =
            right != SIZE_MAX ? find_cable(s->fabric, s->spine[k], right) : SIZE_MAX;
        if (rcable != SIZE_MAX) {
            const int x = x0 + c->right_spine;
            add_track(b, rcable, s->spine[k], x, top + 1, x0 + c->right_leaf - x, sbox, rbox);
        }
    }
}

static bool build_tiers(struct builder *b)
{
    int name_w = b->shape->name_w; /* long names are cut before the picture is given up */
    while (!columns_of_tiers(b->shape, name_w, b->area.w, &b->col)) {
        if (--name_w < NAME_MIN_W) {
            return false;
        }
    }
    int y = b->area.y;
    for (size_t i = 0; i < pair_count(b->shape); i++) {
        add_pair(b, i, y);
        y += pair_rows(b->shape, i, b->pitch) + 2;
    }
    return true;
}

/* One switch: the first half of its GPUs left, the others right. */
static bool build_star(struct builder *b)
{
    const struct shape *s = b->shape;
    const int side = s->name_w + 2;
    const int box_w = b->area.w >= 82 ? 26 : 18;
    const int lane = (b->area.w - 2 * side - box_w) / 2;
    if (lane < HOST_LANE) {
        return false;
    }
    b->col = (struct columns){ .name_w = s->name_w, .numbers = box_w > 20 };
    const int x = b->area.x + side + lane;
    const int w = b->area.w - 2 * (side + lane);
    const size_t half = (s->gpu_count + 1) / 2;
    const int rows = host_rows(half, b->pitch);
    const size_t box = add_box(b, s->leaf[0], (struct ui_rect){ x, b->area.y, w, rows + 2 }, 6, 6);
    size_t i = 0;
    for (int memories = 0; memories < 2; memories++) { /* GPUs first */
        const enum scene_node_kind kind = memories != 0 ? SCENE_NODE_MEMORY : SCENE_NODE_GPU;
        for (size_t node = 0; node < s->fabric->node_count; node++) {
            if (s->fabric->node[node].kind == kind) {
                const bool right = i >= half;
                const int y = b->area.y + 1 + (int)(right ? i - half : i) * b->pitch;
                add_host(b, node, right, y, right ? x + w : b->area.x + side, lane, box);
                i++;
            }
        }
    }
    return true;
}

static bool build_pair(struct builder *b)
{
    const struct shape *s = b->shape;
    const struct scene_cable *cable = &s->fabric->cable[0];
    const size_t left = cable->a < cable->b ? cable->a : cable->b;
    const int side = s->name_w + 2;
    const int lane = b->area.w - 2 * side;
    if (lane < HOST_LANE) {
        return false;
    }
    b->col = (struct columns){ .name_w = s->name_w };
    const int y = b->area.y + (b->area.h > 2 ? 1 : 0);
    add_host(b, left, false, y, b->area.x + side, lane, UI_NO_BOX);
    add_host(b, other_end(cable, left), true, y, b->area.x + side, lane, UI_NO_BOX);
    add_track(b, 0, left, b->area.x + side, y, lane, UI_NO_BOX, UI_NO_BOX);
    return true;
}

static bool build(struct builder *b)
{
    switch (b->shape->kind) {
    case SHAPE_PAIR:
        return build_pair(b);
    case SHAPE_STAR:
        return build_star(b);
    case SHAPE_TIERS:
        return build_tiers(b);
    case SHAPE_OTHER:
        break;
    }
    return false;
}

void ui_place_init(struct ui_place *place, const struct scene_fabric *fabric, struct ui_rect area)
{
    *place = (struct ui_place){ 0 };
    struct shape s;
    shape_init(&s, fabric);
    const int least = shape_rows(&s, PITCH_CLOSE);
    if (s.kind != SHAPE_OTHER && least <= area.h) {
        const size_t boxes = s.leaf_count + pair_count(&s) * s.spine_count;
        place->host = mem_alloc(s.gpu_count + 1, sizeof *place->host);
        place->box = mem_alloc(boxes + 1, sizeof *place->box);
        place->track = mem_alloc(fabric->cable_count + 1, sizeof *place->track);
        struct builder b = { .place = place, .shape = &s, .area = area };
        b.pitch = shape_rows(&s, PITCH_AIRY) <= area.h ? PITCH_AIRY : PITCH_CLOSE;
        place->rows = shape_rows(&s, b.pitch);
        place->fits = build(&b);
    }
    shape_finish(&s);
}

void ui_place_finish(struct ui_place *place)
{
    free(place->host);
    free(place->box);
    free(place->track);
    for (size_t i = 0; i < place->path_count; i++) {
        free(place->path[i].cell);
    }
    free(place->path);
    *place = (struct ui_place){ 0 };
}
