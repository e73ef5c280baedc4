/*
 * The time machine in plain mode: the same as on the screen, asked and answered in sentences on standard
 * output and input.
 */
#ifndef WEFT_APP_PLAIN_TIME_H
#define WEFT_APP_PLAIN_TIME_H

#include <stdbool.h>

#include "lesson/player.h"

/* Asks where to ("61us", "next drop", "previous barrier"), goes there and says where the run stands. */
void plain_go(struct player *player);

/* Asks what might be otherwise. Both run on until each has ended a training step, or its work; what came
 * of it is said, and the change kept or not. True: kept. */
bool plain_whatif(struct player *player);

/* Takes back what the learner did last, or does it again. False: there is nothing. */
bool plain_undo(struct player *player, bool again);

/* Both sides of a what-if, and what differs; the run stays where it is. False: refused, and why is
 * said. */
bool plain_compare(struct player *player, const struct sim_cmd *cmd);

#endif
