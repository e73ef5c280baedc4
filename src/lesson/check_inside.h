/*
 * Inside checking a lesson: what playing it (check.c), reading its texts (check_text.c) and trying
 * what its cards offer (check_try.c) share and nobody else sees.
 */
#ifndef WEFT_LESSON_CHECK_INSIDE_H
#define WEFT_LESSON_CHECK_INSIDE_H

#include "lesson/check.h"
#include "lesson/data.h"
#include "lesson/player.h"

#define CHECK_SWITCHES_MAX 16
#define CHECK_SEED         1

struct checker {
    struct lesson *lesson;
    const struct lesson_places *places;
    struct player *player;
    struct lesson_check *result;
    struct text *out;
    struct err first;
    /* Switches of the present card, each with the run as it stood when it was offered. */
    struct {
        size_t item;
        struct run *run;
    } switches[CHECK_SWITCHES_MAX];
    size_t switch_count;
};

/* ---- saying: check.c ---- */

/* A line about `err`; without a place of its own it is about the file. */
void check_say(struct checker *c, const struct err *err, const char *verdict);
void check_sayf(struct checker *c, const char *verdict, int line, const char *fmt, ...)
    __attribute__((format(printf, 4, 5)));

#define FAIL(c, ...) ((c)->result->failed++, check_sayf((c), "not ok", __VA_ARGS__))
#define LINT(c, ...) ((c)->result->complaints++, check_sayf((c), "lint", __VA_ARGS__))

/* ---- texts: check_text.c ---- */

/* What can be said about a text without running anything; not NULL. */
void check_prose(struct checker *c, const char *prose, int line);

/* Texts that are shown as they are. */
void check_plain(struct checker *c, const char *text, int line);
void check_title(struct checker *c, const struct lesson_card *card);

/* Fills a text for the present moment and counts its words; "" for NULL. */
int check_fill(struct checker *c, const char *prose, int line);
void check_words(struct checker *c, int words, int line, const char *what);

/* A lesson that this one refers to; `what` is the field that does. */
void check_lesson(struct checker *c, const char *id, int line, const char *what);

/* A question at the end of its card: its truth, its choices, its replies. */
void check_predict(struct checker *c, size_t index);

/* ---- trying: check_try.c ---- */

/* At the moment they are met; the card's own run is not touched. */
void check_fix(struct checker *c, size_t index);
void check_compare(struct checker *c, size_t index);

/* Every value of every switch of the card that was just played; forgets them. */
void check_switches(struct checker *c);

#endif
