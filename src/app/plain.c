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

#include "app/lab.h"
#include "app/plain_parts.h"
#include "app/plain_time.h"
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
    plain_do(p, plain_choose(p));
}

static void meet_answer(struct plain *p)
{
    const struct lesson_item *item = lesson_item(p->lesson, player_item(p->player));
    putchar('\n');
    plain_say(p, item->text);
    p->entry_count = 0;
    for (size_t i = 0; i < item->choice_count; i++) {
        plain_offer(p, ACT_ANSWER, i, item->choices[i].text);
    }
    if (item->number) {
        plain_offer(p, ACT_NUMBER, 0, "answer with a number");
    }
    if (!p->interactive) {
        if (!item->number) {
            plain_list(p);
        }
        player_skip(p->player, NULL);
        return;
    }
    plain_offer(p, ACT_SKIP, 0, "skip the question");
    plain_offer_always(p);
    const bool asks_sure = item->asks_sure; /* the lesson may be another one after the choice */
    plain_do(p, plain_choose(p));
    if (asks_sure && player_question(p->player).state == PLAYER_ANSWERED) {
        meet_sure(p);
    }
}

static void meet_drop(struct plain *p)
{
    p->entry_count = 0;
    plain_offer(p, ACT_DROP, 0, "destroy a packet that is on its way now");
    plain_offer(p, ACT_SKIP, 0, "let the lesson choose");
    if (!p->interactive) {
        player_skip(p->player, NULL);
        return;
    }
    plain_offer_always(p);
    plain_do(p, plain_choose(p));
}

static void meet_fix(struct plain *p)
{
    const struct lesson_item *item = lesson_item(p->lesson, player_item(p->player));
    putchar('\n');
    plain_say(p, item->text);
    p->entry_count = 0;
    plain_offer(p, ACT_TRY, 0, "try it");
    if (player_question(p->player).hints < item->hint_count) {
        plain_offer(p, ACT_HINT, 0, "a hint");
    }
    plain_offer(p, ACT_SKIP, 0, "skip the task");
    if (!p->interactive) {
        player_skip(p->player, NULL);
        return;
    }
    plain_offer_always(p);
    plain_do(p, plain_choose(p));
}

static void meet_card(struct plain *p, bool last)
{
    p->entry_count = 0;
    if (!last) {
        plain_offer(p, ACT_NEXT, 0, "next card");
    }
    if (!p->interactive) {
        plain_do(p, (struct plain_entry){ .act = last ? ACT_QUIT : ACT_NEXT });
        return;
    }
    plain_offer_always(p);
    p->entry_count--;
    plain_offer(p, ACT_PLAY_ON, 0, "play on to the next barrier");
    plain_offer(p, ACT_GO, 0, "go to another moment");
    plain_offer(p, ACT_WHATIF, 0, "what if");
    if (p->did) {
        plain_offer(p, ACT_UNDO, 0, "take back what you did last");
    }
    if (p->undid) {
        plain_offer(p, ACT_REDO, 0, "do again what you took back");
    }
    plain_offer(p, ACT_PLOT, 0, "what something was over time");
    plain_offer(p, ACT_PACKET, 0, "open a packet");
    if (lesson_term_count(p->lesson) + lesson_source_count(p->lesson) > 0) {
        plain_offer(p, ACT_WORDS, 0, "new words and sources");
    }
    plain_offer(p, ACT_WHY_OF, 0, "why does this wait: you name it");
    if (p->lab != NULL) {
        plain_offer(p, ACT_BUILD, 0, "build the fabric and its work");
        plain_offer(p, ACT_PRESET, 0, "start from another preset");
    }
    plain_offer(p, ACT_KNOBS, 0, "every switch");
    plain_offer(p, ACT_HONEST, 0, "how true is it");
    plain_offer(p, ACT_TYPE, 0, "type a command: set, break, save");
    plain_offer(p, ACT_QUIT, 0, "quit");
    putchar('\n');
    plain_do(p, plain_choose(p));
}

/* What the card plots, when it is done. */
static void say_plots_once(struct plain *p)
{
    const size_t item = player_plot(p->player);
    if (item != p->plotted) {
        plain_say_plots(p);
        p->plotted = item;
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

static void go(struct plain *p)
{
    while (!p->quit && ferror(stdout) == 0) {
        struct err err = { 0 };
        enum player_need need = player_next(p->player, &err);
        if (err.code != ERR_NONE) {
            char line[600];
            printf("(%s)\n", err_text(&err, line, sizeof line));
        }
        keep(p, need);
        plain_say_judgement(p);
        plain_say_prose(p, need != PLAYER_PLAY);
        plain_say_focus(p);
        switch (need) {
        case PLAYER_PLAY:
            plain_play(p, player_target(p->player));
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

static bool open_lesson(struct plain *p, const struct app_options *options, const char *path,
                        struct err *err)
{
    char *found = path == NULL ? plain_some_lesson(p, options, err) : mem_strdup(path);
    if (options->saved != NULL) {
        p->saved = options->saved;
        p->lesson = lesson_of_replay(options->saved, found);
    } else {
        p->lesson = found != NULL
                        ? lesson_load_followed(found, options->data_dir, &p->files, NULL, err)
                        : NULL;
    }
    free(found);
    if (p->lesson == NULL) {
        return false;
    }
    plain_watch(p);
    struct player_options po = session_player_options(options);
    if (p->saved != NULL) {
        po.lines = p->saved->lines;
        po.line_count = p->saved->line_count;
    }
    p->player = player_create(p->lesson, &po, err);
    return p->player != NULL;
}

/* Where it was asked for, else where it was left. */
static bool go_to_card(struct plain *p, size_t card, struct err *err)
{
    if (p->interactive && p->saved == NULL) {
        char *path = progress_path();
        p->progress = progress_open(path);
        free(path);
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
    *p = (struct plain){ .options = options, .interactive = isatty(STDIN_FILENO) != 0 };
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
    text_finish(&p->said);
}

bool app_plain_lab(const struct app_options *options, const char *preset, struct err *err)
{
    struct plain p;
    begin(&p, options);
    p.lab = lab_create(options->data_dir, preset, err);
    bool ok = p.lab != NULL;
    if (ok) {
        printf("weft, plain mode. The lab.%s\n",
               p.interactive ? " Choices have numbers: type one and Enter." : "");
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
    bool ok = open_lesson(&p, options, path, err);
    if (ok) {
        const struct lesson_info info = lesson_info(p.lesson);
        printf("weft, plain mode. %s.%s\n", info.title,
               p.interactive ? " Choices have numbers: type one and Enter." : "");
        if (info.after[0] != '\0') {
            printf("Level %d: %s. It builds on %s.\n", info.level, lesson_level_words(info.level),
                   info.after);
        }
        ok = go_to_card(&p, options->card, err);
    }
    play(&p, ok);
    return ok;
}
