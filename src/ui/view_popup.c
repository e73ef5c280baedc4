/*
 * A box over the lower part of the picture: "why is it waiting?", a list. Prose stays visible.
 */
#include "ui/rich.h"
#include "ui/view.h"

/* A box over the lower part of `r`, as high as its lines ask for. */
struct box {
    struct rich text;
    struct ui_rect rect;
    int first, last; /* line shown first, and how far it can be scrolled */
};

static bool layout_box(struct box *b, const struct scene_popup *p, struct ui_rect r)
{
    *b = (struct box){ 0 };
    if (!p->shown || r.w < 6 || r.h < 3) {
        return false;
    }
    for (size_t i = 0; i < p->line_count; i++) {
        rich_text(&b->text, p->line[i], 2, UI_ROLE_DEFAULT);
    }
    const int lines = (int)rich_wrap(&b->text, r.w - 4);
    const int h = lines + 2 > r.h ? r.h : lines + 2 < 3 ? 3 : lines + 2;
    b->rect = (struct ui_rect){ r.x, r.y + r.h - h, r.w, h };
    b->last = lines > h - 2 ? lines - (h - 2) : 0;
    b->first = p->scroll > (size_t)b->last ? b->last : (int)p->scroll;
    return true;
}

size_t ui_view_popup_scroll(const struct scene *s, struct ui_rect r)
{
    struct box b;
    layout_box(&b, &s->why, r);
    rich_finish(&b.text);
    return (size_t)b.first;
}

void ui_view_popup(const struct scene *s, struct canvas *c, struct ui_rect r)
{
    struct box b;
    if (!layout_box(&b, &s->why, r)) {
        return;
    }
    const struct ui_rect box = b.rect;
    const struct ui_rect before = canvas_clip(c, r);
    canvas_blank(c, box);
    canvas_box(c, box, UI_ROLE_TITLE);
    if (s->why.title != NULL) {
        canvas_text(c, box.x + 2, box.y, UI_ROLE_TITLE, " ");
        const int used =
            canvas_text_fit(c, box.x + 3, box.y, box.w - 6, UI_ROLE_TITLE, s->why.title);
        canvas_text(c, box.x + 3 + used, box.y, UI_ROLE_TITLE, " ");
    }
    rich_draw(&b.text, c, (struct ui_rect){ box.x + 2, box.y + 1, box.w - 4, box.h - 2 },
              (size_t)b.first);
    if (b.first > 0) {
        canvas_text(c, box.x + box.w - 2, box.y + 1, UI_ROLE_KEY, "^");
    }
    if (b.first < b.last) {
        canvas_text(c, box.x + box.w - 2, box.y + box.h - 2, UI_ROLE_KEY, "v");
    }
    canvas_unclip(c, before);
    rich_finish(&b.text);
}

void ui_view_reasons(const struct scene *s, struct canvas *c, struct ui_rect r)
{
    struct rich text = { 0 };
    for (size_t i = 0; i < s->reasons.line_count; i++) {
        rich_text(&text, s->reasons.line[i], 2, UI_ROLE_DEFAULT);
    }
    if (rich_wrap(&text, r.w) > (size_t)r.h && r.h > 1) {
        rich_draw(&text, c, (struct ui_rect){ r.x, r.y, r.w, r.h - 1 }, 0);
        canvas_text_fit(c, r.x, r.y + r.h - 1, r.w, UI_ROLE_DIM, "y shows more");
    } else {
        rich_draw(&text, c, r, 0);
    }
    rich_finish(&text);
}
