/*
 * Plots: a panel for each kind of quantity, one above the other over one axis of time.
 *
 *      held leaf1:1  104 KB   XOFF 100 KB
 *      120 KB┤          ▒
 *        XOFF┤╌╌╌╌╌▒▆█▅▒▒╌╌╌╌▒▒╌╌╌╌╌     a mark is a line, named at its left
 *            │    ▆█████████▇██▄
 *           0┤▁▂▄███████████████▅
 *             0           ┃73.9 us       now 120 us
 *
 * A column is solid up to the least that there was in its time and shaded up to the most, so a spike of
 * one packet is seen on an axis of milliseconds. Several series of one kind share a panel as letters,
 * each with its name above. Ingress and egress never share one (rule 2 of the picture).
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "ui/timeline.h"
#include "ui/view.h"

enum {
    GUTTER = 9,    /* values and names of lines, and the upright of the axis */
    PANEL_MIN = 3, /* rows: a heading and two of picture */
    PANEL_BEST = 6,
    FAR = 4,    /* times */
    LETTERS = 4 /* series of one kind that are told apart */
};

/* What one column of one series shows. */
struct column {
    bool known;
    int64_t low, high;
    int64_t line[SCENE_PLOT_LINES];
};

/* A kind of quantity: its series, and the rows of screen it has. */
struct panel {
    const struct scene_series *series[LETTERS];
    size_t count, left_out;
    struct column *column; /* series by series */
    int64_t top;           /* value at the upper end; 0: there is nothing to be measured */
};

static const char *letter(size_t series)
{
    static const char *const letters[LETTERS] = { "A", "B", "C", "D" };
    return letters[series];
}

static enum ui_role letter_role(size_t series)
{
    static const enum ui_role roles[LETTERS] = { UI_ROLE_HELD, UI_ROLE_VAIN, UI_ROLE_EXCHANGE,
                                                 UI_ROLE_ECN };
    return roles[series];
}

/* ---- Columns ----------------------------------------------------------------------------------- */

static void take_span(struct column *to, const struct scene_span *span)
{
    to->low = !to->known || span->low < to->low ? span->low : to->low;
    to->high = !to->known || span->high > to->high ? span->high : to->high;
    memcpy(to->line, span->line, sizeof to->line);
    to->known = true;
}

static void fill_columns(struct column *column, const struct ui_axis *axis,
                         const struct scene_series *s)
{
    size_t from = 0;
    for (int col = 0; col < axis->w; col++) {
        int64_t t0, t1;
        column[col] = (struct column){ 0 };
        if (!ui_axis_span(axis, col, &t0, &t1)) {
            continue;
        }
        while (from < s->span_count && s->span[from].t1_ps <= t0) {
            from++;
        }
        double sum = 0, time = 0;
        for (size_t i = from; i < s->span_count && s->span[i].t0_ps < t1; i++) {
            const double part = (double)(s->span[i].t1_ps - s->span[i].t0_ps);
            take_span(&column[col], &s->span[i]);
            sum += part * (double)s->span[i].high;
            time += part;
        }
        if (s->mean && time > 0) {
            column[col].low = column[col].high = (int64_t)(sum / time);
        }
    }
}

/* ---- The scale --------------------------------------------------------------------------------- */

/* A round number not below `v`, in the series' unit. */
static int64_t round_up(int64_t v, enum unit_kind unit)
{
    static const int steps[] = { 10, 12, 15, 20, 25, 30, 40, 50, 60, 80, 100 };
    if (unit == UNIT_SHARE && v <= UNIT_ONE) {
        return UNIT_ONE; /* all of the time is what a share is compared with */
    }
    for (int64_t ten = 1;; ten *= 10) {
        for (size_t i = 0; i < sizeof steps / sizeof *steps; i++) {
            if (ten * steps[i] >= v || ten > INT64_MAX / 2000) {
                return ten * steps[i];
            }
        }
    }
}

/* The most that is shown, and what lines have to be seen with it: those below, and the next one above
 * (with its neighbour: XON lies just under XOFF). */
