/*
 * A task: the learner moves switches, has them tried, and asks for hints.
 */
#include <inttypes.h>
#include <stdio.h>

#include "app/clock.h"
#include "app/session_parts.h"

/* Of a tick, and what is simulated between two looks at the clock. */
enum { TRY_US = 20000 };
#define TRY_SLICE (20 * UNIT_US)

const struct run *session_shows_try(const struct session *s)
{
    const bool many =
        s->history.row_count >= SCENE_MANY; /* their order is that of the lesson's run */
    return s->tried.on && !many ? player_tried(s->player) : NULL;
}

/* How long the run is that a try plays; 0: to its end, whenever that is. */
static sim_ps length_of_try(const struct session *s)
{
    const struct lesson_item *item = lesson_item(s->lesson, player_item(s->player));
    return item->until == LESSON_UNTIL_TIME ? item->for_ps : 0;
}

void session_do_try(struct session *s)
{
    struct err err = { 0 };
    playback_play(&s->playback, false);
    if (player_question(s->player).trying) { /* asked for again: it need not be watched */
        s->tried.at_once = true;
        return;
    }
    if (!player_try(s->player, &err)) {
        session_say(s, "%s", err.msg);
        return;
    }
    tried_begin(&s->tried, player_tried(s->player), length_of_try(s), &s->playback, s->now_ms);
    s->tried.at_once = s->patient || s->playback.reduced_motion;
    s->cursor.on = false;
    session_say(s, "your try, from the beginning of the run");
}

static void say_try(struct session *s, const struct run *run)
{
    const struct sim *sim = run_sim(run);
    char now[40], steps[40] = "";
    if (sim_rank_count(sim) > 0) {
        const int64_t done = sim_steps_done(sim);
        snprintf(steps, sizeof steps, ", %" PRId64 " step%s", done, done == 1 ? "" : "s");
    }
    session_say(s, "your try: %s%s; %s to its end",
                units_format(now, sizeof now, UNIT_TIME, run_now(run)), steps,
                s->tried.at_once ? "on" : "Enter goes");
}

void session_try_on(struct session *s)
{
    const int64_t end_us = clock_wall_us() + TRY_US;
    const sim_ps due = tried_due(&s->tried, player_tried(s->player), s->now_ms);
    bool over = false;
    while (!over && clock_wall_us() < end_us && run_now(player_tried(s->player)) < due) {
        over = player_try_on(s->player, TRY_SLICE);
        tried_look(&s->tried, player_tried(s->player));
    }
    if (!over) {
        say_try(s, player_tried(s->player));
        return;
    }
    const struct player_question q = player_question(s->player);
    s->prose_key.valid = false;
    playback_play(&s->tried.eye, false);
    if (q.not_checked) {
        session_say(s, "not checked: no verdict");
    } else if (q.state == PLAYER_JUDGED) {
        session_say(s, "the goal is reached");
        session_proceed(s);
        s->tried.on = s->tried.on && s->need != PLAYER_PLAY; /* else the lesson's run goes on */
    } else {
        session_say(s, "not yet: move a switch%s",
                    player_hints_left(s->player) > 0 ? "; {key:hint} gives a hint"
                                                     : " and try again");
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
