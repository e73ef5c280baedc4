/*
 * The first screen: a ring of GPUs that already exchanges packets, one sentence, the lesson to start
 * with, then the years, groups of one's own lessons, and routes.
 *
 *     ▒g1─▸──▸──▒g2──▸──▸─▒g3─▸──▸──▒g4
 *     ▴                              ▾       down on the right, back along the bottom,
 *     ▒g8─◂──◂──▒g7──◂──◂─▒g6─◂──◂──▒g5      up on the left
 */
#include <stdio.h>
#include <string.h>

#include "ui/lane.h"
#include "ui/view.h"

enum { RING_MAX_W = 72, RING_MIN_LANE = 3 };

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

/* Columns of the list, the same in each line. */
struct columns {
    int title;          /* from here ... */
    int right;          /* ... to here */
    int minutes, level; /* -1: there is no room for it */
    int progress, progress_w;
};

static int widest(const struct scene_home *home, size_t field)
{
    int w = 0;
    for (size_t i = 0; i < home->entry_count; i++) {
        const struct scene_entry *e = &home->entry[i];
        const char *const texts[] = { e->minutes, e->progress, e->brief };
        if (e->lead == NULL && texts[field] != NULL) {
            w = max_int(w, text_cells(texts[field]));
        }
    }
    return w;
}

/* Where little room is, one column says what is done, else the minutes. */
static struct columns columns(const struct scene_home *home, int x, int w)
{
    enum { MINUTES, PROGRESS, BRIEF, GAP = 2, LEVEL_W = 7, MARK_W = 2, NARROW = 60 };
    struct columns k = { .title = x + 9, .minutes = -1, .level = -1 };
    const int minutes_w = widest(home, MINUTES), end = x + w;
    if (w < NARROW) {
        k.progress_w = max_int(minutes_w, widest(home, BRIEF));
        k.progress = end - k.progress_w;
        k.right = k.progress - 1;
        return k;
    }
    k.progress_w = MARK_W + widest(home, PROGRESS);
    k.progress = end - k.progress_w;
    k.level = k.progress - GAP - LEVEL_W;
    k.minutes = k.level - GAP - minutes_w;
    k.right = k.minutes - GAP;
    return k;
}

static void draw_lead(const struct scene_home *home, struct canvas *c, size_t i, int x, int y,
                      int w)
{
    const struct scene_entry *e = &home->entry[i];
    const bool selected = i == home->selected;
    char line[512];
    snprintf(line, sizeof line, "%s: %s%s%s", e->lead, e->title != NULL ? e->title : "",
             e->minutes != NULL ? ", " : "", e->minutes != NULL ? e->minutes : "");
    const int used =
        canvas_text_fit(c, x + 2, y, w - 2, selected ? UI_ROLE_TITLE : UI_ROLE_DEFAULT, line);
    if (selected) {
        canvas_attr(c, x + 2, y, used, UI_REVERSE);
        if (used + 2 + 8 <= w) {
            canvas_text(c, x + 2 + used + 3, y, UI_ROLE_KEY, "Enter");
        }
    }
}

static bool same_year(const struct scene_entry *a, const struct scene_entry *b)
{
    return a->lead == NULL && b->lead == NULL && a->year != NULL && b->year != NULL &&
           strcmp(a->year, b->year) == 0;
}

/* The year, where one begins or the line is the first in sight, and the line that joins them. */
static void draw_year(const struct scene_home *home, struct canvas *c, size_t i, int x, int y,
                      bool topmost)
{
    const struct scene_entry *e = &home->entry[i];
    const struct scene_entry *before = i > 0 && e->heading == NULL ? e - 1 : NULL;
    const struct scene_entry *after =
        i + 1 < home->entry_count && e[1].heading == NULL && e[1].year != NULL ? e + 1 : NULL;
    const bool first = before == NULL || before->lead != NULL;
    const bool begins = first || !same_year(before, e);
    if (e->year == NULL) {
        return;
    }
    if (begins || topmost) {
        canvas_text_fit(c, x, y, 4, UI_ROLE_DIM, e->year);
    }
    canvas_glyph(c, x + 5, y,
                 first && after == NULL ? UI_GLYPH_H
                 : first                ? UI_GLYPH_T_DOWN
                 : after == NULL        ? UI_GLYPH_BL
                 : begins               ? UI_GLYPH_T_RIGHT
                                        : UI_GLYPH_V);
}

