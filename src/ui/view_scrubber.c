/*
 * The whole run on one row: what happened, where we are, how fast it plays.
 *
 *      0├──────────┃────P─PPPPP●───────────────────┤ 20 ms   gear: packet, 1 us/s
 */
#include <stdio.h>

#include "base/units.h"
#include "ui/axis.h"
#include "ui/view.h"

/* Which tick is seen when several fall on a column: the kind that fills fewer columns, since the other
 * is still seen beside it; else the later one of these. */
static const enum scene_tick_kind kinds[] = { SCENE_TICK_BARRIER, SCENE_TICK_PAUSE,
                                              SCENE_TICK_TIMEOUT, SCENE_TICK_DROP };
enum { KINDS = sizeof kinds / sizeof *kinds };

/* The column of a tick of that kind, -1: of another kind, or outside. */
static int column_of(const struct scene_tick *t, enum scene_tick_kind kind,
                     const struct ui_axis *axis, const struct scene_scrubber *s)
{
    return t->kind == kind && t->t_ps >= s->axis.t0_ps && t->t_ps <= s->axis.t1_ps
               ? ui_axis_col(axis, t->t_ps)
               : -1;
}

static int columns_of(enum scene_tick_kind kind, const struct ui_axis *axis,
                      const struct scene_scrubber *s)
{
    int count = 0, last = -1;
    for (size_t i = 0; i < s->tick_count; i++) { /* ascending within a kind */
        const int col = column_of(&s->tick[i], kind, axis, s);
        count += col >= 0 && col != last;
        last = col >= 0 ? col : last;
    }
    return count;
}

static void draw_ticks(struct canvas *c, int x, int y, const struct ui_axis *axis,
                       const struct scene_scrubber *s)
{
    int columns[KINDS];
    bool drawn[KINDS] = { false };
    for (int k = 0; k < KINDS; k++) {
        columns[k] = columns_of(kinds[k], axis, s);
    }
    for (int n = 0; n < KINDS; n++) {
        int most = -1;
        for (int k = 0; k < KINDS; k++) {
            most = !drawn[k] && (most < 0 || columns[k] > columns[most]) ? k : most;
        }
        drawn[most] = true;
        for (size_t i = 0; i < s->tick_count; i++) {
            const int col = column_of(&s->tick[i], kinds[most], axis, s);
            if (col >= 0) {
                canvas_glyph(c, x + col, y, ui_glyph_of_tick(kinds[most]));
            }
        }
    }
}

void ui_view_scrubber(const struct scene *scene, struct canvas *c, struct ui_rect r)
{
    const struct scene_scrubber *s = &scene->scrubber;
    const struct ui_rect before = canvas_clip(c, r);
    char end[32], right[128];
    units_format(end, sizeof end, UNIT_TIME, s->axis.t1_ps);
    if (s->gear != NULL && r.w >= 60) {
        snprintf(right, sizeof right, " %s   gear: %s%s%s", end, s->gear,
                 s->rate != NULL ? ", " : "", s->rate != NULL ? s->rate : "");
    } else {
        snprintf(right, sizeof right, " %s", end);
    }
    const int bar = r.w - 2 - text_cells(right) - 2;
    if (bar >= 4 && s->axis.t1_ps > s->axis.t0_ps) {
        const int x = r.x + 3;
        const int w = bar - 1;
        const struct ui_axis axis = ui_axis(&s->axis, w);
        canvas_text(c, r.x + 1, r.y, UI_ROLE_DIM, "0");
        canvas_glyph(c, r.x + 2, r.y, UI_GLYPH_T_RIGHT);
        canvas_hfill(c, x, r.y, w, UI_ROLE_DIM, ui_glyph_text(UI_GLYPH_H, c->ascii));
        for (size_t i = 0; i < axis.cuts; i++) {
            canvas_glyph(c, x + ui_axis_cut_col(&axis, i), r.y, UI_GLYPH_CUT);
            canvas_glyph(c, x + ui_axis_cut_col(&axis, i) + 1, r.y, UI_GLYPH_CUT);
        }
        draw_ticks(c, x, r.y, &axis, s);
        for (int col = 0; col < w; col++) {
            int64_t t0, t1;
            if (ui_axis_span(&axis, col, &t0, &t1)) {
                canvas_spot_time(c, (struct ui_rect){ x + col, r.y, 1, 1 }, t0);
            }
        }
        canvas_glyph(c, x + ui_axis_col(&axis, s->axis.now_ps), r.y, UI_GLYPH_NOW);
        canvas_glyph(c, x + w, r.y, UI_GLYPH_T_LEFT);
        canvas_text(c, x + w + 1, r.y, UI_ROLE_DEFAULT, right);
    } else if (s->gear != NULL) {
        canvas_text(c, r.x + 1, r.y, UI_ROLE_DEFAULT, s->gear);
    }
    canvas_unclip(c, before);
}
