/*
 * Draws a scene. The door to this library; read scene.h first.
 *
 *     canvas_resize(&canvas, cols, rows);
 *     ui_draw(&scene, &canvas);
 *
 * Any size works: 80x24 is what the screens are made for, larger gives more, 40x12 one line a GPU,
 * and below about 20x4 only a notice remains that itself fits. The same scene and size give the
 * same cells, always: nothing here keeps state between frames.
 */
#ifndef WEFT_UI_UI_H
#define WEFT_UI_UI_H

#include "ui/canvas.h"
#include "ui/scene.h"

/* Blanks the canvas (its ASCII flag follows the scene's) and draws one frame. */
void ui_draw(const struct scene *scene, struct canvas *canvas);

/* The view that Tab goes to from `view` on a screen of that size: on a narrow one there are more of
 * them, and with `many` rows (SCENE_MANY). Returns `view` itself where only one makes sense. */
enum scene_view ui_view_next(enum scene_view view, int w, int h, bool many);
/* The same in the presenter's layout, which has the fabric, the timeline and the plot. */
enum scene_view ui_view_next_presented(enum scene_view view);
/* How many sentences that layout shows one after the other: scene->sentence is below that. */
size_t ui_sentence_count(const struct scene *scene);

/* Whether plots, reasons and a packet have places of their own on a screen of that size: they are shown all
 * the time, and the packet hides nothing. */
bool ui_stays_open(int w, int h);

/* Whether the card's text has a place of its own at that size, whatever the view. */
bool ui_prose_stays(int w, int h);

/* "timeline", "events": for the answer to Tab. Where `view` is not offered at that size, the first
 * one that is takes its place when drawing. */
const char *ui_view_name(enum scene_view view);

/* scene->prose_scroll, and the scroll of the box, help screen or what-if that is open, as far as they can be
 * obeyed on a screen of that size. Keep these instead, so that the first key back is seen. */
int ui_prose_scroll(const struct scene *scene, int w, int h);
size_t ui_box_scroll(const struct scene *scene, int w, int h);
size_t ui_rows_first(const struct scene *scene, int w, int h); /* the timeline's first row */
size_t ui_whatif_scroll(const struct scene *scene, int w, int h);

/*
 * Whether what a lesson shows has room at that size, below the wide layout: for who writes lessons.
 * `lines` of text (without the air that only looks well) in a place of `rows`; `switches` of the
 * scene's are shown whole, on a narrow screen in the view that Tab leads to.
 */
struct ui_fit {
    int lines, rows;
    size_t switches;
};
struct ui_fit ui_fit(const struct scene *scene, int w, int h);

#endif
