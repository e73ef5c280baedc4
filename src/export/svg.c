#include "export/svg.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "base/rng.h"
#include "export/svg_row.h"

enum { W = EXPORT_SVG_CELL_W, H = EXPORT_SVG_CELL_H, MARGIN = EXPORT_SVG_MARGIN };

/* ---- the sheet ------------------------------------------------------------------------------- */

/* 13.28 px: the letters of a font that is 0.602 em wide, as most are, then fill their cells. */
static void add_style(struct text *out, enum ui_theme theme)
{
    text_addf(out,
              "<style>.weft{fill:#%06x;font:13.28px ui-monospace,'DejaVu Sans Mono',Menlo,Consolas,"
              "'Liberation Mono',monospace;white-space:pre}.w-paper{fill:#%06x}"
              ".w-bold{font-weight:bold}</style>\n",
              (unsigned)ui_theme_rgb(UI_ROLE_DEFAULT, theme), (unsigned)ui_theme_paper(theme));
}

/* The inks of the roles that are in it. What is used more than once is matched without its ancestors, so
 * classes carry a prefix in place of that. */
static void add_inks(struct text *out, enum ui_theme theme, svg_roles used)
{
    text_add(out, "<style>");
    for (int r = 0; r < UI_ROLE_COUNT; r++) {
        const unsigned ink = ui_theme_rgb((enum ui_role)r, theme);
        if ((used >> r & 1) != 0) {
            text_addf(out, ".w-%s{fill:#%06x;color:#%06x}", ui_role_name((enum ui_role)r), ink,
                      ink);
        }
    }
    text_add(out, ".w-hollow{fill:none;stroke:currentColor}</style>\n");
}

static void add_element(struct text *out, const char *name, const char *words)
{
    text_addf(out, "<%s id=\"weft-%s\">", name, name);
    svg_escape(out, words, strlen(words));
    text_addf(out, "</%s>\n", name);
}

/* Up to where the rows begin. */
static void add_head(struct text *out, const struct canvas *canvas, enum ui_theme theme,
                     const struct export_svg_words *words)
{
    const int w = canvas->w * W;
    const int h = canvas->h * H;
    text_addf(out,
              "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%d\" height=\"%d\" "
              "viewBox=\"0 0 %d %d\" class=\"weft\" role=\"img\" aria-labelledby=\"weft-title "
              "weft-desc\">\n",
              w + 2 * MARGIN, h + 2 * MARGIN, w + 2 * MARGIN, h + 2 * MARGIN);
    add_element(out, "title", words->title);
    add_element(out, "desc", words->description);
    add_style(out, theme);
    text_addf(out, "<rect class=\"w-paper\" width=\"%d\" height=\"%d\" rx=\"6\"/>\n",
              w + 2 * MARGIN, h + 2 * MARGIN);
    text_addf(out, "<svg x=\"%d\" y=\"%d\" width=\"%d\" height=\"%d\">\n", MARGIN, MARGIN, w, h);
}

void export_svg_frame(struct text *out, const struct canvas *canvas, enum ui_theme theme,
                      const struct export_svg_words *words)
{
    struct text row = { 0 };
    svg_roles used = 0;
    add_head(out, canvas, theme, words);
    for (int y = 0; y < canvas->h; y++) {
        text_clear(&row);
        svg_row(&row, canvas, y, &used);
        if (row.len > 0) {
            text_addf(out, "<g transform=\"translate(0 %d)\">%s</g>\n", y * H, text_str(&row));
        }
    }
    text_add(out, "</svg>\n");
    add_inks(out, theme, used);
    text_add(out, "</svg>\n");
    text_finish(&row);
}

/* ---- films ----------------------------------------------------------------------------------- */

/* A row that is in the file already. */
struct known_row {
    uint64_t hash;
    char *text;
};

struct export_svg {
    struct sink *sink;
    enum ui_theme theme;
    char *title, *description;
    struct canvas last;
    int64_t *ms; /* of each frame */
    size_t frames, cap;
    int64_t end_ms;
    struct known_row *row;
    size_t rows, row_cap;
    svg_roles used;
    bool full;
};

struct export_svg *export_svg_create(struct sink *sink, enum ui_theme theme,
                                     const struct export_svg_words *words)
{
    struct export_svg *svg = mem_alloc(1, sizeof *svg);
    svg->sink = sink;
    svg->theme = theme;
    svg->title = mem_strdup(words->title);
    svg->description = mem_strdup(words->description);
    canvas_init(&svg->last);
    return svg;
}

void export_svg_destroy(struct export_svg *svg)
{
    if (svg == NULL) {
        return;
    }
    for (size_t i = 0; i < svg->rows; i++) {
        free(svg->row[i].text);
    }
    free(svg->row);
    free(svg->ms);
    free(svg->title);
    free(svg->description);
    canvas_finish(&svg->last);
    free(svg);
}

