/*
 * A recording for asciinema (asciicast v2), from the canvas that the terminal shows.
 *
 *     {"version":2,"width":80,"height":24,"title":"..."}      the header
 *     [0.000,"m","card 1 of 12: ..."]                         a marker: a player can go there
 *     [0.000,"o","\u001b[2J..."]                              what a terminal is sent
 *     [0.050,"o","\u001b[5;12H..."]                           only cells that changed
 *
 * Each line is a piece, and the file may end behind any of them. Nothing in it depends on the machine or
 * the hour. Colours are asked for by number, those of a theme, and a player decides what they look like.
 */
#ifndef WEFT_EXPORT_CAST_H
#define WEFT_EXPORT_CAST_H

#include <stdbool.h>
#include <stdint.h>

#include "base/sink.h"
#include "ui/canvas.h"
#include "ui/theme.h"

struct export_cast;

/* Which colours are asked for: those of a theme, for a player with such a background. */
struct export_look {
    enum ui_theme theme;
    enum ui_palette palette;
};

/* `title` is copied. */
struct export_cast *export_cast_create(struct sink *sink, struct export_look look,
                                       const char *title);
/* The frame that is shown from `ms` on; the first one decides about the size. False: it takes no more. */
bool export_cast_add(struct export_cast *cast, const struct canvas *canvas, int64_t ms);
/* In front of the frame that it names. */
bool export_cast_mark(struct export_cast *cast, const char *label, int64_t ms);
/* The last frame stays until `ms`. False: there is no whole file. */
bool export_cast_end(struct export_cast *cast, int64_t ms);
void export_cast_destroy(struct export_cast *cast);

/* What a terminal that shows `before` must be sent to show `now`; `before` 0x0: whatever it shows. */
void export_cast_changes(struct text *out, const struct canvas *now, const struct canvas *before,
                         struct export_look look);

#endif
