/*
 * Plain mode: see app.h. The same player, journal and numbers as on the screen; only the mouth is
 * another one.
 */
#include <langinfo.h>
#include <locale.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "app/app.h"
#include "app/cursor.h"
#include "app/narrator.h"
#include "app/plain_time.h"
#include "app/why.h"
#include "base/mem.h"
#include "base/text.h"
#include "base/units.h"
#include "lesson/player.h"
#include "ui/rich.h"

enum { WIDTH = 78, ENTRIES_MAX = 32 };

#define SLICE       (20 * UNIT_US) /* how often the narrator listens */
#define SAY_SILENCE (100 * UNIT_US)

enum act {
    ACT_ANSWER,
    ACT_NUMBER,
    ACT_SKIP,
    ACT_DROP,
    ACT_TRY,
    ACT_HINT,
    ACT_NEXT,
    ACT_PLAY_ON,
    ACT_WHY,
    ACT_STATE,
    ACT_REPEAT,
    ACT_DETAIL,
    ACT_SWITCH,
    ACT_GO,
    ACT_WHATIF,
    ACT_UNDO,
    ACT_REDO,
    ACT_QUIT
};

struct entry {
    enum act act;
    size_t which; /* answer or switch */
    char text[96];
};

struct plain {
    struct lesson *lesson;
    struct player *player;
    const struct replay *saved; /* the run that is shown in place of a lesson; or NULL */
    struct narrator narrator;
    struct text said; /* the prose said last, so that it is not said twice */
    bool interactive; /* somebody answers */
    bool ascii;
    bool quit;
    bool did, undid; /* there may be something to take back, to do again */
    struct entry entry[ENTRIES_MAX];
    size_t entry_count;
};

static const struct sim *sim_of(const struct plain *p)
{
    return run_sim(player_run(p->player));
}

/* ---- saying ------------------------------------------------------------------------------------ */

/* Markdown becomes wrapped lines without marks. */
static void say_markdown(const struct plain *p, const char *markdown)
{
    struct rich rich = { 0 };
    struct canvas canvas;
    struct text lines = { 0 };
    canvas_init(&canvas);
    canvas.ascii = p->ascii;
    rich_markdown(&rich, markdown, UI_ROLE_DEFAULT);
    int rows = (int)rich_wrap(&rich, WIDTH);
    canvas_resize(&canvas, WIDTH, rows);
    rich_draw(&rich, &canvas, (struct ui_rect){ 0, 0, WIDTH, rows }, 0);
    canvas_dump(&canvas, &lines);
    fputs(text_str(&lines), stdout);
    text_finish(&lines);
    canvas_finish(&canvas);
    rich_finish(&rich);
}

/* The card's text when it is new, and whole: a number that is still missing comes later. */
static void say_prose(struct plain *p, bool even_pending)
{
    struct text prose = { 0 };
    struct err err = { 0 };
    bool pending = false;
    if (!player_prose(p->player, &prose, &pending, &err)) {
        char line[512];
        printf("(%s)\n", err_text(&err, line, sizeof line));
    }
    if ((!pending || even_pending) && prose.len > 0 &&
        strcmp(text_str(&prose), text_str(&p->said)) != 0) {
        putchar('\n');
        say_markdown(p, text_str(&prose));
        text_clear(&p->said);
        text_add(&p->said, text_str(&prose));
    }
    text_finish(&prose);
}

static void say_card(struct plain *p)
{
    printf("\nCard %zu of %zu.\n", player_card(p->player) + 1, lesson_card_count(p->lesson));
    text_clear(&p->said);
    narrator_begin(&p->narrator, sim_of(p));
}

static void say_text(struct text *text)
{
    fputs(text_str(text), stdout);
    text_clear(text);
    fflush(stdout);
}

/* ---- playing ------------------------------------------------------------------------------------ */

static sim_ps earlier(sim_ps a, sim_ps b)
{
    return a < b ? a : b;
}

static void say_silence(sim_ps *silence, sim_ps now)
{
    char length[40], when[40];
    if (*silence >= SAY_SILENCE) {
        printf("%s: nothing moved for %s.\n", units_format(when, sizeof when, UNIT_TIME, now),
               units_format(length, sizeof length, UNIT_TIME, *silence));
    }
    *silence = 0;
}