static int64_t top_of(const struct panel *p, int w)
{
    int64_t most = 0, next = INT64_MAX;
    const size_t n = p->count * (size_t)w;
    for (size_t i = 0; i < n; i++) {
        most = p->column[i].known && p->column[i].high > most ? p->column[i].high : most;
    }
    for (size_t i = 0; i < n * SCENE_PLOT_LINES; i++) {
        const struct column *c = &p->column[i / SCENE_PLOT_LINES];
        const int64_t line = c->known ? c->line[i % SCENE_PLOT_LINES] : -1;
        next = line > most && line < next ? line : next;
    }
    /* it is seen anyway; or what is shown would lie on the ground, far below the line's rate */
    const bool far = p->series[0]->mean && next / FAR > most;
    if (next == INT64_MAX || most > next / 16 * 15 || far) {
        return most > 0 || p->series[0]->unit == UNIT_SHARE ? round_up(most, p->series[0]->unit)
                                                            : 0;
    }
    int64_t top = next;
    for (size_t i = 0; i < n * SCENE_PLOT_LINES; i++) {
        const struct column *c = &p->column[i / SCENE_PLOT_LINES];
        const int64_t line = c->known ? c->line[i % SCENE_PLOT_LINES] : -1;
        top = line > top && line < next + next / 4 ? line : top;
    }
    return round_up(top + top / 16, p->series[0]->unit);
}

/* ---- Picture ----------------------------------------------------------------------------------- */

/* How far up a value is. */
static double part_of(const struct panel *p, int64_t value)
{
    return p->top > 0 ? (double)value / (double)p->top : 0;
}

/* The row from below of a value, of `h` rows. */
static int row_of(const struct panel *p, int64_t value, int h)
{
    const int row = (int)(part_of(p, value) * h);
    return row < 0 ? 0 : row > h - 1 ? h - 1 : row;
}

/* The cell at `row` from below: solid, shaded, the top of a bar in eighths, or nothing. */
static enum ui_glyph cell_of(const struct panel *p, const struct column *col, int row, int h,
                             bool *empty)
{
    const double low = part_of(p, col->low) * h - row;
    const double high = part_of(p, col->high) * h - row;
    *empty = !col->known || high <= 0;
    if (low >= 1) {
        return UI_GLYPH_PLOT_8;
    }
    if (high >= 1 || (high >= 0.5 && low <= 0)) {
        return UI_GLYPH_PLOT_PEAK;
    }
    const int eighths = (int)(high * 8);
    return (enum ui_glyph)(UI_GLYPH_PLOT_1 + (eighths > 7 ? 7 : eighths));
}

/* A line of one of the series: each may have its own (two runs), or all the same. */
static bool line_at(const struct panel *p, const struct column *col, int row, int h)
{
    for (size_t k = 0; k < SCENE_PLOT_LINES; k++) {
        if (col->known && p->series[0]->line_name[k] != NULL && col->line[k] > 0 &&
            col->line[k] <= p->top && row_of(p, col->line[k], h) == row) {
            return true;
        }
    }
    return false;
}

static void draw_bars(struct canvas *c, struct ui_rect r, const struct panel *p)
{
    for (int x = 0; x < r.w; x++) {
        const struct column *col = &p->column[x];
        for (int row = 0; row < r.h; row++) {
            const int y = r.y + r.h - 1 - row;
            bool empty;
            const enum ui_glyph glyph = cell_of(p, col, row, r.h, &empty);
            if (!empty) {
                canvas_glyph(c, r.x + x, y, glyph);
            } else if (line_at(p, col, row, r.h)) {
                canvas_glyph(c, r.x + x, y, UI_GLYPH_PLOT_LINE);
            }
        }
    }
}

