/*
 * The first screen: a ring of GPUs that already exchanges packets, one sentence, the lesson to start
 * with, then the years.
 *
 *     ▒g1─▸──▸──▒g2──▸──▸─▒g3─▸──▸──▒g4
 *     ▴                              ▾       down on the right, back along the bottom,
 *     ▒g8─◂──◂──▒g7──◂──◂─▒g6─◂──◂──▒g5      up on the left
 */
#include <stdio.h>

#include "ui/lane.h"
#include "ui/view.h"

enum { RING_MAX_W = 72, RING_MIN_LANE = 3, TITLE_W = 44 };

static int max_int(int a, int b)
{
    return a > b ? a : b;
}

static int min_int(int a, int b)
{
    return a < b ? a : b;
}

/* ---- The ring ---------------------------------------------------------------------------------- */

struct ring {
    const struct scene_home *home;
    struct canvas *c;
    int x, y, w, h;
    int label_w; /* state and name */
    size_t top;  /* nodes in the upper row; the others stand in the lower one, right to left */
};

static bool in_top(const struct ring *r, size_t i)
{
    return i < r->top;
}

static int node_y(const struct ring *r, size_t i)
{
    return in_top(r, i) ? r->y : r->y + r->h - 1;
}

static int node_x(const struct ring *r, size_t i)
{
    const size_t n = in_top(r, i) ? r->top : r->home->node_count - r->top;
    const size_t k = in_top(r, i) ? i : n - 1 - (i - r->top); /* place from the left */
    const int span = r->w - r->label_w;
    return n < 2 ? r->x + (in_top(r, i) ? 0 : span) : r->x + span * (int)k / (int)(n - 1);
}

static void draw_node(const struct ring *r, size_t i)
{
    const struct scene_node *n = &r->home->node[i];
    const int x = node_x(r, i);
    canvas_glyph(r->c, x, node_y(r, i), ui_glyph_of_gpu(n->state));
    canvas_text_fit(r->c, x + 1, node_y(r, i), r->label_w - 1, UI_ROLE_TITLE, n->name);
}

/* A lane at the edge, between the two rows. */
static void draw_edge(const struct ring *r, const struct scene_lane *lane, int x, bool down)
{
    const int cells = r->h - 2;
    for (int i = 0; i < cells; i++) {
        canvas_text(r->c, x, r->y + 1 + i, UI_ROLE_LANE, ui_glyph_text(UI_GLYPH_V, r->c->ascii));
    }
    for (size_t k = 0; k < lane->mark_count; k++) {
        const struct scene_mark *m = &lane->mark[k];
        const int at = m->at < 0 ? 0 : m->at > 999 ? 999 : m->at;
        const int i = at * cells / 1000;
        enum ui_glyph g = ui_glyph_of_mark(m, down);
        if (m->kind == SCENE_MARK_DATA && !m->resend) {
            g = down ? UI_GLYPH_DATA_DOWN : UI_GLYPH_DATA_UP;
        }
        canvas_glyph(r->c, x, r->y + 1 + (down ? i : cells - 1 - i), g);
    }
}

static void draw_lanes(const struct ring *r)
{
    const size_t n = r->home->node_count;
    for (size_t i = 0; i < n; i++) {
        const struct scene_lane *lane = &r->home->lane[i];
        const size_t next = (i + 1) % n;
        if (in_top(r, i) != in_top(r, next)) {
            const bool down = in_top(r, i);
            draw_edge(r, lane, down ? r->x + r->w - r->label_w / 2 - 1 : r->x + 1, down);
            continue;
        }
        const bool right = in_top(r, i);
        const int from = node_x(r, right ? i : next) + r->label_w;
        const int to = node_x(r, right ? next : i);
        ui_lane_draw(r->c, from, node_y(r, i), to - from, lane, right);
    }
}

/* True when the ring could be drawn in `rows` rows. */
static bool draw_ring(const struct scene_home *home, struct canvas *c, struct ui_rect area)
{
    if (home->node_count < 3 || home->lane == NULL) {
        return false;
    }
    struct ring r = { .home = home, .c = c, .h = area.h, .y = area.y };
    r.w = min_int(area.w - 4, RING_MAX_W);
    r.x = area.x + (area.w - r.w) / 2;
    for (size_t i = 0; i < home->node_count; i++) {
        const char *name = home->node[i].name;
        r.label_w = max_int(r.label_w, 1 + text_cells(name != NULL ? name : ""));
    }
    r.top = (home->node_count + 1) / 2;
    const int lane = (r.w - r.label_w * (int)r.top) / max_int((int)r.top - 1, 1);
    if (area.h < 3 || lane < RING_MIN_LANE) {
        return false;
    }
    draw_lanes(&r);
    for (size_t i = 0; i < home->node_count; i++) {
        draw_node(&r, i);
    }
    return true;
}

/* ---- The list ---------------------------------------------------------------------------------- */

