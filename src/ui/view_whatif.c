/*
 * What-if: two runs that parted at one moment, on one clock, over one time axis.
 *
 *   NORMAL, 80x24                              NARROW, 40x12: the picked side only
 *   +---------------- header ------------+     +------ header ------+
 *   ═▸A  flow control PFC ══ 10 steps ════     ═▸A  PFC ═════════════
 *   g1 █▒▒%%▒┃█▒▒%%▒┃                          ═ B  none ════════════
 *   ! first difference 1.02 ms: ...            g1 █▒▒%%▒┃█▒▒%%▒┃
 *   ═ B  flow control none ══ in step 1 ══        0        now 91 ms
 *   g1 █▒░░░░░░░░░░░░▒▒                        ! first difference ...
 *      0           ┃34           now 91 ms     step  A 8.5 ms  B 91 ms
 *   step  A 8.53 ms  B 91.0 ms, 10.7 x         +------ footer ------+
 *   +---------------- footer ------------+
 *
 *   WIDE: the fabrics side by side above the timelines, and the scrubber below, where rows are left.
 *
 * A plot of the same quantity on both sides may take the place of the timelines: A and B as letters over one
 * axis.
 *
 * That sides differ is said by a sign of its own (`!`), never by colour alone.
 */
#include <stdio.h>

#include "base/units.h"
#include "ui/layout.h"
#include "ui/picture.h"
#include "ui/timeline.h"
#include "ui/view.h"

enum {
    SENTENCE_ROWS = 2, /* of the first difference, at most */
    NARROW_SENTENCE_ROWS = 3,
    PLOT_ROWS = 24,  /* of a plot, with its axis, at most */
    METRIC_ROWS = 2, /* kept for the metrics before the timelines get all rows */
    WORDS_FROM_W = 100
};

static const char LETTER[SCENE_SIDES] = { 'A', 'B' };

/* Rectangles of height 0 are not there. */
struct parts {
    bool narrow;
    struct ui_rect header, footer, scrubber;
    struct ui_rect fabric_heading[SCENE_SIDES], fabric[SCENE_SIDES];
    struct ui_rect heading[SCENE_SIDES], rows[SCENE_SIDES];
    struct ui_rect axis, sentence, metrics;
    struct ui_rect plot; /* in place of rows and axis */
};

static int at_most(int v, int high)
{
    return v > high ? high : v;
}

static int at_least(int v, int low)
{
    return v < low ? low : v;
}

/* Takes `rows` from the top of `r`. */
static struct ui_rect take(struct ui_rect *r, int rows)
{
    const struct ui_rect top = { r->x, r->y, r->w, at_least(at_most(rows, r->h), 0) };
    r->y += top.h;
    r->h -= top.h;
    return top;
}

/* The sentence wrapped to the width, behind its sign: its lines. The lead is shortened when that saves
 * one. */
static int wrap_sentence(struct rich *t, const struct scene *s, int w)
{
    static const char *const leads[] = { "first difference: ", "first: ", "first difference: " };
    const char *const said = s->whatif.difference != NULL ? s->whatif.difference : "";
    int lines = 0;
    *t = (struct rich){ 0 };
    for (int i = s->whatif.first_ps < 0 ? 3 : 0; i < 3; i++) {
        rich_finish(t);
        *t = (struct rich){ 0 };
        rich_text(t, leads[i], 0, UI_ROLE_TITLE);
        rich_more(t, said, UI_ROLE_TITLE);
        lines = (int)rich_wrap(t, w - 3);
        if (lines == 1) {
            return lines;
        }
    }
    if (s->whatif.first_ps < 0) {
        rich_text(t, said, 0, UI_ROLE_TITLE);
        lines = (int)rich_wrap(t, w - 3);
    }
    return lines;
}

static int sentence_rows(const struct scene *s, int w, int most)
{
    struct rich t;
    const int rows = at_most(wrap_sentence(&t, s, w), most);
    rich_finish(&t);
    return rows;
}

/* ---- Metrics ------------------------------------------------------------------------------------ */

enum { COLUMNS_MAX = 4, GAP = 2 };

/* Cells of the three parts of one column: "step", "A 8.53 ms", "B 91.0 ms, 10.7x longer". */
struct metric_column {
    int name_w, a_w, b_w;
};

static const char *text_of_a(const struct scene_metric *m, char *buf, size_t size)
{
    snprintf(buf, size, "A %s", m->a != NULL ? m->a : "");
    return buf;
}

static const char *text_of_b(const struct scene_metric *m, char *buf, size_t size)
{
    const char *const differ = m->differ != NULL ? m->differ : "";
    snprintf(buf, size, "B %s%s%s", m->b != NULL ? m->b : "", differ[0] != '\0' ? ", " : "",
             differ);
    return buf;
}

