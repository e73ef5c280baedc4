/*
 * Plain mode: see app.h. The same player, journal and numbers as on the screen; only the mouth is
 * another one.
 */
#include <langinfo.h>
#include <locale.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "app/lab.h"
#include "app/plain_parts.h"
#include "base/mem.h"

/* ---- the player's needs -------------------------------------------------------------------------- */

static void meet_sure(struct plain *p)
{
    printf("How sure are you?\n");
    p->entry_count = 0;
    plain_offer(p, ACT_SURE, 1, "a guess");
    plain_offer(p, ACT_SURE, 2, "I think so");
    plain_offer(p, ACT_SURE, 3, "I know");
    plain_offer(p, ACT_SURE, 0, "I would rather not say");
    p->about = p->entry_count;
    plain_do(p, plain_choose(p, ACT_SURE));
}

/* What is offered about the question, the packet, the task; or, where nobody answers, the declared path. */
static void meet(struct plain *p, const char *skip)
{
    plain_offer(p, ACT_SKIP, 0, skip);
    plain_offer_always(p);
    plain_do(p, plain_choose(p, ACT_SKIP));
}

static void meet_answer(struct plain *p)
{
    const struct lesson_item *item = lesson_item(p->lesson, player_item(p->player));
    p->judged = p->unchecked = false;
    putchar('\n');
    plain_say(p, item->text);
    p->entry_count = 0;
    for (size_t i = 0; i < item->choice_count; i++) {
        plain_offer(p, ACT_ANSWER, i, item->choices[i].text);
    }
    if (item->number) {
        plain_offer(p, ACT_NUMBER, 0, "answer with a number");
    }
    p->about = p->entry_count;
    if (!p->interactive) {
        plain_list(p, true);
        player_skip(p->player, NULL);
        return;
    }
    const bool asks_sure = item->asks_sure; /* the lesson may be another one after the choice */
    meet(p, "skip the question");
    if (asks_sure && player_question(p->player).state == PLAYER_ANSWERED) {
        meet_sure(p);
    }
}

static void meet_drop(struct plain *p)
{
    p->entry_count = 0;
    if (!p->interactive) {
        player_skip(p->player, NULL);
        return;
    }
    plain_offer(p, ACT_DROP, 0, "destroy a packet that is on its way now");
    meet(p, "let the lesson choose one to destroy");
}

static void meet_fix(struct plain *p)
{
    const struct lesson_item *item = lesson_item(p->lesson, player_item(p->player));
    p->judged = p->unchecked = false;
    printf("\nA task: ");
    fflush(stdout);
    plain_say(p, item->text);
    p->entry_count = 0;
    if (!p->interactive) {
        player_skip(p->player, NULL);
        return;
    }
    plain_offer(p, ACT_TRY, 0, "try it");
    if (player_hints_left(p->player) > 0) {
        plain_offer(p, ACT_HINT, 0, "hint: what might help");
    }
    meet(p, "skip the task");
}

/* What leads on from a card that is done. */
static enum plain_act offer_next(struct plain *p, bool last)
{
    const bool stop_ends = plain_stop_ends(p) || (p->route != NULL && last);
    const enum plain_act next = stop_ends && plain_stop_follows(p) ? ACT_STOP
                                : stop_ends || last                ? ACT_LEAVE
                                                                   : ACT_NEXT;
    plain_offer(p, next, 0,
                next == ACT_STOP   ? "next stop of the route"
                : next == ACT_NEXT ? "next card"
                : stop_ends        ? "leave: the route ends here"
                : p->lab != NULL   ? "leave the lab"
                : p->saved != NULL ? "leave: the run ends here"
                                   : "leave: this was the last card");
    return next;
}

