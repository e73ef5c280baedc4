/*
 * Where the model meets the picture: fills a scene from a run, a lesson and the state of playback.
 *
 *     const struct sim, player, playback, history, cursor  --scene_fill-->  struct scene
 *
 * It only looks. What belongs to the app alone stays the app's to set, before or after: screen, view,
 * ascii, hint, status, follow, why, prompt, help, prose_scroll and the list of lessons of the home
 * screen.
 *
 *     scene_mem_reset(&mem);
 *     struct scene scene = { .screen = SCENE_LESSON, .view = view, .ascii = ascii, ... };
 *     scene_fill_run(&fill, &in, &mem, &scene);      fabric, timeline, scrubber, events, counts
 *     scene_fill_card(&in, &mem, &scene);            title, prose, question, switches
 *     ui_draw(&scene, &canvas);
 */
#ifndef WEFT_APP_SCENE_FILL_H
#define WEFT_APP_SCENE_FILL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "app/calm.h"
#include "app/cursor.h"
#include "app/events.h"
#include "app/history.h"
#include "app/keymap.h"
#include "app/playback.h"
#include "app/plots.h"
#include "lesson/player.h"
#include "ui/scene.h"

/* What is kept from one frame to the next. Zero is a valid start. */
struct scene_fill {
    struct calm calm;
};

void scene_fill_finish(struct scene_fill *fill);

/* All borrowed; those marked may be NULL. */
struct scene_fill_in {
    const struct sim *sim;
    const struct playback *playback;
    const struct history *history;
    const struct cursor *cursor; /* NULL: no cursor */
    const bool *only; /* NULL: every node is drawn; else those that say so (app/server.h) */
    const struct plots *plots; /* NULL: nothing is plotted */
    int fps;
    const struct event_filter *filter; /* what the list of events may show; NULL: all */
    /* A fork remembers nothing of before it was one: the run it came from, up to `past_until`, tells. */
    const struct sim *past; /* NULL: `sim` has it all */
    sim_ps past_until;
    /* The lesson: NULL on the home screen and in free experiments. */
    const struct player *player;
    const struct keymap *keys; /* that sentences name; NULL: as the table says */
    const char *prose;         /* of the card, from player_prose(); NULL: none */
    bool prose_pending;        /* a number in it is not measured yet */
    const char *reply;         /* to the question, once judged; NULL: none */
    bool hide_truth;           /* what the question has come to is not shown */
    bool asking_sure;          /* a letter was given, how sure is asked now */
};

/* fabric, timeline, scrubber, event list, counts, quiet sentence. */
void scene_fill_run(struct scene_fill *fill, const struct scene_fill_in *in, struct scene_mem *mem,
                    struct scene *scene);

/* A what-if in full: two sides, each with its own memory, on one axis. `scene->whatif`, title, scrubber
 * (of the side that is picked); the app's own parts of above stay the app's. */
struct whatif;
void scene_fill_whatif(struct scene_fill fill[SCENE_SIDES],
                       const struct scene_fill_in in[SCENE_SIDES], const struct whatif *whatif,
                       struct scene_mem *mem, struct scene *scene);

/* title, card n of m, minutes left, prose, question, switches, scale line. */
void scene_fill_card(const struct scene_fill_in *in, struct scene_mem *mem, struct scene *scene);

/* home.node and home.lane: the ring of the training in `sim`, drawn as one cable from each rank to
 * its neighbour. `in->playback` decides whether packets blur. */
void scene_fill_ring(struct scene_fill *fill, const struct scene_fill_in *in, struct scene_mem *mem,
                     struct scene *scene);

#endif
