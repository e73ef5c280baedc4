/*
 * A packet: its headers and fields on the left, its bytes on the right with those of the selected field in
 * brackets, below what that field is. Where there is no room for bytes, fields alone.
 */
#include <stdio.h>

#include "ui/rich.h"
#include "ui/view.h"

enum {
    FIELDS_MIN = 36, /* columns that names and values need at least */
    GAP = 3,         /* between fields and bytes */
    OFFSET = 4,      /* digits of the offset */
    ABOUT_MAX = 4    /* lines below */
};

/* "0010 45 02 ...": each byte has three columns, and a bracket may follow the last. */
static int hex_width(int bytes)
{
    return OFFSET + 3 * bytes + 1;
}

/* How many bytes a row has; 0: none are shown. */
static int bytes_in_row(int w)
{
    static const int choices[] = { 16, 8 };
    for (size_t i = 0; i < sizeof choices / sizeof *choices; i++) {
        const int least = choices[i] == 16 ? FIELDS_MIN + 16 : FIELDS_MIN;
        if (w >= least + GAP + hex_width(choices[i])) {
            return choices[i];
        }
    }
    return 0;
}

/* The first of `count` rows to be shown so that `at` is among `room`, near the middle. */
static size_t first_shown(size_t at, size_t count, size_t room)
{
    if (count <= room || at < room / 2) {
        return 0;
    }
    const size_t first = at - room / 2;
    return first + room > count ? count - room : first;
}

/* "Name: value". What is too long: both are cut, the value to half of the room at most. */
static void draw_row(const struct scene_field *f, bool selected, struct canvas *c, struct ui_rect r)
{
    const enum ui_role role = selected    ? UI_ROLE_SELECTED
                              : f->header ? UI_ROLE_TITLE
                                          : UI_ROLE_DEFAULT;
    canvas_text(c, r.x, r.y, role, selected ? ">" : " ");
    canvas_text(c, r.x + 1, r.y, role, !f->header ? "   " : f->folded ? "+ " : "- ");
    const int x = r.x + (f->header ? 3 : 4), w = r.x + r.w - x;
    const int value = f->value != NULL ? text_cells(f->value) : 0;
    const int half = value > w / 2 ? w / 2 : value;
    int used = canvas_text_fit(c, x, r.y, value > 0 ? w - half - 2 : w, role, f->name);
    if (value > 0) {
        used += canvas_text(c, x + used, r.y, role, ": ");
        canvas_text_fit(c, x + used, r.y, w - used, role, f->value);
    }
}

static void draw_fields(const struct scene_inspector *p, struct canvas *c, struct ui_rect r)
{
    const size_t room = (size_t)r.h;
    const size_t first = first_shown(p->selected, p->row_count, room);
    for (size_t i = first; i < p->row_count && i < first + room; i++) {
        draw_row(&p->row[i], i == p->selected, c,
                 (struct ui_rect){ r.x, r.y + (int)(i - first), r.w, 1 });
    }
}

static void draw_bytes(const struct scene_inspector *p, struct canvas *c, struct ui_rect r,
                       size_t in_row)
{
    const struct scene_field *f = &p->row[p->selected];
    const size_t rows = (p->byte_count + in_row - 1) / in_row, room = (size_t)r.h;
    const size_t first = first_shown(f->offset / in_row, rows, room);
    for (size_t i = first * in_row; i < p->byte_count && i < (first + room) * in_row; i++) {
        const int y = r.y + (int)(i / in_row - first);
        const int x = r.x + OFFSET + 3 * (int)(i % in_row);
        const bool in = i >= f->offset && i < f->offset + f->length;
        const bool starts = in && (i == f->offset || i % in_row == 0);
        const bool ends = in && (i + 1 == f->offset + f->length || i % in_row == in_row - 1);
        if (i % in_row == 0) {
            canvas_textf(c, r.x, y, UI_ROLE_DIM, "%04zx", i);
        }
        if (starts) {
            canvas_text(c, x, y, UI_ROLE_KEY, "[");
        }
        canvas_textf(c, x + 1, y, in ? UI_ROLE_KEY : UI_ROLE_DEFAULT, "%02x", p->byte[i]);
        if (ends) {
            canvas_text(c, x + 3, y, UI_ROLE_KEY, "]");
        }
    }
}