/* Several series: a letter at the most of each; where two meet, a star. */
static void draw_letters(struct canvas *c, struct ui_rect r, const struct panel *p)
{
    for (int x = 0; x < r.w; x++) {
        for (int row = 0; row < r.h; row++) {
            const int y = r.y + r.h - 1 - row;
            int here = 0;
            for (size_t i = 0; i < p->count; i++) {
                if (line_at(p, &p->column[i * (size_t)r.w + (size_t)x], row, r.h)) {
                    canvas_glyph(c, r.x + x, y, UI_GLYPH_PLOT_LINE);
                    break;
                }
            }
            for (size_t i = 0; i < p->count; i++) {
                const struct column *col = &p->column[i * (size_t)r.w + (size_t)x];
                if (!col->known || row_of(p, col->high, r.h) != row) {
                    continue;
                }
                canvas_text(c, r.x + x, y, letter_role(i), letter(i));
                here++;
            }
            if (here > 1) {
                canvas_glyph(c, r.x + x, y, UI_GLYPH_PLOT_BOTH);
            }
        }
    }
}

/* ---- Words ------------------------------------------------------------------------------------- */

/* The lines as they stand last, of one of the series. */
static const struct column *last_column(const struct panel *p, size_t series, int w)
{
    const struct column *column = &p->column[series * (size_t)w];
    for (int x = w - 1; x >= 0; x--) {
        if (column[x].known) {
            return &column[x];
        }
    }
    return column;
}

/* The name of a line on that row, of any series, the one that matters most; NULL: none. */
static const char *line_name_at(const struct panel *p, int row, int h, int w)
{
    const char *name = NULL;
    for (size_t i = p->count; i-- > 0;) {
        const struct column *last = last_column(p, i, w);
        for (size_t k = SCENE_PLOT_LINES; k-- > 0;) {
            if (line_at(p, last, row, h) && p->series[i]->line_name[k] != NULL &&
                last->line[k] > 0 && row_of(p, last->line[k], h) == row) {
                name = p->series[i]->line_name[k];
            }
        }
    }
    return name;
}

/* Left of the panel: its top, 0, and the names of the lines. Where two fall on a row, the first one. */
static void draw_gutter(struct canvas *c, struct ui_rect r, const struct panel *p, int w)
{
    char text[40];
    for (int row = 0; row < r.h; row++) {
        const char *label = NULL;
        enum ui_role role = UI_ROLE_DIM;
        if (row == r.h - 1 && p->top > 0) {
            label = p->series[0]->unit == UNIT_SHARE && p->top == UNIT_ONE
                        ? "100 %"
                        : units_format(text, sizeof text, p->series[0]->unit, p->top);
        } else if (row == 0) {
            label = "0";
        }
        const char *line = line_name_at(p, row, r.h, w);
        if (line != NULL) {
            label = line;
            role = UI_ROLE_OVER;
        }
        const int y = r.y + r.h - 1 - row;
        canvas_glyph(c, r.x + GUTTER - 1, y, label != NULL ? UI_GLYPH_T_LEFT : UI_GLYPH_V);
        if (label != NULL) {
            canvas_text(c, r.x + GUTTER - 1 - text_cells(label), y, role, label);
        }
    }
}

/* Each series with its letter, if there are several, and its value now, if there is room for that; the kind
 * is said once. Returns the cells it takes; without a canvas it only counts them. */
static int name_series(struct canvas *c, struct ui_rect r, const struct panel *p, bool values)
{
    int used = 0;
    for (size_t i = 0; i < p->count; i++) {
        const struct scene_series *s = p->series[i];
        const char *name =
            s->name != NULL ? s->name : ""; /* the sides of a what-if have only letters */
        if (p->count > 1) {
            if (c != NULL) {
                canvas_text_fit(c, r.x + used, r.y, r.w - used, letter_role(i), letter(i));
            }
            used += 2;
        }
        if (i > 0 && strncmp(name, s->kind, strlen(s->kind)) == 0) {
            name += strlen(s->kind) + 1;
        }
        if (c != NULL && used < r.w) {
            canvas_text_fit(c, r.x + used, r.y, r.w - used, UI_ROLE_TITLE, name);
        }
        used += name[0] != '\0' ? text_cells(name) + 2 : values ? 0 : 1;
        if (values && s->now != NULL) {
            if (c != NULL && used < r.w) {
                canvas_text_fit(c, r.x + used, r.y, r.w - used, UI_ROLE_DEFAULT, s->now);
            }
            used += text_cells(s->now) + 3;
        }
    }
    return used;
}

