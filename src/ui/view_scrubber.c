/*
 * The whole run on one row: what happened, where we are, how fast it plays.
 *
 *      0├──────────┃────P─PPPPP●───────────────────┤ 20 ms   gear: packet, 1 us/s
 */
#include <stdio.h>

#include "base/units.h"
#include "ui/axis.h"
#include "ui/view.h"

/* Which tick is seen when several fall on a column. */
static int rank_of(enum scene_tick_kind kind)
{
    static const int ranks[] = {
        [SCENE_TICK_BARRIER] = 1,
        [SCENE_TICK_DROP] = 4,
        [SCENE_TICK_PAUSE] = 2,
        [SCENE_TICK_TIMEOUT] = 3,
    };
    return (unsigned)kind < SCENE_TICK_KINDS ? ranks[kind] : 0;
}

static void draw_ticks(struct canvas *c, int x, int y, const struct ui_axis *axis,
                       const struct scene_scrubber *s)
{
    for (int rank = 1; rank <= 4; rank++) {
        for (size_t i = 0; i < s->tick_count; i++) {
            const struct scene_tick *t = &s->tick[i];
            if (rank_of(t->kind) == rank && t->t_ps >= s->axis.t0_ps && t->t_ps <= s->axis.t1_ps) {
                canvas_glyph(c, x + ui_axis_col(axis, t->t_ps), y, ui_glyph_of_tick(t->kind));
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
        canvas_glyph(c, x + ui_axis_col(&axis, s->axis.now_ps), r.y, UI_GLYPH_NOW);
        canvas_glyph(c, x + w, r.y, UI_GLYPH_T_LEFT);
        canvas_text(c, x + w + 1, r.y, UI_ROLE_DEFAULT, right);
    } else if (s->gear != NULL) {
        canvas_text(c, r.x + 1, r.y, UI_ROLE_DEFAULT, s->gear);
    }
    canvas_unclip(c, before);
}
