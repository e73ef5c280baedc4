/*
 * Going on in another version of a lesson: its file was saved while somebody was in it.
 *
 *     place = lesson_place_take(old player)        a value: what the learner did, and where that led
 *     player_resume(new lesson, ..., place, ...)   a player of the new version, at the same place
 *
 * The new version is walked like the old one was: its own items in their order, the learner's lines of
 * the journal in between at their times, the same answers, up to the same card, item and moment. When
 * nothing that matters to the fabric was edited, the run there is the same, bit for bit.
 *
 * A card is found again by its text: what is the same before and behind the edited part stays where it
 * is, inside that part the number counts. A line that cannot be done any more is left out and counted.
 *
 * Nothing here is shared with the player that the place was taken of: all but lesson_place_take() may
 * happen in another thread.
 */
#ifndef WEFT_LESSON_RESUME_H
#define WEFT_LESSON_RESUME_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>

#include "base/err.h"
#include "lesson/player.h"

struct lesson_place;

struct lesson_place *lesson_place_take(const struct player *player);
void lesson_place_destroy(struct lesson_place *place);

/* Whether both are the same but for the moment: nothing was done between them. */
bool lesson_place_same(const struct lesson_place *a, const struct lesson_place *b);

struct lesson_resumed {
    bool card_gone; /* the lesson has become shorter: this is the nearest card */
    size_t lost;    /* things that the learner did and that have no place in this version */
};

/* NULL: the new version cannot be played up to there, or `cancel` was set (ERR_STATE). It is looked at
 * every now and then; may be NULL. Borrows the lesson, as player_create(). */
struct player *player_resume(struct lesson *lesson, const struct player_options *options,
                             const struct lesson_place *place, const atomic_bool *cancel,
                             struct lesson_resumed *resumed, struct err *err);

#endif
