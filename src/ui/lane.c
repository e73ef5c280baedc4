#include "ui/lane.h"

#include <stdio.h>
#include <string.h>

/* Which of two marks in one cell is seen: the higher. */
static int rank_of(const struct scene_mark *m)
{
    static const int ranks[] = {
        [SCENE_MARK_DATA] = 20,  [SCENE_MARK_ACK] = 10,     [SCENE_MARK_NAK] = 80,
        [SCENE_MARK_CNP] = 60,   [SCENE_MARK_PAUSE] = 70,   [SCENE_MARK_GO] = 65,
        [SCENE_MARK_CREDIT] = 5, [SCENE_MARK_REFUSED] = 50, [SCENE_MARK_DROP] = 90,
    };
    if ((unsigned)m->kind >= SCENE_MARK_KINDS) {
        return 0;
    }
    return ranks[m->kind] + (m->resend ? 4 : 0) + (m->ecn ? 3 : 0) + (m->last ? 2 : 0) +
           (m->cursor ? 1000 : 0) + (m->victim ? 500 : 0);
}

/* The cell of a mark, counted from the left end. */
static int cell_of(const struct scene_mark *m, int w, bool right)
{
    const int at = m->at < 0 ? 0 : m->at > 1000 ? 1000 : m->at;
    const int i = (int)(((int64_t)at * (w - 1) + 500) / 1000);
    return right ? i : w - 1 - i;
}

static void draw_base(struct canvas *c, int x, int y, int w, const struct scene_lane *lane)
{
    enum ui_glyph base = ui_glyph_of_lane(lane->state);
    if (lane->blurred && lane->state == SCENE_LANE_OPEN) {
        base = ui_glyph_of_busy(lane->busy);
    }
    canvas_hfill(c, x, y, w, ui_glyph_role(base), ui_glyph_text(base, c->ascii));
}

/* The number of a held mark, in at most three cells: 12, 999, 10K. Empty for a single one. */
static int number_of(const struct scene_mark *m, char *buf, size_t size)
{
    buf[0] = '\0';
    if (m->count < 2) {
        return 0;
    }
    return m->count < 1000 ? snprintf(buf, size, "%d", m->count)
                           : snprintf(buf, size, "%dK", m->count / 1000);
}

/* Where a mark stands: moved left where its number would leave the lane. */
static int seat_of(const struct scene_mark *m, int w, bool right)
{
    char number[16];
    const int at = cell_of(m, w, right);
    const int last = w - 1 - number_of(m, number, sizeof number);
    return last >= 0 && at > last ? last : at;
}

/* A lane being drawn. */
struct drawing {
    struct canvas *c;
    int x, y, w;
    const struct scene_lane *lane;
    bool right;
};

/* No mark stands in these cells. */
static bool is_free(const struct drawing *d, int from, int to)
{
    for (size_t i = 0; i < d->lane->mark_count; i++) {
        const int at = seat_of(&d->lane->mark[i], d->w, d->right);
        if (at >= from && at < to) {
            return false;
        }
    }
    return from >= 0 && to <= d->w;
}

/* Count and word of a held mark: `✗12 full`, the word before the mark where it fits only there. Where
 * it would cover other marks it is left to the events. */
static void draw_label(const struct drawing *d, const struct scene_mark *m)
{
    char text[64];
    const int at = seat_of(m, d->w, d->right);
    const int n = number_of(m, text, sizeof text);
    if (at + n < d->w) {
        const enum ui_role role = ui_glyph_role(ui_glyph_of_mark(m, d->right));
        canvas_text(d->c, d->x + at + 1, d->y, role, text);
    }
    if (m->word == NULL) {
        return;
    }
    const int cells = text_cells(m->word);
    const int after = at + n + 1;
    int from = -1;
    if (is_free(d, after, after + 1 + cells)) {
        from = after;
        snprintf(text, sizeof text, " %s", m->word);
    } else if (is_free(d, at - cells - 1, at)) {
        from = at - cells - 1;
        snprintf(text, sizeof text, "%s ", m->word);
    } else if (is_free(d, at - cells, at)) {
        from = at - cells;
        snprintf(text, sizeof text, "%s", m->word);
    }
    if (from >= 0) {
        canvas_text(d->c, d->x + from, d->y, UI_ROLE_DOWN, text);
    }
}