static int column_w(const struct metric_column *k)
{
    return k->name_w + GAP + k->a_w + GAP + k->b_w + GAP;
}

/* Each column as wide as what stands in its first `rows`. Returns what all take together. */
static int measure_columns(const struct scene_whatif *w, int columns, int rows,
                           struct metric_column column[COLUMNS_MAX])
{
    const size_t shown = (size_t)columns * (size_t)rows;
    for (int i = 0; i < columns; i++) {
        column[i] = (struct metric_column){ 0 };
    }
    for (size_t i = 0; i < w->metric_count && i < shown; i++) {
        struct metric_column *k = &column[i % (size_t)columns];
        const struct scene_metric *m = &w->metric[i];
        char buf[160];
        k->name_w = at_least(text_cells(m->name != NULL ? m->name : ""), k->name_w);
        k->a_w = at_least(text_cells(text_of_a(m, buf, sizeof buf)), k->a_w);
        k->b_w = at_least(text_cells(text_of_b(m, buf, sizeof buf)), k->b_w);
    }
    int used = 0;
    for (int i = 0; i < columns; i++) {
        used += column_w(&column[i]);
    }
    return used - GAP;
}

/* As many columns as there is room for, where only so many rows are shown; a single one is cut. */
static int fit_columns(const struct scene_whatif *w, int room, int rows,
                       struct metric_column column[COLUMNS_MAX])
{
    int columns = COLUMNS_MAX;
    while (columns > 1 && measure_columns(w, columns, rows, column) > room) {
        columns--;
    }
    const int used = measure_columns(w, columns, rows, column);
    column[0].b_w = at_least(column[0].b_w - at_least(used - room, 0), 0);
    return columns;
}

static int metric_rows(const struct scene *s, int w)
{
    struct metric_column column[COLUMNS_MAX];
    const int columns = fit_columns(&s->whatif, w, (int)s->whatif.metric_count, column);
    return ((int)s->whatif.metric_count + columns - 1) / columns;
}

/* ---- Parts -------------------------------------------------------------------------------------- */

static bool is_plotted(const struct scene *s)
{
    return s->whatif.plot.series_count > 0;
}

static struct parts narrow_parts(const struct scene *s, struct ui_rect r)
{
    struct parts p = { .narrow = true };
    p.footer = (struct ui_rect){ r.x, r.y + r.h - 1, r.w, 1 };
    r.h--;
    p.header = take(&r, 1);
    p.heading[0] = take(&r, 1);
    p.heading[1] = take(&r, 1);
    const int most = is_plotted(s) ? 1 : NARROW_SENTENCE_ROWS;
    const int sentence = r.h >= 5 ? sentence_rows(s, r.w, most) : 0;
    const int axis = r.h >= 3 ? 1 : 0;
    const int wanted = is_plotted(s) ? r.h : at_most((int)s->whatif.side[0].timeline.row_count, 8);
    const int metrics =
        at_most(metric_rows(s, r.w), at_least(r.h - sentence - axis - wanted, r.h >= 7 ? 1 : 0));
    if (is_plotted(s)) {
        p.plot = take(&r, r.h - sentence - metrics);
    } else {
        p.rows[s->whatif.picked % SCENE_SIDES] = take(&r, r.h - sentence - axis - metrics);
        p.axis = take(&r, axis);
    }
    p.sentence = take(&r, sentence);
    p.metrics = r;
    return p;
}

/* Where both halves are wide enough for a picture, and rows are left for it: how many. */
static int fabric_rows(const struct scene *s, int w, int room)
{
    int least, best;
    ui_picture_rows(&s->whatif.side[0].fabric, (w - 1) / 2, room - 1, &least, &best);
    return least > room - 1 ? 0 : at_most(best, room - 1);
}

