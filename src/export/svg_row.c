#include "export/svg_row.h"

#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "export/svg.h"

enum { W = EXPORT_SVG_CELL_W, H = EXPORT_SVG_CELL_H, BASELINE = 13, UNDERLINE = 15 };

/* ---- shapes ---------------------------------------------------------------------------------- */

enum { BOXES_MAX = 4 };

/* A mark as boxes (x, y, w, h in px of the cell) or as a path of its own. Boxes that fill the cell from
 * side to side grow together with those of the next cell. */
static const struct shape {
    const char *glyph;
    struct box {
        int8_t x, y, w, h;
    } box[BOXES_MAX];
    int8_t x2, y2;    /* where the path begins, in half px */
    const char *path; /* from there on, all relative */
    bool hollow;      /* it is a line */
    int percent;      /* of ink; 0: all of it */
} SHAPES[] = {
    { .glyph = "─", .box = { { 0, 8, 8, 1 } } },
    { .glyph = "│", .box = { { 4, 0, 1, 17 } } },
    { .glyph = "┃", .box = { { 3, 0, 3, 17 } } },
    { .glyph = "┌", .box = { { 4, 8, 4, 1 }, { 4, 9, 1, 8 } } },
    { .glyph = "┐", .box = { { 0, 8, 5, 1 }, { 4, 9, 1, 8 } } },
    { .glyph = "└", .box = { { 4, 8, 4, 1 }, { 4, 0, 1, 8 } } },
    { .glyph = "┘", .box = { { 0, 8, 5, 1 }, { 4, 0, 1, 8 } } },
    { .glyph = "┬", .box = { { 0, 8, 8, 1 }, { 4, 9, 1, 8 } } },
    { .glyph = "┴", .box = { { 0, 8, 8, 1 }, { 4, 0, 1, 8 } } },
    { .glyph = "┤", .box = { { 4, 0, 1, 17 }, { 0, 8, 4, 1 } } },
    { .glyph = "├", .box = { { 4, 0, 1, 17 }, { 5, 8, 3, 1 } } },
    { .glyph = "┼", .box = { { 0, 8, 8, 1 }, { 4, 0, 1, 8 }, { 4, 9, 1, 8 } } },
    { .glyph = "═", .box = { { 0, 6, 8, 1 }, { 0, 10, 8, 1 } } },
    { .glyph = "╌", .box = { { 1, 8, 2, 1 }, { 5, 8, 2, 1 } } },
    { .glyph = "╎", .box = { { 4, 1, 1, 4 }, { 4, 7, 1, 4 }, { 4, 13, 1, 3 } } },
    { .glyph = "█", .box = { { 0, 1, 8, 15 } } },
    { .glyph = "▓", .box = { { 0, 1, 8, 15 } }, .percent = 75 },
    { .glyph = "▒", .box = { { 0, 1, 8, 15 } }, .percent = 50 },
    { .glyph = "░", .box = { { 0, 1, 8, 15 } }, .percent = 25 },
    { .glyph = "▮", .box = { { 1, 3, 6, 11 } } },
    { .glyph = "▯", .x2 = 3, .y2 = 7, .path = "h5v10h-5z", .hollow = true },
    { .glyph = "╱", .x2 = 0, .y2 = 32, .path = "l7-16h1l-7 16z" },
    { .glyph = "▸", .x2 = 2, .y2 = 8, .path = "v9l6-4.5z" },
    { .glyph = "◂", .x2 = 14, .y2 = 8, .path = "v9l-6-4.5z" },
    { .glyph = "▾", .x2 = 0, .y2 = 12, .path = "h8l-4 6z" },
    { .glyph = "▴", .x2 = 0, .y2 = 24, .path = "h8l-4-6z" },
    { .glyph = "●", .x2 = 0, .y2 = 17, .path = "a4 4 0 1 0 8 0a4 4 0 1 0-8 0z" },
    { .glyph = "•", .x2 = 4, .y2 = 17, .path = "a2 2 0 1 0 4 0a2 2 0 1 0-4 0z" },
};

static const struct shape *shape_of(const char *glyph)
{
    for (size_t i = 0; (unsigned char)glyph[0] >= 0x80 && i < sizeof SHAPES / sizeof *SHAPES; i++) {
        if (strcmp(SHAPES[i].glyph, glyph) == 0) {
            return &SHAPES[i];
        }
    }
    return NULL;
}

/* ---- text ------------------------------------------------------------------------------------ */

