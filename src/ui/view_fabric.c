/*
 * The fabric: the first of its pictures that fits (ui/picture.h). Here are those with lanes: GPUs at the
 * edges, switches between, cables flat.
 */
#include <stdio.h>

#include "ui/bars.h"
#include "ui/lane.h"
#include "ui/picture.h"
#include "ui/place.h"
#include "ui/view.h"

static void draw_name(struct canvas *c, const struct scene_node *n, int x, int y, int w, bool right)
{
    const enum ui_role role = n->down ? UI_ROLE_DOWN : UI_ROLE_TITLE;
    const char *name = ui_node_name(n);
    int cells = text_cells(name);
    cells = cells > w ? w : cells;
    canvas_text_fit(c, right ? x : x + w - cells, y, w, role, name);
    if (n->cursor) {
        canvas_attr(c, right ? x : x + w - cells, y, cells, UI_REVERSE);
    }
}

static void draw_host(struct canvas *c, const struct scene *s, const struct ui_host *h)
{
    const struct scene_node *n = &s->fabric.node[h->node];
    const enum ui_glyph state = n->down ? UI_GLYPH_GPU_DEAD : ui_glyph_of_gpu(n->state);
    draw_name(c, n, h->x, h->y, h->name_w, h->right);
    canvas_glyph(c, h->right ? h->x - 1 : h->x + h->name_w, h->y, state);
    canvas_spot(c, (struct ui_rect){ h->right ? h->x - 1 : h->x, h->y, h->name_w + 1, 1 },
                UI_SPOT_NODE, n->id);
}

static void draw_box(struct canvas *c, const struct scene *s, const struct ui_box *box)
{
    const struct scene_node *n = &s->fabric.node[box->node];
    const struct ui_rect r = box->rect;
    canvas_box(c, r, n->down ? UI_ROLE_DOWN : UI_ROLE_BOX);
    const char *name = ui_node_name(n);
    int cells = text_cells(name);
    cells = cells > r.w - 2 ? r.w - 2 : cells;
    const int x = r.x + (r.w - cells - 2) / 2;
    if (cells <= r.w - 4) { /* a narrow box has no room for air */
        canvas_text(c, x, r.y, UI_ROLE_BOX, " ");
        canvas_text(c, x + 1 + cells, r.y, UI_ROLE_BOX, " ");
    }
    canvas_text_fit(c, x + 1, r.y, cells, UI_ROLE_TITLE, name);
    if (n->cursor) {
        canvas_attr(c, x + 1, r.y, cells, UI_REVERSE);
    }
    canvas_spot(c, r, UI_SPOT_NODE, n->id);
}

/* One row of a track: the lane, the queue where it leaves a switch, the bytes held where it enters
 * one. */
static void draw_lane(struct canvas *c, const struct ui_place *p, const struct ui_track *t,
                      const struct scene_lane *lane, bool right, int y)
{
    ui_lane_draw(c, t->x, y, t->w, lane, right);
    canvas_spot_lane(c, (struct ui_rect){ t->x, y, t->w, 1 }, lane->id, right ? UI_RIGHT : UI_LEFT);
    if (t->left_box != UI_NO_BOX) {
        const struct ui_box *b = &p->box[t->left_box];
        const int w = right ? b->meter_out : b->meter_in;
        ui_meter_draw(c, t->x - 1 - w, y, w, right ? &lane->queue : &lane->held,
                      right ? UI_GLYPH_KMIN : UI_GLYPH_XOFF);
    }
    if (t->right_box != UI_NO_BOX) {
        const struct ui_box *b = &p->box[t->right_box];
        const int w = right ? b->meter_in : b->meter_out;
        ui_meter_draw(c, t->x + t->w + 1, y, w, right ? &lane->held : &lane->queue,
                      right ? UI_GLYPH_XOFF : UI_GLYPH_KMIN);
    }
}

