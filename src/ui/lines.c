/*
 * The rows that frame every screen: header, switches, follow line, footer, and the headings.
 */
#include <stdio.h>
#include <string.h>

#include "ui/layout.h"
#include "ui/view.h"

static int max_int(int a, int b)
{
    return a > b ? a : b;
}

void ui_heading(struct canvas *c, struct ui_rect r, const char *title)
{
    if (r.w < 1 || r.h < 1) {
        return;
    }
    canvas_hfill(c, r.x, r.y, r.w, UI_ROLE_DIM, ui_glyph_text(UI_GLYPH_H, c->ascii));
    if (title == NULL || title[0] == '\0' || r.w < 6) {
        return;
    }
    canvas_text(c, r.x + 1, r.y, UI_ROLE_DIM, " ");
    const int used = canvas_text_fit(c, r.x + 2, r.y, r.w - 4, UI_ROLE_TITLE, title);
    canvas_text(c, r.x + 2 + used, r.y, UI_ROLE_DIM, " ");
}

/* ---- Header ----------------------------------------------------------------------------------- */

/* What stands at the right of the header, from long to short. */
static const char *header_right(const struct scene *s, char *buf, size_t size, int form)
{
    int n = 0;
    buf[0] = '\0';
    if (s->home.count != NULL) { /* how much of the course is done */
        n = snprintf(buf, size, "%s", s->home.count);
    } else if (s->cards > 0) {
        n = form < 2 ? snprintf(buf, size, "card %zu of %zu", s->card, s->cards)
                     : snprintf(buf, size, "%zu/%zu", s->card, s->cards);
    }
    if (form == 0 && s->minutes_left >= 0 && s->cards > 0 && n > 0) {
        snprintf(buf + n, size - (size_t)n, ", %d min left", s->minutes_left);
    }
    return buf;
}

void ui_line_header(const struct scene *s, struct canvas *c, struct ui_rect r)
{
    const struct ui_rect before = canvas_clip(c, r);
    const char *title = s->title != NULL ? s->title : "";
    const int title_w = text_cells(title);
    char right[96];
    int form = 0;
    while (form < 2 &&
           7 + title_w + 2 + text_cells(header_right(s, right, sizeof right, form)) + 5 > r.w) {
        form++;
    }
    header_right(s, right, sizeof right, form);
    const bool key = r.w >= 30;
    const int right_w = text_cells(right) + (key ? 5 : 1);
    int x = r.x + 1;
    if (r.w >= 30 || title_w == 0) {
        x += canvas_text(c, x, r.y, UI_ROLE_DIM, "weft") + 2;
    }
    canvas_text_fit(c, x, r.y, max_int(r.x + r.w - right_w - x - 1, 0), UI_ROLE_TITLE, title);
    canvas_text(c, r.x + r.w - right_w, r.y, UI_ROLE_DEFAULT, right);
    if (key) {
        canvas_text(c, r.x + r.w - 2, r.y, UI_ROLE_KEY, "?");
    }
    canvas_unclip(c, before);
}

/* ---- Switches --------------------------------------------------------------------------------- */

enum { SWITCH_GAP = 3 };

/* Cells of "1 flow control [PFC]". */
static int switch_w(const struct scene_switch *sw)
{
    const int label = text_cells(sw->label != NULL ? sw->label : "");
    const int value = text_cells(sw->value != NULL ? sw->value : "");
    return 2 + label + 2 + value + 1;
}

/* Returns the cells it takes. Drawn only when it ends before `end`, else 0. */
static int put_switch(struct canvas *c, int x, int y, int end, const struct scene_switch *sw)
{
    const int need = switch_w(sw);
    if (x + need > end) {
        return 0;
    }
    const char digit[2] = { sw->digit, '\0' };
    canvas_spot(c, (struct ui_rect){ x, y, need, 1 }, UI_SPOT_SWITCH, (uint32_t)sw->digit);
    canvas_text(c, x, y, UI_ROLE_KEY, digit);
    x += 1 + canvas_text(c, x + 1, y, UI_ROLE_DEFAULT, " ");
    x += canvas_text(c, x, y, UI_ROLE_DEFAULT, sw->label);
    x += canvas_text(c, x, y, UI_ROLE_DEFAULT, " [");
    x += canvas_text(c, x, y, sw->changed ? UI_ROLE_QUIET : UI_ROLE_VALUE, sw->value);
    canvas_text(c, x, y, UI_ROLE_DEFAULT, "]");
    return need;
}

