/*
 * The distribution: how many GPUs have how much of what is measured.
 *
 *     at the barrier, after its start
 *     412┤█
 *        │█▅
 *        │██▃▁           ▁              //      ▁
 *        └────────────────────────────────────────
 *         94.1 us p50                   //   16.9 ms
 *     p50 94.2 us  p99 101 us  max 16.9 ms: g437  3 are still on their way
 *
 * A column is a stretch of values, its height how many GPUs fall into it; one GPU alone is always seen.
 * What lies far from all others is brought nearer: the stretch between, where nobody is, is cut out.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "base/units.h"
#include "ui/axis.h"
#include "ui/view.h"

enum { GUTTER = 6, FAR = 3 /* times the rest: rule 6 of the picture */ };

struct spread {
    const struct scene_many *many;
    const struct scene_each **sorted; /* those that have a value, least first */
    size_t count;
    struct scene_cut cut;
    struct scene_axis values; /* not of time: of values */
    struct ui_axis axis;
    size_t *bin; /* by column */
    size_t most; /* in one column */
};

static int by_value(const void *a, const void *b)
{
    const struct scene_each *x = *(const struct scene_each *const *)a;
    const struct scene_each *y = *(const struct scene_each *const *)b;
    return x->value != y->value ? (x->value > y->value) - (x->value < y->value)
                                : (x < y) - (x > y); /* of the most, the first */
}

/* The widest stretch between two neighbours, when it is longer than FAR times all the rest. */
static void find_cut(struct spread *p)
{
    int64_t gap = 0;
    const int64_t least = p->sorted[0]->value, all = p->sorted[p->count - 1]->value - least;
    for (size_t i = 1; i < p->count; i++) {
        const int64_t before = p->sorted[i - 1]->value, after = p->sorted[i]->value;
        if (after - before > gap) {
            gap = after - before;
            p->cut = (struct scene_cut){ before, after };
        }
    }
    const int64_t rest = all - gap;
    if (rest <= 0 || gap / FAR <= rest) {
        return;
    }
    const int64_t air = rest / 8; /* a little is left at both ends */
    p->cut.t0_ps += air;
    p->cut.t1_ps -= air;
    p->values.cut = &p->cut;
    p->values.cut_count = 1;
}

static void spread_init(struct spread *p, const struct scene_many *many, int w)
{
    *p = (struct spread){ .many = many };
    p->sorted = mem_alloc(many->count + 1, sizeof *p->sorted);
    p->bin = mem_alloc((size_t)w + 1, sizeof *p->bin);
    for (size_t i = 0; i < many->count; i++) {
        if (many->each[i].known) {
            p->sorted[p->count++] = &many->each[i];
        }
    }
    if (p->count == 0) {
        return;
    }
    qsort(p->sorted, p->count, sizeof *p->sorted, by_value);
    const int64_t least = p->sorted[0]->value, most = p->sorted[p->count - 1]->value;
    p->values.t0_ps = least;
    p->values.t1_ps = most > least ? most : least + 1;
    find_cut(p);
    p->axis = ui_axis(&p->values, w);
    for (size_t i = 0; i < p->count; i++) {
        size_t *bin = &p->bin[ui_axis_col(&p->axis, p->sorted[i]->value)];
        ++*bin;
        p->most = *bin > p->most ? *bin : p->most;
    }
}

static void spread_finish(struct spread *p)
{
    free(p->sorted);
    free(p->bin);
}

/* The value that `percent` of 100 do not exceed, as reports have it. */
static const struct scene_each *percentile(const struct spread *p, size_t percent)
{
    const size_t n = p->count;
    return p->sorted[percent == 50 ? (n - 1) / 2 : (n * percent + 99) / 100 - 1];
}

/* ---- Picture ----------------------------------------------------------------------------------- */

static void draw_bars(const struct spread *p, struct canvas *c, struct ui_rect r)
{
    for (int x = 0; x < p->axis.w; x++) {
        if (p->bin[x] == 0) {
            continue;
        }
        int eighths = (int)((double)p->bin[x] / (double)p->most * r.h * 8 + 0.5);
        eighths = eighths < 1 ? 1 : eighths;
        for (int row = 0; row < r.h && eighths > 0; row++, eighths -= 8) {
            const int part = eighths > 8 ? 8 : eighths;
            canvas_glyph(c, r.x + x, r.y + r.h - 1 - row,
                         (enum ui_glyph)(UI_GLYPH_PLOT_1 + part - 1));
        }
    }
}