/* What it is for: what there is no room for in the list, where there is little room at all. */
static void say_brief(const struct scene_inspector *p, struct rich *t)
{
    const struct scene_field *f = &p->row[p->selected];
    rich_finish(t);
    *t = (struct rich){ 0 };
    rich_text(t, f->value != NULL ? f->value : f->name, 0, UI_ROLE_VALUE);
    if (p->about != NULL) {
        rich_more(t, ". ", UI_ROLE_DEFAULT);
        rich_more(t, p->about, UI_ROLE_DEFAULT);
    }
}

/* The selected row in full, where it is, what it is for. */
static void say_about(const struct scene_inspector *p, struct rich *t)
{
    const struct scene_field *f = &p->row[p->selected];
    rich_text(t, f->name, 0, UI_ROLE_TITLE);
    if (f->value != NULL) {
        rich_more(t, ": ", UI_ROLE_TITLE);
        rich_more(t, f->value, UI_ROLE_VALUE);
    }
    if (p->about != NULL) {
        rich_more(t, ". ", UI_ROLE_DEFAULT);
        rich_more(t, p->about, UI_ROLE_DEFAULT);
    }
    if (p->place != NULL) {
        rich_more(t, " (", UI_ROLE_DIM);
        rich_more(t, p->place, UI_ROLE_DIM);
        rich_more(t, ")", UI_ROLE_DIM);
    }
}

static void draw_packet(const struct scene_inspector *p, struct canvas *c, struct ui_rect r)
{
    struct rich about = { 0 };
    say_about(p, &about);
    int wrapped = (int)rich_wrap(&about, r.w);
    const int most = (r.h + 1) / 3 < ABOUT_MAX ? (r.h + 1) / 3 : ABOUT_MAX;
    if (wrapped > most) {
        say_brief(p, &about);
        wrapped = (int)rich_wrap(&about, r.w);
    }
    const int below = wrapped < most ? wrapped : most;
    const int bytes = bytes_in_row(r.w);
    const int hex = bytes > 0 ? hex_width(bytes) + GAP : 0;
    const int h = r.h - below - 1;
    draw_fields(p, c, (struct ui_rect){ r.x, r.y, r.w - hex, h });
    if (bytes > 0) {
        draw_bytes(p, c, (struct ui_rect){ r.x + r.w - hex + GAP, r.y, hex - GAP, h },
                   (size_t)bytes);
    }
    ui_heading(c, (struct ui_rect){ r.x, r.y + h, r.w, 1 }, NULL);
    rich_draw(&about, c, (struct ui_rect){ r.x, r.y + h + 1, r.w, below }, 0);
    rich_finish(&about);
}

void ui_view_inspector(const struct scene *s, struct canvas *c, struct ui_rect r)
{
    const struct scene_inspector *p = &s->inspector;
    if (!p->shown || r.w < 8 || r.h < 5) {
        return;
    }
    const struct ui_rect before = canvas_clip(c, r);
    const struct ui_rect inside = { r.x + 2, r.y + 1, r.w - 4, r.h - 2 };
    canvas_blank(c, r);
    canvas_box(c, r, UI_ROLE_TITLE);
    if (p->title != NULL) {
        canvas_text(c, r.x + 2, r.y, UI_ROLE_TITLE, " ");
        const int used = canvas_text_fit(c, r.x + 3, r.y, r.w - 6, UI_ROLE_TITLE, p->title);
        canvas_text(c, r.x + 3 + used, r.y, UI_ROLE_TITLE, " ");
    }
    if (p->selected < p->row_count) {
        draw_packet(p, c, inside);
    } else {
        canvas_text_fit(c, inside.x, inside.y, inside.w, UI_ROLE_DIM, p->note);
    }
    canvas_unclip(c, before);
}
