/*
 * What happened, newest at the bottom: time, glyph, sentence.
 */
#include <stdio.h>

#include "base/units.h"
#include "ui/view.h"

/* A moment with enough digits to tell neighbours apart: all rows use the unit of the largest. */
static void moment(char *buf, size_t size, int64_t t, bool ms)
{
    if (ms) {
        snprintf(buf, size, "%9.4f ms", (double)t / 1e9);
    } else {
        snprintf(buf, size, "%7.2f us", (double)t / 1e6);
    }
}

void ui_view_events(const struct scene *s, struct canvas *c, struct ui_rect r)
{
    if (r.w < 1 || r.h < 1) {
        return;
    }
    const struct ui_rect before = canvas_clip(c, r);
    if (s->event_count == 0) {
        canvas_text_fit(c, r.x + 1, r.y, r.w - 1, UI_ROLE_DIM,
                        s->event_filter != NULL ? "none of these so far; / shows others"
                                                : "nothing worth telling yet");
    }
    const size_t room = (size_t)r.h;
    const size_t first = s->event_count > room ? s->event_count - room : 0;
    const bool ms = s->event_count > 0 && s->event[s->event_count - 1].t_ps >= UNIT_MS;
    for (size_t i = first; i < s->event_count; i++) {
        const struct scene_event *e = &s->event[i];
        const int y = r.y + (int)(i - first);
        char t[48];
        moment(t, sizeof t, e->t_ps, ms);
        int x = r.x + canvas_text(c, r.x, y, UI_ROLE_DIM, t) + 1;
        const struct scene_mark mark = { .kind = e->mark };
        canvas_glyph(c, x, y,
                     e->is_tick ? ui_glyph_of_tick(e->tick) : ui_glyph_of_mark(&mark, true));
        x += 2;
        canvas_text_fit(c, x, y, r.x + r.w - x, UI_ROLE_DEFAULT, e->text);
        canvas_spot_time(c, (struct ui_rect){ r.x, y, r.w, 1 }, e->t_ps);
    }
    canvas_unclip(c, before);
}