/* Bytes held, written out beside their meter where the box has room left in that row. */
static void draw_number(struct canvas *c, const struct ui_place *p, const struct ui_track *t,
                        const struct scene_lane *lane, bool right, int y)
{
    const size_t end = right ? t->right_box : t->left_box;
    if (end == UI_NO_BOX || !p->box[end].numbers || !lane->held.shown || lane->held.used <= 0) {
        return;
    }
    char buf[16];
    const int cells = text_cells(ui_bytes_short(buf, sizeof buf, lane->held.used));
    const int in = p->box[end].meter_in;
    const int x = right ? t->x + t->w + 1 + in : t->x - 1 - in - cells;
    if (ui_is_blank(c, x, y, cells)) {
        canvas_text(c, x, y, UI_ROLE_DIM, buf);
    }
}

static const struct scene_lane *upper(const struct scene *s, const struct ui_track *t)
{
    const struct scene_cable *cable = &s->fabric.cable[t->cable];
    return t->a_left ? &cable->ab : &cable->ba;
}

static const struct scene_lane *lower(const struct scene *s, const struct ui_track *t)
{
    const struct scene_cable *cable = &s->fabric.cable[t->cable];
    return t->a_left ? &cable->ba : &cable->ab;
}

bool ui_is_blurred(const struct scene *s)
{
    for (size_t i = 0; i < s->fabric.cable_count; i++) {
        if (s->fabric.cable[i].ab.blurred || s->fabric.cable[i].ba.blurred) {
            return true;
        }
    }
    return false;
}

static bool has_xoff(const struct scene *s)
{
    for (size_t i = 0; i < s->fabric.cable_count; i++) {
        if (s->fabric.cable[i].ab.held.mark > 0 || s->fabric.cable[i].ba.held.mark > 0) {
            return true;
        }
    }
    return false;
}

/* What the meters mean, or that shades stand for traffic: between the feet of the outer boxes. */
static void draw_corner(struct canvas *c, const struct scene *s, const struct ui_place *p,
                        struct ui_rect r)
{
    if (p->box_count == 0) {
        return;
    }
    int x0 = r.x + r.w;
    int x1 = r.x;
    const int y = r.y + p->rows - 1;
    for (size_t i = 0; i < p->box_count; i++) { /* the gap in the last row */
        const struct ui_rect b = p->box[i].rect;
        if (b.y + b.h - 1 != y) {
            continue;
        }
        x0 = b.x + b.w < x0 ? b.x + b.w : x0;
        x1 = b.x > x1 ? b.x : x1;
    }
    if (x1 <= x0) {
        x0 = r.x;
        x1 = p->box[0].rect.x;
    }
    const bool a = c->ascii;
    char text[64];
    if (ui_is_blurred(s)) {
        snprintf(text, sizeof text, "too fast: shade = busy");
    } else if (has_xoff(s)) {
        snprintf(text, sizeof text, "%s held  %s XOFF  %s free", ui_glyph_text(UI_GLYPH_HELD, a),
                 ui_glyph_text(UI_GLYPH_XOFF, a), ui_glyph_text(UI_GLYPH_FREE, a));
    } else {
        snprintf(text, sizeof text, "%s held, queued  %s free", ui_glyph_text(UI_GLYPH_HELD, a),
                 ui_glyph_text(UI_GLYPH_FREE, a));
    }
    const int cells = text_cells(text);
    const int room = x1 - x0;
    if (cells <= room) {
        canvas_text(c, x0 + (room - cells) / 2, y, UI_ROLE_DIM, text);
    }
}

/* ---- paths ------------------------------------------------------------------------------------ */

/* The line of an idle path: straight, or a corner. */
static enum ui_glyph line_of(const struct ui_path *p, int i)
{
    const struct ui_point at = p->cell[i];
    const struct ui_point in = p->cell[i > 0 ? i - 1 : i];
    const struct ui_point out = p->cell[i + 1 < p->count ? i + 1 : i];
    const bool flat = in.y == at.y && out.y == at.y && (in.x != at.x || out.x != at.x);
    const bool left = in.x < at.x || out.x < at.x;
    const bool up = in.y < at.y || out.y < at.y;
    const bool bends = (in.x != at.x || out.x != at.x) && (in.y != at.y || out.y != at.y);
    if (bends) {
        return up ? (left ? UI_GLYPH_BR : UI_GLYPH_BL) : (left ? UI_GLYPH_TR : UI_GLYPH_TL);
    }
    return flat ? UI_GLYPH_H : UI_GLYPH_V;
}

