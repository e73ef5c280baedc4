/*
 * Moving in time: on and back by the tick of the gear, by event, to a moment.
 *
 * Back is looked up (run/seek.h): it has been simulated before. On is played in slices, so that keys are
 * answered meanwhile and the card's own goal is not run over.
 */
#include <stdio.h>

#include "app/clock.h"
#include "app/events.h"
#include "app/session_parts.h"
#include "base/units.h"
#include "run/seek.h"

const char *session_filter_name(const struct session *s, char *buf, size_t size)
{
    return event_filter_say(&s->filter, session_sim(s), buf, size);
}

bool session_question_first(struct session *s)
{
    if (s->need == PLAYER_ANSWER) {
        session_say(s, "first your guess: a letter answers, s skips the question");
        return true;
    }
    return false;
}

static sim_ps now_of(const struct session *s)
{
    return clock_now(player_run(s->player), s->playback.beside);
}

/* The run was moved: whatever pointed at the moment looks anew. */
static void moved(struct session *s)
{
    struct run *run = player_run(s->player);
    playback_moved(&s->playback, run);
    playback_play(&s->playback, false);
    session_sample(s);
    cursor_follow(&s->cursor, run_sim(run));
}

bool session_seek(struct session *s, sim_ps to)
{
    struct err err = { 0 };
    const bool ok = clock_seek(player_run(s->player), s->playback.beside, to, &err);
    moved(s);
    if (!ok) {
        session_say(s, "%s", err.msg);
    }
    return ok;
}

void session_play_to(struct session *s, sim_ps to)
{
    if (!session_question_first(s)) {
        playback_jump(&s->playback, player_run(s->player), to - now_of(s), 0);
    }
}

void session_do_play(struct session *s)
{
    if (s->playback.playing) {
        playback_play(&s->playback, false);
        s->wants_packet = false;
        session_say(s, "paused");
    } else if (!session_question_first(s)) {
        if (clock_next(player_run(s->player), s->playback.beside) == SIM_NEVER) {
            session_say_over(s);
            return;
        }
        playback_play(&s->playback, true);
        session_say(s, "playing, gear %s", playback_gear_name(s->playback.gear));
    }
}

/* ---- by event ----------------------------------------------------------------------------------- */

static void say_record(struct session *s, const struct run *run, const struct sim_record *r)
{
    char when[40], sentence[180];
    const char *side = !session_in_whatif(s) ? "" : run == s->whatif.other ? "B: " : "A: ";
    units_format(when, sizeof when, UNIT_TIME, r->t);
    session_say(s, "%s: %s%s", when, side,
                sim_trace_say(run_sim(run), r, sentence, sizeof sentence));
}

/* The last record of these kinds before `now`, on one of two runs; the run is left there. */
static bool find_before(struct run *run, const struct run_want *want, sim_ps now,
                        struct sim_record *found)
{
    while (run_find(run, want, RUN_BACK, 0, found)) {
        if (found->t < now) {
            return true;
        }
    }
    return false;
}

/* Both go back to the later of what lies before on each. */
static void find_back_of_two(struct session *s, const struct run_want *want, const char *what)
{
    struct run *a = player_run(s->player), *b = s->whatif.other;
    const sim_ps now = now_of(s);
    struct sim_record in_a, in_b;
    const bool has_a = find_before(a, want, now, &in_a);
    const bool has_b = find_before(b, want, now, &in_b);
    if (!has_a && !has_b) {
        session_seek(s, now);
        session_say(s, "no %s before this one, on either side", what);
        return;
    }
    const bool later_b = has_b && (!has_a || in_b.t > in_a.t);
    session_seek(s, later_b ? in_b.t : in_a.t);
    say_record(s, later_b ? b : a, later_b ? &in_b : &in_a);
}

static void find_back(struct session *s, const struct run_want *want, const char *what)
{
    struct run *run = player_run(s->player);
    struct sim_record found;
    if (session_in_whatif(s)) {
        find_back_of_two(s, want, what);
    } else if (run_find(run, want, RUN_BACK, 0, &found)) {
        moved(s);
        say_record(s, run, &found);
    } else {
        session_say(s, "no %s before this one", what);
    }
}

