/*
 * A reel: a lesson that plays itself, frame by frame, for recordings and pictures.
 *
 *     reel_create --> reel_next, reel_next, ...        as a patient person would watch it
 *                 \-> reel_rest | reel_go              one moment of it
 *
 * It goes the declared path: cards are read, questions and tasks shown and left to the lesson, what a card
 * plays is played in its gear, with auto-slow and quiet skip as on the screen; what plays for too long is
 * hurried to its end. Time is invented, so the same lesson gives the same frames on every machine.
 */
#ifndef WEFT_APP_REEL_H
#define WEFT_APP_REEL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "app/app.h"
#include "ui/canvas.h"

struct reel_options {
    int width, height; /* cells */
    bool ascii;
    int fps;          /* frames a second */
    size_t card;      /* only the one at this place, from 1; 0: all of them */
    int64_t until_ps; /* of any run: it ends there; 0: it does not */
};

struct reel;

/* `app`, `path` as for app_lesson(); `app` is borrowed. NULL: err. */
struct reel *reel_create(const struct app_options *app, const char *path,
                         const struct reel_options *options, struct err *err);
void reel_destroy(struct reel *reel);

/* From now on another run goes beside it, as `w` shows it: the same with one change, from this moment. */
bool reel_beside(struct reel *reel, const struct sim_cmd *change, struct err *err);

/* The next frame. False: there is none, the last one stays. */
bool reel_next(struct reel *reel);

/* On to where the card stands still: its question, or its end. */
void reel_rest(struct reel *reel);

/* To a moment of the run of scene `scene` (an index; -1: that of the first card). False: the path ends
 * before. */
bool reel_go(struct reel *reel, int scene, int64_t at_ps, struct err *err);

/* The last frame; valid until the next one. */
const struct canvas *reel_canvas(const struct reel *reel);
/* When it is shown, in ms from the first. */
int64_t reel_ms(const struct reel *reel);
/* Its card, from 1, what that is called, and of how many; the lesson's title. */
size_t reel_card(const struct reel *reel);
const char *reel_card_title(const struct reel *reel);
size_t reel_card_count(const struct reel *reel);
const char *reel_title(const struct reel *reel);
/* The words of the card, or what is compared, as one line, for who cannot see the frame. Valid until the next call. */
const char *reel_words(struct reel *reel);

#endif