/* What the lane shows in a cell, turned into the direction it runs in there. */
static enum ui_glyph turned(enum ui_glyph glyph, const struct ui_path *p, int i, bool backwards)
{
    const int next = i + 1 < p->count ? i + 1 : i;
    const int last = next > 0 ? next - 1 : 0;
    const int dx = (p->cell[next].x - p->cell[last].x) * (backwards ? -1 : 1);
    const int dy = (p->cell[next].y - p->cell[last].y) * (backwards ? -1 : 1);
    if (glyph != UI_GLYPH_DATA_UP && glyph != UI_GLYPH_DATA_DOWN) {
        return glyph;
    }
    return dx > 0   ? UI_GLYPH_DATA_RIGHT
           : dx < 0 ? UI_GLYPH_DATA_LEFT
           : dy > 0 ? UI_GLYPH_DATA_DOWN
           : dy < 0 ? UI_GLYPH_DATA_UP
                    : glyph;
}

static enum ui_way way_of(struct ui_point from, struct ui_point to)
{
    return to.x > from.x ? UI_RIGHT : to.x < from.x ? UI_LEFT : to.y < from.y ? UI_UP : UI_DOWN;
}

/* The straight pieces of a path are places to point at: their shared corners belong to the first. */
static void spot_path(struct canvas *c, const struct ui_path *p, const struct scene_lane *lane,
                      bool backwards)
{
    for (int from = 0, to; from < p->count; from = to + 1) {
        to = from;
        while (to + 1 < p->count && (to == from || way_of(p->cell[to], p->cell[to + 1]) ==
                                                       way_of(p->cell[from], p->cell[from + 1]))) {
            to++;
        }
        const struct ui_point a = p->cell[from];
        const struct ui_point b = p->cell[to];
        const struct ui_rect r = { a.x < b.x ? a.x : b.x, a.y < b.y ? a.y : b.y,
                                   (a.x < b.x ? b.x - a.x : a.x - b.x) + 1,
                                   (a.y < b.y ? b.y - a.y : a.y - b.y) + 1 };
        canvas_spot_lane(c, r, lane->id, backwards ? way_of(b, a) : way_of(a, b));
    }
}

static void draw_path(struct canvas *c, const struct scene *s, const struct ui_path *p)
{
    const struct scene_cable *cable = &s->fabric.cable[p->cable];
    const struct scene_lane *forth = p->a_first ? &cable->ab : &cable->ba;
    const struct scene_lane *back = p->a_first ? &cable->ba : &cable->ab;
    const bool backwards =
        p->both && !forth->cursor && (back->cursor || ui_lane_rank(back) > ui_lane_rank(forth));
    const struct scene_lane *lane = backwards ? back : forth;
    spot_path(c, p, lane, backwards);
    for (int i = 0; i < p->count; i++) {
        const int at = backwards ? p->count - 1 - i : i;
        enum ui_glyph glyph = ui_lane_upright(lane, at, p->count, true);
        glyph = glyph == UI_GLYPH_V ? line_of(p, i) : turned(glyph, p, i, backwards);
        canvas_glyph(c, p->cell[i].x, p->cell[i].y, glyph);
        if (ui_lane_points(lane, at, p->count)) {
            canvas_attr(c, p->cell[i].x, p->cell[i].y, 1, UI_REVERSE);
        }
    }
}

/* The switch that stands at a cell's end of a path, or NULL. */
static const struct ui_box *box_at(const struct ui_place *p, struct ui_point cell)
{
    for (size_t i = 0; i < p->box_count; i++) {
        const struct ui_rect r = p->box[i].rect;
        if (cell.x >= r.x && cell.x < r.x + r.w && (cell.y == r.y - 1 || cell.y == r.y + r.h)) {
            return &p->box[i];
        }
    }
    return NULL;
}

/* Where a cable leaves a switch upwards or downwards: both meters beside it, as far as there is room. */
static void draw_path_meters(struct canvas *c, const struct scene *s, const struct ui_place *place,
                             const struct ui_path *p)
{
    const struct scene_cable *cable = &s->fabric.cable[p->cable];
    const struct scene_lane *forth = p->a_first ? &cable->ab : &cable->ba;
    const struct scene_lane *back = p->a_first ? &cable->ba : &cable->ab;
    for (int end = 0; end < 2 && p->both && p->count > 2; end++) {
        const struct ui_point cell = p->cell[end == 0 ? 0 : p->count - 1];
        const struct ui_box *box = box_at(place, cell);
        const struct scene_lane *in = end == 0 ? back : forth;
        const struct scene_lane *out = end == 0 ? forth : back;
        if (box == NULL) {
            continue;
        }
        const struct ui_upright at = {
            .x = cell.x, .y = cell.y, .lanes = 1, .room = 2 * UI_METER_MOST + 1, .left_enters = true
        };
        ui_meters_upright(c, &at, &in->held, &out->queue);
    }
}