/* Square brackets round the cell of the cursor, so that it shows without any attribute. */
static void draw_cursor(struct canvas *c, int x, int y, int w, int at)
{
    if (at > 0) {
        canvas_text(c, x + at - 1, y, UI_ROLE_TITLE, "[");
    }
    if (at + 1 < w) {
        canvas_text(c, x + at + 1, y, UI_ROLE_TITLE, "]");
    }
    canvas_attr(c, x + at, y, 1, UI_REVERSE);
}

/* The mark that is seen in cell `at`, or NULL. */
static const struct scene_mark *mark_at(const struct scene_lane *lane, int w, bool right, int at)
{
    const struct scene_mark *best = NULL;
    for (size_t i = 0; i < lane->mark_count; i++) {
        const struct scene_mark *m = &lane->mark[i];
        if (seat_of(m, w, right) == at && (best == NULL || rank_of(m) > rank_of(best))) {
            best = m;
        }
    }
    return best;
}

void ui_lane_draw(struct canvas *c, int x, int y, int w, const struct scene_lane *lane, bool right)
{
    if (w < 1) {
        return;
    }
    draw_base(c, x, y, w, lane);
    for (size_t i = 0; i < lane->mark_count; i++) {
        const struct scene_mark *m = &lane->mark[i];
        const int at = seat_of(m, w, right);
        if (mark_at(lane, w, right, at) == m) {
            canvas_glyph(c, x + at, y, ui_glyph_of_mark(m, right));
        }
    }
    const struct drawing d = { c, x, y, w, lane, right };
    for (size_t i = 0; i < lane->mark_count; i++) {
        const struct scene_mark *m = &lane->mark[i];
        if ((m->count > 1 || m->word != NULL) &&
            mark_at(lane, w, right, seat_of(m, w, right)) == m) {
            draw_label(&d, m);
        }
    }
    for (size_t i = 0; i < lane->mark_count; i++) {
        if (lane->mark[i].cursor) {
            draw_cursor(c, x, y, w, cell_of(&lane->mark[i], w, right));
        } else if (lane->mark[i].victim) {
            canvas_attr(c, x + cell_of(&lane->mark[i], w, right), y, 1, UI_REVERSE);
        }
    }
    if (lane->cursor) {
        draw_cursor(c, x, y, w, w / 2);
    }
}

const struct scene_mark *ui_lane_top(const struct scene_lane *lane)
{
    return mark_at(lane, 1, true, 0);
}

/* ---- Upright, and in one cell ------------------------------------------------------------------- */

static enum ui_glyph upright(enum ui_glyph glyph)
{
    return glyph == UI_GLYPH_DATA_RIGHT || glyph == UI_GLYPH_LAST_RIGHT ? UI_GLYPH_DATA_UP
           : glyph == UI_GLYPH_DATA_LEFT || glyph == UI_GLYPH_LAST_LEFT ? UI_GLYPH_DATA_DOWN
                                                                        : glyph;
}

/* What a lane is when no mark stands in that cell. */
static enum ui_glyph base_of(const struct scene_lane *lane)
{
    if (lane->state != SCENE_LANE_OPEN) {
        return ui_glyph_of_lane(lane->state);
    }
    const enum ui_glyph busy = lane->blurred ? ui_glyph_of_busy(lane->busy) : UI_GLYPH_LANE_OPEN;
    return busy == UI_GLYPH_LANE_OPEN ? UI_GLYPH_V : busy;
}

enum ui_glyph ui_lane_upright(const struct scene_lane *lane, int cell, int n, bool up)
{
    const struct scene_mark *mark = mark_at(lane, n, true, cell);
    return mark != NULL ? upright(ui_glyph_of_mark(mark, up)) : base_of(lane);
}

bool ui_lane_points(const struct scene_lane *lane, int cell, int n)
{
    const struct scene_mark *mark = mark_at(lane, n, true, cell);
    return lane->cursor || (mark != NULL && (mark->cursor || mark->victim));
}

enum ui_glyph ui_lane_cell(const struct scene_lane *lane, bool up, bool *idle)
{
    const enum ui_glyph glyph = ui_lane_upright(lane, 0, 1, up);
    if (idle != NULL) {
        *idle = glyph == UI_GLYPH_V;
    }
    return glyph;
}

int ui_lane_rank(const struct scene_lane *lane)
{
    const struct scene_mark *mark = ui_lane_top(lane);
    const int of_mark = mark != NULL ? 2000 + rank_of(mark) : 0;
    const int of_state = lane->state != SCENE_LANE_OPEN ? 2050 : lane->blurred ? lane->busy : 0;
    return of_mark > of_state ? of_mark : of_state;
}

