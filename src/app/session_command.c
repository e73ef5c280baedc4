/*
 * Commands of a session: each answers, by what changes or by a sentence.
 */
#include <stdio.h>

#include "app/session_box.h"
#include "app/session_parts.h"
#include "base/units.h"
#include "ui/ui.h"

/* ---- commands: time ------------------------------------------------------------------------------ */

/* True when time may not go on: the question comes first. */
static bool question_first(struct session *s)
{
    if (s->need == PLAYER_ANSWER) {
        session_say(s, "first your guess: a letter answers, s skips the question");
        return true;
    }
    return false;
}

static void do_play(struct session *s)
{
    if (s->playback.playing) {
        playback_play(&s->playback, false);
        s->wants_packet = false;
        session_say(s, "paused");
    } else if (!question_first(s)) {
        if (sim_next_event(session_sim(s)) == SIM_NEVER) {
            session_say(s, "nothing more happens in this run; n goes on, R plays the card again");
            return;
        }
        playback_play(&s->playback, true);
        session_say(s, "playing, gear %s", playback_gear_name(s->playback.gear));
    }
}

static void seek(struct session *s, sim_ps to)
{
    struct err err = { 0 };
    struct run *run = player_run(s->player);
    bool ok = run_seek(run, to, &err);
    playback_moved(&s->playback, run);
    playback_play(&s->playback, false);
    history_sample(&s->history, run_sim(run));
    cursor_follow(&s->cursor, run_sim(run));
    if (!ok) {
        session_say(s, "%s", err.msg);
    }
}

static void do_tick(struct session *s, bool back)
{
    sim_ps tick = s->playback.tick[s->playback.gear], now = sim_now(session_sim(s));
    char length[40];
    units_format(length, sizeof length, UNIT_TIME, tick);
    if (back && now == 0) {
        session_say(s, "this is the beginning of the run");
    } else if (back) {
        seek(s, now > tick ? now - tick : 0);
        session_say(s, "one %s back, %s", playback_gear_name(s->playback.gear), length);
    } else if (!question_first(s)) {
        playback_jump(&s->playback, player_run(s->player), tick, 0);
        session_say(s, "one %s on, %s", playback_gear_name(s->playback.gear), length);
    }
}

/* The events that < and > stop at: those of the event list. */
static const uint32_t EVENT_KINDS =
    SIM_TRACE_BIT(DROP) | SIM_TRACE_BIT(XOFF) | SIM_TRACE_BIT(XON) | SIM_TRACE_BIT(NAK) |
    SIM_TRACE_BIT(REWIND) | SIM_TRACE_BIT(TIMEOUT) | SIM_TRACE_BIT(QP_ERROR) | SIM_TRACE_BIT(STEP) |
    SIM_TRACE_BIT(COMPUTED) | SIM_TRACE_BIT(ROUND) | SIM_TRACE_BIT(AT_BARRIER) |
    SIM_TRACE_BIT(BARRIER) | SIM_TRACE_BIT(DONE) | SIM_TRACE_BIT(STALL);

static void do_event_back(struct session *s)
{
    const struct sim *sim = session_sim(s);
    uint64_t cursor = 0;
    sim_ps found = SIM_NEVER, now = sim_now(sim);
    struct sim_record r[64], last = { 0 };
    for (size_t n; (n = sim_trace_read(sim, &cursor, r, 64)) > 0;) {
        for (size_t i = 0; i < n && r[i].t < now; i++) {
            if ((EVENT_KINDS & 1u << r[i].kind) != 0) {
                found = r[i].t;
                last = r[i];
            }
        }
        if (r[n - 1].t >= now) {
            break;
        }
    }
    if (found == SIM_NEVER) {
        session_say(s, "no event before this one");
        return;
    }
    char sentence[200];
    sim_trace_say(sim, &last, sentence, sizeof sentence);
    seek(s, found);
    session_say(s, "%s", sentence);
}

static void do_gear(struct session *s, int by)
{
    int gear = (int)s->playback.gear + by;
    if (gear < 0 || gear >= PLAYBACK_GEAR_COUNT) {
        session_say(s, "%s is the %s gear", playback_gear_name(s->playback.gear),
                    by < 0 ? "slowest" : "fastest");
        return;
    }
    char rate[40];
    playback_set_gear(&s->playback, (enum playback_gear)gear);
    session_say(s, "gear %s: %s", playback_gear_name(s->playback.gear),
                playback_rate_text(playback_rate(&s->playback), rate, sizeof rate));
}

/* To where this card's playing ends, as fast as it goes. */
static void do_end(struct session *s)
{
    if (question_first(s)) {
        return;
    }
    if (s->need != PLAYER_PLAY) {
        session_say(s, "this card has nothing more to play; n goes on");
        return;
    }
    playback_jump(&s->playback, player_run(s->player), SIM_NEVER, 0);
}

