/*
 * Calm: what is shown of things that change faster than one may look.
 *
 * Too fast for single packets, a lane shows how busy it was, a paused lane and a paused GPU say so. All
 * of that may change twenty times a second on half of the screen, which is tiring and for some people
 * dangerous: no large area changes its brightness more than three times a second. So these values
 * are gathered over a third of a second of frames and then shown for the next third:
 *
 *     frames    | . . . . . . | . . . . . . | . . . . . . |
 *     gathered  |<-- busy, paused in how many frames? --->|
 *     shown     |  the one    |  before     |             |
 *
 * Only what blurs goes through here: a single packet, a drop or a standing picture is exact.
 */
#ifndef WEFT_APP_CALM_H
#define WEFT_APP_CALM_H

#include <stdbool.h>
#include <stddef.h>

#include "sim/sim.h"
#include "ui/scene.h"

struct calm_port;

/* Zero is a valid start. Another run, or one that was moved back, is noticed. */
struct calm {
    struct calm_port *port;
    enum scene_gpu_state *state; /* by node: as shown */
    size_t port_count, node_count;
    sim_ps from;   /* start of the window */
    sim_ps now;    /* of the last frame */
    int frames;    /* in the window */
    bool fresh;    /* this frame begins a new third of a second */
    uint64_t told; /* events up to here are listed */
};

void calm_finish(struct calm *calm);

/* Once a frame, before the others. */
void calm_frame(struct calm *calm, const struct sim *sim, int fps);

/* Permille of the window in which the port sent, give or take a few hundredths. */
int calm_busy(const struct calm *calm, uint32_t port);
/* Bytes that its node holds from the neighbour at this port, and that wait to leave by it, at the beginning of
 * the window: numbers that change at every frame cannot be read. */
int64_t calm_held(const struct calm *calm, uint32_t port);
int64_t calm_queued(const struct calm *calm, uint32_t port);
/* Its sender was paused, or had no credit for what it had to send, for most of the window. */
bool calm_paused(const struct calm *calm, uint32_t port);
/* The events up to which number are listed, of `end` that there are: those of the beginning of the window, all of
 * them where nothing blurs (`sharp`). */
uint64_t calm_events(struct calm *calm, uint64_t end, bool sharp);
/* The state to show of a GPU (by node) that is in `state` now. */
enum scene_gpu_state calm_state(struct calm *calm, uint32_t node, enum scene_gpu_state state);

#endif
