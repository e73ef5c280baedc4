#include "ui/canvas.h"

#include <assert.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"

static_assert(sizeof(struct ui_cell) == UI_GLYPH_BYTES + 4, "cells are compared byte for byte");

static const struct ui_cell BLANK = { .glyph = " " };

void canvas_init(struct canvas *c)
{
    *c = (struct canvas){ 0 };
}

void canvas_finish(struct canvas *c)
{
    free(c->cell);
    free(c->spot);
    *c = (struct canvas){ 0 };
}

void canvas_resize(struct canvas *c, int w, int h)
{
    c->w = w > 0 ? w : 0;
    c->h = h > 0 ? h : 0;
    c->cell = mem_grow(c->cell, &c->cap, (size_t)c->w * (size_t)c->h, sizeof *c->cell);
    canvas_clear(c);
}

void canvas_clear(struct canvas *c)
{
    c->clip = (struct ui_rect){ 0, 0, c->w, c->h };
    c->spot_count = 0;
    const size_t n = (size_t)c->w * (size_t)c->h;
    for (size_t i = 0; i < n; i++) {
        c->cell[i] = BLANK;
    }
}

static struct ui_cell *cell_at(const struct canvas *c, int x, int y)
{
    return &c->cell[(size_t)y * (size_t)c->w + (size_t)x];
}

const struct ui_cell *canvas_at(const struct canvas *c, int x, int y)
{
    return x >= 0 && y >= 0 && x < c->w && y < c->h ? cell_at(c, x, y) : NULL;
}

/* ---- Clipping --------------------------------------------------------------------------------- */

static int max_int(int a, int b)
{
    return a > b ? a : b;
}

static int min_int(int a, int b)
{
    return a < b ? a : b;
}

static struct ui_rect intersect(struct ui_rect a, struct ui_rect b)
{
    const int x0 = max_int(a.x, b.x);
    const int y0 = max_int(a.y, b.y);
    const int x1 = min_int(a.x + max_int(a.w, 0), b.x + max_int(b.w, 0));
    const int y1 = min_int(a.y + max_int(a.h, 0), b.y + max_int(b.h, 0));
    return (struct ui_rect){ x0, y0, max_int(x1 - x0, 0), max_int(y1 - y0, 0) };
}

struct ui_rect canvas_clip(struct canvas *c, struct ui_rect r)
{
    const struct ui_rect before = c->clip;
    c->clip = intersect(before, r);
    return before;
}

void canvas_unclip(struct canvas *c, struct ui_rect before)
{
    c->clip = before;
}

static bool inside(const struct canvas *c, int x, int y)
{
    const struct ui_rect *r = &c->clip;
    return x >= r->x && x < r->x + r->w && y >= r->y && y < r->y + r->h;
}

/* ---- Spots ------------------------------------------------------------------------------------ */

void canvas_spot_lane(struct canvas *c, struct ui_rect r, uint32_t id, enum ui_way way)
{
    const struct ui_spot spot = { intersect(c->clip, r), UI_SPOT_LANE, way, id, 0 };
    if (spot.r.w > 0 && spot.r.h > 0) {
        c->spot = mem_grow(c->spot, &c->spot_cap, c->spot_count + 1, sizeof *c->spot);
        c->spot[c->spot_count++] = spot;
    }
}

void canvas_spot(struct canvas *c, struct ui_rect r, enum ui_spot_kind kind, uint32_t id)
{
    const size_t before = c->spot_count;
    canvas_spot_lane(c, r, id, UI_RIGHT);
    if (c->spot_count > before) {
        c->spot[before].kind = kind;
    }
}

void canvas_spot_time(struct canvas *c, struct ui_rect r, int64_t t_ps)
{
    const size_t before = c->spot_count;
    canvas_spot(c, r, UI_SPOT_TIME, 0);
    if (c->spot_count > before) {
        c->spot[before].t_ps = t_ps;
    }
}

/* ---- Cells ------------------------------------------------------------------------------------ */

/* Blanks the other half of a wide cluster of which (x, y) is one half. */
static void part(struct canvas *c, int x, int y)
{
    struct ui_cell *cell = cell_at(c, x, y);
    if (cell->glyph[0] == '\0' && x > 0) {
        *cell_at(c, x - 1, y) = BLANK;
    }
    if (x + 1 < c->w && cell_at(c, x + 1, y)->glyph[0] == '\0') {
        *cell_at(c, x + 1, y) = BLANK;
    }
}

/* How many of `bytes` fit into a cell: whole code points, and no joiner left at the end. */
static size_t fit_glyph(const char *s, size_t bytes)
{
    if (bytes < UI_GLYPH_BYTES) {
        return bytes;
    }
    size_t n = UI_GLYPH_BYTES - 1;
    while (n > 0 && ((unsigned char)s[n] & 0xC0) == 0x80) {
        n--;
    }
    if (n > 3 && memcmp(s + n - 3, "\xE2\x80\x8D", 3) == 0) {
        n -= 3;
    }
    return n;
}