/* ---- commands: cards ------------------------------------------------------------------------------ */

static void do_answer(struct session *s, size_t choice)
{
    struct err err = { 0 };
    size_t item = player_item(s->player);
    const struct lesson_item *question = item == SIZE_MAX ? NULL : lesson_item(s->lesson, item);
    if (question == NULL || choice >= question->choice_count) {
        session_say(s, "this question has no answer %c", (int)('a' + (int)choice));
    } else if (!player_answer(s->player, choice, &err)) {
        session_say(s, "%s", err.msg);
    } else {
        s->asks_sure = true;
        session_say(s, "you said %c. How sure?  - a guess  = I think so  + I know",
                    (int)('a' + (int)choice));
        session_proceed(s);
    }
}

static void do_sure(struct session *s, uint32_t key)
{
    player_sure(s->player, key == '-' ? 1 : key == '=' ? 2 : 3);
    s->asks_sure = false;
    session_say(s, "noted: %s", key == '-' ? "a guess" : key == '=' ? "you think so" : "you know");
}

static void do_skip(struct session *s)
{
    struct err err = { 0 };
    if (s->need == PLAYER_PLAY) {
        do_end(s);
    } else if (s->need == PLAYER_ANSWER || s->need == PLAYER_DROP) {
        bool question = s->need == PLAYER_ANSWER;
        if (!player_skip(s->player, &err)) {
            session_say(s, "%s", err.msg);
            return;
        }
        s->cursor.on = false;
        session_say(s, question ? "question skipped" : "the lesson chooses the packet");
        session_proceed(s);
    } else {
        session_say(s, "nothing to skip; n goes on");
    }
}

static void do_next(struct session *s)
{
    struct err err = { 0 };
    if (s->need == PLAYER_END ||
        (s->need != PLAYER_CARD && player_card(s->player) + 1 >= lesson_card_count(s->lesson))) {
        session_say(s, s->need == PLAYER_END
                           ? "this was the last card; q goes back, p to the card before"
                           : "this is the last card: it plays to its end");
        return;
    }
    if (s->need != PLAYER_CARD) {
        s->hurry = true; /* first to its end: the next card counts on that */
        session_say(s, "first this card to its end");
        s->wants_packet = false;
        playback_play(&s->playback, false);
    } else if (player_next_card(s->player, &err)) {
        session_enter_card(s);
    } else {
        session_say(s, "%s", err.msg);
    }
}

/* Playing up to a card may take a second: first the answer, then the work. */
static void go_to_card(struct session *s, size_t card)
{
    playback_play(&s->playback, false);
    s->hurry = false;
    s->wants_packet = false;
    s->goes = true;
    s->goes_to = card;
    session_say(s, "going to card %zu", card + 1);
}

static void do_previous(struct session *s)
{
    if (player_card(s->player) == 0) {
        session_say(s, "this is the first card");
    } else {
        go_to_card(s, player_card(s->player) - 1);
    }
}

static void do_restart(struct session *s)
{
    struct err err = { 0 };
    if (player_restart_card(s->player, &err)) {
        session_enter_card(s);
        session_say(s, "this card from its beginning");
    } else {
        session_say(s, "%s", err.msg);
    }
}

static void do_undo(struct session *s)
{
    struct err err = { 0 };
    if (s->did_drop) {
        do_restart(s); /* what follows on this card is about that packet */
        return;
    }
    bool restarted = false;
    if (!player_undo(s->player, &restarted, &err)) {
        session_say(s, "%s", err.msg);
        return;
    }
    struct run *run = player_run(s->player);
    session_attach(s);
    playback_moved(&s->playback, run);
    playback_play(&s->playback, false);
    history_attach(&s->history, run_sim(run)); /* another past */
    victim_finish(&s->victim);
    cursor_follow(&s->cursor, run_sim(run));
    session_say(s, "undone: the run is as if you had never done it");
    if (restarted) {
        session_proceed(s);
    }
}

static void do_cursor(struct session *s)
{
    playback_play(&s->playback, false);
    s->wants_packet = false;
    if (!cursor_snap(&s->cursor, session_sim(s))) {
        session_say(s, "no packet is on its way just now: . lets a moment pass");
    }
}

static void do_cursor_move(struct session *s, enum cursor_way way)
{
    static const char *const words[] = { "to the left", "to the right", "above", "below" };
    if (!cursor_move(&s->cursor, session_sim(s), way)) {
        session_say(s, "nothing %s of here", words[way]);
    }
}

static void do_view(struct session *s)
{
    s->view = ui_view_next(s->view, s->width, s->height);
    session_say(s, "view: %s", ui_view_name(s->view));
}

void session_no_command(struct session *s, uint32_t key, int64_t now_ms)
{
    char name[32];
    s->now_ms = now_ms;
    session_say(s, "%s does nothing here; ? shows the keys", term_key_text(key, name, sizeof name));
}

