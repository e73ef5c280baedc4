/*
 * What became of a frame at the end of its cable: known only later, when a switch has sent it on or has
 * thrown it away.
 *
 *     frames --fates_sent--> [ waiting: oldest ... newest ] --fates_next--> frames, with what became of
 *     drops  --fates_drop-->                                                them, in the same order
 *
 * A frame waits until its fate is known, or until too many wait: one that stands in a paused queue for
 * long is handed on as if it had come through, with those behind it.
 */
#ifndef WEFT_EXPORT_FATES_H
#define WEFT_EXPORT_FATES_H

#include <stdbool.h>
#include <stdint.h>

#include "sim/sim.h"

struct fates;

struct fate {
    struct sim_sent sent;
    uint32_t reason; /* enum sim_reason: why it was lost; NONE: it was not, as far as is known */
    bool marked;     /* the port that sends it has just marked it CE */
};

/* `sim` is borrowed. */
struct fates *fates_create(const struct sim *sim);
void fates_destroy(struct fates *fates);

/* The next frame of the tape; `wanted`: it shall come out again. */
void fates_sent(struct fates *fates, const struct sim_sent *sent, bool wanted);
/* A record of kind DROP, behind the frames that were sent before it. */
void fates_drop(struct fates *fates, const struct sim_record *drop);

/* The next frame whose fate is known when all up to `now` has been told; `all`: whether it is known or not.
 * False: none. */
bool fates_next(struct fates *fates, sim_ps now, bool all, struct fate *fate);

#endif
