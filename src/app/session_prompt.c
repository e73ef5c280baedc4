/*
 * What is typed: where to go, or what to change.
 *
 *     go 61us            go next drop         go previous pause
 *     plot queue leaf1:3
 *     rate 3us           set ecn on           drop g3>g4 last ...   (any command of the journal)
 */
#include <stdio.h>
#include <string.h>

#include "app/session_parts.h"
#include "base/units.h"

void session_prompt_open(struct session *s, bool whatif)
{
    playback_play(&s->playback, false);
    prompt_open(&s->prompt);
    s->prompt_whatif = whatif;
    s->prompt_answer = false;
}

void session_prompt_answer(struct session *s)
{
    session_prompt_open(s, false);
    s->prompt_answer = true;
}

static void answer(struct session *s, const char *text)
{
    struct err err = { 0 };
    const size_t item = player_item(s->player);
    if (!player_answer_number(s->player, text, &err)) {
        session_say(s, "%s", err.msg);
    } else {
        session_answered(s, item != SIZE_MAX ? lesson_item(s->lesson, item) : NULL, text);
    }
}

/* What follows `word` and blanks, or NULL when the text does not begin with it. */
static const char *after(const char *text, const char *word)
{
    const size_t n = strlen(word);
    if (strncmp(text, word, n) != 0 || (text[n] != ' ' && text[n] != '\0')) {
        return NULL;
    }
    text += n;
    return text + strspn(text, " ");
}

static void go(struct session *s, const char *where)
{
    const char *next = after(where, "next"), *previous = after(where, "previous");
    struct err err = { 0 };
    int64_t t;
    if (next != NULL || previous != NULL) {
        const char *what = next != NULL ? next : previous;
        if (!session_find_named(s, what, next == NULL)) {
            session_say(s, "next what? event, drop, pause, NAK, timeout, round or barrier");
        }
    } else if (!units_parse(where, UNIT_TIME, &t, &err)) {
        session_say(s, "go where? %.120s; or: go next drop", err.msg);
    } else if (t > sim_now(session_sim(s))) {
        session_play_to(s, t);
    } else {
        session_seek(s, t);
    }
}

static void set_rate(struct session *s, const char *text)
{
    struct err err = { 0 };
    int64_t rate;
    char said[40];
    if (!units_parse(text, UNIT_TIME, &rate, &err)) {
        session_say(s, "how much time a second? %.120s", err.msg);
    } else if (rate < 1000) {
        session_say(s, "1 ns a second is the least");
    } else {
        s->playback.rate[s->playback.gear] = rate;
        session_say(s, "gear %s: %s", playback_gear_name(s->playback.gear),
                    playback_rate_text(rate, said, sizeof said));
    }
}

/* A command of the journal: at once, or as what might be otherwise. */
static void change(struct session *s, const char *text)
{
    struct err err = { 0 };
    struct sim_cmd cmd;
    char said[96];
    bool restarted = false;
    if (!sim_cmd_parse(text, &cmd, &err)) {
        session_say(s, "%s", err.msg);
    } else if (s->prompt_whatif) {
        session_whatif_start(s, &cmd);
    } else if (session_in_whatif(s)) {
        session_say(s, "here nothing is changed: Enter keeps a side, w tries another change");
    } else if (session_do_to_run(s, &cmd, &restarted)) {
        session_say_done(s, "done: %s%s", whatif_say(&cmd, said, sizeof said),
                         restarted ? ", the run starts again" : "");
        if (restarted) {
            session_proceed(s);
        }
    }
}

static void do_typed(struct session *s)
{
    const char *text = s->prompt.text + strspn(s->prompt.text, " ");
    const char *where = after(text, "go"), *rate = after(text, "rate");
    const char *plot = after(text, "plot");
    s->prompt.on = false;
    if (*text == '\0') {
        session_say(s, "nothing typed");
    } else if (s->prompt_answer) {
        answer(s, text);
    } else if (where != NULL && !s->prompt_whatif) {
        go(s, where);
    } else if (rate != NULL && !s->prompt_whatif) {
        set_rate(s, rate);
    } else if (plot != NULL && !s->prompt_whatif) {
        session_plot_typed(s, plot);
    } else {
        change(s, text);
    }
}

void session_prompt_command(struct session *s, enum command command, uint32_t key)
{
    if (command == COMMAND_PROMPT_TYPE) {
        prompt_key(&s->prompt, key);
    } else if (command == COMMAND_PROMPT_DONE) {
        do_typed(s);
    } else {
        s->prompt.on = false;
    }
}
