/*
 * The fabric: GPUs at the edges, switches between, cables flat. Where it does not fit, the list of
 * view_gpus.c takes its place.
 */
#include <stdio.h>

#include "ui/lane.h"
#include "ui/place.h"
#include "ui/view.h"

static void draw_name(struct canvas *c, const struct scene_node *n, int x, int y, int w, bool right)
{
    const enum ui_role role = n->down ? UI_ROLE_DOWN : UI_ROLE_TITLE;
    const char *name = n->name != NULL ? n->name : "?";
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
}

static void draw_box(struct canvas *c, const struct scene *s, const struct ui_box *box)
{
    const struct scene_node *n = &s->fabric.node[box->node];
    const struct ui_rect r = box->rect;
    canvas_box(c, r, n->down ? UI_ROLE_DOWN : UI_ROLE_BOX);
    const char *name = n->name != NULL ? n->name : "?";
    int cells = text_cells(name);
    cells = cells > r.w - 4 ? r.w - 4 : cells;
    const int x = r.x + (r.w - cells - 2) / 2;
    canvas_text(c, x, r.y, UI_ROLE_BOX, " ");
    canvas_text_fit(c, x + 1, r.y, cells, UI_ROLE_TITLE, name);
    canvas_text(c, x + 1 + cells, r.y, UI_ROLE_BOX, " ");
    if (n->cursor) {
        canvas_attr(c, x + 1, r.y, cells, UI_REVERSE);
    }
}

/* One row of a track: the lane, the queue where it leaves a switch, the bytes held where it enters
 * one. */
static void draw_lane(struct canvas *c, const struct ui_place *p, const struct ui_track *t,
                      const struct scene_lane *lane, bool right, int y)
{
    ui_lane_draw(c, t->x, y, t->w, lane, right);
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

static bool is_blank(const struct canvas *c, int x, int y, int w)
{
    for (int i = x; i < x + w; i++) {
        const struct ui_cell *cell = canvas_at(c, i, y);
        if (cell == NULL || cell->glyph[0] != ' ') {
            return false;
        }
    }
    return true;
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
    if (is_blank(c, x, y, cells)) {
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

void ui_view_fabric(const struct scene *s, struct canvas *c, struct ui_rect r)
{
    struct ui_place p;
    ui_place_init(&p, &s->fabric, r);
    if (!p.fits) {
        ui_place_finish(&p);
        ui_view_gpus(s, c, r);
        return;
    }
    const struct ui_rect before = canvas_clip(c, r);
    for (size_t i = 0; i < p.box_count; i++) {
        draw_box(c, s, &p.box[i]);
    }
    draw_corner(c, s, &p, r);
    for (size_t i = 0; i < p.track_count; i++) {
        draw_lane(c, &p, &p.track[i], upper(s, &p.track[i]), true, p.track[i].y);
        draw_lane(c, &p, &p.track[i], lower(s, &p.track[i]), false, p.track[i].y + 1);
    }
    for (size_t i = 0; i < p.track_count; i++) {
        draw_number(c, &p, &p.track[i], upper(s, &p.track[i]), true, p.track[i].y);
        draw_number(c, &p, &p.track[i], lower(s, &p.track[i]), false, p.track[i].y + 1);
    }
    for (size_t i = 0; i < p.host_count; i++) {
        draw_host(c, s, &p.host[i]);
    }
    canvas_unclip(c, before);
    ui_place_finish(&p);
}