/* A command that changes nothing but what is shown. */
static bool only_looks(enum command command)
{
    return command == COMMAND_SURE || command == COMMAND_VIEW || command == COMMAND_HELP ||
           command == COMMAND_SCROLL_UP || command == COMMAND_SCROLL_DOWN ||
           command == COMMAND_BOX_UP || command == COMMAND_BOX_DOWN || command == COMMAND_BOX_CLOSE;
}

void session_command(struct session *s, enum command command, uint32_t key, int64_t now_ms)
{
    s->now_ms = now_ms;
    s->status[0] = '\0';
    s->asks_sure = s->asks_sure && only_looks(command); /* it may stay unsaid */
    if (s->goes && command != COMMAND_LEAVE) {
        session_arrive_at_card(s);
    }
    switch (command) {
    case COMMAND_PLAY:
        do_play(s);
        break;
    case COMMAND_TICK_BACK:
    case COMMAND_TICK_ON:
        do_tick(s, command == COMMAND_TICK_BACK);
        break;
    case COMMAND_EVENT_BACK:
        do_event_back(s);
        break;
    case COMMAND_EVENT_ON:
        if (!question_first(s)) {
            playback_jump(&s->playback, player_run(s->player), SIM_NEVER, EVENT_KINDS);
        }
        break;
    case COMMAND_GEAR_UP:
    case COMMAND_GEAR_DOWN:
        do_gear(s, command == COMMAND_GEAR_UP ? 1 : -1);
        break;
    case COMMAND_BEGIN:
        seek(s, 0);
        session_say(s, "the beginning of the run");
        break;
    case COMMAND_END:
        do_end(s);
        break;
    case COMMAND_SWITCH:
        session_do_switch(s, (int)(key - '0'));
        break;
    case COMMAND_CURSOR:
        do_cursor(s);
        break;
    case COMMAND_DROP:
    case COMMAND_CURSOR_DROP:
        session_do_drop(s);
        break;
    case COMMAND_WHY:
        session_box_why(s);
        break;
    case COMMAND_UNDO:
        do_undo(s);
        break;
    case COMMAND_RESTART:
        do_restart(s);
        break;
    case COMMAND_NEXT:
        do_next(s);
        break;
    case COMMAND_PREVIOUS:
        do_previous(s);
        break;
    case COMMAND_SKIP:
        do_skip(s);
        break;
    case COMMAND_HINT:
        session_say(s, "this card has no hint");
        break;
    case COMMAND_VIEW:
        do_view(s);
        break;
    case COMMAND_SCROLL_UP:
    case COMMAND_SCROLL_DOWN:
        s->prose_scroll += command == COMMAND_SCROLL_UP ? -2 : 2;
        break;
    case COMMAND_CONTENTS:
        session_box_contents(s);
        break;
    case COMMAND_LEAVE:
        s->wants_out = true;
        break;
    case COMMAND_NOTHING_OPEN:
        session_say(s, "nothing is open; q leaves the lesson");
        break;
    case COMMAND_ANSWER:
        do_answer(s, key - 'a');
        break;
    case COMMAND_SURE:
        do_sure(s, key);
        break;
    case COMMAND_CURSOR_LEFT:
        do_cursor_move(s, CURSOR_LEFT);
        break;
    case COMMAND_CURSOR_RIGHT:
        do_cursor_move(s, CURSOR_RIGHT);
        break;
    case COMMAND_CURSOR_UP:
        do_cursor_move(s, CURSOR_UP);
        break;
    case COMMAND_CURSOR_DOWN:
        do_cursor_move(s, CURSOR_DOWN);
        break;
    case COMMAND_CURSOR_OFF:
        s->cursor.on = false;
        break;
    case COMMAND_LIST_GO:
        s->box = SESSION_BOX_NONE;
        go_to_card(s, s->box_selected);
        break;
    case COMMAND_LIST_UP:
    case COMMAND_LIST_DOWN:
    case COMMAND_LIST_CLOSE:
    case COMMAND_BOX_UP:
    case COMMAND_BOX_DOWN:
    case COMMAND_BOX_CLOSE:
    case COMMAND_HELP:
        session_box_command(s, command);
        break;
    case COMMAND_NONE:
    case COMMAND_OPEN:
    case COMMAND_HOME_UP:
    case COMMAND_HOME_DOWN:
    case COMMAND_HOME_LEAVE:
    case COMMAND_REPAINT:
    case COMMAND_SUSPEND:
    case COMMAND_QUIT:
    case COMMAND_COUNT:
        break; /* of others */
    }
    if (s->playback.jumping) {
        session_advance(s); /* at once: the key is answered by where it led to */
    }
    cursor_follow(&s->cursor, session_sim(s));
    session_update_follow(s);
}
