/*
 * The way to another card: the present one first to its end, or all that lies between. In portions, so that keys are
 * answered meanwhile.
 */
#include "app/clock.h"
#include "app/session_parts.h"

/* Finishes the card without showing it: one item, or one slice of one, a tick. */
void session_hurry_on(struct session *s)
{
    struct err err = { 0 };
    switch (s->need) {
    case PLAYER_PLAY:
        if (!s->playback.jumping) {
            playback_jump(&s->playback, player_run(s->player), SIM_NEVER, 0);
        }
        return;
    case PLAYER_ANSWER:
    case PLAYER_FIX:
    case PLAYER_COMPARE:
    case PLAYER_DROP:
        if (!player_skip(s->player, &err)) {
            break;
        }
        session_proceed(s);
        playback_play(&s->playback, false);
        return;
    case PLAYER_CARD:
        s->hurry = false;
        if (session_route_ends(s)) {
            s->route.wants_next = true;
        } else if (player_next_card(s->player, &err)) {
            session_enter_card(s);
        }
        break;
    case PLAYER_END:
        s->hurry = false;
        break;
    }
    if (err.code != ERR_NONE) {
        s->hurry = false;
        session_say(s, "%s", err.msg);
    }
}

bool session_begin_at(struct session *s, size_t place, struct err *err)
{
    if (place < 1 || place > player_path_length(s->player)) {
        return player_goto_place(s->player, place, err); /* says why not */
    }
    playback_play(&s->playback, false);
    s->wants_packet = false;
    s->bare = true;
    s->goes = true;
    s->goes_to = player_path_card(s->player, place - 1);
    session_say(s, "%.60s: going to card %zu", lesson_info(s->lesson).title, place);
    return true;
}

/* Of a tick, and what is simulated between two looks at the clock. */
enum { GO_US = 40000 };
#define GO_SLICE (20 * UNIT_US)

/* Of a card on the path. */
static size_t place_of(const struct player *p, size_t card)
{
    size_t place = 0;
    while (place + 1 < player_path_length(p) && player_path_card(p, place) < card) {
        place++;
    }
    return place;
}

/* A portion of the way: true when it is done. */
static bool way_done(struct session *s, struct err *err)
{
    bool there = false;
    if (!s->under_way) {
        s->under_way = true;
        s->spot_count = 0;
        session_whatif_drop(s);
        s->attached = NULL; /* its run may be a new one in the old one's place */
        if (!player_goto_begin(s->player, s->goes_to, err)) {
            return true;
        }
    }
    const int64_t end_us = clock_wall_us() + GO_US;
    do {
        if (!player_goto_on(s->player, s->patient ? SIM_NEVER : GO_SLICE, &there, err)) {
            return true;
        }
    } while (!there && (s->patient || clock_wall_us() < end_us));
    return there;
}

bool session_go_on(struct session *s)
{
    struct err err = { 0 };
    if (!way_done(s, &err)) {
        s->bare = true; /* what was shown is on its way to something else */
        session_say(s, "going to card %zu, now at %zu; {key:leave} leaves (%.60s)",
                    place_of(s->player, s->goes_to) + 1, player_place(s->player) + 1,
                    lesson_info(s->lesson).title);
        return false;
    }
    s->goes = false;
    s->bare = false;
    s->under_way = false;
    if (err.code == ERR_NONE) {
        session_enter_card(s);
    } else {
        session_attach(s);
        session_say(s, "%s", err.msg);
    }
    return true;
}
