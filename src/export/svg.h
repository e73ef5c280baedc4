/*
 * Frames as SVG: one, or many that follow each other, from the canvas that the terminal shows.
 *
 * Everything stands where its cell is, whatever font there is: words carry their length, and lines,
 * blocks, meters and arrows are drawn, not written. No script and nothing from outside, so it works
 * where pictures do: in browsers, in slides, in a README on GitHub.
 *
 * An animation is a film strip behind a window. Rows that look the same are in the file once. Frames
 * that look the same are one that lasts longer. Whoever asked their system for less motion sees the last
 * frame, and a program that cannot move it the first.
 *
 *     <svg> <title> <desc> <style> <rect/>            the sheet
 *       <svg>                                         the window
 *         <g class="w-film"> <g> rows </g> ... </g>    the frames
 *       <style>                                       inks, of the roles that are in it
 *
 * Title and description are for who cannot see the picture.
 */
#ifndef WEFT_EXPORT_SVG_H
#define WEFT_EXPORT_SVG_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/sink.h"
#include "ui/canvas.h"
#include "ui/theme.h"

enum { EXPORT_SVG_CELL_W = 8, EXPORT_SVG_CELL_H = 17, EXPORT_SVG_MARGIN = 12 }; /* px */

/* More frames than these a film does not take. */
enum { EXPORT_SVG_FRAMES_MAX = 600 };
/* Room for the tail of a film: sink_options.tail. */
enum { EXPORT_SVG_TAIL = 64 * (EXPORT_SVG_FRAMES_MAX + UI_ROLE_COUNT) };

struct export_svg_words {
    const char *title, *description;
};

/* One frame: a whole file. */
void export_svg_frame(struct text *out, const struct canvas *canvas, enum ui_theme theme,
                      const struct export_svg_words *words);

/* A film. All frames have the size of the first. */
struct export_svg;

struct export_svg *export_svg_create(struct sink *sink, enum ui_theme theme,
                                     const struct export_svg_words *words);
/* What is shown from `ms` on. False: it takes no more (the sink, or EXPORT_SVG_FRAMES_MAX). */
bool export_svg_add(struct export_svg *svg, const struct canvas *canvas, int64_t ms);
/* The last frame lasts until `ms`; then it begins anew. False: there is no whole file. */
bool export_svg_end(struct export_svg *svg, int64_t ms);
bool export_svg_is_full(const struct export_svg *svg);
size_t export_svg_frames(const struct export_svg *svg);
void export_svg_destroy(struct export_svg *svg);

#endif