/* What the mark is where letters fall together, if there is room for that. */
static void say_shared(struct canvas *c, struct ui_rect r, const struct panel *p, int x)
{
    const char *word = p->count == 2 ? " both" : " several";
    if (p->count > 1 && x + 1 + text_cells(word) <= r.x + r.w) {
        canvas_glyph(c, x, r.y, UI_GLYPH_PLOT_BOTH);
        canvas_text(c, x + 1, r.y, UI_ROLE_DIM, word);
    }
}

/* "held leaf1:1  104 KB   XOFF 100 KB  XON 98.3 KB": of the lines as many as have room, whole. */
static void draw_heading(struct canvas *c, struct ui_rect r, const struct scene_plot *plot,
                         const struct panel *p, int w)
{
    const struct scene_series *s = p->series[0];
    const struct column *last = last_column(p, 0, w);
    char text[80], value[40];
    int x = r.x;
    if (plot->about != NULL) {
        x += canvas_text_fit(c, x, r.y, r.w, UI_ROLE_TITLE, plot->about) + 3;
    }
    const struct ui_rect names = { x, r.y, r.x + r.w - x, 1 };
    x += name_series(c, names, p, p->count == 1 || name_series(NULL, names, p, true) <= names.w);
    if (p->left_out > 0) {
        (void)snprintf(text, sizeof text, "+%zu more", p->left_out);
        x += canvas_text_fit(c, x, r.y, r.x + r.w - x, UI_ROLE_DIM, text) + 2;
    }
    for (size_t k = 0; k < SCENE_PLOT_LINES; k++) {
        if (!last->known || s->line_name[k] == NULL || last->line[k] < 0) {
            continue;
        }
        (void)snprintf(text, sizeof text, "%s %s", s->line_name[k],
                       units_format(value, sizeof value, s->unit, last->line[k]));
        if (x + text_cells(text) <= r.x + r.w) {
            x += canvas_text(c, x, r.y, UI_ROLE_DIM, text) + 2;
        }
    }
    say_shared(c, r, p, x);
}

/* ---- Panels ------------------------------------------------------------------------------------ */

static bool is_free(const struct canvas *c, int x, int y)
{
    const struct ui_cell *cell = canvas_at(c, x, y);
    return cell != NULL && strcmp(cell->glyph, " ") == 0;
}

/* A moment through a panel, where nothing else is. */
static void draw_moment(struct canvas *c, struct ui_rect r, int col, enum ui_glyph glyph)
{
    for (int y = r.y; y < r.y + r.h; y++) {
        if (is_free(c, r.x + col, y)) {
            canvas_glyph(c, r.x + col, y, glyph);
        }
    }
}

static void draw_moments(struct canvas *c, struct ui_rect r, const struct ui_axis *axis,
                         const struct scene_plot *plot)
{
    for (size_t i = 0; i < axis->cuts; i++) {
        draw_moment(c, r, ui_axis_cut_col(axis, i), UI_GLYPH_CUT);
        draw_moment(c, r, ui_axis_cut_col(axis, i) + 1, UI_GLYPH_CUT);
    }
    for (size_t i = 0; i < plot->barrier_count; i++) {
        const int64_t at = plot->barrier_ps[i];
        if (at > plot->axis.t0_ps && at <= plot->axis.t1_ps) {
            draw_moment(c, r, ui_axis_col(axis, at), UI_GLYPH_BARRIER);
        }
    }
    draw_moment(c, r, ui_axis_col(axis, plot->axis.now_ps), UI_GLYPH_V);
}

