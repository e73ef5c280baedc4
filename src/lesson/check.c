/*
 * Playing a lesson as a test.
 */
#include "lesson/check.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "lesson/check_inside.h"

/* ---- saying ---------------------------------------------------------------------------------- */

void check_say(struct checker *c, const struct err *err, const char *verdict)
{
    struct err line = *err;
    if (line.where[0] == '\0') {
        (void)err_at(&line, c->lesson->path, 0);
    }
    text_addf(c->out, "%s: %s: %s\n", line.where, verdict, line.msg);
    if (c->first.code == ERR_NONE && strcmp(verdict, "ok") != 0) {
        c->first = line;
    }
}

void check_sayf(struct checker *c, const char *verdict, int line, const char *fmt, ...)
{
    char msg[sizeof(struct err){ 0 }.msg];
    va_list args;
    va_start(args, fmt);
    (void)vsnprintf(msg, sizeof msg, fmt, args);
    va_end(args);
    struct err err = { 0 };
    (void)err_set(&err, ERR_SCRIPT, "%s", msg);
    (void)err_at(&err, c->lesson->path, line);
    check_say(c, &err, verdict);
}

/* ---- cards ----------------------------------------------------------------------------------- */

static void on_item(void *arg, struct player *player, size_t item,
                    const struct player_verdict *verdict)
{
    struct checker *c = arg;
    const struct lesson_item *it = lesson_item(c->lesson, item);
    if (it->kind == LESSON_SWITCH && c->switch_count < CHECK_SWITCHES_MAX) {
        c->switches[c->switch_count].item = item;
        c->switches[c->switch_count++].run = run_fork(player_run(player));
    }
    if (it->kind == LESSON_COMPARE) {
        check_compare(c, item);
    }
    if (it->kind == LESSON_FIX) {
        check_fix(c, item);
    }
    if (verdict == NULL) {
        return;
    }
    c->result->claims += verdict->judged;
    if (verdict->judged && verdict->holds) {
        c->result->held++;
        check_sayf(c, "ok", it->line, "%s", it->text);
    } else if (verdict->judged) {
        const bool told = verdict->err->msg[0] != '\0';
        FAIL(c, it->line, "%.200s%s%s", it->text, told ? ": it was " : "", verdict->err->msg);
    } else {
        struct err err = *verdict->err;
        (void)err_note(&err, "%.200s: not checked", it->text);
        c->result->failed++;
        check_say(c, &err, "not ok");
    }
}

/* The card has been played to its end. */
static void check_card(struct checker *c)
{
    const struct lesson_card *card = lesson_card(c->lesson, player_card(c->player));
    bool has_prose = false;
    for (size_t i = card->first; i < card->first + card->count; i++) {
        const struct lesson_item *item = lesson_item(c->lesson, i);
        if (item->kind == LESSON_SAY) {
            has_prose = true;
            check_prose(c, item->text, item->line);
            check_words(c, check_fill(c, item->text, item->line), item->line, "this card");
        } else if (item->kind == LESSON_NOTE) {
            check_prose(c, item->text, item->line);
            (void)check_fill(c, item->text, item->line);
        } else if (item->kind == LESSON_PREDICT) {
            check_predict(c, i);
        }
    }
    check_title(c, card);
    if (!has_prose) {
        LINT(c, lesson_item(c->lesson, card->first)->line, "this card says nothing");
    }
    check_switches(c);
}

/* Plays the card to its end by the declared path. */
static bool play_card(struct checker *c, struct err *err)
{
    for (;;) {
        const enum player_need need = player_next(c->player, err);
        if (err->code != ERR_NONE) {
            return false;
        }
        if (need == PLAYER_CARD || need == PLAYER_END) {
            return true;
        }
        if (!player_skip(c->player, err)) {
            return false;
        }
    }
}

static void play_cards(struct checker *c)
{
    const size_t n = lesson_card_count(c->lesson);
    struct err err = { 0 };
    for (size_t card = 0; card < n; card++) {
        if (!play_card(c, &err)) {
            c->result->failed++;
            check_say(c, &err, "not ok");
            return;
        }
        check_card(c);
        if (card + 1 < n && !player_next_card(c->player, &err)) {
            c->result->failed++;
            check_say(c, &err, "not ok");
            return;
        }
    }
}

/* ---- the whole ------------------------------------------------------------------------------- */

static void check_name(struct checker *c)
{
    const char *slash = strrchr(c->lesson->path, '/');
    const char *base = slash == NULL ? c->lesson->path : slash + 1;
    const size_t n = strlen(c->lesson->id);
    if (strncmp(base, c->lesson->id, n) != 0 || strcmp(base + n, ".lua") != 0) {
        LINT(c, lesson_item(c->lesson, 0)->line, "the id \"%s\" and the name of the file differ",
             c->lesson->id);
    }
}

static bool failed(const struct checker *c, struct err *err)
{
    if (c->result->failed + c->result->complaints == 0) {
        return false;
    }
    if (err != NULL) {
        *err = c->first;
    }
    return true;
}

bool lesson_check(const char *path, const struct lesson_places *places, struct lesson_check *result,
                  struct text *out, struct err *err)
{
    struct checker c = { .places = places, .result = result, .out = out };
    *result = (struct lesson_check){ 0 };
    c.lesson = lesson_load(path, places->data_dir, out, err);
    if (c.lesson == NULL) {
        result->failed++;
        return false;
    }
    const struct player_options options = { .seed = CHECK_SEED };
    c.player = player_create(c.lesson, &options, &c.first);
    if (c.player == NULL) {
        result->failed++;
        check_say(&c, &c.first, "not ok");
    } else {
        player_listen(c.player, on_item, &c);
        check_name(&c);
        for (size_t i = 0; i < c.lesson->builds_on_count; i++) {
            check_lesson(&c, c.lesson->builds_on[i], c.lesson->builds_on_line, "lesson.builds_on");
        }
        play_cards(&c);
        check_switches(&c);
    }
    player_destroy(c.player);
    lesson_destroy(c.lesson);
    return !failed(&c, err);
}
