/*
 * The help screen: this screen's keys, then the marks of the picture; in two columns where there is
 * room.
 */
#include "ui/rich.h"
#include "ui/view.h"

enum { KEYS_W = 14, TWO_COLUMNS_W = 100 };

static void add_keys(struct rich *t, const struct scene_help *help)
{
    for (size_t i = 0; i < help->line_count; i++) {
        const struct scene_help_line *l = &help->line[i];
        if (l->keys == NULL) {
            rich_gap(t);
            rich_text(t, l->text, 0, UI_ROLE_TITLE);
            continue;
        }
        rich_text(t, " ", KEYS_W, UI_ROLE_DEFAULT);
        rich_more(t, l->keys, UI_ROLE_KEY);
        rich_more(t, " ", UI_ROLE_DEFAULT);
        for (int pad = text_cells(l->keys) + 2; pad < KEYS_W; pad++) {
            rich_more(t, " ", UI_ROLE_DEFAULT);
        }
        rich_more(t, l->text, UI_ROLE_DEFAULT);
    }
}

static void add_marks(struct rich *t, bool ascii)
{
    rich_gap(t);
    rich_text(t, "marks", 0, UI_ROLE_TITLE);
    ui_add_legend(t, ascii);
}

/* Draws from line `scroll` on; the right edge says whether there is more. */
static void draw_scrolled(struct rich *t, struct canvas *c, struct ui_rect r, size_t scroll)
{
    const int lines = (int)rich_wrap(t, r.w - 1);
    const int last = lines > r.h ? lines - r.h : 0;
    const int first = scroll > (size_t)last ? last : (int)scroll;
    rich_draw(t, c, (struct ui_rect){ r.x, r.y, r.w - 1, r.h }, (size_t)first);
    if (first > 0) {
        canvas_text(c, r.x + r.w - 1, r.y, UI_ROLE_KEY, "^");
    }
    if (first < last) {
        canvas_text(c, r.x + r.w - 1, r.y + r.h - 1, UI_ROLE_KEY, "v");
    }
}

void ui_view_help(const struct scene *s, struct canvas *c, struct ui_rect r)
{
    struct scene head = { .title = s->help.title != NULL ? s->help.title : "keys and marks" };
    ui_line_header(&head, c, (struct ui_rect){ r.x, r.y, r.w, 1 });
    ui_line_footer(s, c, (struct ui_rect){ r.x, r.y + r.h - 1, r.w, 1 });
    const struct ui_rect body = { r.x + 1, r.y + 2, r.w - 2, r.h - 3 };
    struct rich keys = { 0 };
    add_keys(&keys, &s->help);
    if (r.w >= TWO_COLUMNS_W) {
        struct rich marks = { 0 };
        add_marks(&marks, s->ascii);
        const int half = body.w / 2;
        draw_scrolled(&keys, c, (struct ui_rect){ body.x, body.y, half - 2, body.h },
                      s->help.scroll);
        draw_scrolled(&marks, c, (struct ui_rect){ body.x + half, body.y, body.w - half, body.h },
                      s->help.scroll);
        rich_finish(&marks);
    } else {
        add_marks(&keys, s->ascii);
        draw_scrolled(&keys, c, body, s->help.scroll);
    }
    rich_finish(&keys);
}
