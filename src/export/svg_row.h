/*
 * A row of a canvas as SVG, for svg.c: words as text, marks as shapes. The row's upper left corner is
 * the origin; classes are the names of roles.
 */
#ifndef WEFT_EXPORT_SVG_ROW_H
#define WEFT_EXPORT_SVG_ROW_H

#include <stdint.h>

#include "base/text.h"
#include "ui/canvas.h"

/* A bit for each role: those whose class was used. */
typedef uint64_t svg_roles;
_Static_assert(UI_ROLE_COUNT <= 64, "a bit for each role");

/* Appends the elements of row `y`; nothing for a blank one. Adds to `used`. */
void svg_row(struct text *out, const struct canvas *canvas, int y, svg_roles *used);

/* Appends text that stands in XML: marks escaped, what XML cannot hold as U+FFFD. */
void svg_escape(struct text *out, const char *s, size_t len);

#endif