static void draw_progress(const struct scene_entry *e, struct canvas *c, const struct columns *k,
                          int y)
{
    const bool done = e->state == SCENE_DONE;
    if (k->minutes < 0) {
        const bool any = e->brief != NULL && e->brief[0] != '\0';
        canvas_text_fit(c, k->progress, y, k->progress_w, done ? UI_ROLE_RIGHT : UI_ROLE_DIM,
                        any ? e->brief : e->minutes);
        return;
    }
    canvas_text_fit(c, k->minutes, y, k->level - k->minutes, UI_ROLE_DIM, e->minutes);
    canvas_text_fit(c, k->level, y, k->progress - k->level, UI_ROLE_DIM, e->level);
    if (e->state != SCENE_TODO) {
        canvas_glyph(c, k->progress, y, done ? UI_GLYPH_DONE : UI_GLYPH_BULLET);
    }
    canvas_text_fit(c, k->progress + 2, y, k->progress_w - 2, done ? UI_ROLE_RIGHT : UI_ROLE_DIM,
                    e->progress);
}

static void draw_entry(const struct scene_home *home, struct canvas *c, size_t i, int x, int y,
                       const struct columns *k, bool topmost)
{
    const struct scene_entry *e = &home->entry[i];
    const bool selected = i == home->selected;
    draw_year(home, c, i, x + 2, y, topmost);
    const int from = e->year != NULL ? k->title : x + 2;
    const int used = canvas_text_fit(c, from, y, k->right - from,
                                     selected ? UI_ROLE_TITLE : UI_ROLE_DEFAULT, e->title);
    if (selected) {
        canvas_attr(c, from, y, used, UI_REVERSE);
    }
    if (e->found != NULL && k->right - from - used > 4) {
        char found[96];
        snprintf(found, sizeof found, "(%s)", e->found);
        canvas_text_fit(c, from + used + 1, y, k->right - from - used - 1, UI_ROLE_DIM, found);
    }
    draw_progress(e, c, k, y);
}

/* Lines above an entry that are not its own, and below it: where there is room, the line to begin with
 * and groups stand apart. */
static int lines_above(const struct scene_home *home, size_t i, bool roomy)
{
    return home->entry[i].heading == NULL ? 0
                                          : 1 + (roomy && i > 0 && home->entry[i - 1].lead == NULL);
}

static int lines_below(const struct scene_home *home, size_t i, bool roomy)
{
    return home->entry[i].lead != NULL && roomy ? 1 : 0;
}

/* Lines of the list; `*selected`: that of the entry that is selected. */
static int count_lines(const struct scene_home *home, bool roomy, int *selected)
{
    int lines = 0;
    *selected = 0;
    for (size_t i = 0; i < home->entry_count; i++) {
        lines += lines_above(home, i, roomy);
        *selected = i == home->selected ? lines : *selected;
        lines += 1 + lines_below(home, i, roomy);
    }
    return lines;
}

