/*
 * A box over the lower part of the picture: "why is it waiting?", an inspector. Prose stays visible.
 */
#include "ui/rich.h"
#include "ui/view.h"

void ui_view_popup(const struct scene *s, struct canvas *c, struct ui_rect r)
{
    const struct scene_popup *p = &s->why;
    if (!p->shown || r.w < 6 || r.h < 3) {
        return;
    }
    struct rich t = { 0 };
    for (size_t i = 0; i < p->line_count; i++) {
        rich_text(&t, p->line[i], 2, UI_ROLE_DEFAULT);
    }
    const int lines = (int)rich_wrap(&t, r.w - 4);
    int h = lines + 2;
    h = h > r.h ? r.h : h < 3 ? 3 : h;
    const struct ui_rect box = { r.x, r.y + r.h - h, r.w, h };
    const struct ui_rect before = canvas_clip(c, r);
    canvas_blank(c, box);
    canvas_box(c, box, UI_ROLE_TITLE);
    if (p->title != NULL) {
        canvas_text(c, box.x + 2, box.y, UI_ROLE_TITLE, " ");
        const int used = canvas_text_fit(c, box.x + 3, box.y, box.w - 6, UI_ROLE_TITLE, p->title);
        canvas_text(c, box.x + 3 + used, box.y, UI_ROLE_TITLE, " ");
    }
    const int last = lines > h - 2 ? lines - (h - 2) : 0;
    const int first = p->scroll > (size_t)last ? last : (int)p->scroll;
    rich_draw(&t, c, (struct ui_rect){ box.x + 2, box.y + 1, box.w - 4, h - 2 }, (size_t)first);
    if (first < last) {
        canvas_text(c, box.x + box.w - 2, box.y + h - 2, UI_ROLE_KEY, "v");
    }
    canvas_unclip(c, before);
    rich_finish(&t);
}