/* The upright with how many the highest column has, the cut, the line below. */
static void draw_frame(const struct spread *p, struct canvas *c, struct ui_rect r)
{
    char text[32];
    for (int y = r.y; y < r.y + r.h; y++) {
        canvas_glyph(c, r.x + GUTTER - 1, y, y == r.y ? UI_GLYPH_T_LEFT : UI_GLYPH_V);
        for (int k = 0; k < 2 && p->axis.cuts > 0; k++) {
            canvas_glyph(c, r.x + GUTTER + ui_axis_cut_col(&p->axis, 0) + k, y, UI_GLYPH_CUT);
        }
    }
    (void)units_grouped(text, sizeof text, (int64_t)p->most);
    canvas_text(c, r.x + GUTTER - 1 - text_cells(text), r.y, UI_ROLE_DIM, text);
    canvas_glyph(c, r.x + GUTTER - 1, r.y + r.h, UI_GLYPH_BL);
    canvas_hfill(c, r.x + GUTTER, r.y + r.h, p->axis.w, UI_ROLE_DIM,
                 ui_glyph_text(UI_GLYPH_H, c->ascii));
}

/* Below the line: its ends, and where half of them are and all but one in a hundred. What would lie on
 * another label goes, the ends last. */
static void draw_scale(const struct spread *p, struct canvas *c, int x, int y)
{
    struct {
        int64_t value;
        const char *word; /* NULL: the value itself */
    } const label[] = { { p->values.t0_ps, NULL },
                        { p->sorted[p->count - 1]->value, NULL },
                        { percentile(p, 50)->value, "p50" },
                        { percentile(p, 99)->value, "p99" } };
    bool *taken = mem_alloc((size_t)p->axis.w + 2, sizeof *taken);
    for (size_t i = 0; i < sizeof label / sizeof *label; i++) {
        char text[40];
        const char *word = label[i].word != NULL
                               ? label[i].word
                               : units_format(text, sizeof text, p->many->unit, label[i].value);
        const int cells = text_cells(word);
        int col = ui_axis_col(&p->axis, label[i].value);
        if (label[i].word !=
            NULL) { /* the place is marked on the line, also without room for a word */
            canvas_glyph(c, x + col, y - 1, UI_GLYPH_T_DOWN);
        }
        col = col + cells > p->axis.w ? p->axis.w - cells : col;
        bool is_free = col >= 0;
        for (int k = col; is_free && k < col + cells; k++) {
            is_free = !taken[k];
        }
        if (is_free) {
            canvas_text(c, x + col, y, label[i].word != NULL ? UI_ROLE_TITLE : UI_ROLE_DIM, word);
            memset(taken + (col > 0 ? col - 1 : 0), true, (size_t)cells + 2);
        }
    }
    free(taken);
}

/* "p50 94.2 us  p99 101 us  max 16.9 ms: g437  3 are still on their way" */
static void draw_numbers(const struct spread *p, struct canvas *c, struct ui_rect r)
{
    const struct scene_each *most = p->sorted[p->count - 1];
    char half[40], nearly[40], all[40];
    struct text line = { 0 };
    text_addf(&line, "p50 %s  p99 %s  max %s: %s",
              units_format(half, sizeof half, p->many->unit, percentile(p, 50)->value),
              units_format(nearly, sizeof nearly, p->many->unit, percentile(p, 99)->value),
              units_format(all, sizeof all, p->many->unit, most->value), most->name);
    if (p->count < p->many->count) {
        text_addf(&line, "  %s %s",
                  units_grouped(all, sizeof all, (int64_t)(p->many->count - p->count)),
                  p->many->missing != NULL ? p->many->missing : "have none");
    }
    canvas_text_fit(c, r.x, r.y, r.w, UI_ROLE_DEFAULT, text_str(&line));
    text_finish(&line);
}

static void draw_none(const struct scene_many *many, struct canvas *c, struct ui_rect r)
{
    char text[128], all[32];
    (void)snprintf(text, sizeof text, many->count > 0 ? "all %s %s" : "nothing is measured",
                   units_grouped(all, sizeof all, (int64_t)many->count),
                   many->missing != NULL ? many->missing : "have none");
    canvas_text_fit(c, r.x, r.y + 1, r.w, UI_ROLE_DIM, text);
}

void ui_view_spread(const struct scene *s, struct canvas *c, struct ui_rect r)
{
    if (r.w < GUTTER + 8 || r.h < 5) {
        return;
    }
    const struct ui_rect before = canvas_clip(c, r);
    struct spread p;
    spread_init(&p, &s->many, r.w - GUTTER);
    canvas_text_fit(c, r.x, r.y, r.w, UI_ROLE_DIM, s->many.means);
    if (p.count == 0) {
        draw_none(&s->many, c, r);
    } else {
        const struct ui_rect frame = { r.x, r.y + 1, r.w, r.h - 4 };
        draw_frame(&p, c, frame);
        draw_bars(&p, c, (struct ui_rect){ r.x + GUTTER, frame.y, r.w - GUTTER, frame.h });
        draw_scale(&p, c, r.x + GUTTER, r.y + r.h - 2);
        draw_numbers(&p, c, (struct ui_rect){ r.x, r.y + r.h - 1, r.w, 1 });
    }
    spread_finish(&p);
    canvas_unclip(c, before);
}
