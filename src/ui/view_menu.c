/*
 * A menu: pages of rows, a name, a value and what it may be; below, what the chosen row is about.
 *
 *     ┌ start from  [build]  switches  break  keep ──────────────────────┐
 *     │ fabric           leaf_spine    leaf_spine | fat_tree | rail | ... │
 *     │   leaves         2             1 to 1024                          │
 *     │ > hosts        * 4             1 to 1024                          │
 *     ├───────────────────────────────────────────────────────────────────┤
 *     │ hosts under each leaf                     8 hosts, 4 switches     │
 *     └───────────────────────────────────────────────────────────────────┘
 *
 * Narrow, the range goes below with what the row is about.
 */
#include <stdio.h>
#include <string.h>

#include "ui/rich.h"
#include "ui/view.h"

enum { ABOUT_ROWS = 4, RANGE_MIN = 12 };

/* Columns of a row, inside the box. */
struct columns {
    int name, value, range; /* where each begins */
    int name_w, value_w, range_w;
};

static int cells(const char *s)
{
    return s != NULL ? text_cells(s) : 0;
}

static int at_most(int a, int b)
{
    return a < b ? a : b;
}

static struct columns columns_of(const struct scene_menu *m, struct ui_rect r)
{
    int name = 0, value = 0;
    bool ranged = false;
    for (size_t i = 0; i < m->row_count; i++) {
        const struct scene_menu_row *row = &m->row[i];
        if (!row->heading) {
            const int w = cells(row->name) + 2 * row->depth;
            name = name > w || (row->value == NULL && row->note == NULL && row->range == NULL)
                       ? name
                       : w;
            value = value > cells(row->value) ? value : cells(row->value);
            ranged = ranged || row->range != NULL || row->note != NULL;
        }
    }
    struct columns k = { .name = r.x + 2 };
    k.name_w = at_most(name, r.w / 2 - 2);
    k.value = k.name + k.name_w + 3;
    k.value_w = at_most(value, r.x + r.w - k.value);
    k.value_w = ranged && r.w >= 60 ? at_most(k.value_w, r.w / 3) : k.value_w;
    k.range = k.value + k.value_w + 2;
    k.range_w = r.x + r.w - k.range;
    if (k.range_w < RANGE_MIN) {
        k.range_w = 0;
    }
    return k;
}

static void draw_row(const struct scene_menu_row *row, bool selected, const struct columns *k,
                     struct canvas *c, struct ui_rect r)
{
    if (row->heading) {
        canvas_text_fit(c, r.x, r.y, r.w, UI_ROLE_TITLE, row->name);
        return;
    }
    const enum ui_role role = row->dim ? UI_ROLE_DIM : UI_ROLE_DEFAULT;
    const bool lone = row->value == NULL && row->range == NULL && row->note == NULL;
    const int name_x = k->name + 2 * row->depth;
    canvas_text_fit(c, name_x, r.y, lone ? r.x + r.w - name_x : k->name_w - 2 * row->depth,
                    selected ? UI_ROLE_SELECTED : role, row->name);
    if (selected) {
        canvas_text(c, r.x, r.y, UI_ROLE_KEY, ">");
    }
    if (row->changed) {
        canvas_text(c, k->value - 2, r.y, UI_ROLE_KEY, "*");
    }
    canvas_text_fit(c, k->value, r.y, k->value_w, row->dim ? UI_ROLE_DIM : UI_ROLE_VALUE,
                    row->value);
    if (k->range_w > 0) {
        canvas_text_fit(c, k->range, r.y, k->range_w, UI_ROLE_DIM,
                        row->note != NULL ? row->note : row->range);
    }
}

/* The pages' names in the frame; the open one in brackets. */
static void draw_pages(const struct scene_menu *m, struct canvas *c, struct ui_rect r)
{
    int x = r.x + 2, whole = 4;
    for (size_t i = 0; i < m->page_count; i++) {
        whole += cells(m->page[i]) + 2;
    }
    for (size_t i = 0; i < m->page_count; i++) {
        const bool open = i == m->page_at;
        if (!open && whole > r.w) {
            continue; /* only the open one has room */
        }
        if (x + cells(m->page[i]) + 2 > r.x + r.w - 1) {
            break;
        }
        canvas_text(c, x, r.y, UI_ROLE_TITLE, open ? "[" : " ");
        x += 1 + canvas_text(c, x + 1, r.y, open ? UI_ROLE_TITLE : UI_ROLE_DIM, m->page[i]);
        x += canvas_text(c, x, r.y, UI_ROLE_TITLE, open ? "]" : " ");
    }
    if (whole > r.w && m->page_count > 1) {
        char at[48];
        snprintf(at, sizeof at, " %zu of %zu ", m->page_at + 1, m->page_count);
        canvas_text(c, r.x + r.w - 2 - cells(at), r.y, UI_ROLE_DIM, at);
    }
}