static struct parts parts_of(const struct scene *s, struct ui_rect r)
{
    const enum ui_layout_kind kind = ui_layout_kind(r.w, r.h);
    if (kind == UI_LAYOUT_NARROW || kind == UI_LAYOUT_NOTICE) {
        return narrow_parts(s, r);
    }
    struct parts p = { 0 };
    p.footer = (struct ui_rect){ r.x, r.y + r.h - 1, r.w, 1 };
    r.h--;
    p.header = take(&r, 1);
    const int sentence = sentence_rows(s, r.w, SENTENCE_ROWS);
    int room = r.h - sentence - 2 - 1; /* without the headings and the axis */
    const int wished = metric_rows(s, r.w);
    const int kept = at_most(wished, METRIC_ROWS + 1 - at_least(sentence, 1));
    const int wished_rows =
        is_plotted(s) ? PLOT_ROWS / 2 : (int)s->whatif.side[0].timeline.row_count;
    const int rows = at_most(wished_rows, (room - kept) / 2);
    room -= 2 * rows;
    const int metrics = at_most(wished, room);
    room -= metrics;
    const int fabric = kind >= UI_LAYOUT_WIDE ? fabric_rows(s, r.w, room) : 0;
    if (fabric > 0) {
        const struct ui_rect heading = take(&r, 1), picture = take(&r, fabric);
        for (int i = 0; i < SCENE_SIDES; i++) {
            const int x = i == 0 ? r.x : r.x + (r.w + 1) / 2;
            p.fabric_heading[i] = (struct ui_rect){ x, heading.y, r.w / 2, 1 };
            p.fabric[i] = (struct ui_rect){ x, picture.y, (r.w - 1) / 2, fabric };
        }
        room -= fabric + 1;
    }
    p.heading[0] = take(&r, 1);
    if (is_plotted(s)) {
        p.heading[1] = take(&r, 1);
        p.sentence = take(&r, sentence);
        p.plot = take(&r, 2 * rows + 1);
    } else {
        p.rows[0] = take(&r, rows);
        p.sentence = take(&r, sentence);
        p.heading[1] = take(&r, 1);
        p.rows[1] = take(&r, rows);
        p.axis = take(&r, 1);
    }
    p.metrics = take(&r, metrics);
    if (room > 0) {
        p.scrubber = (struct ui_rect){ r.x, r.y + r.h - 1, r.w, 1 };
    }
    return p;
}

size_t ui_view_whatif_scroll(const struct scene *s, struct ui_rect r)
{
    const struct parts p = parts_of(s, r);
    const struct scene_whatif *w = &s->whatif;
    const size_t side = p.narrow ? w->picked % SCENE_SIDES : 0;
    const size_t last = ui_timeline_last(&w->side[side].timeline, p.rows[side].h);
    return w->scroll < last ? w->scroll : last;
}

/* ---- Header and headings ------------------------------------------------------------------------ */

static void draw_header(const struct scene *s, struct canvas *c, struct ui_rect r)
{
    char now[32], right[96];
    const struct scene_scrubber *sc = &s->scrubber;
    units_format(now, sizeof now, UNIT_TIME, s->whatif.side[0].timeline.axis.now_ps);
    const char *const gear = sc->gear != NULL ? sc->gear : "";
    const char *const rate = sc->rate != NULL ? sc->rate : "";
    snprintf(right, sizeof right, "%s, %s   %s", gear, rate, now);
    const char *title = s->title != NULL ? s->title : "what-if";
    if (7 + text_cells(title) + 2 + text_cells(right) + 5 > r.w) {
        snprintf(right, sizeof right, "%s", now);
    }
    const bool key = r.w >= 30;
    const int right_w = text_cells(right) + (key ? 5 : 1);
    int x = r.x + 1;
    if (r.w >= 60) {
        x += canvas_text(c, x, r.y, UI_ROLE_DIM, "weft") + 2;
    }
    canvas_text_fit(c, x, r.y, at_least(r.x + r.w - right_w - x - 1, 0), UI_ROLE_TITLE, title);
    canvas_text(c, r.x + r.w - right_w, r.y, UI_ROLE_DEFAULT, right);
    if (key) {
        canvas_text(c, r.x + r.w - 2, r.y, UI_ROLE_KEY, "?");
    }
}

/* "═▸A  flow control PFC ═════ 10 steps done   0 lost ══": what is at the right goes first. */
static void draw_heading(const struct scene *s, struct canvas *c, struct ui_rect r, size_t i,
                         bool whole)
{
    if (r.h < 1 || r.w < 6) {
        return;
    }
    const struct scene_side *side = &s->whatif.side[i];
    canvas_hfill(c, r.x, r.y, r.w, UI_ROLE_DIM, ui_glyph_text(UI_GLYPH_H_DOUBLE, c->ascii));
    canvas_text(c, r.x + 1, r.y, UI_ROLE_DIM, " ");
    if (s->whatif.picked == i) {
        canvas_glyph(c, r.x + 1, r.y, UI_GLYPH_SELECT);
    }
    const char letter[4] = { LETTER[i], ' ', ' ', '\0' };
    canvas_text(c, r.x + 2, r.y, UI_ROLE_TITLE, letter);
    const int room = r.w - 7;
    const int used = canvas_text_fit(c, r.x + 5, r.y, room, UI_ROLE_TITLE, side->change);
    canvas_text(c, r.x + 5 + used, r.y, UI_ROLE_DIM, " ");
    if (!whole) {
        return;
    }
    char right[160];
    const char *const progress = side->progress != NULL ? side->progress : "";
    const char *const counts = side->counts != NULL ? side->counts : "";
    for (int form = 0; form < 2; form++) {
        if (form == 0) {
            snprintf(right, sizeof right, " %s%s%s ", progress, progress[0] != '\0' ? "   " : "",
                     counts);
        } else {
            snprintf(right, sizeof right, " %s ", progress);
        }
        const int cells = text_cells(right);
        if (cells > 2 && 5 + used + 2 + cells + 2 <= r.w) {
            canvas_text(c, r.x + r.w - 2 - cells, r.y, UI_ROLE_DEFAULT, right);
            return;
        }
    }
}