/* ---- the whole -------------------------------------------------------------------------------- */

typedef void ui_placer(struct ui_place *place, const struct scene_fabric *fabric,
                       struct ui_rect area);
typedef void ui_place_sizer(const struct scene_fabric *fabric, int *least, int *best);

/* Pictures with lanes, in the order of picture.h. */
static const struct {
    ui_place_sizer *rows;
    ui_placer *place;
} placers[] = {
    { ui_place_free_rows, ui_place_free_init },
    { ui_place_rows, ui_place_init },
    { ui_place_ring_rows, ui_place_ring_init },
};
enum { PLACERS = sizeof placers / sizeof placers[0] };

static void draw_place(const struct scene *s, struct canvas *c, const struct ui_place *p,
                       struct ui_rect r)
{
    for (size_t i = 0; i < p->path_count; i++) {
        draw_path(c, s, &p->path[i]);
    }
    for (size_t i = 0; i < p->box_count; i++) {
        draw_box(c, s, &p->box[i]);
    }
    if (p->path_count == 0) {
        draw_corner(c, s, p, r);
    } else {
        ui_line_legend(s, c, r, p->rows);
    }
    for (size_t i = 0; i < p->track_count; i++) {
        draw_lane(c, p, &p->track[i], upper(s, &p->track[i]), true, p->track[i].y);
        draw_lane(c, p, &p->track[i], lower(s, &p->track[i]), false, p->track[i].y + 1);
    }
    for (size_t i = 0; i < p->track_count; i++) {
        draw_number(c, p, &p->track[i], upper(s, &p->track[i]), true, p->track[i].y);
        draw_number(c, p, &p->track[i], lower(s, &p->track[i]), false, p->track[i].y + 1);
    }
    for (size_t i = 0; i < p->host_count; i++) {
        draw_host(c, s, &p->host[i]);
    }
    for (size_t i = 0; i < p->path_count; i++) {
        draw_path_meters(c, s, p, &p->path[i]);
    }
}

void ui_view_fabric(const struct scene *s, struct canvas *c, struct ui_rect r)
{
    const struct ui_rect before = canvas_clip(c, r);
    bool drawn = false;
    for (size_t i = 0; i < PLACERS && !drawn; i++) {
        struct ui_place p;
        placers[i].place(&p, &s->fabric, r);
        drawn = p.fits;
        if (drawn) {
            draw_place(s, c, &p, r);
        }
        ui_place_finish(&p);
    }
    if (!drawn) {
        struct ui_graph graph;
        ui_graph_init(&graph, &s->fabric);
        drawn = ui_bars_draw(s, c, r, &graph);
        ui_graph_finish(&graph);
    }
    canvas_unclip(c, before);
    if (!drawn) {
        ui_view_gpus(s, c, r);
    }
}

void ui_picture_rows(const struct scene_fabric *fabric, int w, int most, int *least, int *best)
{
    for (size_t i = 0; i < PLACERS; i++) {
        struct ui_place p;
        placers[i].rows(fabric, least, best);
        if (*least > 0 && *least <= most) {
            placers[i].place(&p, fabric, (struct ui_rect){ 0, 0, w, *least });
            const bool fits = p.fits;
            *best += p.path_count > 0; /* the legend */
            ui_place_finish(&p);
            if (fits) {
                return;
            }
        }
    }
    struct ui_graph graph;
    ui_graph_init(&graph, fabric);
    ui_bars_rows(&graph, w, least, best);
    if (*least == 0 || *least > most) {
        *least = ui_map_rows(&graph, w) + 1;
        *best = *least + 4; /* a row for each family of switches */
    } else {
        *best += 1; /* how many are in which state */
    }
    ui_graph_finish(&graph);
}