/* ---- Meters ----------------------------------------------------------------------------------- */

/* part of whole in `cells` cells, rounded down. */
static int share(int64_t part, int64_t whole, int cells)
{
    if (part <= 0 || whole <= 0) {
        return 0;
    }
    if (part >= whole) {
        return cells;
    }
    return (int)((double)part / (double)whole * cells);
}

/* Draws `w` cells of which `used` are filled. */
static void draw_cells(struct canvas *c, int x, int y, int w, int used, enum ui_role role)
{
    canvas_hfill(c, x, y, used, role, ui_glyph_text(UI_GLYPH_HELD, c->ascii));
    canvas_hfill(c, x + used, y, w - used, UI_ROLE_FREE, ui_glyph_text(UI_GLYPH_FREE, c->ascii));
}

/* Cells filled for `used` of `whole` bytes: none for none, all only for all. */
static int filled(int64_t used, int64_t whole, int cells)
{
    const int n = share(used, whole, cells);
    return n == 0 && used > 0 ? 1 : n;
}

void ui_meter_draw(struct canvas *c, int x, int y, int w, const struct scene_meter *meter,
                   enum ui_glyph mark)
{
    if (!meter->shown || w < 1) {
        return;
    }
    const int64_t limit = meter->limit > 0 ? meter->limit : 1;
    if (meter->mark <= 0 || meter->mark >= limit || w < 3) {
        draw_cells(c, x, y, w, filled(meter->used, limit, w), UI_ROLE_HELD);
    } else {
        int left = (int)((double)meter->mark / (double)limit * (w - 1) + 0.5);
        left = left < 1 ? 1 : left > w - 2 ? w - 2 : left;
        const int right = w - 1 - left;
        const int64_t over = meter->used - meter->mark;
        draw_cells(c, x, y, left, filled(meter->used, meter->mark, left), UI_ROLE_HELD);
        canvas_glyph(c, x + left, y, mark);
        draw_cells(c, x + left + 1, y, right, filled(over, limit - meter->mark, right),
                   UI_ROLE_OVER);
    }
    if (meter->over) {
        canvas_glyph(c, x + w - 1, y, UI_GLYPH_DROP);
    }
}

bool ui_is_blank(const struct canvas *c, int x, int y, int w)
{
    for (int i = x; i < x + w; i++) {
        const struct ui_cell *cell = canvas_at(c, i, y);
        if (cell == NULL || cell->glyph[0] != ' ') {
            return false;
        }
    }
    return true;
}

void ui_meter_beside(struct canvas *c, int x, int y, bool right, int w,
                     const struct scene_meter *meter, enum ui_glyph mark)
{
    w = w > UI_METER_MOST ? UI_METER_MOST : w;
    if (!meter->shown || w < UI_METER_MIN || !ui_is_blank(c, right ? x : x - w, y, w + 1)) {
        return;
    }
    ui_meter_draw(c, right ? x : x - w + 1, y, w, meter, mark);
}

void ui_meters_upright(struct canvas *c, const struct ui_upright *at,
                       const struct scene_meter *held, const struct scene_meter *queue)
{
    const int behind = at->x + at->lanes;
    if (at->stacked) {
        ui_meter_beside(c, behind, at->y, true, at->room - 1, held, UI_GLYPH_XOFF);
        ui_meter_beside(c, behind, at->y + at->away, true, at->room - 1, queue, UI_GLYPH_KMIN);
        return;
    }
    const int w = (at->room - 1) / 2;
    const struct scene_meter *left = at->left_enters ? held : queue;
    const struct scene_meter *right = at->left_enters ? queue : held;
    ui_meter_beside(c, at->x - 1, at->y, false, w, left,
                    at->left_enters ? UI_GLYPH_XOFF : UI_GLYPH_KMIN);
    ui_meter_beside(c, behind, at->y, true, w, right,
                    at->left_enters ? UI_GLYPH_KMIN : UI_GLYPH_XOFF);
}

const char *ui_bytes_short(char *buf, size_t size, int64_t bytes)
{
    static const char units[] = "KMGT";
    if (bytes < 1000) {
        snprintf(buf, size, "%d", (int)(bytes < 0 ? 0 : bytes));
        return buf;
    }
    size_t u = 0;
    double v = (double)bytes / 1000;
    while (v >= 999.5 && u + 2 < sizeof units) {
        v /= 1000;
        u++;
    }
    snprintf(buf, size, v < 9.95 && u > 0 ? "%.1f%c" : "%.0f%c", v, units[u]);
    return buf;
}
