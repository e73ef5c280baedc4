/*
 * Keeps how far somebody has come while the loop runs: progress.h, written in a thread of the loop's pool, one
 * write at a time, so that a slow disk or a home on the network delays no key.
 */
#ifndef WEFT_APP_KEEPER_H
#define WEFT_APP_KEEPER_H

#include <stdbool.h>

#include <uv.h>

#include "app/progress.h"
#include "app/session.h"

struct keeper {
    struct progress *progress;
    uv_loop_t *loop;
    uv_work_t work;
    bool busy; /* a write is under way */
    struct progress_image *image;
    struct err err;          /* of the last write */
    bool said;               /* what went wrong, once */
    struct session *session; /* the one that is open, for that */
    size_t on_from;          /* said when it is there: the card where it was left; 0: none */
};

/* `loop` may be started later. The caller owns `keeper`, which must not move. */
void keeper_begin(struct keeper *keeper, uv_loop_t *loop);

/* What is still to be kept is written; call it when the loop was stopped, before it is closed. */
void keeper_end(struct keeper *keeper);

/* A lesson is open, or none (NULL). It goes on where it was left, unless it was finished or `card` says
 * otherwise (not 0). */
void keeper_open(struct keeper *keeper, struct session *session, size_t card);

/* After anything that may have moved it to another card. */
void keeper_look(struct keeper *keeper);

#endif