/* The numbers of what is always there stay the same from card to card. */
static void meet_card(struct plain *p, bool last)
{
    p->entry_count = 0;
    const enum plain_act next = offer_next(p, last);
    if (!p->interactive) {
        plain_do(p, (struct plain_entry){ .act = next });
        return;
    }
    plain_offer_telling(p);
    plain_offer(p, ACT_PLAY_ON, 0, "play on to the next barrier");
    plain_offer(p, ACT_GO, 0, "go to another moment");
    plain_offer(p, ACT_WHATIF, 0, "what if");
    plain_offer(p, ACT_BREAK, 0, "break something: stop, slow, cut, kill, storm");
    plain_offer(p, ACT_PLOT, 0, "what something was over time");
    plain_offer(p, ACT_PACKET, 0, "open a packet");
    plain_offer(p, ACT_WHY_OF, 0, "name what waits, and hear why");
    plain_offer(p, ACT_KNOBS, 0, "every switch");
    plain_offer(p, ACT_HONEST, 0, "how true is it");
    plain_offer(p, ACT_TYPE, 0, "type a command: set, break, save");
    if (lesson_term_count(p->lesson) + lesson_source_count(p->lesson) > 0) {
        plain_offer(p, ACT_WORDS, 0, "new words and sources");
    }
    if (p->lab != NULL) {
        plain_offer(p, ACT_BUILD, 0, "build the fabric and its work");
        plain_offer(p, ACT_PRESET, 0, "start from another preset");
    }
    plain_offer_switches(p);
    if (p->did) {
        plain_offer(p, ACT_UNDO, 0, "take back what you did last");
    }
    if (p->undid) {
        plain_offer(p, ACT_REDO, 0, "do again what you took back");
    }
    if (next != ACT_LEAVE) {
        plain_offer(p, ACT_QUIT, 0, "q quit");
    }
    putchar('\n');
    plain_do(p, plain_choose(p, next));
}

/* What the card plots, when it is done. */
static void say_plots_once(struct plain *p)
{
    if (player_plot(p->player) != p->plotted) {
        plain_say_plots(p, player_run(p->player));
    }
}

/* How far one has come is kept as one goes. */
static void keep(const struct plain *p, enum player_need need)
{
    if (p->progress != NULL) {
        struct err err = { 0 };
        progress_at(p->progress, lesson_info(p->lesson).id, progress_place_of(p->player),
                    need == PLAYER_END);
        if (!progress_write(progress_take(p->progress), &err)) {
            char line[600];
            printf("(%s)\n", err_text(&err, line, sizeof line));
        }
    }
}

/* A question that is judged at once: another one may follow it on the same card. */
static void say_reply(struct plain *p)
{
    struct text prose = { 0 };
    bool pending = false;
    if (player_question(p->player).item != SIZE_MAX && !p->judged &&
        player_prose(p->player, &prose, &pending, NULL) && player_knows_answer(p->player) &&
        !pending) {
        plain_say_summary(p);
        plain_say_judgement(p);
        plain_say_prose(p, PLAIN_ALL);
    }
    text_finish(&prose);
}

static void go(struct plain *p)
{
    while (!p->quit && ferror(stdout) == 0) {
        struct err err = { 0 };
        say_reply(p);
        enum player_need need = player_next(p->player, &err);
        if (err.code != ERR_NONE) {
            char line[600];
            printf("(%s)\n", err_text(&err, line, sizeof line));
        }
        keep(p, need);
        if (need != PLAYER_PLAY) {
            plain_say_summary(p);
        }
        plain_say_judgement(p);
        plain_say_prose(p, need == PLAYER_PLAY                         ? PLAIN_FIRM
                           : need == PLAYER_CARD || need == PLAYER_END ? PLAIN_ALL
                                                                       : PLAIN_KNOWN);
        plain_say_focus(p);
        switch (need) {
        case PLAYER_PLAY:
            plain_play(p, player_target(p->player));
            p->plotted = SIZE_MAX;  /* of this run nothing is said yet, if a try was before it */
            if (p->saved != NULL) { /* the verdict is its last word */
                plain_say_summary(p);
            }
            plain_say_verdict(p);
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
            narrator_begin(&p->narrator, plain_sim(p));
            break;
        case PLAYER_FIX:
            meet_fix(p);
            break;
        case PLAYER_CARD:
        case PLAYER_END:
            say_plots_once(p);
            meet_card(p, need == PLAYER_END);
            break;
        }
    }
}

/* ---- life ---------------------------------------------------------------------------------------- */

