/*
 * One `play` of a lesson: from where it began to what ends it.
 *
 *     play = lesson_play_begin(run, item, &the_cards_last_play)
 *     until lesson_play_reached(&play, run, run_until(run, ..., play.target.stop_kinds)) ...
 */
#ifndef WEFT_LESSON_PLAY_H
#define WEFT_LESSON_PLAY_H

#include <stdbool.h>
#include <stdint.h>

#include "base/err.h"
#include "lesson/player.h"

/* A `play` under way. */
struct lesson_play {
    struct player_target target;
    enum lesson_until until;
    sim_ps from;
    uint64_t from_seq;
    bool reached;
    bool cut_short; /* a barrier ended it before what it waited for came, at ... */
    sim_ps cut_at;
};

/* `before` is the card's last play, or all zero: when a barrier cut that one short, those behind it
 * that would end at the barrier as well have nothing left to show. */
struct lesson_play lesson_play_begin(const struct run *run, const struct lesson_item *item,
                                     const struct lesson_play *before);

/* After a slice that `stopped`. True when the play is over, then for good. */
bool lesson_play_reached(struct lesson_play *playing, const struct run *run,
                         enum sim_stopped stopped);

/* Runs on without anybody watching: to the target, or by so much simulated time. SIM_NEVER: all of it. */
bool lesson_play_on(struct lesson_play *playing, struct run *run, sim_ps slice, struct err *err);
bool lesson_play_headless(struct lesson_play *playing, struct run *run, struct err *err);

/* The commands of a set or drop item, as the lesson's own. */
bool lesson_play_commands(struct run *run, const struct lesson_item *item, struct err *err);

#endif
