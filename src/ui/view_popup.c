/*
 * A box over the lower part of the picture: a list, or a tree of causes. Prose stays visible.
 *
 *     +- why is it waiting? ------------------+
 *     |  g1 waits at the barrier for g4       |
 *     |> | g4 waits for data from g3          |   the rails of a tree
 *     |  | + packet 44 is lost ...            |
 *     |  + g7 computes for another 12 us      |
 */
#include <stdlib.h>

#include "base/mem.h"
#include "ui/rich.h"
#include "ui/view.h"

enum { STEP = 2, TEXT_MIN = 16 }; /* cells of a step down; of text that are left, at least */

/* A box over the lower part of `r`, as high as its lines ask for. */
struct box {
    const struct scene_popup *popup;
    struct rich *text; /* of each line */
    int *row;          /* at which it begins; behind the last: where it ends */
    struct ui_rect rect;
    int deepest;     /* steps down that are drawn */
    int first, last; /* row shown first, and how far it can be scrolled */
};

static int depth_of(const struct box *b, size_t line)
{
    const int depth = b->popup->depth != NULL ? b->popup->depth[line] : 0;
    return depth < b->deepest ? depth : b->deepest;
}

/* So far that the line that is marked is seen whole, or at least begins at the top. */
static int scroll_of(const struct box *b, int rows)
{
    const struct scene_popup *p = b->popup;
    int first = p->scroll > (size_t)b->last ? b->last : (int)p->scroll;
    if (p->marks && p->marked < p->line_count) {
        const int from = b->row[p->marked];
        const int to = b->row[p->marked + 1];
        first = to > first + rows ? to - rows : first;
        first = from < first ? from : first;
    }
    return first;
}

/* Wraps the lines to `w` cells and scrolls them into `h` rows. */
static void layout_lines(struct box *b, const struct scene_popup *p, int w, int h)
{
    *b = (struct box){ .popup = p };
    b->deepest = w > TEXT_MIN ? (w - TEXT_MIN) / STEP : 0;
    b->text = mem_alloc(p->line_count + 1, sizeof *b->text);
    b->row = mem_alloc(p->line_count + 1, sizeof *b->row);
    for (size_t i = 0; i < p->line_count; i++) {
        if (p->markdown) {
            rich_markdown(&b->text[i], p->line[i], UI_ROLE_DEFAULT);
        } else {
            rich_text(&b->text[i], p->line[i], p->depth != NULL ? 0 : 2, UI_ROLE_DEFAULT);
        }
        const int rows = (int)rich_wrap(&b->text[i], w - STEP * depth_of(b, i));
        b->row[i + 1] = b->row[i] + (rows < 1 ? 1 : rows);
    }
    const int rows = b->row[p->line_count];
    b->last = rows > h ? rows - h : 0;
    b->first = scroll_of(b, h);
}

static bool layout_box(struct box *b, const struct scene_popup *p, struct ui_rect r)
{
    *b = (struct box){ .popup = p };
    if (!p->shown || r.w < 6 || r.h < 3) {
        return false;
    }
    layout_lines(b, p, r.w - 4, r.h - 2);
    const int rows = b->row[p->line_count];
    const int h = rows + 2 > r.h ? r.h : rows + 2 < 3 ? 3 : rows + 2;
    b->rect = (struct ui_rect){ r.x, r.y + r.h - h, r.w, h };
    return true;
}

static void finish_box(struct box *b)
{
    for (size_t i = 0; b->text != NULL && i < b->popup->line_count; i++) {
        rich_finish(&b->text[i]);
    }
    free(b->text);
    free(b->row);
}

size_t ui_view_popup_scroll(const struct scene *s, struct ui_rect r)
{
    struct box b;
    layout_box(&b, &s->why, r);
    finish_box(&b);
    return (size_t)b.first;
}