/* Plays to the target (or one of `kinds` when there is none) and tells what happens. */
static void play(struct plain *p, struct player_target target)
{
    struct run *run = player_run(p->player);
    struct text out = { 0 };
    sim_ps silence = 0;
    bool reached = false;
    while (!reached) {
        const struct sim *sim = run_sim(run);
        bool computing = false;
        bool quiet = sim_quiet(sim, &computing) && !computing;
        sim_ps before = run_now(run), next = sim_next_event(sim);
        sim_ps to = earlier(target.until, quiet ? next : before + SLICE);
        if (next == SIM_NEVER && target.until == SIM_NEVER) {
            player_skip(p->player, NULL);
            break;
        }
        enum sim_stopped stopped = run_until(run, to, target.stop_kinds);
        silence += quiet ? run_now(run) - before : 0;
        narrator_listen(&p->narrator, run_sim(run), &out);
        if (!quiet || out.len > 0 || !sim_quiet(run_sim(run), NULL)) {
            say_silence(&silence, run_now(run));
        }
        say_text(&out);
        reached = player_reached(p->player, stopped) &&
                  (stopped != SIM_AT_TIME || run_now(run) >= target.until);
    }
    narrator_summary(&p->narrator, run_sim(run), &out);
    say_text(&out);
    text_finish(&out);
}

/* A saved run has come to its end: is it the one that was saved? */
static void say_verdict(const struct plain *p)
{
    struct text why = { 0 };
    const enum replay_verdict verdict =
        p->saved != NULL ? replay_judge(p->saved, player_run(p->player), &why) : REPLAY_OPEN;
    if (verdict != REPLAY_OPEN) {
        printf("%s.\n", verdict == REPLAY_SAME ? "It is the run that was saved" : text_str(&why));
    }
    struct err err = { 0 };
    if (p->saved != NULL && !run_journal_ok(player_run(p->player), &err)) {
        printf("A line of its journal could not be done: %s.\n", err.msg);
    }
    text_finish(&why);
}

/* ---- asking ------------------------------------------------------------------------------------- */

static void offer(struct plain *p, enum act act, size_t which, const char *text)
{
    if (p->entry_count < ENTRIES_MAX) {
        struct entry *e = &p->entry[p->entry_count++];
        *e = (struct entry){ .act = act, .which = which };
        snprintf(e->text, sizeof e->text, "%s", text);
    }
}

static const struct lesson_item *switch_item(const struct plain *p, size_t which)
{
    const struct lesson_card *card = lesson_card(p->lesson, player_card(p->player));
    for (size_t i = 0; i < card->count; i++) {
        const struct lesson_item *item = lesson_item(p->lesson, card->first + i);
        if (item->kind == LESSON_SWITCH && which-- == 0) {
            return item;
        }
    }
    return NULL;
}

static const char *switch_label(const struct lesson_item *item)
{
    return item->label != NULL ? item->label : sim_knob_info(item->knob)->term;
}

static void offer_always(struct plain *p)
{
    char text[96], value[64];
    offer(p, ACT_WHY, 0, "why does it wait");
    offer(p, ACT_STATE, 0, "state of all GPUs");
    offer(p, ACT_REPEAT, 0, "repeat this card");
    offer(p, ACT_DETAIL, 0, p->narrator.detail == NARRATOR_LITTLE ? "more detail" : "less detail");
    const struct lesson_item *item;
    for (size_t i = 0; (item = switch_item(p, i)) != NULL; i++) {
        sim_knob_format(item->knob, sim_knob(sim_of(p), item->knob), false, value, sizeof value);
        snprintf(text, sizeof text, "move the switch %.40s, now %.30s", switch_label(item), value);
        offer(p, ACT_SWITCH, i, text);
    }
    offer(p, ACT_QUIT, 0, "quit");
}