/* ---- Timelines ---------------------------------------------------------------------------------- */

static void draw_timelines(const struct scene *s, struct canvas *c, const struct parts *p)
{
    const struct scene_whatif *w = &s->whatif;
    const size_t shown = p->narrow ? w->picked % SCENE_SIDES : 1; /* stands above the axis */
    const struct scene_timeline *tl = &w->side[shown].timeline;
    const struct ui_timeline t = ui_timeline(tl, p->axis.w, p->axis.w >= WORDS_FROM_W);
    if (t.axis.w < 4 || tl->axis.t1_ps <= tl->axis.t0_ps) {
        return;
    }
    for (size_t i = 0; i < SCENE_SIDES; i++) {
        if (p->rows[i].h > 0) {
            ui_timeline_rows(c, p->rows[i], &t, &w->side[i].timeline, w->scroll, w->differs);
        }
    }
    const struct ui_moment moments[] = {
        { w->first_ps, UI_GLYPH_DIFFERS, NULL },
        { w->fork_ps, UI_GLYPH_FORK, "fork" },
    };
    const size_t from = w->first_ps < 0 ? 1 : 0;
    if (p->axis.h > 0) {
        ui_timeline_axis(c, p->axis.x, p->axis.y, &t, tl, moments + from, 2 - from);
    }
}

static void draw_sentence(const struct scene *s, struct canvas *c, struct ui_rect r)
{
    if (r.h < 1) {
        return;
    }
    struct rich t;
    const int lines = wrap_sentence(&t, s, r.w);
    if (s->whatif.first_ps >= 0) {
        canvas_glyph(c, r.x, r.y, UI_GLYPH_DIFFERS);
    }
    rich_draw(&t, c, (struct ui_rect){ r.x + 2, r.y, r.w - 3, r.h }, 0);
    if (lines > r.h) {
        canvas_glyph(c, r.x + r.w - 1, r.y + r.h - 1, UI_GLYPH_ELLIPSIS);
    }
    rich_finish(&t);
}

static void draw_metrics(const struct scene *s, struct canvas *c, const struct parts *p)
{
    const struct scene_whatif *w = &s->whatif;
    const struct ui_rect r = p->metrics;
    struct metric_column column[COLUMNS_MAX];
    const int columns = fit_columns(w, r.w - 1, at_least(r.h, 0), column);
    int x = r.x + 1;
    for (size_t i = 0; i < w->metric_count && (int)i / columns < r.h; i++) {
        const struct scene_metric *m = &w->metric[i];
        const struct metric_column *k = &column[(int)i % columns];
        const int y = r.y + (int)i / columns;
        const enum ui_role role = m->differ != NULL ? UI_ROLE_DEFAULT : UI_ROLE_DIM;
        char buf[160];
        x = (int)i % columns == 0 ? r.x + 1 : x;
        canvas_text_fit(c, x, y, k->name_w, role, m->name);
        canvas_text_fit(c, x + k->name_w + GAP, y, k->a_w, role, text_of_a(m, buf, sizeof buf));
        canvas_text_fit(c, x + k->name_w + k->a_w + 2 * GAP, y, k->b_w,
                        m->differ != NULL ? UI_ROLE_TITLE : UI_ROLE_DIM,
                        text_of_b(m, buf, sizeof buf));
        x += column_w(k);
    }
}

/* ---- All of it ---------------------------------------------------------------------------------- */

void ui_view_whatif(const struct scene *s, struct canvas *c, struct ui_rect r)
{
    const struct parts p = parts_of(s, r);
    draw_header(s, c, p.header);
    for (size_t i = 0; i < SCENE_SIDES; i++) {
        draw_heading(s, c, p.heading[i], i, true);
        draw_heading(s, c, p.fabric_heading[i], i, false);
        if (p.fabric[i].h > 0) {
            const struct scene half = { .fabric = s->whatif.side[i].fabric };
            ui_view_fabric(&half, c, p.fabric[i]);
        }
    }
    if (is_plotted(s)) {
        ui_plot_draw(&s->whatif.plot, c, p.plot);
    } else {
        draw_timelines(s, c, &p);
    }
    draw_sentence(s, c, p.sentence);
    draw_metrics(s, c, &p);
    if (p.scrubber.h > 0) {
        ui_view_scrubber(s, c, p.scrubber);
    }
    ui_line_footer(s, c, p.footer);
}