static void draw_panel(struct canvas *c, struct ui_rect r, const struct ui_axis *axis,
                       const struct scene_plot *plot, struct panel *p)
{
    p->column = mem_alloc(p->count * (size_t)axis->w, sizeof *p->column);
    for (size_t i = 0; i < p->count; i++) {
        fill_columns(&p->column[i * (size_t)axis->w], axis, p->series[i]);
    }
    p->top = top_of(p, axis->w);
    const struct ui_rect body = { r.x + GUTTER, r.y + 1, axis->w, r.h - 1 };
    draw_heading(c, r, plot, p, axis->w);
    draw_gutter(c, (struct ui_rect){ r.x, r.y + 1, GUTTER, r.h - 1 }, p, axis->w);
    if (p->count > 1) {
        draw_letters(c, body, p);
    } else {
        draw_bars(c, body, p);
    }
    draw_moments(c, body, axis, plot);
    free(p->column);
}

/* Series of one kind together, in the order in which they come. Returns the panels. */
static size_t gather(const struct scene_plot *plot, struct panel *panel)
{
    size_t n = 0;
    for (size_t i = 0; i < plot->series_count; i++) {
        const struct scene_series *s = &plot->series[i];
        size_t k = 0;
        while (k < n && strcmp(panel[k].series[0]->kind, s->kind) != 0) {
            k++;
        }
        if (k == n) {
            panel[n++] = (struct panel){ 0 };
        }
        if (panel[k].count < LETTERS) {
            panel[k].series[panel[k].count++] = s;
        } else {
            panel[k].left_out++;
        }
    }
    return n;
}

static void draw_panels(const struct scene_plot *plot, struct canvas *c, struct ui_rect r,
                        const struct ui_axis *axis)
{
    struct panel *panel = mem_alloc(plot->series_count, sizeof *panel);
    const size_t n = gather(plot, panel);
    size_t shown = n;
    int room = r.h;
    if ((int)n * PANEL_MIN > r.h) { /* a row is for what is left out */
        shown = r.h - 1 >= PANEL_MIN ? (size_t)(r.h - 1) / PANEL_MIN : 1;
        room = r.h - 1 >= PANEL_MIN ? r.h - 1 : r.h;
    }
    int y = r.y;
    for (size_t i = 0; i < shown; i++) {
        const int h = (r.y + room - y) / (int)(shown - i);
        draw_panel(c, (struct ui_rect){ r.x, y, r.w, h }, axis, plot, &panel[i]);
        y += h;
    }
    if (shown < n && y < r.y + r.h) {
        const int used = canvas_textf(c, r.x, y, UI_ROLE_DIM, "+%zu more: ", n - shown);
        canvas_text_fit(c, r.x + used, y, r.w - used, UI_ROLE_DIM, panel[shown].series[0]->name);
    }
    free(panel);
}

int ui_view_plot_rows(const struct scene *s)
{
    struct panel *panel = mem_alloc(s->plot.series_count + 1, sizeof *panel);
    const int n = (int)gather(&s->plot, panel);
    free(panel);
    return n * PANEL_BEST + 1;
}

void ui_view_plot(const struct scene *s, struct canvas *c, struct ui_rect r)
{
    ui_plot_draw(&s->plot, c, r);
}

void ui_plot_draw(const struct scene_plot *plot, struct canvas *c, struct ui_rect r)
{
    const struct ui_rect before = canvas_clip(c, r);
    const int w = r.w - GUTTER;
    if (plot->series_count == 0) {
        canvas_text_fit(c, r.x, r.y, r.w, UI_ROLE_DIM, "nothing is plotted");
    } else if (w >= 4 && r.h >= 2 && plot->axis.t1_ps > plot->axis.t0_ps) {
        const bool room = r.h > PANEL_MIN;
        const struct ui_timeline t = { .name_w = GUTTER - 1, .axis = ui_axis(&plot->axis, w) };
        draw_panels(plot, c, (struct ui_rect){ r.x, r.y, r.w, room ? r.h - 1 : r.h }, &t.axis);
        if (room) {
            const struct scene_timeline tl = { .axis = plot->axis,
                                               .barrier_ps = plot->barrier_ps,
                                               .barrier_count = plot->barrier_count };
            ui_timeline_axis(c, r.x, r.y + r.h - 1, &t, &tl, NULL, 0);
        }
    }
    canvas_unclip(c, before);
}
