/*
 * What is typed: where to go, or what to change. All there is to type is in typed.h; what is typed is
 * completed by complete.h.
 *
 *     go 61us            go next drop         go previous pause
 *     plot queue leaf1:3
 *     rate 3us           set ecn on           drop g3>g4 last ...   (any command of the journal)
 *
 * What cannot be done keeps the line open, with a sentence.
 */
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "app/menu.h"
#include "app/session_box.h"
#include "app/session_parts.h"
#include "app/typed.h"
#include "base/units.h"

static struct complete_world world_of(const struct session *s)
{
    return (struct complete_world){ .sim = session_sim(s),
                                    .lesson = s->lesson,
                                    .card = player_card(s->player),
                                    .glossary = s->glossary,
                                    .changes = s->prompt_whatif };
}

/* What may stand where one types; of an answer, what it should look like. */
static void look(struct session *s)
{
    const struct complete_world world = world_of(s);
    if (s->prompt_row) {
        s->prompt.error[0] = '\0';
        return;
    }
    if (!s->prompt_answer) {
        prompt_look(&s->prompt, &world);
        return;
    }
    const size_t item = player_item(s->player);
    s->prompt.complete = (struct complete){ 0 };
    s->prompt.error[0] = '\0';
    if (item != SIZE_MAX) {
        snprintf(s->prompt.complete.note, sizeof s->prompt.complete.note, "%s",
                 units_example(lesson_item(s->lesson, item)->unit));
    }
}

static void open_prompt(struct session *s, bool whatif, bool answer)
{
    playback_play(&s->playback, false);
    prompt_open(&s->prompt);
    s->prompt_whatif = whatif;
    s->prompt_answer = answer;
    s->prompt_row = false;
    s->prompt_asked[0] = '\0';
    look(s);
}

void session_prompt_open(struct session *s, bool whatif)
{
    open_prompt(s, whatif, false);
}

void session_prompt_open_with(struct session *s, const char *text)
{
    open_prompt(s, false, false);
    prompt_put(&s->prompt, text);
    look(s);
}

void session_prompt_row(struct session *s, const struct menu_row *row)
{
    open_prompt(s, false, false);
    s->prompt_row = true;
    s->prompt.complete = (struct complete){ 0 };
    snprintf(s->prompt.complete.form, sizeof s->prompt.complete.form, "%s", row->name);
    snprintf(s->prompt.complete.note, sizeof s->prompt.complete.note, "%s (%s)", row->about,
             row->range);
}

void session_prompt_answer(struct session *s)
{
    open_prompt(s, false, true);
}

/* The line stays, with what is wrong with it. */
static void refuse(struct session *s, const char *fmt, ...) __attribute__((format(printf, 2, 3)));
static void refuse(struct session *s, const char *fmt, ...)
{
    va_list ap;
    va_start(ap, fmt);
    vsnprintf(s->prompt.error, sizeof s->prompt.error, fmt, ap);
    va_end(ap);
    s->prompt.on = true;
}

static void answer(struct session *s, const char *text)
{
    struct err err = { 0 };
    const size_t item = player_item(s->player);
    if (!player_answer_number(s->player, text, &err)) {
        refuse(s, "%s", err.msg);
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
            refuse(
                s,
                "next what? event, drop, pause, NAK, timeout, round, barrier, of a node: drop g3");
        }
    } else if (!units_parse(where, UNIT_TIME, &t, &err)) {
        refuse(s, "go where? %.120s; or: go next drop", err.msg);
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
        refuse(s, "how much time a second? %.120s", err.msg);
    } else if (rate < 1000) {
        refuse(s, "1 ns a second is the least");
    } else {
        s->playback.rate[s->playback.gear] = rate;
        session_say(s, "gear %s: %s", playback_gear_name(s->playback.gear),
                    playback_rate_text(rate, said, sizeof said));
    }
}

/* What the fabric would refuse. A run that begins again is asked when it does. */
static bool refuses(const struct session *s, const struct sim_cmd *cmd, struct err *err)
{
    const bool again = cmd->kind == SIM_CMD_SET && sim_knob_info(cmd->knob)->when == SIM_RESTART;
    return !again && !sim_would_apply(session_sim(s), cmd, err);
}

/* A command of the journal: at once, or as what might be otherwise. */
static void change(struct session *s, const char *text)
{
    struct err err = { 0 };
    struct sim_cmd cmd;
    char said[96];
    bool restarted = false;
    if (!sim_cmd_parse(text, &cmd, &err)) {
        refuse(s, "%s", err.msg);
    } else if (!session_in_whatif(s) && refuses(s, &cmd, &err)) {
        refuse(s, "%s", err.msg);
    } else if (s->prompt_whatif) {
        session_whatif_start(s, &cmd);
    } else if (session_in_whatif(s)) {
        session_say(s, "here nothing is changed: {key:keep} keeps a side, {key:whatif-other} tries "
                       "another change");
    } else if (cmd.kind != SIM_CMD_SET && cmd.kind != SIM_CMD_DROP) {
        (void)session_do_fault(s, &cmd); /* and a line follows it */
    } else if (session_do_to_run(s, &cmd, &restarted)) {
        session_say_done(s, "done: %s%s", whatif_say(&cmd, said, sizeof said),
                         restarted ? ", the run starts again" : "");
        if (restarted) {
            session_proceed(s);
        }
    } else {
        refuse(s, "%s", s->status);
        s->status[0] = '\0';
    }
}