void ui_line_follow(const struct scene *s, struct canvas *c, struct ui_rect r)
{
    if (s->follow != NULL) {
        canvas_text_fit(c, r.x + 1, r.y, r.w - 2, UI_ROLE_TITLE, s->follow);
    } else if (s->scale != NULL) {
        canvas_text_fit(c, r.x + 1, r.y, r.w - 2, UI_ROLE_DIM, s->scale);
    }
}

/* The counts stand at the right end; the column where switches must end. */
static int counts_w(const struct scene *s)
{
    return s->counts != NULL && s->counts[0] != '\0' ? text_cells(s->counts) + 2 : 0;
}

static int switches_end(const struct scene *s, struct ui_rect r)
{
    return r.x + r.w - counts_w(s) - 2;
}

size_t ui_line_switches_fit(const struct scene *s, struct ui_rect r)
{
    int x = r.x + 2;
    size_t n = 0;
    while (n < s->sw_count && x + switch_w(&s->sw[n]) <= switches_end(s, r)) {
        x += switch_w(&s->sw[n++]) + SWITCH_GAP;
    }
    return n;
}

void ui_line_switches(const struct scene *s, struct canvas *c, struct ui_rect r)
{
    const struct ui_rect before = canvas_clip(c, r);
    canvas_hfill(c, r.x, r.y, r.w, UI_ROLE_DIM, ui_glyph_text(UI_GLYPH_H, c->ascii));
    const int end = switches_end(s, r);
    int x = r.x + 2;
    for (size_t i = 0; i < s->sw_count; i++) {
        const int used = put_switch(c, x, r.y, end, &s->sw[i]);
        if (used == 0) {
            canvas_text(c, x, r.y, UI_ROLE_DIM, ui_glyph_text(UI_GLYPH_ELLIPSIS, c->ascii));
            x += 4;
            break;
        }
        x += used;
        canvas_hfill(c, x, r.y, SWITCH_GAP, UI_ROLE_DIM, " ");
        x += SWITCH_GAP;
    }
    if (s->sw_count > 0) {
        canvas_text(c, r.x + 1, r.y, UI_ROLE_DIM, " ");
        canvas_hfill(c, x - 2, r.y, r.x + r.w - (x - 2), UI_ROLE_DIM,
                     ui_glyph_text(UI_GLYPH_H, c->ascii));
    }
    if (counts_w(s) > 0) {
        const int cx = r.x + r.w - counts_w(s) - 1;
        canvas_text(c, cx, r.y, UI_ROLE_DIM, " ");
        canvas_text(c, cx + 1, r.y, UI_ROLE_DEFAULT, s->counts);
        canvas_text(c, cx + 1 + counts_w(s) - 2, r.y, UI_ROLE_DIM, " ");
    }
    canvas_unclip(c, before);
}

size_t ui_view_switches_fit(const struct scene *s, struct ui_rect r)
{
    size_t n = 0;
    while (n < s->sw_count && (int)n < r.h && 1 + switch_w(&s->sw[n]) <= r.w) {
        n++;
    }
    return n;
}

/* What the scene sets besides, and where all the others are: in the rows from `y` on. */
static void draw_set(const struct scene *s, struct canvas *c, struct ui_rect r, int y)
{
    const int last = r.y + r.h - 1;
    int name = 0;
    for (size_t i = 0; i < s->set_count; i++) {
        const int w = text_cells(s->set[i].name);
        name = w > name ? w : name;
    }
    for (size_t i = 0; i < s->set_count && y < last; i++, y++) {
        const struct scene_set *set = &s->set[i];
        if (i == 0 && y + 1 < last) {
            canvas_text_fit(c, r.x + 1, y++, r.w - 1, UI_ROLE_DIM, "set by the scene:");
        }
        canvas_text_fit(c, r.x + 3, y, r.w - 3, UI_ROLE_DEFAULT, set->name);
        canvas_text(c, r.x + 1, y, UI_ROLE_KEY, set->changed ? "*" : " ");
        canvas_text_fit(c, r.x + 5 + name, y, r.w - 5 - name, UI_ROLE_VALUE, set->value);
    }
    if (y <= last) {
        canvas_text_fit(c, r.x + 1, y, r.w - 1, UI_ROLE_DIM, "S: every switch, and what it does");
    }
}

