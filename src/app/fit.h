/*
 * Does a card fit the screens that lessons are made for? The same scene and the same layout as when it
 * is shown, at 80x24 and at 40x12, with every switch at its longest value.
 */
#ifndef WEFT_APP_FIT_H
#define WEFT_APP_FIT_H

#include "base/text.h"
#include "lesson/player.h"

/* Appends a line for each thing that has no room: "at 40x12 it has 12 lines, 2 too many". */
void app_fit(struct player *player, struct text *out);

#endif
