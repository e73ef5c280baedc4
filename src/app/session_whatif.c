/*
 * What-if in a session: choosing a change, both runs side by side, keeping one.
 *
 *     w --list--> change --fork--> (B catches up) --> both play --Enter--> the lesson, with or without it
 *                                                        '-----Esc------> the lesson, as it was
 */
#include <stdio.h>

#include "app/clock.h"
#include "app/session_box.h"
#include "app/session_parts.h"
#include "app/why.h"
#include "base/units.h"

enum { CATCH_UP_MS = 30, MEASURE_MS = 300 };

/* ---- the list ----------------------------------------------------------------------------------- */

void session_whatif_ask(struct session *s)
{
    if (session_question_first(s)) {
        return;
    }
    s->hurry = false;
    s->wants_packet = false;
    (void)session_seek(s, sim_now(session_sim(s))); /* a whole instant */
    s->choice_count =
        whatif_choices(session_sim(s), &s->cursor, s->lesson, player_card(s->player), s->choice);
    session_box_whatif(s);
    if (clock_over(player_run(s->player), NULL)) {
        session_say(s, "the run is over here: go back first, or change it from 0");
    }
}

void session_whatif_choose(struct session *s)
{
    s->box = SESSION_BOX_NONE;
    if (s->box_selected < s->choice_count) {
        session_whatif_start(s, &s->choice[s->box_selected].cmd);
    } else {
        session_prompt_open(s, true);
    }
}

/* ---- begin and end ------------------------------------------------------------------------------ */

/* Both are there: they play, in a gear in which one sees a step go by. */
static void side_by_side(struct session *s)
{
    struct whatif *w = &s->whatif;
    s->gear_before = s->playback.gear;
    s->auto_slow_before = s->playback.auto_slow;
    s->playback.auto_slow = false; /* what happened stays to be seen on the axis */
    playback_go_beside(&s->playback, w->other, &w->eye);
    playback_new_card(&s->playback);
    playback_set_gear(&s->playback,
                      s->gear_before > PLAYBACK_STEP ? s->gear_before : PLAYBACK_STEP);
    playback_play(&s->playback, !clock_over(player_run(s->player), w->other));
    session_sample(s);
}

void session_whatif_begin(struct session *s)
{
    struct err err = { 0 };
    s->whatif_begins = false;
    if (!whatif_begin(&s->whatif, player_run(s->player), &s->history, &s->whatif_cmd, &err)) {
        session_say(s, "%s", err.msg);
    } else if (!s->whatif.catching_up) {
        side_by_side(s);
    }
}

void session_whatif_start(struct session *s, const struct sim_cmd *cmd)
{
    char text[96];
    s->wants_packet = false;
    playback_play(&s->playback, false);
    s->whatif_cmd = *cmd;
    if (cmd->kind == SIM_CMD_SET && sim_knob_info(cmd->knob)->when == SIM_RESTART) {
        s->whatif_begins = true; /* first the answer, then the work */
        session_say(s, "B starts again with %s", whatif_say(cmd, text, sizeof text));
    } else {
        session_whatif_begin(s);
    }
}

void session_whatif_catch_up(struct session *s)
{
    struct run *run = player_run(s->player);
    if (whatif_catch_up(&s->whatif, run, s->patient ? 0 : CATCH_UP_MS)) {
        s->status[0] = '\0';
        side_by_side(s);
        return;
    }
    char at[40], of[40];
    units_format(at, sizeof at, UNIT_TIME, run_now(s->whatif.other));
    units_format(of, sizeof of, UNIT_TIME, run_now(run));
    session_say(s, "B catches up: %s of %s", at, of);
}

/* The lesson is there again, at the moment of the fork. */
static void close_whatif(struct session *s)
{
    const sim_ps from = s->whatif.from;
    if (session_in_whatif(s)) {
        playback_set_gear(&s->playback, s->gear_before);
        s->playback.auto_slow = s->auto_slow_before;
    }
    playback_go_beside(&s->playback, NULL, NULL);
    playback_new_card(&s->playback);
    whatif_finish(&s->whatif);
    session_seek(s, from);
    s->prose_key.valid = false;
}

void session_whatif_drop(struct session *s)
{
    if (s->whatif.other != NULL) {
        close_whatif(s);
    }
}

static void go_back(struct session *s)
{
    char when[40];
    close_whatif(s);
    session_say(s, "back at %s, nothing is changed",
                units_format(when, sizeof when, UNIT_TIME, sim_now(session_sim(s))));
}

/* Does the change to the lesson's run; a packet that is lost by it is followed from then on. */
static bool do_change(struct session *s, const struct sim_cmd *cmd, bool *restarted)
{
    const struct sim *sim = session_sim(s);
    const uint32_t flow = cmd->kind == SIM_CMD_DROP && cmd->which == SIM_DROP_PSN
                              ? sim_find_flow(sim, cmd->flow)
                              : SIM_NONE;
    struct victim victim = { 0 };
    if (flow != SIM_NONE) {
        victim_take(&victim, sim, flow, cmd->psn, cmd->attempt > 0 ? cmd->attempt : 1);
    }
    if (!session_do_to_run(s, cmd, restarted)) {
        victim_finish(&victim);
        return false;
    }
    if (flow != SIM_NONE) {
        victim_finish(&s->victim);
        s->victim = victim;
        s->cursor.on = false;
    }
    return true;
}