void ui_view_switches(const struct scene *s, struct canvas *c, struct ui_rect r)
{
    const struct ui_rect before = canvas_clip(c, r);
    if (s->sw_count == 0 && r.h > 0) {
        canvas_text_fit(c, r.x + 1, r.y, r.w - 1, UI_ROLE_DIM, "this card has no switches");
    }
    const int end = r.x + r.w;
    const bool list = (int)s->sw_count <= r.h; /* one a row, else side by side */
    int x = r.x + 1;
    int y = r.y;
    for (size_t i = 0; i < s->sw_count; i++) {
        int used = put_switch(c, x, y, end, &s->sw[i]);
        if (used == 0 && x > r.x + 1) {
            x = r.x + 1;
            y++;
            used = put_switch(c, x, y, end, &s->sw[i]);
        }
        if (used == 0) { /* too long for a row: cut it, say at least which */
            char text[256];
            snprintf(text, sizeof text, "%c %s [%s]", s->sw[i].digit, s->sw[i].label,
                     s->sw[i].value);
            used = canvas_text_fit(c, x, y, end - x, UI_ROLE_DEFAULT, text);
        }
        x = list ? r.x + 1 : x + used + SWITCH_GAP;
        y += list ? 1 : 0;
    }
    if (list && r.h > 2) {
        draw_set(s, c, r, s->sw_count > 0 ? y : y + 1);
    }
    canvas_unclip(c, before);
}

/* ---- Footer ----------------------------------------------------------------------------------- */

/* Cells of a hint with the gap behind it. */
static int hint_w(const struct scene_hint *h, int gap)
{
    return text_cells(h->keys != NULL ? h->keys : "") + 1 +
           text_cells(h->text != NULL ? h->text : "") + gap;
}

static void draw_hints(const struct scene *s, struct canvas *c, struct ui_rect r)
{
    const int gap = r.w < 100 ? 2 : 3;
    int kept = 0, out = 0; /* `out`: of the row's end, for those that are still to come */
    bool full = false;
    for (size_t i = 0; i < s->hint_count; i++) {
        kept += s->hint[i].keep ? hint_w(&s->hint[i], gap) : 0;
        out += s->hint[i].out ? hint_w(&s->hint[i], gap) : 0;
    }
    int room = r.w + 1 - kept; /* for those that may go; the last one's gap is not needed */
    int x = r.x + 1;
    for (size_t i = 0; i < s->hint_count; i++) {
        const struct scene_hint *h = &s->hint[i];
        const int w = hint_w(h, gap);
        if (!h->keep) {
            if (w > room) {
                room = 0; /* nothing later slips in before it: the order is the importance */
                continue;
            }
            room -= w;
        }
        out -= h->out ? w : 0;
        full = full || x + w + out - gap > r.x + r.w;
        if (full && !h->out) {
            continue;
        }
        const int k = canvas_text(c, x, r.y, UI_ROLE_KEY, h->keys);
        canvas_spot(c, (struct ui_rect){ x, r.y, w - gap, 1 }, UI_SPOT_HINT, h->id);
        canvas_text(c, x + k + 1, r.y, UI_ROLE_DIM, h->text);
        x += w;
    }
}

static void draw_prompt(const struct scene *s, struct canvas *c, struct ui_rect r)
{
    const struct scene_prompt *p = &s->prompt;
    int x = r.x + 1;
    x += canvas_text(c, x, r.y, UI_ROLE_KEY, p->lead);
    const char *text = p->text != NULL ? p->text : "";
    const size_t len = strlen(text);
    size_t at = p->cursor < len ? p->cursor : len;
    size_t from = 0; /* first byte shown: the cursor stays in sight */
    size_t pos = 0;
    struct text_cluster k;
    int cells = 0;
    for (pos = 0; pos < at && text_next(text, len, &pos, &k);) {
        cells += k.cells;
    }
    const int room = max_int(r.x + r.w - x - 1, 1);
    while (cells >= room && text_next(text, len, &from, &k)) {
        cells -= k.cells;
    }
    canvas_text(c, x, r.y, UI_ROLE_DEFAULT, text + from);
    canvas_attr(c, x + cells, r.y, 1, UI_REVERSE);
}

void ui_line_footer(const struct scene *s, struct canvas *c, struct ui_rect r)
{
    const struct ui_rect before = canvas_clip(c, r);
    if (s->prompt.shown) {
        draw_prompt(s, c, r);
    } else if (s->status != NULL) {
        canvas_text_fit(c, r.x + 1, r.y, r.w - 2, UI_ROLE_STATUS, s->status);
    } else {
        draw_hints(s, c, r);
    }
    canvas_unclip(c, before);
}
