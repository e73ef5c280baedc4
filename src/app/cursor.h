/*
 * The cursor: a hand that points at one thing of the fabric: a frame of any kind, a lane (also an empty one), a
 * GPU or a switch.
 *
 *      c        snaps to a packet that can be destroyed, data before ACKs; where lanes are not drawn, to a GPU
 *      arrows   along a lane: its next frame, then what lies behind the lane; else to the next thing that way,
 *               as the picture has them (ui/spot.h): so they work in any picture
 *      time     the cursor stays on its frame as it travels, and on its last lane when that is gone
 *
 * Packets and answers are pointed at by name (flow, PSN, attempt), never by place, so it survives seeking; what
 * goes from neighbour to neighbour (PAUSE, credits) by its lane and the moment it left. It only looks.
 */
#ifndef WEFT_APP_CURSOR_H
#define WEFT_APP_CURSOR_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/err.h"
#include "sim/sim.h"
#include "ui/spot.h"

enum cursor_thing { CURSOR_LANE, CURSOR_FRAME, CURSOR_NODE };

struct cursor {
    bool on;
    enum cursor_thing thing;
    uint32_t port; /* LANE, FRAME: the port that sends or holds; NODE: one of its ports */
    uint32_t node; /* NODE */
    bool waiting;  /* FRAME: it waits in a queue, not on the cable */
    enum sim_frame_kind kind;
    uint32_t flow; /* SIM_NONE: PAUSE, go, credits */
    uint64_t psn;
    uint32_t attempt;
    sim_ps start; /* when it left */
    bool seen;    /* x, y: where the cursor came to on the screen: straight on stays straight */
    int16_t x, y; /* in cells */
};

/* Puts the cursor on a packet: the one that fits best to be destroyed. Without data on its way, any frame.
 * False: there is none now, it then rests on a lane. */
bool cursor_snap(struct cursor *cursor, const struct sim *sim);

/* Puts it on a frame, a node, or a lane: onto the frame that is nearest to `at` (permille of the way along it), if one is
 * within `reach` permille. */
void cursor_put_frame(struct cursor *cursor, const struct sim_frame *frame);
void cursor_put_node(struct cursor *cursor, const struct sim *sim, uint32_t node);
void cursor_put_lane(struct cursor *cursor, const struct sim *sim, uint32_t port, int at,
                     int reach);

/* On the GPU that holds the others up. False: nobody trains. */
bool cursor_put_worst(struct cursor *cursor, const struct sim *sim);

/* Time has moved: follow the frame. */
void cursor_follow(struct cursor *cursor, const struct sim *sim);

/* Is it on this frame? */
bool cursor_is_on(const struct cursor *cursor, const struct sim_frame *frame);
/* The frame it is on. False: it is on none, or that is gone. */
bool cursor_frame(const struct cursor *cursor, const struct sim *sim, struct sim_frame *frame);

/* All frames of a lane, the farthest first, those that wait behind. At most `cap`. */
size_t cursor_frames(const struct sim *sim, uint32_t port, struct sim_frame *out, size_t cap);

/* To the next thing that way, among the spots of the last frame. False: there is nothing. */
bool cursor_move(struct cursor *cursor, const struct sim *sim, const struct ui_spot *spots,
                 size_t count, enum ui_way way);

/* What it is on: "packet 44 of 112 from g3 to g4, ...", "PAUSE from leaf1 to g3". Returns `buf`. */
const char *cursor_say(const struct cursor *cursor, const struct sim *sim, char *buf, size_t size);

/* The command that destroys the frame it is on. False: it is on none, or that cannot be. */
bool cursor_drop(const struct cursor *cursor, const struct sim *sim, struct sim_cmd *cmd,
                 struct err *err);

/* The node it is on, or from which its lane or frame comes. */
uint32_t cursor_node(const struct cursor *cursor, const struct sim *sim);

/* The GPU whose state `y` explains: itself, the sender of the packet, or of the lane. SIM_NONE: none. */
uint32_t cursor_rank(const struct cursor *cursor, const struct sim *sim);

#endif
