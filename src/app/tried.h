/*
 * A try of a task, as one sees it: the run that is judged (lesson/trial.h) goes by in the picture, instead of the
 * lesson's, from its beginning to its end, and stays there until something else is done.
 *
 *     tried_begin(&tried, run, wish, now_ms)
 *     each frame:   until tried_due(&tried, run, now_ms):  player_try_on(slice), tried_look(&tried, run)
 *
 * The pace is that of a short film: about two seconds where it is known how long the run is, else a training step
 * a second, then ever faster; where nothing moves for long it goes straight on. It never waits for the picture when
 * nobody wants to see it (`at_once`).
 *
 * The run is the player's (player_tried()): it is borrowed call by call and never kept.
 */
#ifndef WEFT_APP_TRIED_H
#define WEFT_APP_TRIED_H

#include <stdbool.h>
#include <stdint.h>

#include "app/history.h"
#include "app/playback.h"
#include "app/plots.h"
#include "run/run.h"

struct tried {
    bool on;      /* it is what the picture shows */
    bool at_once; /* as fast as it can be computed */
    struct playback eye;
    struct history history;
    struct plots plots; /* what the lesson plots, of this run */
    sim_ps due;         /* how far it should be by now */
    int64_t rate;       /* simulated ps a wall second */
    bool grows;         /* ever faster: nobody knows how long it takes */
    int64_t last_ms;
};

/* `length`: of the run, 0: unknown. `like`: whose gear the eye has. */
void tried_begin(struct tried *tried, const struct run *run, sim_ps length,
                 const struct playback *like, int64_t now_ms);
void tried_finish(struct tried *tried);

/* A frame begins: how far the run should go in it. */
sim_ps tried_due(struct tried *tried, const struct run *run, int64_t now_ms);
/* After each slice. */
void tried_look(struct tried *tried, const struct run *run);

#endif