static void put(struct canvas *c, int x, int y, enum ui_role role, const char *s, size_t bytes,
                int cells)
{
    if (!inside(c, x, y) || !inside(c, x + cells - 1, y)) {
        return;
    }
    for (int i = 0; i < cells; i++) {
        part(c, x + i, y);
        *cell_at(c, x + i, y) = (struct ui_cell){ .role = (uint8_t)role };
    }
    memcpy(cell_at(c, x, y)->glyph, s, fit_glyph(s, bytes));
}

/* ---- Likeness in ASCII ------------------------------------------------------------------------ */

static const struct {
    const char *from;
    const char *to;
} TYPOGRAPHY[] = {
    { "–", "-" },  { "—", "-" }, { "−", "-" }, { "‑", "-" }, { "“", "\"" }, { "”", "\"" },
    { "„", "\"" }, { "‘", "'" }, { "’", "'" }, { "«", "<" }, { "»", ">" },  { "×", "x" },
    { "·", "." },  { "→", ">" }, { "←", "<" }, { "↑", "^" }, { "↓", "v" },  { "µ", "u" },
    { "μ", "u" },  { "≈", "~" }, { "≤", "<" }, { "≥", ">" }, { "°", "o" },  { "ä", "a" },
    { "ö", "o" },  { "ü", "u" }, { "ß", "s" }, { "é", "e" }, { "è", "e" },  { "\u00a0", " " },
};

static const char *ascii_likeness(const char *s, size_t bytes)
{
    const char *glyph = ui_glyph_to_ascii(s, bytes);
    if (glyph != NULL) {
        return glyph;
    }
    for (size_t i = 0; i < sizeof TYPOGRAPHY / sizeof TYPOGRAPHY[0]; i++) {
        if (strlen(TYPOGRAPHY[i].from) == bytes && memcmp(TYPOGRAPHY[i].from, s, bytes) == 0) {
            return TYPOGRAPHY[i].to;
        }
    }
    return "?";
}

/* ---- Text ------------------------------------------------------------------------------------- */

/* Puts one cluster; returns its cells. */
static int put_cluster(struct canvas *c, int x, int y, enum ui_role role, struct text_cluster k)
{
    const unsigned char first = (unsigned char)k.s[0];
    if (k.cells < 1) {
        return 0;
    }
    if (c->ascii && (first >= 0x80 || k.bytes > 1)) {
        const char *s = ascii_likeness(k.s, k.bytes);
        for (int i = 0; i < k.cells; i++) {
            put(c, x + i, y, role, s, 1, 1);
        }
        return k.cells;
    }
    put(c, x, y, role, k.s, k.bytes, k.cells);
    return k.cells;
}

int canvas_text_n(struct canvas *c, int x, int y, enum ui_role role, const char *s, size_t bytes)
{
    const int start = x;
    size_t pos = 0;
    struct text_cluster k;
    while (s != NULL && text_next(s, bytes, &pos, &k)) {
        x += put_cluster(c, x, y, role, k);
    }
    return x - start;
}

int canvas_text(struct canvas *c, int x, int y, enum ui_role role, const char *s)
{
    return s == NULL ? 0 : canvas_text_n(c, x, y, role, s, strlen(s));
}

int canvas_textf(struct canvas *c, int x, int y, enum ui_role role, const char *fmt, ...)
{
    char small[256];
    va_list args, again;
    va_start(args, fmt);
    va_copy(again, args);
    const int need = vsnprintf(small, sizeof small, fmt, args);
    va_end(args);
    int cells = 0;
    if (need >= (int)sizeof small) {
        char *big = mem_alloc((size_t)need + 1, 1);
        vsnprintf(big, (size_t)need + 1, fmt, again);
        cells = canvas_text(c, x, y, role, big);
        free(big);
    } else if (need > 0) {
        cells = canvas_text(c, x, y, role, small);
    }
    va_end(again);
    return cells;
}

int canvas_text_fit(struct canvas *c, int x, int y, int w, enum ui_role role, const char *s)
{
    if (s == NULL || w < 1) {
        return 0;
    }
    const size_t bytes = strlen(s);
    if (text_fit(s, w) == bytes) {
        return canvas_text_n(c, x, y, role, s, bytes);
    }
    const int used = canvas_text_n(c, x, y, role, s, text_fit(s, w - 1));
    return used + canvas_text(c, x + used, y, role, ui_glyph_text(UI_GLYPH_ELLIPSIS, c->ascii));
}

/* ---- Shapes ----------------------------------------------------------------------------------- */