static void find_on(struct session *s, const struct run_want *want, const char *what)
{
    struct run *run = player_run(s->player);
    struct sim_record found;
    if (!session_in_whatif(s) && run_find(run, want, RUN_ON, run_now(run), &found)) {
        say_record(s, run, &found); /* another one at this very instant */
        return;
    }
    s->find_from = now_of(s);
    snprintf(s->find_what, sizeof s->find_what, "%s", what);
    playback_jump(&s->playback, run, SIM_NEVER, want->kinds);
    s->playback.jump_node = want->of_node ? want->node : SIM_NONE;
}

static void find(struct session *s, const struct event_filter *filter, bool back)
{
    char what[64];
    const struct run_want want = { .kinds = event_filter_kinds(filter),
                                   .of_node = filter->of_node,
                                   .node = filter->node };
    event_filter_say_one(filter, session_sim(s), what, sizeof what);
    if (back) {
        find_back(s, &want, what);
    } else if (!session_question_first(s)) {
        find_on(s, &want, what);
    }
}

bool session_find_named(struct session *s, const char *name, bool back)
{
    struct event_filter filter;
    const bool ok = name[0] != '\0' && event_filter_parse(name, session_sim(s), &filter, NULL);
    if (ok) {
        find(s, &filter, back);
    }
    return ok;
}

void session_do_event(struct session *s, bool back)
{
    find(s, &s->filter, back);
}

void session_do_filter(struct session *s)
{
    session_prompt_open_with(s, "show ");
}

bool session_set_filter(struct session *s, const char *text, struct err *err)
{
    struct event_filter filter;
    char name[64];
    if (!event_filter_parse(text, session_sim(s), &filter, err)) {
        return false;
    }
    s->filter = filter;
    session_say(s, "listed, and where < and > stop: %s%s",
                session_filter_name(s, name, sizeof name),
                event_filter_on(&filter) ? "; / and Enter: all" : "");
    return true;
}

/* The record that a search on was for, on one run: it lies at the present instant. */
static bool find_here(struct session *s, struct run *run, sim_ps from)
{
    const sim_ps now = run_now(run);
    const struct run_want want = { .kinds = s->playback.jump_kinds,
                                   .of_node = s->playback.jump_node != SIM_NONE,
                                   .node = s->playback.jump_node };
    struct sim_record found;
    const bool ok = run_seek(run, from, NULL) && run_find(run, &want, RUN_ON, now, &found);
    if (ok) {
        say_record(s, run, &found);
    } else {
        (void)run_seek(run, now, NULL);
    }
    return ok;
}

void session_arrived(struct session *s)
{
    if (s->find_from < 0) {
        return;
    }
    struct run *run = player_run(s->player);
    const sim_ps from = s->find_from;
    s->find_from = -1;
    if (s->playback.jump_rank == SIM_NONE && !find_here(s, run, from) && session_in_whatif(s)) {
        find_here(s, s->whatif.other, from);
    }
}

/* ---- by the tick of the gear -------------------------------------------------------------------- */

/* What a tick of the gear is called, and what ends it; hops have no record. */
static const struct {
    const char *word;
    enum run_unit unit;
    uint32_t kinds;
} TICKS[PLAYBACK_GEAR_COUNT] = {
    [PLAYBACK_PACKET] = { "packet-hop", RUN_HOP, 0 },
    [PLAYBACK_ROUND] = { "round", RUN_ROUND, SIM_TRACE_BIT(ROUND) },
    [PLAYBACK_STEP] = { "step", RUN_STEP, SIM_TRACE_BIT(STEP) | SIM_TRACE_BIT(DONE) },
    [PLAYBACK_TIMEOUT] = { "timeout", RUN_EVENT, SIM_TRACE_BIT(TIMEOUT) },
};

