/*
 * The picture: one frame of a session or of the home screen as a scene.
 *
 * scene_fill turns model and lesson into plain data; this adds what only the app knows: status,
 * footer and ? screen from the commands table, boxes, the selected lesson. It keeps the memory of
 * the frame, so one frame is valid until the next.
 */
#ifndef WEFT_APP_PICTURE_H
#define WEFT_APP_PICTURE_H

#include "app/home.h"
#include "app/keymap.h"
#include "app/scene_fill.h"
#include "app/session.h"
#include "ui/canvas.h"

struct progress;

struct picture {
    struct scene_mem mem;
    struct scene_fill fill[SCENE_SIDES]; /* the second: the other side of a what-if */
    struct canvas canvas;
    const struct keymap *keys; /* of one's own; NULL: as the table says */
    bool ascii;
    int fps;
    bool whatif; /* the frame before was one */
    bool tried;  /* it showed a task's try */
    bool help;   /* the ? screen of the home screen is open */
    size_t help_scroll;
};

void picture_init(struct picture *picture, bool ascii, int fps);
void picture_finish(struct picture *picture);

/* Draws into picture->canvas, which gets this size. */
void picture_session(struct picture *picture, struct session *session, int rows, int cols);
void picture_home(struct picture *picture, const struct home *home, const struct progress *progress,
                  int rows, int cols);

/* A line being typed, behind `lead`, with what may stand there. */
void picture_prompt(const struct prompt *prompt, const char *lead, struct scene_mem *mem,
                    struct scene *scene);

#endif