static void set_auto_slow(struct session *s, const char *text)
{
    const bool on = strcmp(text, "on") == 0;
    if (!on && strcmp(text, "off") != 0) {
        refuse(s, "auto-slow on, or auto-slow off");
        return;
    }
    *(s->whatif.other != NULL ? &s->auto_slow_before : &s->playback.auto_slow) = on;
    session_say(s, on ? "playing slows down where something happens for the first time on a card"
                      : "playing never slows down by itself; :auto-slow on for that");
}

static void plot(struct session *s, const char *text)
{
    struct err err = { 0 };
    if (!session_plot_typed(s, text, &err)) {
        refuse(s, "%s", err.msg);
    }
}

static void show(struct session *s, const char *text)
{
    struct err err = { 0 };
    if (!session_set_filter(s, text, &err)) {
        refuse(s, "%s", err.msg);
    }
}

static void term(struct session *s, const char *name)
{
    if (!session_terms_typed(s, name)) {
        refuse(s, name[0] != '\0'
                      ? "there is no such word in the glossary; Tab offers those there are"
                      : "which word? Tab offers them");
    }
}

static void ask_why(struct session *s, const char *text)
{
    struct err err = { 0 };
    struct why_about about;
    if (text[0] == '\0') {
        session_box_why(s);
    } else if (why_named(session_sim(s), text, &about, &err)) {
        session_box_why_of(s, session_sim(s), about);
    } else {
        refuse(s, "%s", err.msg);
    }
}

static void save(struct session *s, const char *typed, const char *name, keep_fn *write)
{
    struct err err = { 0 };
    const bool again = strcmp(s->prompt_asked, typed) == 0;
    s->prompt_asked[0] = '\0';
    if (!session_keep(s, write, name, again, &err)) {
        refuse(s, "%s", err.msg);
        if (err.code == ERR_STATE) {
            snprintf(s->prompt_asked, sizeof s->prompt_asked, "%s", typed);
        }
    }
}

static void set_row(struct session *s, const char *typed)
{
    struct err err = { 0 };
    if (!session_menu_typed(s, typed, &err)) {
        refuse(s, "%s", err.msg);
    }
}

static void do_typed(struct session *s)
{
    char typed[PROMPT_BYTES];
    const char *rest = "";
    snprintf(typed, sizeof typed, "%s", s->prompt.text + strspn(s->prompt.text, " "));
    for (size_t n = strlen(typed); n > 0 && typed[n - 1] == ' ';) {
        typed[--n] = '\0'; /* of a completion */
    }
    s->prompt.on = false;
    if (typed[0] == '\0') {
        session_say(s, "nothing typed");
        return;
    }
    if (s->prompt_answer) {
        answer(s, typed);
        return;
    }
    if (s->prompt_row) {
        set_row(s, typed);
        return;
    }
    switch (s->prompt_whatif ? TYPED_COUNT : typed_find(typed, &rest)) {
    case TYPED_GO:
    case TYPED_FIND:
        go(s, rest);
        break;
    case TYPED_RATE:
        set_rate(s, rest);
        break;
    case TYPED_PLOT:
        plot(s, rest);
        break;
    case TYPED_SHOW:
        show(s, rest);
        break;
    case TYPED_WHY:
        ask_why(s, rest);
        break;
    case TYPED_AUTO_SLOW:
        set_auto_slow(s, rest);
        break;
    case TYPED_TERM:
        term(s, rest);
        break;
    case TYPED_SWITCHES:
        session_menu_open(s, MENU_SWITCHES);
        break;
    case TYPED_HONEST:
        session_menu_open(s, MENU_TRUE);
        break;
    case TYPED_SAVE:
        save(s, typed, rest, keep_run);
        break;
    case TYPED_SAVE_LESSON:
        save(s, typed, rest, keep_lesson);
        break;
    case TYPED_COUNT:
        change(s, typed);
        break;
    }
}

void session_prompt_command(struct session *s, enum command command, uint32_t key)
{
    const struct complete_world world = world_of(s);
    if (command == COMMAND_PROMPT_TYPE) {
        prompt_key(&s->prompt, key);
        look(s);
    } else if (command == COMMAND_PROMPT_COMPLETE) {
        if (s->prompt_answer || s->prompt_row ||
            !prompt_complete(&s->prompt, &world, key == TERM_KEY_BACKTAB)) {
            refuse(s, "nothing to complete here: type it");
        }
    } else if (command == COMMAND_PROMPT_DONE) {
        do_typed(s);
        session_menu_refresh(s);
    } else {
        s->prompt.on = false;
    }
}