/* Without a collective there are no rounds and steps: then a tick is a length of time. */
static bool has_unit(const struct session *s, enum playback_gear gear)
{
    return (gear != PLAYBACK_ROUND && gear != PLAYBACK_STEP) || sim_rank_count(session_sim(s)) > 1;
}

static void say_tick(struct session *s, const char *way)
{
    char when[40];
    session_say(s, "one %s %s: %s", TICKS[s->playback.gear].word, way,
                units_format(when, sizeof when, UNIT_TIME, now_of(s)));
}

static void tick_back(struct session *s)
{
    struct err err = { 0 };
    struct run *run = player_run(s->player);
    const enum playback_gear gear = s->playback.gear;
    const sim_ps now = now_of(s), tick = s->playback.tick[gear];
    if (now == 0) {
        session_say(s, "this is the beginning of the run");
        return;
    }
    if (!has_unit(s, gear)) {
        session_seek(s, now > tick ? now - tick : 0);
        say_tick(s, "back");
        return;
    }
    const struct run_want want = { .kinds = TICKS[gear].kinds };
    const bool ok = gear == PLAYBACK_TIMEOUT ? run_find(run, &want, RUN_BACK, 0, NULL)
                                             : run_step(run, TICKS[gear].unit, RUN_BACK, &err);
    if (!ok) {
        session_say(s, "no %s before this one", TICKS[gear].word);
        return;
    }
    if (session_in_whatif(s)) {
        (void)run_seek(s->whatif.other, run_now(run), NULL);
    }
    moved(s);
    say_tick(s, "back");
}

/* How far the next hop of either run is away; 0: none comes. */
static sim_ps to_next_hop(struct session *s)
{
    struct run *const runs[] = { player_run(s->player), s->playback.beside };
    const sim_ps now = now_of(s);
    sim_ps next = SIM_NEVER;
    for (int i = 0; i < 2 && runs[i] != NULL; i++) {
        if (run_step(runs[i], RUN_HOP, RUN_ON, NULL)) {
            next = run_now(runs[i]) < next ? run_now(runs[i]) : next;
            (void)run_seek(runs[i], now, NULL);
        }
    }
    return next == SIM_NEVER ? 0 : next - now;
}

static void tick_on(struct session *s)
{
    struct run *run = player_run(s->player);
    const enum playback_gear gear = s->playback.gear;
    if (!has_unit(s, gear)) {
        playback_jump(&s->playback, run, s->playback.tick[gear], 0);
    } else if (gear == PLAYBACK_PACKET) {
        const sim_ps by = to_next_hop(s);
        if (by == 0) {
            session_say(s, "no packet will arrive anywhere any more");
            return;
        }
        playback_jump(&s->playback, run, by, 0);
    } else {
        playback_jump(&s->playback, run, SIM_NEVER, TICKS[gear].kinds);
        s->playback.jump_rank = 0; /* the first rank counts the rounds */
        snprintf(s->find_what, sizeof s->find_what, "%s", TICKS[gear].word);
        s->find_from = now_of(s);
    }
    session_say(s, "one %s on", TICKS[gear].word);
}

void session_do_tick(struct session *s, bool back)
{
    if (back) {
        tick_back(s);
    } else if (!session_question_first(s)) {
        tick_on(s);
    }
}

void session_do_gear(struct session *s, int by)
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

/* To where this card's playing ends, or both sides of a what-if, as fast as it goes. */
void session_do_end(struct session *s)
{
    if (session_question_first(s)) {
        return;
    }
    if (s->need != PLAYER_PLAY && !session_in_whatif(s)) {
        if (now_of(s) < s->history.known && session_seek(s, s->history.known)) {
            session_say(s, "the end of what was played");
        } else {
            session_say(s, s->need == PLAYER_END ? "the last card: nothing more to play"
                                                 : "nothing more to play; {key:next} goes on");
        }
        return;
    }
    playback_jump(&s->playback, player_run(s->player), SIM_NEVER, 0);
}