void canvas_hfill(struct canvas *c, int x, int y, int w, enum ui_role role, const char *glyph)
{
    const int end = min_int(x + w, c->w);
    for (int i = max_int(x, 0); i < end; i++) {
        canvas_text(c, i, y, role, glyph);
    }
}

void canvas_blank(struct canvas *c, struct ui_rect r)
{
    for (int y = max_int(r.y, 0); y < min_int(r.y + r.h, c->h); y++) {
        canvas_hfill(c, r.x, y, r.w, UI_ROLE_DEFAULT, " ");
    }
}

void canvas_glyph(struct canvas *c, int x, int y, enum ui_glyph glyph)
{
    canvas_text(c, x, y, ui_glyph_role(glyph), ui_glyph_text(glyph, c->ascii));
}

void canvas_box(struct canvas *c, struct ui_rect r, enum ui_role role)
{
    if (r.w < 2 || r.h < 2) {
        return;
    }
    const bool a = c->ascii;
    const int right = r.x + r.w - 1;
    const int bottom = r.y + r.h - 1;
    for (int y = r.y + 1; y < bottom; y++) {
        canvas_text(c, r.x, y, role, ui_glyph_text(UI_GLYPH_V, a));
        canvas_text(c, right, y, role, ui_glyph_text(UI_GLYPH_V, a));
    }
    canvas_hfill(c, r.x + 1, r.y, r.w - 2, role, ui_glyph_text(UI_GLYPH_H, a));
    canvas_hfill(c, r.x + 1, bottom, r.w - 2, role, ui_glyph_text(UI_GLYPH_H, a));
    canvas_text(c, r.x, r.y, role, ui_glyph_text(UI_GLYPH_TL, a));
    canvas_text(c, right, r.y, role, ui_glyph_text(UI_GLYPH_TR, a));
    canvas_text(c, r.x, bottom, role, ui_glyph_text(UI_GLYPH_BL, a));
    canvas_text(c, right, bottom, role, ui_glyph_text(UI_GLYPH_BR, a));
}

void canvas_attr(struct canvas *c, int x, int y, int w, uint8_t attr)
{
    for (int i = x; i < x + w; i++) {
        if (inside(c, i, y)) {
            cell_at(c, i, y)->attr |= attr;
        }
    }
}

/* ---- Reading ---------------------------------------------------------------------------------- */

bool canvas_differs(const struct canvas *now, const struct canvas *before, int x, int y)
{
    if (now->w != before->w || now->h != before->h) {
        return true;
    }
    return memcmp(cell_at(now, x, y), cell_at(before, x, y), sizeof(struct ui_cell)) != 0;
}

void canvas_copy(struct canvas *to, const struct canvas *from)
{
    canvas_resize(to, from->w, from->h);
    to->ascii = from->ascii;
    const size_t n = (size_t)from->w * (size_t)from->h;
    if (n > 0) {
        memcpy(to->cell, from->cell, n * sizeof *from->cell);
    }
}

/* One row without its trailing blanks. */
static void dump_row(const struct canvas *c, int y, struct text *out)
{
    int end = c->w;
    while (end > 0 && strcmp(cell_at(c, end - 1, y)->glyph, " ") == 0) {
        end--;
    }
    for (int x = 0; x < end; x++) {
        text_add(out, cell_at(c, x, y)->glyph);
    }
}

void canvas_dump(const struct canvas *c, struct text *out)
{
    for (int y = 0; y < c->h; y++) {
        dump_row(c, y, out);
        text_add(out, "\n");
    }
}

static void dump_attr(uint8_t attr, struct text *out)
{
    static const char *const names[] = { "bold", "dim", "underline", "reverse" };
    for (unsigned i = 0; i < 4; i++) {
        if (((unsigned)attr >> i & 1u) != 0) {
            text_addf(out, "+%s", names[i]);
        }
    }
}

static void dump_runs(const struct canvas *c, int y, struct text *out)
{
    for (int x = 0; x < c->w;) {
        const struct ui_cell *first = cell_at(c, x, y);
        int end = x + 1;
        while (end < c->w && cell_at(c, end, y)->role == first->role &&
               cell_at(c, end, y)->attr == first->attr) {
            end++;
        }
        if (first->role != UI_ROLE_DEFAULT || first->attr != 0) {
            text_addf(out, " %d+%d:%s", x, end - x, ui_role_name((enum ui_role)first->role));
            dump_attr(first->attr, out);
        }
        x = end;
    }
}

void canvas_dump_styles(const struct canvas *c, struct text *out)
{
    for (int y = 0; y < c->h; y++) {
        text_add(out, "|");
        dump_row(c, y, out);
        text_add(out, "\n@");
        dump_runs(c, y, out);
        text_add(out, "\n");
    }
}