/* All entries with their numbers, as many on a line as fit. */
static void list_entries(const struct plain *p)
{
    int column = 0;
    for (size_t i = 0; i < p->entry_count; i++) {
        int cells = text_cells(p->entry[i].text) + 5;
        if (column > 0 && column + cells > WIDTH) {
            putchar('\n');
            column = 0;
        }
        column += printf("%s%zu %s", column > 0 ? "   " : "", i + 1, p->entry[i].text);
    }
    putchar('\n');
}

/* Lists the entries and waits for a number. */
static struct entry choose(struct plain *p)
{
    static const struct entry quit = { .act = ACT_QUIT };
    for (;;) {
        list_entries(p);
        printf("> ");
        fflush(stdout);
        char line[128], *end;
        if (fgets(line, sizeof line, stdin) == NULL || line[0] == 'q') {
            return quit;
        }
        long number = strtol(line, &end, 10);
        if (end != line && number >= 1 && (size_t)number <= p->entry_count) {
            return p->entry[number - 1];
        }
        printf("A number from 1 to %zu, please.\n", p->entry_count);
    }
}

/* The learner has done something. */
static void has_done(struct plain *p)
{
    p->did = true;
    p->undid = false;
}

static void move_switch(struct plain *p, size_t which)
{
    struct err err = { 0 };
    const struct lesson_item *item = switch_item(p, which);
    int64_t now = sim_knob(sim_of(p), item->knob);
    size_t at = 0;
    for (size_t i = 0; i < item->value_count; i++) {
        at = item->values[i] == now ? i + 1 : at;
    }
    struct sim_cmd cmd = { .kind = SIM_CMD_SET,
                           .knob = item->knob,
                           .value = item->values[at % item->value_count] };
    bool restarted = false;
    char value[64];
    sim_knob_format(item->knob, cmd.value, false, value, sizeof value);
    if (!player_do(p->player, &cmd, &restarted, &err)) {
        printf("%s\n", err.msg);
        return;
    }
    has_done(p);
    printf("%s is now %s.\n", switch_label(item), value);
    if (item->no_effect != NULL) {
        printf("Nothing changes, because %s\n", item->no_effect);
    }
    if (restarted) {
        printf("The run starts again.\n");
        narrator_begin(&p->narrator, sim_of(p));
    }
}

/* The packet an eye would choose. */
static void drop_packet(struct plain *p)
{
    struct cursor cursor = { 0 };
    struct sim_cmd cmd;
    struct err err = { 0 };
    char line[200];
    if (!cursor_snap(&cursor, sim_of(p)) || !cursor_drop(&cursor, sim_of(p), &cmd, &err) ||
        !player_do(p->player, &cmd, NULL, &err)) {
        printf("%s\n", err.code != ERR_NONE ? err.msg : "No packet is on its way just now.");
        player_skip(p->player, NULL);
        return;
    }
    has_done(p);
    printf("Destroyed: %s.\n", cursor_say(&cursor, sim_of(p), line, sizeof line));
}

/* Tries the switches of a task; what came of it is the card's text then. */
static void try_task(struct plain *p)
{
    struct err err = { 0 };
    if (!player_try(p->player, &err)) {
        printf("%s\n", err.msg);
        return;
    }
    printf("Trying, from the beginning of the run to its end.\n");
    fflush(stdout);
    while (!player_try_on(p->player, UNIT_S)) {
    }
}

static bool type_number(struct plain *p, struct err *err)
{
    const struct lesson_item *item = lesson_item(p->lesson, player_item(p->player));
    char line[128];
    printf("Your answer, %s:\n> ", units_example(item->unit));
    fflush(stdout);
    if (fgets(line, sizeof line, stdin) == NULL) {
        p->quit = true;
        return true;
    }
    line[strcspn(line, "\r\n")] = '\0';
    return player_answer_number(p->player, line, err);
}

static void say_hint(struct plain *p)
{
    const char *hint = player_hint(p->player);
    if (hint != NULL) {
        say_markdown(p, hint);
    } else {
        printf("There are no more hints.\n");
    }
}