static uint64_t hash_of(const struct text *text)
{
    uint64_t h = text->len;
    for (size_t i = 0; i < text->len; i++) {
        h = rng_mix(h ^ (uint64_t)(unsigned char)text->s[i]);
    }
    return h;
}

/* Its number; `*fresh`: it is not in the file yet. */
static size_t number_of(struct export_svg *svg, const struct text *row, bool *fresh)
{
    const uint64_t hash = hash_of(row);
    for (size_t i = 0; i < svg->rows; i++) {
        if (svg->row[i].hash == hash && strcmp(svg->row[i].text, row->s) == 0) {
            *fresh = false;
            return i;
        }
    }
    svg->row = mem_grow(svg->row, &svg->row_cap, svg->rows + 1, sizeof *svg->row);
    svg->row[svg->rows] = (struct known_row){ hash, mem_strdup(row->s) };
    *fresh = true;
    return svg->rows++;
}

static void add_frame(struct export_svg *svg, struct text *out, const struct canvas *canvas)
{
    struct text row = { 0 };
    struct text rows = { 0 };
    for (int y = 0; y < canvas->h; y++) {
        text_clear(&row);
        svg_row(&row, canvas, y, &svg->used);
        if (row.len == 0) {
            continue;
        }
        bool fresh;
        const size_t number = number_of(svg, &row, &fresh);
        if (fresh) {
            text_addf(out, "<defs><g id=\"r%zu\">%s</g></defs>\n", number, text_str(&row));
        }
        text_addf(&rows, "<use href=\"#r%zu\" y=\"%d\"/>", number, y * H);
    }
    text_addf(out, "<g transform=\"translate(%zu 0)\">%s</g>\n",
              svg->frames * (size_t)canvas->w * W, text_str(&rows));
    text_finish(&row);
    text_finish(&rows);
}

static bool looks_as_before(const struct export_svg *svg, const struct canvas *canvas)
{
    if (svg->frames == 0 || canvas->w != svg->last.w || canvas->h != svg->last.h) {
        return false;
    }
    for (int y = 0; y < canvas->h; y++) {
        for (int x = 0; x < canvas->w; x++) {
            if (canvas_differs(canvas, &svg->last, x, y)) {
                return false;
            }
        }
    }
    return true;
}

bool export_svg_add(struct export_svg *svg, const struct canvas *canvas, int64_t ms)
{
    if (looks_as_before(svg, canvas)) {
        return sink_takes(svg->sink);
    }
    if (svg->frames == EXPORT_SVG_FRAMES_MAX) {
        svg->full = true;
        return false;
    }
    struct text piece = { 0 };
    if (svg->frames == 0) {
        const struct export_svg_words words = { svg->title, svg->description };
        add_head(&piece, canvas, svg->theme, &words);
        text_add(&piece, "<g class=\"w-film\">\n");
    }
    add_frame(svg, &piece, canvas);
    const bool ok = sink_add_text(svg->sink, &piece);
    text_finish(&piece);
    if (ok) {
        svg->ms = mem_grow(svg->ms, &svg->cap, svg->frames + 1, sizeof *svg->ms);
        svg->ms[svg->frames++] = ms;
        canvas_copy(&svg->last, canvas);
    }
    return ok;
}

/* Each frame is a piece, so the film is made of as many as there are. */
static void add_tail(void *arg, uint64_t pieces, bool cut, struct text *out)
{
    const struct export_svg *svg = arg;
    const int64_t begin = svg->ms[0];
    int64_t length = (cut ? svg->ms[pieces - 1] + 1000 : svg->end_ms) - begin;
    length = length > 0 ? length : 1;
    const int w = svg->last.w * W;
    text_add(out, "</g>\n");
    if (pieces > 1) {
        text_addf(out,
                  "<style>.w-film{animation:w-film %" PRId64 ".%03" PRId64
                  "s steps(1,end) infinite}@keyframes w-film{",
                  length / 1000, length % 1000);
        for (uint64_t i = 0; i < pieces; i++) {
            const int64_t at = (svg->ms[i] - begin) * 1000000 / length; /* in 1/10000 percent */
            text_addf(out, "%" PRId64 ".%04" PRId64 "%%{transform:translateX(-%" PRIu64 "px)}\n",
                      at / 10000, at % 10000, i * (uint64_t)w);
        }
        text_addf(out,
                  "}@media (prefers-reduced-motion:reduce){.w-film{animation:none;"
                  "transform:translateX(-%" PRIu64 "px)}}</style>\n",
                  (pieces - 1) * (uint64_t)w);
    }
    text_add(out, "</svg>\n");
    add_inks(out, svg->theme, svg->used);
    text_add(out, "</svg>\n");
}

bool export_svg_end(struct export_svg *svg, int64_t ms)
{
    svg->end_ms = ms;
    return svg->frames > 0 && sink_tail_made(svg->sink, add_tail, svg);
}

bool export_svg_is_full(const struct export_svg *svg)
{
    return svg->full;
}

size_t export_svg_frames(const struct export_svg *svg)
{
    return svg->frames;
}