/* Does anything hang at this depth below the line, before the tree goes back up? */
static bool goes_on(const struct box *b, size_t line, int depth)
{
    for (size_t i = line + 1; i < b->popup->line_count; i++) {
        const int at = b->popup->depth[i];
        if (at <= depth) {
            return at == depth;
        }
    }
    return false;
}

/* What hangs where, left of one row of a line. */
static void draw_rails(const struct box *b, struct canvas *c, int x, int y, size_t line, bool head)
{
    const int depth = depth_of(b, line);
    const int skipped = b->popup->depth[line] - depth; /* steps for which there was no room */
    for (int level = 1; level <= depth; level++) {
        const bool more = goes_on(b, line, level + skipped);
        const bool own = level == depth && head;
        if (own || more) {
            canvas_glyph(c, x + STEP * (level - 1), y,
                         !own   ? UI_GLYPH_V
                         : more ? UI_GLYPH_T_RIGHT
                                : UI_GLYPH_BL);
        }
    }
}

static void draw_line(const struct box *b, struct canvas *c, struct ui_rect in, size_t line)
{
    const int top = b->row[line] - b->first;
    const int bottom = b->row[line + 1] - b->first;
    const bool marked = b->popup->marks && b->popup->marked == line;
    if (bottom <= 0 || top >= in.h) {
        return;
    }
    const int from = top < 0 ? 0 : top;
    const int to = bottom > in.h ? in.h : bottom;
    const int dx = STEP * depth_of(b, line);
    for (int y = from; y < to && b->popup->depth != NULL; y++) {
        draw_rails(b, c, in.x, in.y + y, line, y == top);
    }
    rich_draw(&b->text[line], c, (struct ui_rect){ in.x + dx, in.y + from, in.w - dx, to - from },
              (size_t)(from - top));
    if (marked) {
        canvas_glyph(c, in.x - 1, in.y + from, UI_GLYPH_SELECT);
        for (int y = from; y < to; y++) {
            canvas_attr(c, in.x + dx, in.y + y, in.w - dx, UI_REVERSE);
        }
    }
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
    canvas_spot(c, box, UI_SPOT_BOX, 0);
    if (s->why.title != NULL) {
        canvas_text(c, box.x + 2, box.y, UI_ROLE_TITLE, " ");
        const int used =
            canvas_text_fit(c, box.x + 3, box.y, box.w - 6, UI_ROLE_TITLE, s->why.title);
        canvas_text(c, box.x + 3 + used, box.y, UI_ROLE_TITLE, " ");
    }
    const struct ui_rect in = { box.x + 2, box.y + 1, box.w - 4, box.h - 2 };
    for (size_t i = 0; i < s->why.line_count; i++) {
        draw_line(&b, c, in, i);
        const struct ui_rect row = { in.x - 1, in.y + b.row[i] - b.first, in.w + 2,
                                     b.row[i + 1] - b.row[i] };
        canvas_spot(c, row, UI_SPOT_LINE, (uint32_t)i);
    }
    if (b.first > 0) {
        canvas_text(c, box.x + box.w - 2, box.y + 1, UI_ROLE_KEY, "^");
    }
    if (b.first < b.last) {
        canvas_text(c, box.x + box.w - 2, box.y + box.h - 2, UI_ROLE_KEY, "v");
    }
    canvas_unclip(c, before);
    finish_box(&b);
}

void ui_view_reasons(const struct scene *s, struct canvas *c, struct ui_rect r)
{
    struct box b;
    struct ui_rect in = r;
    const struct ui_rect before = canvas_clip(c, r);
    layout_lines(&b, &s->reasons, r.w, r.h);
    if (b.last > 0 && r.h > 1) {
        in.h--;
        canvas_text_fit(c, r.x, r.y + in.h, r.w, UI_ROLE_DIM, "y shows more");
    }
    for (size_t i = 0; i < s->reasons.line_count; i++) {
        draw_line(&b, c, in, i);
    }
    finish_box(&b);
    canvas_unclip(c, before);
}