/* What the chosen row is: its range where no column has it, its note, what it is about. */
static void say_about(const struct scene_menu *m, int range_w, struct rich *text)
{
    const struct scene_menu_row *row = m->selected < m->row_count ? &m->row[m->selected] : NULL;
    if (m->error != NULL) {
        rich_text(text, m->error, 0, UI_ROLE_WRONG);
        return;
    }
    rich_text(text, m->about != NULL ? m->about : "", 0, UI_ROLE_DEFAULT);
    if (row != NULL && row->note != NULL) {
        rich_more(text, m->about != NULL ? "; " : "", UI_ROLE_DEFAULT);
        rich_more(text, row->note, UI_ROLE_DEFAULT);
    }
    if (row != NULL && row->range != NULL && (cells(row->range) > range_w || row->note != NULL)) {
        rich_more(text, " (", UI_ROLE_DIM);
        rich_more(text, row->range, UI_ROLE_DIM);
        rich_more(text, ")", UI_ROLE_DIM);
    }
}

/* The first row shown: the chosen one lies in the middle third where there is more than room. */
static size_t first_row(const struct scene_menu *m, int rows)
{
    const size_t room = rows > 0 ? (size_t)rows : 1;
    if (m->row_count <= room) {
        return 0;
    }
    const size_t before = room / 2;
    const size_t first = m->selected > before ? m->selected - before : 0;
    return first < m->row_count - room ? first : m->row_count - room;
}

void ui_view_menu(const struct scene *s, struct canvas *c, struct ui_rect r)
{
    const struct scene_menu *m = &s->menu;
    if (!m->shown || r.w < 10 || r.h < 6) {
        return;
    }
    const struct ui_rect before = canvas_clip(c, r);
    const struct ui_rect inside = { r.x + 2, r.y + 1, r.w - 4, r.h - 2 };
    const struct columns k = columns_of(m, inside);
    struct rich about = { 0 };
    say_about(m, k.range_w, &about);
    int below = (int)rich_wrap(&about, inside.w);
    below = at_most(below < 1 ? 1 : below, ABOUT_ROWS);
    const int rows = inside.h - below - 1 - (m->foot != NULL && r.h >= 14 ? 1 : 0);
    const size_t first = first_row(m, rows);
    canvas_blank(c, r);
    canvas_spot(c, r, UI_SPOT_BOX, 0);
    canvas_box(c, r, UI_ROLE_TITLE);
    draw_pages(m, c, r);
    canvas_spot(c, (struct ui_rect){ r.x, r.y, r.w, 1 }, UI_SPOT_PAGE, 0);
    for (size_t i = first; i < m->row_count && (int)(i - first) < rows; i++) {
        const struct ui_rect line = { inside.x, inside.y + (int)(i - first), inside.w, 1 };
        draw_row(&m->row[i], i == m->selected, &k, c, line);
        if (!m->row[i].heading) {
            canvas_spot(c, line, UI_SPOT_LINE, (uint32_t)i);
        }
    }
    if (first > 0) {
        canvas_text(c, r.x + r.w - 2, inside.y, UI_ROLE_KEY, "^");
    }
    if (first + (size_t)(rows > 0 ? rows : 0) < m->row_count) {
        canvas_text(c, r.x + r.w - 2, inside.y + rows - 1, UI_ROLE_KEY, "v");
    }
    ui_heading(c, (struct ui_rect){ inside.x - 1, inside.y + rows, inside.w + 2, 1 }, NULL);
    rich_draw(&about, c, (struct ui_rect){ inside.x, inside.y + rows + 1, inside.w, below }, 0);
    rich_finish(&about);
    if (m->foot != NULL && r.h >= 14) {
        canvas_text_fit(c, inside.x, inside.y + inside.h - 1, inside.w, UI_ROLE_DIM, m->foot);
    }
    canvas_unclip(c, before);
}