bool plain_open(struct plain *p, const char *path, struct err *err)
{
    struct lesson_files files = { 0 };
    struct player_options po = session_player_options(p->options);
    struct lesson *lesson =
        p->saved != NULL ? lesson_of_replay(p->saved, path)
                         : lesson_load_followed(path, p->options->data_dir, &files, NULL, err);
    if (p->saved != NULL) {
        po.lines = p->saved->lines;
        po.line_count = p->saved->line_count;
    }
    struct player *player = lesson != NULL ? player_create(lesson, &po, err) : NULL;
    if (player == NULL) {
        lesson_destroy(lesson);
        lesson_files_finish(&files);
        return false;
    }
    player_destroy(p->player);
    lesson_destroy(p->lesson);
    lesson_files_finish(&p->files);
    p->player = player;
    p->lesson = lesson;
    p->files = files;
    p->did = p->undid = false;
    plain_watch(p);
    return true;
}

/* Where it was asked for, else where it was left. */
static bool go_to_card(struct plain *p, size_t card, struct err *err)
{
    if (p->terminal && p->saved == NULL) {
        char *path = progress_path();
        p->progress = progress_open(path);
        free(path);
    }
    if (p->route != NULL) {
        plain_say_stop(p);
        card = (size_t)plain_stop(p)->from;
    }
    if (card == 0 && p->progress != NULL) {
        const struct progress_place place = progress_of(p->progress, lesson_info(p->lesson).id);
        if (progress_note(p->progress) != NULL) {
            printf("(%s)\n", progress_note(p->progress));
        }
        if (place.card > 1 && place.at <= lesson_card_count(p->lesson) && !place.done) {
            printf("Going on at card %zu, where you left it; --card 1 begins anew.\n", place.card);
            return player_goto(p->player, place.at - 1, err);
        }
    }
    return card <= 1 || player_goto_place(p->player, card, err);
}

static void begin(struct plain *p, const struct app_options *options)
{
    *p = (struct plain){ .options = options, .saved = options->saved };
    plain_begin_answers(p);
    p->narrator.detail = NARRATOR_NORMAL;
    setlocale(LC_CTYPE, "");
    p->ascii = options->glyphs == APP_GLYPHS_ASCII ||
               (options->glyphs == APP_GLYPHS_AUTO && strcmp(nl_langinfo(CODESET), "UTF-8") != 0);
}

/* From the first card that is wanted to the end; then all is let go. */
static void play(struct plain *p, bool ok)
{
    if (ok) {
        plain_say_card(p);
        go(p);
        fflush(stdout); /* who called us looks whether it went well */
    }
    player_destroy(p->player);
    lesson_destroy(p->lesson);
    lesson_files_finish(&p->files);
    lab_destroy(p->lab);
    free(p->stamps);
    progress_close(p->progress);
    lesson_list_finish(&p->list);
    text_finish(&p->firm);
    text_finish(&p->said);
    text_finish(&p->heard);
}

/* The mode, what is played, how one chooses. */
static void say_first(const struct plain *p, const char *what)
{
    printf("weft, plain mode. %s.\n", what);
    if (p->interactive) {
        printf("Type a choice's number, or how it begins; a, b, c answer too; ? lists all.\n");
    }
}

bool app_plain_lab(const struct app_options *options, const char *preset, struct err *err)
{
    struct plain p;
    begin(&p, options);
    p.lab = lab_create(options->data_dir, preset, err);
    bool ok = p.lab != NULL;
    if (ok) {
        say_first(&p, "The lab");
        (void)(preset == NULL && p.interactive && plain_choose_preset(&p));
        ok = plain_run_lab(&p, err);
    }
    play(&p, ok);
    return ok;
}

bool app_plain(const struct app_options *options, const char *path, struct err *err)
{
    struct plain p;
    begin(&p, options);
    char *found = path == NULL ? plain_some_lesson(&p, err) : mem_strdup(path);
    if (found == NULL && err->code == ERR_NONE) {
        const bool quit = p.quit;
        play(&p, false);
        return quit || app_plain_lab(options, NULL, err);
    }
    bool ok = found != NULL && plain_open(&p, found, err);
    free(found);
    if (ok) {
        const struct lesson_info info = lesson_info(p.lesson);
        say_first(&p, p.route != NULL ? p.route->title : info.title);
        if (info.after[0] != '\0') {
            struct text line = { 0 };
            text_addf(&line, "Level %d: %s. It ", info.level, lesson_level_words(info.level));
            plain_add_before(&p.list, &info, &line);
            text_add(&line, ".");
            plain_say_wrapped(text_str(&line));
            text_finish(&line);
        }
        ok = go_to_card(&p, options->card, err);
    }
    play(&p, ok);
    return ok;
}
