/*
 * The GPU timeline: a row for each GPU, time to the right, the barrier through all of them.
 */
#include "ui/timeline.h"
#include "ui/view.h"

enum { WORD_FROM_W = 70 };

void ui_view_timeline(const struct scene *s, struct canvas *c, struct ui_rect r)
{
    const struct scene_timeline *tl = &s->timeline;
    const struct ui_timeline t = ui_timeline(tl, r.w, r.w >= WORD_FROM_W);
    if (t.axis.w < 4 || r.h < 1 || tl->axis.t1_ps <= tl->axis.t0_ps) {
        return;
    }
    const struct ui_rect before = canvas_clip(c, r);
    const struct ui_rect rows = { r.x, r.y, r.w, r.h > 1 ? r.h - 1 : 1 };
    const int used = ui_timeline_rows(c, rows, &t, tl, tl->first, NULL);
    if (r.h > 1) {
        ui_timeline_axis(c, r.x, r.y + used, &t, tl, NULL, 0);
    }
    canvas_unclip(c, before);
}