/* What is selected stays in the middle, so that one sees where one goes. */
static void draw_list(const struct scene_home *home, struct canvas *c, struct ui_rect r)
{
    int selected = 0;
    const bool roomy = count_lines(home, true, &selected) <= r.h;
    const int lines = count_lines(home, roomy, &selected);
    const int top = max_int(min_int(selected - r.h / 2, lines - r.h), 0);
    const struct columns k = columns(home, r.x, r.w);
    const struct ui_rect before = canvas_clip(c, (struct ui_rect){ r.x, r.y, r.w + 1, r.h });
    int y = r.y - top;
    for (size_t i = 0; i < home->entry_count; i++) {
        y += lines_above(home, i, roomy);
        if (home->entry[i].heading != NULL) {
            ui_heading(c, (struct ui_rect){ r.x, y - 1, r.w, 1 }, home->entry[i].heading);
        }
        canvas_spot(c, (struct ui_rect){ r.x, y, r.w, 1 }, UI_SPOT_ENTRY, (uint32_t)i);
        if (i == home->selected) {
            canvas_glyph(c, r.x, y, UI_GLYPH_SELECT);
        }
        if (home->entry[i].lead != NULL) {
            draw_lead(home, c, i, r.x, y, r.w);
        } else {
            draw_entry(home, c, i, r.x, y, &k, y == r.y);
        }
        y += 1 + lines_below(home, i, roomy);
    }
    if (top > 0) {
        canvas_text(c, r.x + r.w, r.y, UI_ROLE_KEY, ui_glyph_text(UI_GLYPH_DATA_UP, c->ascii));
    }
    if (top + r.h < lines) {
        canvas_text(c, r.x + r.w, r.y + r.h - 1, UI_ROLE_KEY,
                    ui_glyph_text(UI_GLYPH_DATA_DOWN, c->ascii));
    }
    canvas_unclip(c, before);
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

static int caption_lines(const struct scene_home *home, int w)
{
    struct rich t = { 0 };
    if (home->caption != NULL) {
        rich_text(&t, home->caption, 0, UI_ROLE_TITLE);
    }
    const int lines = home->caption != NULL ? (int)rich_wrap(&t, w) : 0;
    rich_finish(&t);
    return lines;
}

/* The title, and how much is done. */
static void draw_header(const struct scene *s, struct canvas *c, struct ui_rect r)
{
    const struct scene head = { .title = s->title,
                                .minutes_left = -1,
                                .home.count = r.w >= 30 ? s->home.count : NULL };
    ui_line_header(&head, c, r);
}

/* What the lesson is about, in pieces between commas: as many as have room, whole. */
static void draw_about(struct canvas *c, struct ui_rect r, const char *about)
{
    enum { ELLIPSIS_W = 2 };
    size_t n = text_fit(about, r.w);
    if (about[n] != '\0') {
        n = text_fit(about, r.w - ELLIPSIS_W);
        while (n > 0 && about[n - 1] != ',' && about[n - 1] != ';') {
            n--;
        }
    }
    if (n == 0) {
        canvas_text_fit(c, r.x, r.y, r.w, UI_ROLE_DIM, about);
        return;
    }
    const int used = canvas_text_n(c, r.x, r.y, UI_ROLE_DIM, about, n);
    if (about[n] != '\0') {
        canvas_glyph(c, r.x + used + 1, r.y, UI_GLYPH_ELLIPSIS);
    }
}

void ui_view_home(const struct scene *s, struct canvas *c, struct ui_rect r)
{
    enum { ENOUGH = 8, LIST_MAX_W = 96 };
    const struct scene_home *home = &s->home;
    draw_header(s, c, (struct ui_rect){ r.x, r.y, r.w, 1 });
    ui_line_footer(s, c, (struct ui_rect){ r.x, r.y + r.h - 1, r.w, 1 });
    const bool air = r.h >= 20;
    int selected;
    const int lines = count_lines(home, air, &selected);
    const bool about = home->note != NULL || (air && home->about != NULL) ||
                       (home->entry_count == 0 && home->about != NULL);
    const int end = r.y + r.h - 1 - about; /* of the list */
    const int list_w = max_int(min_int(r.w - 2, LIST_MAX_W), 0);
    const int list_x = r.x + (r.w - list_w) / 2;
    /* The picture grows where the list leaves room, the caption goes where it leaves none. */
    const int rest = r.h - 7 - lines;
    const int ring_h = !air ? 3 : rest < 7 ? 5 : rest < 9 ? 7 : 9;
    int y = r.y + 1;
    if (r.h >= 9 && draw_ring(home, c, (struct ui_rect){ r.x, y + (rest > 8), r.w, ring_h })) {
        y += ring_h + (rest > 8);
        const int said = caption_lines(home, r.w - 2);
        if (said > 0 && end - y - said >= min_int(lines, ENOUGH)) {
            y += (air && rest > 6) ? 1 : 0;
            y += draw_caption(home->caption, c, (struct ui_rect){ r.x + 1, y, r.w - 2, end - y });
        }
        y += air ? 1 : 0;
    }
    draw_list(home, c, (struct ui_rect){ list_x, y, list_w, end - y });
    if (about) {
        const struct ui_rect line = { list_x, end, list_w, 1 };
        if (home->note != NULL) {
            canvas_text_fit(c, line.x, line.y, line.w, UI_ROLE_WRONG, home->note);
        } else {
            draw_about(c, line, home->about);
        }
    }
}
