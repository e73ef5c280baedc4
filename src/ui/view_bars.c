/*
 * A fabric as bars and wires: boxes, several tiers, rails. Where it goes is ui/bars.h's.
 */
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "ui/bars.h"
#include "ui/lane.h"
#include "ui/picture.h"
#include "ui/view.h"

struct drawing {
    const struct scene *scene;
    struct canvas *c;
    const struct ui_bars *bars;
    struct ui_rect r;
};

static const char *name_of(const struct drawing *d, size_t node)
{
    return ui_node_name(&d->scene->fabric.node[node]);
}

/* ---- wires ------------------------------------------------------------------------------------ */

/* Does a bar lie in that row under the wire? Then the wire passes it. */
static bool is_crossed(const struct drawing *d, int row, int x)
{
    for (size_t i = 0; i < d->bars->bar_count; i++) {
        const struct ui_bar *b = &d->bars->bar[i];
        if (b->row == row && b->x0 <= x && b->x1 >= x) {
            return true;
        }
    }
    return false;
}

/* The rows of the screen that a wire runs through, from below; passing a bar it has no cell there. */
static int run_of(const struct drawing *d, const struct ui_wire *w, int *y, int cap)
{
    const bool hangs = w->low < d->bars->end_row;
    const int bottom = d->bars->y[w->low] - (hangs ? 0 : 1);
    const int top = d->bars->y[w->high] + (hangs ? 1 : 0);
    int n = 0;
    for (int at = bottom; at >= top && n < cap; at--) {
        bool crossed = false;
        for (int row = w->low + 1; row < w->high; row++) {
            crossed = crossed || (d->bars->y[row] == at && is_crossed(d, row, w->x));
        }
        if (crossed) {
            canvas_hfill(d->c, w->x, at, 1, UI_ROLE_DIM, ui_glyph_text(UI_GLYPH_V, d->c->ascii));
        } else {
            y[n++] = at;
        }
    }
    return n;
}

/* The idle end of a wire on its bar. */
static void draw_joint(const struct drawing *d, const struct ui_wire *w, int x)
{
    const bool hangs = w->low < d->bars->end_row;
    const int y = d->bars->y[hangs ? w->low : w->high];
    canvas_glyph(d->c, x, y, hangs ? UI_GLYPH_T_UP : UI_GLYPH_T_DOWN);
}

/* One direction of a wire, in one column of cells. */
static void draw_lane(const struct drawing *d, const struct ui_wire *w,
                      const struct scene_lane *lane, bool up, int x, const int *y, int n)
{
    const bool hangs = w->low < d->bars->end_row;
    if (n > 0) { /* the cell on the bar is the switch's, unless there is no other */
        const int low = n > 1 && hangs ? y[1] : y[0];
        const int high = n > 1 && !hangs ? y[n - 2] : y[n - 1];
        canvas_spot_lane(d->c, (struct ui_rect){ x, high, 1, low - high + 1 }, lane->id,
                         up ? UI_UP : UI_DOWN);
    }
    for (int i = 0; i < n; i++) {
        const int at = up ? i : n - 1 - i;
        const enum ui_glyph glyph = ui_lane_upright(lane, at, n, up);
        const bool on_bar = i == (hangs ? 0 : n - 1);
        if (glyph == UI_GLYPH_V && on_bar) {
            draw_joint(d, w, x);
        } else {
            canvas_glyph(d->c, x, y[i], glyph);
        }
        if (ui_lane_points(lane, at, n)) {
            canvas_attr(d->c, x, y[i], 1, UI_REVERSE);
        }
    }
}

static void draw_wire(const struct drawing *d, const struct ui_wire *w)
{
    enum { RUN_MAX = 256 };
    int y[RUN_MAX];
    const struct scene_cable *c = &d->scene->fabric.cable[w->cable];
    const struct scene_lane *up = w->a_low ? &c->ab : &c->ba;
    const struct scene_lane *down = w->a_low ? &c->ba : &c->ab;
    const int n = run_of(d, w, y, RUN_MAX);
    if (d->bars->wire_w > 1) {
        draw_lane(d, w, up, true, w->x, y, n);
        draw_lane(d, w, down, false, w->x + 1, y, n);
        return;
    }
    const bool shows_up = up->cursor || (!down->cursor && ui_lane_rank(up) >= ui_lane_rank(down));
    draw_lane(d, w, shows_up ? up : down, shows_up, w->x, y, n);
}

/* ---- meters ------------------------------------------------------------------------------------ */

/* Cells from this wire to the next one that passes the same row. */
static int room_of(const struct drawing *d, const struct ui_wire *w)
{
    int next = d->r.x + d->r.w;
    for (size_t i = 0; i < d->bars->wire_count; i++) {
        const struct ui_wire *o = &d->bars->wire[i];
        if (o->x > w->x && o->x < next && o->low < w->high && o->high > w->low) {
            next = o->x;
        }
    }
    return next - w->x - d->bars->wire_w;
}