/* What was picked goes on as the lesson's run, from the fork to where the clock stood: as if one had
 * done the same there and played on, the card's own goal included. */
static void keep(struct session *s)
{
    const struct sim_cmd cmd = s->whatif.cmd;
    const bool change = s->whatif.picked == 1;
    const sim_ps clock = clock_now(player_run(s->player), s->whatif.other);
    char text[96];
    bool restarted = false;
    close_whatif(s);
    if (change) {
        whatif_say(&cmd, text, sizeof text);
        if (!do_change(s, &cmd, &restarted)) {
            return;
        }
        session_say_done(s, "kept B: %s; {key:undo} takes it back", text);
        if (s->need == PLAYER_DROP && cmd.kind == SIM_CMD_DROP) {
            s->did_drop = true;
        }
        if (restarted || s->did_drop) {
            session_proceed(s);
        }
    } else {
        session_say(s, "kept A: nothing is changed");
    }
    struct run *run = player_run(s->player);
    if (s->need != PLAYER_ANSWER && clock > run_now(run)) {
        playback_jump(&s->playback, run, clock - run_now(run), 0);
    }
}

void session_whatif_measure(struct session *s)
{
    struct whatif *w = &s->whatif;
    const struct run *run = player_run(s->player);
    if (!session_in_whatif(s) || w->numbers_at == clock_now(run, w->other) ||
        (w->numbers_at >= 0 && playback_moving(&s->playback) &&
         s->now_ms - w->numbers_ms < MEASURE_MS)) {
        return;
    }
    w->numbers_at = clock_now(run, w->other);
    w->numbers_ms = s->now_ms;
    whatif_measure(&w->numbers, run, w->other, w->at);
}

/* ---- differences -------------------------------------------------------------------------------- */

static void say_moment(struct session *s, const struct whatif_moment *m)
{
    const struct whatif *w = &s->whatif;
    const struct sim *sim = m->side == 0 ? session_sim(s) : run_sim(w->other);
    char when[40], text[200];
    units_format(when, sizeof when, UNIT_TIME, m->t);
    switch (m->what) {
    case WHATIF_FORK:
        session_say(s, "%s: here both part", when);
        break;
    case WHATIF_FIRST:
        session_say(s, "%s: the first difference", when);
        break;
    case WHATIF_ONE_SIDE:
        session_say(s, "%s, only in %c: %s", when, "AB"[m->side],
                    sim_trace_say(sim, &m->record, text, sizeof text));
        break;
    }
}

/* To where the sides part, differ first, or only one of them has something to show: whichever comes next
 * that way. */
static void go_to_difference(struct session *s, bool back)
{
    struct run *run = player_run(s->player);
    const sim_ps now = clock_now(run, s->whatif.other);
    const struct whatif_moment m = whatif_difference(&s->whatif, run, now, back);
    if (m.t == SIM_NEVER) {
        session_say(s, back ? "no difference before this moment"
                            : "no later difference up to where it was played");
    } else if (session_seek(s, m.t)) {
        say_moment(s, &m);
    }
}

static void ask_why(struct session *s)
{
    const struct sim *sim = s->whatif.picked == 1 ? run_sim(s->whatif.other) : session_sim(s);
    session_box_why_of(s, sim, why_of_worst(sim));
}

void session_whatif_command(struct session *s, enum command command)
{
    struct whatif *w = &s->whatif;
    switch ((int)command) {
    case COMMAND_SIDE:
        w->picked = 1 - w->picked;
        session_say(s, w->picked == 0 ? "A is picked: %s" : "B is picked: %s",
                    (const char *)w->change[w->picked]);
        break;
    case COMMAND_KEEP:
        keep(s);
        break;
    case COMMAND_DROP_WHATIF:
        go_back(s);
        break;
    case COMMAND_DIFFER_BACK:
    case COMMAND_DIFFER_ON:
        go_to_difference(s, command == COMMAND_DIFFER_BACK);
        break;
    case COMMAND_WHATIF_WHY:
        ask_why(s);
        break;
    case COMMAND_WHATIF_NUMBERS:
        session_box_numbers(s);
        break;
    case COMMAND_WHATIF_PLOT:
        session_plot_beside(s);
        break;
    case COMMAND_WHATIF_OTHER:
        close_whatif(s);
        session_whatif_ask(s);
        break;
    case COMMAND_ROWS_UP:
        w->scroll -= w->scroll > 0;
        break;
    case COMMAND_ROWS_DOWN:
        w->scroll++;
        break;
    default:
        break;
    }
}