static void draw_entry(const struct scene_home *home, struct canvas *c, size_t i, int x, int y,
                       int w)
{
    const struct scene_entry *e = &home->entry[i];
    const bool selected = i == home->selected;
    const enum ui_role role = selected ? UI_ROLE_TITLE : UI_ROLE_DEFAULT;
    if (selected) {
        canvas_glyph(c, x, y, UI_GLYPH_SELECT);
    }
    char line[512];
    if (e->lead != NULL) {
        snprintf(line, sizeof line, "%s: %s%s%s", e->lead, e->title != NULL ? e->title : "",
                 e->minutes != NULL ? ", " : "", e->minutes != NULL ? e->minutes : "");
        const int used = canvas_text_fit(c, x + 2, y, w - 2, role, line);
        if (selected) {
            canvas_attr(c, x + 2, y, used, UI_REVERSE);
            if (used + 2 + 8 <= w) {
                canvas_text(c, x + 2 + used + 3, y, UI_ROLE_KEY, "Enter");
            }
        } else if (e->progress != NULL) {
            canvas_text_fit(c, x + 2 + used + 3, y, w - used - 5, UI_ROLE_DIM, e->progress);
        }
        return;
    }
    canvas_text_fit(c, x + 2, y, 4, UI_ROLE_DIM, e->year);
    const int title_w = min_int(max_int(w - 8 - 22, w / 2), TITLE_W);
    const int used = canvas_text_fit(c, x + 8, y, title_w, role, e->title);
    if (selected) {
        canvas_attr(c, x + 8, y, used, UI_REVERSE);
    }
    const int rest = x + 8 + title_w + 1;
    canvas_text_fit(c, rest, y, min_int(7, x + w - rest), UI_ROLE_DIM, e->minutes);
    canvas_text_fit(c, rest + 8, y, x + w - rest - 8, UI_ROLE_DIM, e->progress);
}

/* Rows an entry takes: the one to begin with stands apart. */
static int entry_rows(const struct scene_home *home, size_t i, bool roomy)
{
    return home->entry[i].lead != NULL && roomy ? 2 : 1;
}

static int list_rows(const struct scene_home *home)
{
    int rows = 0;
    for (size_t i = 0; i < home->entry_count; i++) {
        rows += entry_rows(home, i, true);
    }
    return rows;
}

static void draw_list(const struct scene_home *home, struct canvas *c, struct ui_rect r)
{
    const bool roomy = (int)home->entry_count + 1 <= r.h;
    size_t first = 0;
    if (!roomy && (int)home->selected >= r.h) {
        first = home->selected + 1 - (size_t)max_int(r.h, 1);
    }
    int y = r.y;
    for (size_t i = first; i < home->entry_count && y < r.y + r.h; i++) {
        draw_entry(home, c, i, r.x, y, r.w);
        y += entry_rows(home, i, roomy);
    }
}

/* The caption, wrapped, each line centred. Returns its rows. */
static int draw_caption(const char *caption, struct canvas *c, struct ui_rect r)
{
    struct rich t = { 0 };
    rich_text(&t, caption, 0, UI_ROLE_TITLE);
    const int lines = (int)rich_wrap(&t, r.w);
    for (int i = 0; i < lines && i < r.h; i++) {
        int cells = 0;
        size_t pos = t.line[i].start;
        struct text_cluster k;
        while (text_next(text_str(&t.text), t.line[i].end, &pos, &k)) {
            cells += k.cells;
        }
        rich_draw(&t, c, (struct ui_rect){ r.x + (r.w - cells) / 2, r.y + i, cells, 1 }, (size_t)i);
    }
    rich_finish(&t);
    return lines;
}

void ui_view_home(const struct scene *s, struct canvas *c, struct ui_rect r)
{
    const struct scene_home *home = &s->home;
    struct scene head = { .title = s->title, .minutes_left = -1 };
    ui_line_header(&head, c, (struct ui_rect){ r.x, r.y, r.w, 1 });
    ui_line_footer(s, c, (struct ui_rect){ r.x, r.y + r.h - 1, r.w, 1 });
    const bool air = r.h >= 20;
    int y = r.y + 1 + (air ? 1 : 0);
    const int rest = r.h - 11 - (int)home->entry_count; /* rows that nobody else needs */
    const int ring_h = !air ? 3 : rest < 7 ? 5 : rest < 11 ? 7 : 9;
    if (r.h >= 9 && draw_ring(home, c, (struct ui_rect){ r.x, y, r.w, ring_h })) {
        y += ring_h + (air ? 1 : 0);
    }
    const int end = r.y + r.h - 1 - (home->note != NULL ? 1 : 0);
    if (home->caption != NULL) {
        y += draw_caption(home->caption, c, (struct ui_rect){ r.x + 1, y, r.w - 2, end - y });
        y += air ? 2 : 0;
    }
    const int list_w = min_int(r.w - 2, RING_MAX_W);
    const int list_x = r.x + (r.w - list_w) / 2;
    draw_list(home, c, (struct ui_rect){ list_x, y, list_w, end - y });
    if (home->note == NULL && home->about != NULL && list_rows(home) + 1 < end - y) {
        canvas_text_fit(c, list_x + 2, end - 1, list_w - 2, UI_ROLE_DIM, home->about);
    }
    if (home->note != NULL) {
        canvas_text_fit(c, r.x + 1, end, r.w - 2, UI_ROLE_WRONG, home->note);
    }
}
