/*
 * A task: the learner moves switches, has them tried, and asks for hints.
 */
#include <stdio.h>

#include "app/clock.h"
#include "app/session_parts.h"

/* Of a tick, and what is simulated between two looks at the clock. */
enum { TRY_US = 20000 };
#define TRY_SLICE (20 * UNIT_US)

void session_do_try(struct session *s)
{
    struct err err = { 0 };
    playback_play(&s->playback, false);
    if (player_try(s->player, &err)) {
        session_say(s, "trying, from the beginning of the run to its end");
    } else {
        session_say(s, "%s", err.msg);
    }
}

void session_try_on(struct session *s)
{
    const int64_t end_us = clock_wall_us() + TRY_US;
    bool over = false;
    while (!over && clock_wall_us() < end_us) {
        over = player_try_on(s->player, TRY_SLICE);
    }
    if (!over) {
        return;
    }
    const struct player_question q = player_question(s->player);
    s->prose_key.valid = false;
    if (q.not_checked) {
        session_say(s, "not checked: no verdict");
    } else if (q.state == PLAYER_JUDGED) {
        session_say(s, "the goal is reached");
        session_proceed(s);
    } else {
        session_say(s, "not yet: move a switch and try again; H gives a hint");
    }
}

void session_do_hint(struct session *s)
{
    const char *hint = player_hint(s->player);
    if (hint != NULL) {
        session_say(s, "hint %zu is on the card", player_question(s->player).hints);
    } else {
        session_say(s, player_question(s->player).hints > 0 ? "there are no more hints"
                                                            : "this card has no hint");
    }
}