static void do_entry(struct plain *p, struct entry entry)
{
    struct err err = { 0 };
    struct text text = { 0 };
    bool ok = true;
    switch (entry.act) {
    case ACT_ANSWER:
        ok = player_answer(p->player, entry.which, &err);
        break;
    case ACT_NUMBER:
        ok = type_number(p, &err);
        break;
    case ACT_SKIP:
        ok = player_skip(p->player, &err);
        break;
    case ACT_DROP:
        drop_packet(p);
        break;
    case ACT_TRY:
        try_task(p);
        break;
    case ACT_HINT:
        say_hint(p);
        break;
    case ACT_NEXT:
        ok = player_next_card(p->player, &err);
        if (ok) {
            say_card(p);
        }
        break;
    case ACT_PLAY_ON: {
        uint32_t kinds = SIM_TRACE_BIT(BARRIER) | SIM_TRACE_BIT(DONE) | SIM_TRACE_BIT(STALL);
        play(p, (struct player_target){ .stop_kinds = kinds, .until = SIM_NEVER });
        break;
    }
    case ACT_WHY:
        why_say(sim_of(p), why_rank(sim_of(p)), &text);
        break;
    case ACT_STATE:
        narrator_state(sim_of(p), &text);
        break;
    case ACT_REPEAT:
        ok = player_restart_card(p->player, &err);
        say_card(p);
        break;
    case ACT_DETAIL:
        p->narrator.detail =
            p->narrator.detail == NARRATOR_LITTLE ? NARRATOR_NORMAL : NARRATOR_LITTLE;
        break;
    case ACT_SWITCH:
        move_switch(p, entry.which);
        break;
    case ACT_GO:
        plain_go(p->player);
        narrator_begin(&p->narrator, sim_of(p));
        break;
    case ACT_WHATIF:
        if (plain_whatif(p->player)) {
            has_done(p);
        }
        narrator_begin(&p->narrator, sim_of(p));
        break;
    case ACT_UNDO:
        p->did = plain_undo(p->player, false);
        p->undid = p->undid || p->did;
        narrator_begin(&p->narrator, sim_of(p));
        break;
    case ACT_REDO:
        p->undid = plain_undo(p->player, true);
        p->did = p->did || p->undid;
        narrator_begin(&p->narrator, sim_of(p));
        break;
    case ACT_QUIT:
        p->quit = true;
        break;
    }
    if (!ok) {
        printf("%s\n", err.msg);
    }
    say_text(&text);
    text_finish(&text);
}

/* ---- the player's needs -------------------------------------------------------------------------- */

static void meet_answer(struct plain *p)
{
    const struct lesson_item *item = lesson_item(p->lesson, player_item(p->player));
    putchar('\n');
    say_markdown(p, item->text);
    p->entry_count = 0;
    for (size_t i = 0; i < item->choice_count; i++) {
        offer(p, ACT_ANSWER, i, item->choices[i].text);
    }
    if (item->number) {
        offer(p, ACT_NUMBER, 0, "answer with a number");
    }
    if (!p->interactive) {
        list_entries(p);
        player_skip(p->player, NULL);
        return;
    }
    offer(p, ACT_SKIP, 0, "skip the question");
    offer_always(p);
    do_entry(p, choose(p));
}

static void meet_drop(struct plain *p)
{
    p->entry_count = 0;
    offer(p, ACT_DROP, 0, "destroy a packet that is on its way now");
    offer(p, ACT_SKIP, 0, "let the lesson choose");
    if (!p->interactive) {
        player_skip(p->player, NULL);
        return;
    }
    offer_always(p);
    do_entry(p, choose(p));
}

static void meet_fix(struct plain *p)
{
    const struct lesson_item *item = lesson_item(p->lesson, player_item(p->player));
    putchar('\n');
    say_markdown(p, item->text);
    p->entry_count = 0;
    offer(p, ACT_TRY, 0, "try it");
    if (player_question(p->player).hints < item->hint_count) {
        offer(p, ACT_HINT, 0, "a hint");
    }
    offer(p, ACT_SKIP, 0, "skip the task");
    if (!p->interactive) {
        player_skip(p->player, NULL);
        return;
    }
    offer_always(p);
    do_entry(p, choose(p));
}