static void escape_cluster(struct text *out, const struct text_cluster *c)
{
    const unsigned char *s = (const unsigned char *)c->s;
    const bool nonsense = s[0] < 0x20 || s[0] == 0x7f ||
                          (s[0] == 0xef && s[1] == 0xbf && s[2] >= 0xbe); /* U+FFFE, U+FFFF */
    if (nonsense) {
        text_add(out, "\xEF\xBF\xBD");
    } else if (s[0] == '&' || s[0] == '<' || s[0] == '>' || s[0] == '"') {
        text_add(out, s[0] == '&'   ? "&amp;"
                      : s[0] == '<' ? "&lt;"
                      : s[0] == '>' ? "&gt;"
                                    : "&quot;");
        text_add_n(out, c->s + 1, c->bytes - 1);
    } else {
        text_add_n(out, c->s, c->bytes);
    }
}

void svg_escape(struct text *out, const char *s, size_t len)
{
    struct text_cluster c;
    for (size_t pos = 0; text_next(s, len, &pos, &c);) {
        escape_cluster(out, &c);
    }
}

/* ---- looks ----------------------------------------------------------------------------------- */

/* What elements are shared by: cells that look alike. */
struct look {
    uint8_t role;
    bool bold, underline, reverse;
    bool behind; /* not the glyph, but what is under a reversed one */
    bool hollow;
    int percent; /* of ink; 0: all of it */
};

static struct look look_of(const struct ui_cell *cell)
{
    const uint8_t own =
        ui_theme_style((enum ui_role)cell->role, UI_THEME_MONO, UI_PALETTE_MONO).attr;
    const uint8_t attr = own | cell->attr;
    return (struct look){ .role = cell->role,
                          .bold = (attr & UI_BOLD) != 0,
                          .underline = (attr & UI_UNDERLINE) != 0,
                          .reverse = (attr & UI_REVERSE) != 0 };
}

static bool same_look(const struct look *a, const struct look *b)
{
    return a->role == b->role && a->bold == b->bold && a->underline == b->underline &&
           a->reverse == b->reverse && a->behind == b->behind && a->hollow == b->hollow &&
           a->percent == b->percent;
}

static void add_class(struct text *out, const struct look *look)
{
    const bool paper = look->reverse && !look->behind;
    const bool plain = look->role == UI_ROLE_DEFAULT && !paper;
    const bool bold = look->bold && !look->behind;
    if (!plain || bold || look->hollow) {
        const char *ink = plain   ? "default"
                          : paper ? "paper"
                                  : ui_role_name((enum ui_role)look->role);
        text_addf(out, " class=\"w-%s%s%s\"", ink, bold ? " w-bold" : "",
                  look->hollow ? " w-hollow" : "");
    }
}

/* ---- a row ----------------------------------------------------------------------------------- */

/* All shapes of one look: one path. */
struct path {
    struct look look;
    struct text d;
};

struct row {
    const struct canvas *canvas;
    int y;
    struct path *path;
    size_t count, cap;
};

static const struct ui_cell *cell_at(const struct row *row, int x)
{
    return canvas_at(row->canvas, x, row->y);
}

static struct text *path_of(struct row *row, const struct look *look)
{
    for (size_t i = 0; i < row->count; i++) {
        if (same_look(&row->path[i].look, look)) {
            return &row->path[i].d;
        }
    }
    row->path = mem_grow(row->path, &row->cap, row->count + 1, sizeof *row->path);
    row->path[row->count] = (struct path){ .look = *look };
    return &row->path[row->count++].d;
}

static void add_box(struct text *d, int x, int y, int w, int h)
{
    text_addf(d, "M%d %dh%dv%dh-%dz", x, y, w, h, w);
}

/* Cells from `x` on that look alike; with `glyph` also hold it. */
static int run_at(const struct row *row, int x, const char *glyph)
{
    const struct look look = look_of(cell_at(row, x));
    int n = 1;
    for (; x + n < row->canvas->w; n++) {
        const struct ui_cell *cell = cell_at(row, x + n);
        const struct look next = look_of(cell);
        if (!same_look(&look, &next) || (glyph != NULL && strcmp(cell->glyph, glyph) != 0)) {
            break;
        }
    }
    return n;
}

static void add_grounds(struct row *row)
{
    for (int x = 0, n; x < row->canvas->w; x += n) {
        struct look look = look_of(cell_at(row, x));
        n = run_at(row, x, NULL);
        if (look.underline) {
            add_box(path_of(row, &look), x * W, UNDERLINE, n * W, 1);
        }
        if (look.reverse) {
            look.behind = true;
            add_box(path_of(row, &look), x * W, 0, n * W, H);
        }
    }
}

