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

/* The screen's one or two columns. */
struct columns {
    struct rich text[2];
    struct ui_rect rect[2];
    int lines[2];
    int count;
};

static void layout_columns(struct columns *k, const struct scene *s, struct ui_rect r)
{
    const struct ui_rect body = { r.x + 1, r.y + 2, r.w - 2, r.h - 3 };
    *k = (struct columns){ .count = r.w >= TWO_COLUMNS_W ? 2 : 1, .rect = { body } };
    add_keys(&k->text[0], &s->help);
    add_marks(&k->text[k->count - 1], s->ascii);
    if (k->count == 2) {
        const int half = body.w / 2;
        k->rect[0].w = half - 2;
        k->rect[1] = (struct ui_rect){ body.x + half, body.y, body.w - half, body.h };
    }
    for (int i = 0; i < k->count; i++) {
        k->lines[i] = (int)rich_wrap(&k->text[i], k->rect[i].w - 1);
    }
}

/* How far column `i` can be scrolled. */
static int last_of(const struct columns *k, int i)
{
    return k->lines[i] > k->rect[i].h ? k->lines[i] - k->rect[i].h : 0;
}

static void finish_columns(struct columns *k)
{
    for (int i = 0; i < k->count; i++) {
        rich_finish(&k->text[i]);
    }
}

/* The right edge says whether there is more. */
static void draw_column(const struct columns *k, int i, struct canvas *c, size_t scroll)
{
    const struct ui_rect r = k->rect[i];
    const int last = last_of(k, i);
    const int first = scroll > (size_t)last ? last : (int)scroll;
    rich_draw(&k->text[i], c, (struct ui_rect){ r.x, r.y, r.w - 1, r.h }, (size_t)first);
    if (first > 0) {
        canvas_text(c, r.x + r.w - 1, r.y, UI_ROLE_KEY, "^");
    }
    if (first < last) {
        canvas_text(c, r.x + r.w - 1, r.y + r.h - 1, UI_ROLE_KEY, "v");
    }
}

size_t ui_view_help_scroll(const struct scene *s, struct ui_rect r)
{
    struct columns k;
    layout_columns(&k, s, r);
    int last = last_of(&k, 0);
    if (k.count == 2 && last_of(&k, 1) > last) {
        last = last_of(&k, 1);
    }
    finish_columns(&k);
    return s->help.scroll > (size_t)last ? (size_t)last : s->help.scroll;
}

void ui_view_help(const struct scene *s, struct canvas *c, struct ui_rect r)
{
    struct scene head = { .title = s->help.title != NULL ? s->help.title : "keys and marks" };
    ui_line_header(&head, c, (struct ui_rect){ r.x, r.y, r.w, 1 });
    ui_line_footer(s, c, (struct ui_rect){ r.x, r.y + r.h - 1, r.w, 1 });
    struct columns k;
    layout_columns(&k, s, r);
    for (int i = 0; i < k.count; i++) {
        draw_column(&k, i, c, s->help.scroll);
    }
    finish_columns(&k);
}
