/*
 * The cursor: a hand that points at one packet, or at a lane when it is empty.
 *
 *      c        snaps to a packet that can be destroyed, data before ACKs
 *      arrows   left and right: the next packet that way, along its lane, then along its path
 *               up and down: the lane above or below
 *      time     the cursor stays on its packet as it travels, and on its last lane when it is gone
 *
 * It points by name (flow, PSN, attempt), never by place, so it survives seeking. It only looks.
 */
#ifndef WEFT_APP_CURSOR_H
#define WEFT_APP_CURSOR_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/err.h"
#include "sim/sim.h"

struct cursor {
    bool on;
    uint32_t port; /* the lane: the port that sends or holds */
    bool packet;   /* it is on a data packet, named below */
    bool waiting;  /* that packet waits in a queue, not on the cable */
    uint32_t flow;
    uint64_t psn;
    uint32_t attempt;
};

enum cursor_way { CURSOR_LEFT, CURSOR_RIGHT, CURSOR_UP, CURSOR_DOWN };

/* Puts the cursor on a packet: the one that fits best to be destroyed. False: there is none now,
 * it then rests on a lane. */
bool cursor_snap(struct cursor *cursor, const struct sim *sim);

/* Time has moved: follow the packet. */
void cursor_follow(struct cursor *cursor, const struct sim *sim);

/* False: there is nothing that way. */
bool cursor_move(struct cursor *cursor, const struct sim *sim, enum cursor_way way);

/* What it is on: "packet 44 of 112 from g3 to g4, at leaf1: 68 follow ...". Returns `buf`. */
const char *cursor_say(const struct cursor *cursor, const struct sim *sim, char *buf, size_t size);

/* The command that destroys what it is on. False: it is on no data packet. */
bool cursor_drop(const struct cursor *cursor, const struct sim *sim, struct sim_cmd *cmd,
                 struct err *err);

/* The GPU whose state `y` explains: the sender of the packet, or of the lane. SIM_NONE: none. */
uint32_t cursor_rank(const struct cursor *cursor, const struct sim *sim);

/* Columns of the picture: 0 left hosts, 1 left leaves, 2 spines, 3 right leaves, 4 right hosts. */
int cursor_column(const struct sim *sim, uint32_t node);

#endif
