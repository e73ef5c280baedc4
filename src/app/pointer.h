/*
 * The mouse in a session: it does nothing that a key does not do, and what it does answers as a key does.
 *
 *     a frame, lane, GPU, switch   the cursor goes there; again: what Enter does there
 *     a line of a list             is chosen; again: taken
 *     a key of the bottom line     that command; likewise a switch, the heading of the view that Tab changes
 *     a moment: scrubber, event    goes there
 *     the wheel                    scrolls what it is over: a box, a list, the text; elsewhere time goes by ticks
 *
 * What lies where is known from the last frame (ui/spot.h). Shift with the mouse stays the terminal's own.
 */
#ifndef WEFT_APP_POINTER_H
#define WEFT_APP_POINTER_H

#include "app/session.h"
#include "term/key.h"

void pointer_mouse(struct session *session, const struct term_mouse *mouse, int64_t now_ms);

#endif
