/*
 * The pieces of a GPU timeline: rows, the barrier through all of them, the axis below. Views put
 * them together: ui_view_timeline() one timeline, ui_view_whatif() two over one axis.
 *
 *     g1 ████▒▒▒▒▒▒▒▒▒▒▒▒▒──┃████▒▒▒%%▒▒%%▒▒        sends
 *     g2!████▒▒▒▒▒▒▒▒▒▒▒▒▒▒─┃████▒▒▒▒▒%▒▒▒▒▒        sends
 *        0 ms               ┃4.8 ms       now 6.1 ms
 */
#ifndef WEFT_UI_TIMELINE_H
#define WEFT_UI_TIMELINE_H

#include "ui/axis.h"
#include "ui/canvas.h"

/* How a timeline stands in its rectangle: names, a blank (or the sign that a row differs), cells of
 * time, words. */
struct ui_timeline {
    int name_w, word_w;
    struct ui_axis axis; /* its width is what is left; below 4 nothing can be drawn */
};

/* Divides `w` cells; borrows the axis of `tl`. `words`: room is kept for what each GPU does now. */
struct ui_timeline ui_timeline(const struct scene_timeline *tl, int w, bool words);

/* Rows from number `first` on, as many as `r` holds; when some are left out the last row says how
 * many. `differs` (may be NULL) by row: a sign stands before its cells. Returns the rows drawn. */
int ui_timeline_rows(struct canvas *c, struct ui_rect r, const struct ui_timeline *t,
                     const struct scene_timeline *tl, size_t first, const bool *differs);

/* How far rows can be scrolled in `h` rows of screen. */
size_t ui_timeline_last(const struct scene_timeline *tl, int h);

/* A moment of its own on the axis: a sign, with a word that goes when there is no room. Without a word
 * (NULL) it is set before all labels and always seen. Moments outside the axis are clamped to it. */
struct ui_moment {
    int64_t t_ps;
    enum ui_glyph glyph;
    const char *word;
};

/* The axis: moments, cuts, now, its start, barriers, as far as there is room, in this order. */
void ui_timeline_axis(struct canvas *c, int x, int y, const struct ui_timeline *t,
                      const struct scene_timeline *tl, const struct ui_moment *moment,
                      size_t moment_count);

#endif