/* `n` cells with the same mark. */
static void add_shapes(struct row *row, const struct shape *shape, int x, int n)
{
    struct look look = look_of(cell_at(row, x));
    look.percent = shape->percent;
    look.hollow = shape->hollow;
    look.bold = false; /* a shape is as bold as it is */
    struct text *d = path_of(row, &look);
    for (int i = 0; i < n && shape->path != NULL; i++) { /* "z" goes back to where it began */
        if (i == 0) {
            const int px = 2 * x * W + shape->x2;
            text_addf(d, "M%d%s %d%s", px / 2, px % 2 != 0 ? ".5" : "", shape->y2 / 2,
                      shape->y2 % 2 != 0 ? ".5" : "");
        } else {
            text_addf(d, "m%d 0", W);
        }
        text_add(d, shape->path);
    }
    for (const struct box *b = shape->box; b < shape->box + BOXES_MAX && b->w > 0; b++) {
        if (b->w == W) {
            add_box(d, x * W, b->y, n * W, b->h);
            continue;
        }
        for (int i = 0; i < n; i++) {
            add_box(d, (x + i) * W + b->x, b->y, b->w, b->h);
        }
    }
}

static bool is_ascii(const struct ui_cell *cell)
{
    return cell->glyph[0] > ' ' && cell->glyph[0] < 0x7f && cell->glyph[1] == '\0';
}

/* Words from `x` on that look alike, with single blanks between them. */
static int words_at(const struct row *row, int x)
{
    const int most = run_at(row, x, NULL);
    int n = 1;
    while (n < most && (is_ascii(cell_at(row, x + n)) ||
                        (n + 1 < most && strcmp(cell_at(row, x + n)->glyph, " ") == 0 &&
                         is_ascii(cell_at(row, x + n + 1))))) {
        n++;
    }
    return n;
}

static void add_words(struct row *row, struct text *out, int x, int n)
{
    const struct look look = look_of(cell_at(row, x));
    text_add(out, "<text");
    add_class(out, &look);
    text_addf(out, " x=\"%d\" y=\"%d\"", x * W, BASELINE);
    text_addf(out, n > 1 ? " textLength=\"%d\">" : ">", n * W);
    for (int i = 0; i < n; i++) {
        svg_escape(out, cell_at(row, x + i)->glyph, strlen(cell_at(row, x + i)->glyph));
    }
    text_add(out, "</text>");
}

/* A cluster that is no ASCII stands in the middle of its cells: its font may be another one. */
static void add_cluster(struct row *row, struct text *out, int x, int cells)
{
    const struct ui_cell *cell = cell_at(row, x);
    const struct look look = look_of(cell);
    text_add(out, "<text");
    add_class(out, &look);
    text_addf(out, " x=\"%d\" y=\"%d\" text-anchor=\"middle\">", x * W + cells * W / 2, BASELINE);
    svg_escape(out, cell->glyph, strlen(cell->glyph));
    text_add(out, "</text>");
}

static void add_glyphs(struct row *row, struct text *out)
{
    for (int x = 0, n; x < row->canvas->w; x += n) {
        const struct ui_cell *cell = cell_at(row, x);
        const struct shape *shape = shape_of(cell->glyph);
        n = 1;
        if (shape != NULL) {
            n = run_at(row, x, cell->glyph);
            add_shapes(row, shape, x, n);
        } else if (is_ascii(cell)) {
            n = words_at(row, x);
            add_words(row, out, x, n);
        } else if (strcmp(cell->glyph, " ") != 0 && cell->glyph[0] != '\0') {
            n = x + 1 < row->canvas->w && cell_at(row, x + 1)->glyph[0] == '\0' ? 2 : 1;
            add_cluster(row, out, x, n);
        }
    }
}

static void add_paths(const struct row *row, struct text *out, bool behind)
{
    for (size_t i = 0; i < row->count; i++) {
        const struct path *path = &row->path[i];
        if (path->look.behind == behind) {
            text_add(out, "<path");
            add_class(out, &path->look);
            if (path->look.percent > 0) {
                text_addf(out, " opacity=\".%d\"", path->look.percent);
            }
            text_addf(out, " d=\"%s\"/>", text_str(&path->d));
        }
    }
}

void svg_row(struct text *out, const struct canvas *canvas, int y, svg_roles *used)
{
    struct row row = { .canvas = canvas, .y = y };
    struct text glyphs = { 0 };
    add_grounds(&row);
    add_glyphs(&row, &glyphs);
    add_paths(&row, out, true);
    add_paths(&row, out, false);
    text_add(out, text_str(&glyphs));
    text_finish(&glyphs);
    for (size_t i = 0; i < row.count; i++) {
        text_finish(&row.path[i].d);
    }
    free(row.path);
    for (int x = 0; x < canvas->w; x++) {
        *used |= (svg_roles)1 << canvas_at(canvas, x, y)->role;
    }
}