/* The least of all wires between the same two rows: either all of them have meters, or none. */
static int common_room(const struct drawing *d, const struct ui_wire *w)
{
    int least = room_of(d, w);
    for (size_t i = 0; i < d->bars->wire_count; i++) {
        const struct ui_wire *o = &d->bars->wire[i];
        const int room = o->low == w->low && o->high == w->high ? room_of(d, o) : least;
        least = room < least ? room : least;
    }
    return least;
}

/* At each end where a switch is, in the rows of air beside the wire. With one row for two ends, or no room, they
 * are left out: a meter that could be either kind says nothing. */
static void draw_meters(const struct drawing *d, const struct ui_wire *w)
{
    const struct scene_cable *c = &d->scene->fabric.cable[w->cable];
    const struct scene_lane *up = w->a_low ? &c->ab : &c->ba;
    const struct scene_lane *down = w->a_low ? &c->ba : &c->ab;
    const bool low_is = up->queue.shown, high_is = down->queue.shown;
    const int rows = d->bars->y[w->low] - d->bars->y[w->high] - 1;
    struct ui_upright at = { .x = w->x, .lanes = d->bars->wire_w };
    if (w->half || c->kind != SCENE_CABLE_FABRIC || rows < (low_is && high_is ? 2 : 1)) {
        return;
    }
    at.room = common_room(d, w);
    at.stacked = (at.room - 1) / 2 < UI_METER_MIN;
    if (at.stacked && rows < (low_is && high_is ? 4 : 2)) {
        return;
    }
    if (high_is) {
        at.y = d->bars->y[w->high] + 1;
        at.away = 1;
        at.left_enters = true;
        ui_meters_upright(d->c, &at, &up->held, &down->queue);
    }
    if (low_is) {
        at.y = d->bars->y[w->low] - 1;
        at.away = -1;
        at.left_enters = false;
        ui_meters_upright(d->c, &at, &down->held, &up->queue);
    }
}

/* ---- bars and their names --------------------------------------------------------------------- */

/* A cable between two switches of one tier: as busy as the busier of its lanes. */
static void draw_cable(const struct drawing *d, const struct ui_bar *b)
{
    const struct scene_cable *c = &d->scene->fabric.cable[b->cable];
    const bool ab = ui_lane_rank(&c->ab) >= ui_lane_rank(&c->ba);
    struct scene_lane lane = ab ? c->ab : c->ba;
    lane.mark_count = 0; /* they are on the wires at its ends */
    ui_lane_draw(d->c, b->x0, d->bars->y[b->row], b->x1 - b->x0 + 1, &lane, true);
}

static void draw_bar(const struct drawing *d, const struct ui_bar *b)
{
    if (b->node == UI_NONE) {
        draw_cable(d, b);
        return;
    }
    const int y = d->bars->y[b->row];
    const struct scene_node *n = &d->scene->fabric.node[b->node];
    canvas_hfill(d->c, b->x0, y, b->x1 - b->x0 + 1, n->down ? UI_ROLE_DOWN : UI_ROLE_BOX,
                 ui_glyph_text(UI_GLYPH_H, d->c->ascii));
    if (n->cursor) {
        canvas_attr(d->c, b->x0, y, b->x1 - b->x0 + 1, UI_REVERSE);
    }
    canvas_spot(d->c, (struct ui_rect){ b->x0, y, b->x1 - b->x0 + 1, 1 }, UI_SPOT_NODE, n->id);
}

/* "nvs1", or of several names "nvs1-4" ("agg1..7": not all between): what they share, and the numbers. */
static void say_range(const char *first, const char *last, size_t count, char *buf, size_t size)
{
    size_t same = 0;
    while (first[same] != '\0' && first[same] == last[same]) {
        same++;
    }
    while (same > 0 && isdigit((unsigned char)first[same - 1])) {
        same--;
    }
    const char *tail = last + same;
    const long span = strtol(tail, NULL, 10) - strtol(first + same, NULL, 10);
    const bool whole = span == (long)count - 1;
    (void)snprintf(buf, size, "%s%s%s", first,
                   count < 2 ? ""
                   : whole   ? "-"
                             : "..",
                   count < 2 ? "" : tail);
}

/* The names of a row at its left. */
static void draw_label(const struct drawing *d, int row)
{
    size_t first = UI_NONE;
    size_t last = UI_NONE;
    size_t count = 0;
    bool cursor = false;
    for (size_t i = 0; i < d->bars->bar_count; i++) {
        const struct ui_bar *b = &d->bars->bar[i];
        if (b->row == row && b->node != UI_NONE) {
            first = first == UI_NONE ? b->node : first;
            last = b->node;
            count++;
            cursor = cursor || d->scene->fabric.node[b->node].cursor;
        }
    }
    if (row == d->bars->end_row) {
        first = d->bars->column[0].node;
        for (size_t i = 0; i < d->bars->column_count; i++) {
            const size_t n = d->bars->column[i].node;
            const bool same = d->scene->fabric.node[n].kind == d->scene->fabric.node[first].kind;
            last = same ? n : last;
            count += same;
        }
    }
    if (first == UI_NONE) {
        return;
    }
    char text[64];
    say_range(name_of(d, first), name_of(d, last), count, text, sizeof text);
    const int w = d->bars->column[0].x - d->r.x - 1; /* nothing is drawn left of the columns */
    const int used = canvas_text_fit(d->c, d->r.x, d->bars->y[row], w, UI_ROLE_TITLE, text);
    if (cursor) {
        canvas_attr(d->c, d->r.x, d->bars->y[row], used, UI_REVERSE);
    }
}