static void meet_card(struct plain *p, bool last)
{
    p->entry_count = 0;
    if (!last) {
        offer(p, ACT_NEXT, 0, "next card");
    }
    if (!p->interactive) {
        do_entry(p, (struct entry){ .act = last ? ACT_QUIT : ACT_NEXT });
        return;
    }
    offer_always(p);
    p->entry_count--;
    offer(p, ACT_PLAY_ON, 0, "play on to the next barrier");
    offer(p, ACT_GO, 0, "go to another moment");
    offer(p, ACT_WHATIF, 0, "what if");
    if (p->did) {
        offer(p, ACT_UNDO, 0, "take back what you did last");
    }
    if (p->undid) {
        offer(p, ACT_REDO, 0, "do again what you took back");
    }
    offer(p, ACT_QUIT, 0, "quit");
    putchar('\n');
    do_entry(p, choose(p));
}

static void go(struct plain *p)
{
    while (!p->quit && ferror(stdout) == 0) {
        struct err err = { 0 };
        enum player_need need = player_next(p->player, &err);
        if (err.code != ERR_NONE) {
            char line[600];
            printf("(%s)\n", err_text(&err, line, sizeof line));
        }
        say_prose(p, need != PLAYER_PLAY);
        switch (need) {
        case PLAYER_PLAY:
            play(p, player_target(p->player));
            say_verdict(p);
            break;
        case PLAYER_ANSWER:
            meet_answer(p);
            break;
        case PLAYER_DROP:
            meet_drop(p);
            break;
        case PLAYER_COMPARE:
            putchar('\n');
            (void)plain_compare(p->player, lesson_item(p->lesson, player_item(p->player))->cmds);
            (void)player_skip(p->player, NULL);
            narrator_begin(&p->narrator, sim_of(p));
            break;
        case PLAYER_FIX:
            meet_fix(p);
            break;
        case PLAYER_CARD:
        case PLAYER_END:
            meet_card(p, need == PLAYER_END);
            break;
        }
    }
}

/* ---- life ---------------------------------------------------------------------------------------- */

static char *first_lesson(const struct app_options *options, struct err *err)
{
    struct lesson_list list = { 0 };
    if (!lesson_list(options->places, &list, NULL, err)) {
        return NULL;
    }
    char *path = list.count > 0 ? mem_strdup(list.items[0].file) : NULL;
    if (path == NULL) {
        err_set(err, ERR_NAME, "there are no lessons in the index of this course");
    }
    lesson_list_finish(&list);
    return path;
}

static bool open_lesson(struct plain *p, const struct app_options *options, const char *path,
                        struct err *err)
{
    char *found = path == NULL ? first_lesson(options, err) : mem_strdup(path);
    if (options->saved != NULL) {
        p->saved = options->saved;
        p->lesson = lesson_of_replay(options->saved, found);
    } else {
        p->lesson = found != NULL ? lesson_load(found, options->data_dir, NULL, err) : NULL;
    }
    free(found);
    if (p->lesson == NULL) {
        return false;
    }
    struct player_options po = { .seed = options->seed,
                                 .sets = options->sets,
                                 .set_count = options->set_count,
                                 .notes = options->notes };
    if (p->saved != NULL) {
        po.lines = p->saved->lines;
        po.line_count = p->saved->line_count;
    }
    p->player = player_create(p->lesson, &po, err);
    return p->player != NULL &&
           (options->card <= 1 || player_goto(p->player, options->card - 1, err));
}

bool app_plain(const struct app_options *options, const char *path, struct err *err)
{
    struct plain p = { .interactive = isatty(STDIN_FILENO) != 0 };
    p.narrator.detail = NARRATOR_NORMAL;
    setlocale(LC_CTYPE, "");
    p.ascii = options->glyphs == APP_GLYPHS_ASCII ||
              (options->glyphs == APP_GLYPHS_AUTO && strcmp(nl_langinfo(CODESET), "UTF-8") != 0);
    bool ok = open_lesson(&p, options, path, err);
    if (ok) {
        printf("weft, plain mode. %s.%s\n", lesson_info(p.lesson).title,
               p.interactive ? " Choices have numbers: type one and Enter." : "");
        say_card(&p);
        go(&p);
        fflush(stdout); /* who called us looks whether it went well */
    }
    player_destroy(p.player);
    lesson_destroy(p.lesson);
    text_finish(&p.said);
    return ok;
}
