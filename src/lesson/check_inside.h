/*
 * Inside checking a lesson: what playing it (check.c), reading its texts (check_text.c) and trying
 * what its cards offer (check_try.c) share and nobody else sees.
 */
#ifndef WEFT_LESSON_CHECK_INSIDE_H
#define WEFT_LESSON_CHECK_INSIDE_H

#include "lesson/check.h"
#include "lesson/data.h"
#include "lesson/player.h"

#define CHECK_SEED 1

struct checker {
    struct lesson *lesson;
    const struct lesson_places *places;
    struct player *player;
    lesson_fit_fn *fit; /* or NULL */
    struct lesson_check *result;
    /* Switches of the present card, each with the run as it stood when it was offered. */
    struct {
        size_t item;
        struct run *run;
    } switches[LESSON_CARD_SWITCHES];
    size_t switch_count;
    /* A lesson with branches is played once for each path (path.h). */
    size_t path;     /* the present one, from 0 */
    size_t found;    /* findings of the paths before: they are not noted again */
    struct text way; /* " (with cost = wrong)"; empty for the declared path */
    size_t *held_on; /* by item: the path, from 1, on which it was counted as true; 0: on none */
};

/* ---- finding: check_find.c ---- */

/* Notes what was found in `line`. False: on an earlier path, too. */
bool check_note(struct checker *c, enum lesson_verdict verdict, enum lesson_rule rule, int line,
                const char *fmt, ...) __attribute__((format(printf, 5, 6)));

/* The same of an error; what has no place of its own is about `line`. */
void check_error(struct checker *c, enum lesson_rule rule, int line, const struct err *err);

/* A claim of this item is true: counts it, but on one path only. */
void check_held(struct checker *c, size_t item);

/* In the order of the lines. */
void check_sort(struct lesson_check *result);

#define HOLDS(c, ...)    check_note((c), LESSON_HOLDS, __VA_ARGS__)
#define FAIL(c, ...)     check_note((c), LESSON_FAILS, __VA_ARGS__)
#define COMPLAIN(c, ...) check_note((c), LESSON_COMPLAINED, __VA_ARGS__)

/* ---- texts: check_text.c ---- */

/* What can be said about a text without running anything; not NULL. */
void check_prose(struct checker *c, const char *prose, int line);

/* Its citations alone. */
void check_cited(struct checker *c, const char *prose, int line);

/* Texts that are shown as they are. */
void check_plain(struct checker *c, const char *text, int line);
void check_title(struct checker *c, const struct lesson_card *card);

/* Fills a text in this sight and counts its words; "" for NULL. `out` (may be NULL) gets it. */
int check_fill(struct checker *c, const char *prose, const struct lesson_sight *sight, int line,
               struct text *out);
void check_words(struct checker *c, int words, int line, const char *what);

/* Whether the card has room as it is shown now; as it would be if its question stood like this
 * (player_suppose). */
void check_fits(struct checker *c, int line, const char *what);
void check_fits_supposed(struct checker *c, const struct player_question *question,
                         const char *tried, const char *what);

/* New terms: said here, and new. */
void check_terms(struct checker *c);

/* A lesson that this one refers to; `what` is the field that does. */
void check_lesson(struct checker *c, const char *id, int line, const char *what);

/* A question at the end of its card: its truth, its choices, its replies. */
void check_predict(struct checker *c, size_t index);

/* ---- trying: check_try.c ---- */

/* At the moment they are met; the card's own run is not touched. */
void check_fix(struct checker *c, size_t index);
void check_compare(struct checker *c, size_t index);

/* What a card plots, when the card is done. */
void check_plot(struct checker *c, const struct lesson_item *item);

/* Every value of every switch of the card that was just played; forgets them. */
void check_switches(struct checker *c);
/* The path was left in the middle of a card. */
void check_switches_forget(struct checker *c);

/* ---- paths: check_path.c ---- */

/* Plays every path; `each_item` and `each_card` are told of what no earlier path has come by. */
void check_paths(struct checker *c, player_item_fn *each_item,
                 void (*each_card)(struct checker *c));

#endif