/* ---- GPUs ------------------------------------------------------------------------------------- */

static void draw_column(const struct drawing *d, const struct ui_column *col)
{
    const struct scene_node *n = &d->scene->fabric.node[col->node];
    const int y = d->bars->y[d->bars->end_row];
    const int cells = text_cells(name_of(d, col->node));
    int x = col->x;
    if (d->bars->named) {
        canvas_text(d->c, x, y, n->down ? UI_ROLE_DOWN : UI_ROLE_TITLE, name_of(d, col->node));
        if (n->cursor) {
            canvas_attr(d->c, x, y, cells, UI_REVERSE);
        }
        x += cells;
    }
    if (n->kind == SCENE_NODE_GPU) {
        ui_gpu_draw(d->c, x, y, n);
    } else if (!d->bars->named) { /* a memory: the first letter of its name */
        canvas_text_n(d->c, x, y, UI_ROLE_TITLE, name_of(d, col->node), 1);
    }
    if (n->cursor && !d->bars->named) {
        canvas_attr(d->c, x, y, 1, UI_REVERSE);
    }
    canvas_spot(d->c, (struct ui_rect){ col->x, y, x - col->x + 1, 1 }, UI_SPOT_NODE, n->id);
}

/* Where there is no room beside them: the names of each group, in a row of its own. */
static void draw_names(const struct drawing *d, const struct ui_graph *g, int y)
{
    int free_x = d->r.x;
    size_t col = 0;
    for (size_t i = 0; i < g->group_count; i++) {
        const size_t first = g->end[g->group[i].first];
        size_t last = first;
        size_t count = 0;
        for (size_t k = 0; k < g->group[i].count; k++) {
            const size_t n = g->end[g->group[i].first + k];
            const bool same = d->scene->fabric.node[n].kind == d->scene->fabric.node[first].kind;
            last = same ? n : last;
            count += same;
        }
        char text[64];
        const int x = d->bars->column[col].x;
        col += g->group[i].count;
        const int room =
            col < d->bars->column_count ? d->bars->column[col].x - x - 1 : d->r.x + d->r.w - x;
        say_range(name_of(d, first), name_of(d, last), count, text, sizeof text);
        if (text_cells(text) > room) {
            (void)snprintf(text, sizeof text, "%s", name_of(d, first));
        }
        const int cells = text_cells(text);
        if (x >= free_x && x + cells <= d->r.x + d->r.w) {
            canvas_text(d->c, x, y, UI_ROLE_DIM, text);
            free_x = x + cells + 1;
        }
    }
}

/* Below a picture of so many rows, if a row is left. */
void ui_line_legend(const struct scene *s, struct canvas *c, struct ui_rect r, int rows)
{
    if (rows >= r.h) {
        return;
    }
    struct ui_rect line = { r.x, r.y + rows, r.w, 1 };
    const char *text = ui_is_blurred(s) ? "shade = busy" : "";
    const int cells = text_cells(text);
    if (cells > 0) {
        canvas_text(c, r.x + r.w - cells, line.y, UI_ROLE_DIM, text);
        line.w -= cells + 2;
    }
    ui_line_states(s, c, line);
}

bool ui_bars_draw(const struct scene *s, struct canvas *c, struct ui_rect r,
                  const struct ui_graph *graph)
{
    struct ui_bars bars;
    ui_bars_init(&bars, graph, r);
    if (bars.fits) {
        const struct drawing d = { s, c, &bars, r };
        for (size_t i = 0; i < bars.bar_count; i++) {
            draw_bar(&d, &bars.bar[i]);
        }
        for (size_t i = 0; i < bars.wire_count; i++) {
            draw_wire(&d, &bars.wire[i]);
        }
        for (int row = 0; row < bars.row_count; row++) {
            draw_label(&d, row);
        }
        for (size_t i = 0; i < bars.column_count; i++) {
            draw_column(&d, &bars.column[i]);
        }
        for (size_t i = 0; i < bars.wire_count; i++) {
            draw_meters(&d, &bars.wire[i]);
        }
        if (bars.names) {
            draw_names(&d, graph, r.y + bars.rows - 1);
        }
        ui_line_legend(s, c, r, bars.rows);
    }
    const bool fits = bars.fits;
    ui_bars_finish(&bars);
    return fits;
}
