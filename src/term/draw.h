/*
 * Frames into bytes: the only file that talks to curses.
 *
 *      canvas --changed cells--> curses --its output--> a file in memory --> bytes for the terminal
 *
 * Curses would write to the terminal itself and block there. Here its output is a file in memory;
 * after each frame the bytes are taken from it, and the caller sends them when the line has room.
 * Curses never reads: keys are the business of key.h.
 *
 * Curses keeps its state in globals, so there is one of these at a time.
 */
#ifndef WEFT_TERM_DRAW_H
#define WEFT_TERM_DRAW_H

#include <stdbool.h>

#include "base/err.h"
#include "base/text.h"
#include "ui/canvas.h"
#include "ui/theme.h"

struct term_draw;

/* `name` is the terminfo entry. NULL when there is none of that name, or no memory file. UI_PALETTE_TRUE is
 * for entries in which colours are red, green and blue ("xterm-direct"). */
struct term_draw *term_draw_create(const char *name, enum ui_theme theme, enum ui_palette palette);
void term_draw_destroy(struct term_draw *draw);

/* The palette in use: the one asked for, or less when the terminal has fewer colours. */
enum ui_palette term_draw_palette(const struct term_draw *draw);

/* How many colours the terminal has, by its terminfo entry. */
int term_draw_colors(const struct term_draw *draw);

/* From now on these strings ask for reports of clicks and wheel, in the form that has no largest column. */
void term_draw_mouse(struct term_draw *draw);

/* What to send to take the screen over, and to give it back. Valid while `draw` lives. */
const char *term_draw_enter(const struct term_draw *draw);
const char *term_draw_leave(const struct term_draw *draw);

/* Appends the bytes that turn the frame before into this one: nothing when they are equal. */
void term_draw_frame(struct term_draw *draw, const struct canvas *canvas, struct text *out);

/* Somebody else has drawn: the next frame clears the screen and paints every cell. */
void term_draw_forget(struct term_draw *draw);

/* The screen may have been changed behind our back: the next frame writes every cell again, without
 * clearing, so that nothing flickers when it was not. */
void term_draw_doubt(struct term_draw *draw);

#endif
