/*
 * The canvas: a grid of cells, and the only thing a view can draw on.
 *
 *        x ->   0   1   2   3 ...  width - 1
 *      y   0  [ w ][ e ][ f ][ t ]
 *      |   1  [漢 ][ , ][ ▸ ][ ─ ]          a wide cluster fills two cells, the second is empty
 *      v
 *
 * Drawing outside is allowed and does nothing: everything is clipped, to the canvas and to the
 * current clip rectangle. Sizes from 0x0 on work, nothing here has a fixed limit.
 *
 * Invariants: each cell holds one grapheme cluster of 1 or 2 cells, or is the right half of a wide
 * one (`glyph[0] == 0`). Half a wide cluster never stays behind: overwriting one half blanks the
 * other. What has no width of its own never gets into a cell: control characters, lone accents,
 * bidirectional overrides. An invalid byte becomes U+FFFD. A cluster of more than 15 bytes loses its
 * last marks. In ASCII mode every cell holds one printable ASCII character: glyphs of the vocabulary
 * and common typography become their likeness, the rest '?'. So text_cells() always says how many
 * cells a text takes here.
 */
#ifndef WEFT_UI_CANVAS_H
#define WEFT_UI_CANVAS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/text.h"
#include "ui/glyph.h"
#include "ui/spot.h"
#include "ui/theme.h"

enum { UI_GLYPH_BYTES = 16 };

struct ui_cell {
    char glyph[UI_GLYPH_BYTES]; /* UTF-8, terminated; empty: right half of the cell to the left */
    uint8_t role;               /* enum ui_role */
    uint8_t attr;               /* enum ui_attr that the role does not have: the cursor's reverse */
    uint16_t link;              /* reserved: 0, later the number of a hyperlink */
};

struct canvas {
    int w, h;
    bool ascii; /* ASCII glyphs only */
    struct ui_rect clip;
    struct ui_cell *cell; /* w * h, row by row */
    size_t cap;
    struct ui_spot *spot; /* of this frame: what lies where */
    size_t spot_count, spot_cap;
};

void canvas_init(struct canvas *c); /* 0x0 */
void canvas_finish(struct canvas *c);

/* Sets the size and blanks everything; negative counts as 0. */
void canvas_resize(struct canvas *c, int w, int h);

/* All cells blank, clip rectangle reset. */
void canvas_clear(struct canvas *c);

/* The cell at (x, y), or NULL when outside. */
const struct ui_cell *canvas_at(const struct canvas *c, int x, int y);

/* Narrows drawing to `r` (and the canvas); returns the clip before, for canvas_unclip(). */
struct ui_rect canvas_clip(struct canvas *c, struct ui_rect r);
void canvas_unclip(struct canvas *c, struct ui_rect before);

/* Puts text at (x, y): the cells it took (also where it was clipped). NULL draws nothing. A wide
 * cluster that does not fit whole is left out. */
int canvas_text(struct canvas *c, int x, int y, enum ui_role role, const char *s);
int canvas_text_n(struct canvas *c, int x, int y, enum ui_role role, const char *s, size_t bytes);
int canvas_textf(struct canvas *c, int x, int y, enum ui_role role, const char *fmt, ...)
    __attribute__((format(printf, 5, 6)));

/* Text cut to `w` cells; what was cut shows as `…` (ASCII `.`) in the last cell. */
int canvas_text_fit(struct canvas *c, int x, int y, int w, enum ui_role role, const char *s);

/* A glyph of the vocabulary, in its own role. */
void canvas_glyph(struct canvas *c, int x, int y, enum ui_glyph glyph);

/* `glyph` repeated over `w` cells. */
void canvas_hfill(struct canvas *c, int x, int y, int w, enum ui_role role, const char *glyph);

/* Blanks a rectangle. */
void canvas_blank(struct canvas *c, struct ui_rect r);

/* A frame of box-drawing glyphs just inside `r`; the inside is not touched. */
void canvas_box(struct canvas *c, struct ui_rect r, enum ui_role role);

/* Adds attributes to what is there already (the cursor). */
void canvas_attr(struct canvas *c, int x, int y, int w, uint8_t attr);

/* Whoever points into this rectangle (as far as it is not clipped) means that: ui/spot.h. */
void canvas_spot(struct canvas *c, struct ui_rect r, enum ui_spot_kind kind, uint32_t id);
/* A lane, and whither it carries. */
void canvas_spot_lane(struct canvas *c, struct ui_rect r, uint32_t id, enum ui_way way);

/* A moment. */
void canvas_spot_time(struct canvas *c, struct ui_rect r, int64_t t_ps);

/* ---- Reading -------------------------------------------------------------------------------- */

/* True when (x, y) differs from the frame before; always when the sizes differ. */
bool canvas_differs(const struct canvas *now, const struct canvas *before, int x, int y);

/* Takes over size and cells. */
void canvas_copy(struct canvas *to, const struct canvas *from);

/* Rows without trailing blanks, each with a newline. */
void canvas_dump(const struct canvas *c, struct text *out);

/*
 * The same with styles. Per row one line "|text" and one line "@x+w:role x+w:role ..."; cells with
 * the default role are not named, attributes follow as in "3+1:paused+reverse".
 */
void canvas_dump_styles(const struct canvas *c, struct text *out);

#endif
