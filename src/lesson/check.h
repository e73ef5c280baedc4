/*
 * `weft check`: a lesson is a test. Loads it, plays every card headless by the declared path,
 * evaluates every claim and every truth, gives every answer, tries every value of every switch and
 * every task, and measures every value in prose.
 */
#ifndef WEFT_LESSON_CHECK_H
#define WEFT_LESSON_CHECK_H

#include <stdbool.h>
#include <stddef.h>

#include "base/err.h"
#include "base/text.h"
#include "lesson/lesson.h"
#include "lesson/player.h"

#define LESSON_CARD_WORDS    45
#define LESSON_CARD_SWITCHES 9 /* their keys are digits */

/* clang-format off */
/* What a finding is about: id, name for tools, the rule. The rules stand in lessons/README.md. */
#define LESSON_RULES(X) \
    X(LOAD,     "load",     "the file is a lesson: names, types, units, ranges, what they refer to")   \
    X(PLAY,     "play",     "every card can be played to its end")                                     \
    X(CLAIM,    "claim",    "every claim is true")                                                     \
    X(QUESTION, "question", "a question has a true answer when its card is done")                      \
    X(TASK,     "task",     "a task is not done before it is set, and its solution does it")           \
    X(WHATIF,   "what-if",  "in a what-if something differs")                                          \
    X(SWITCH,   "switch",   "a switch changes a number on its card, or says beforehand why it does not") \
    X(PLOT,     "plot",     "what is plotted is there, and has moved when its card is done")           \
    X(VALUE,    "value",    "every {...} is known when its card is done")                              \
    X(TYPED,    "typed",    "no number with a unit is typed: it is measured")                          \
    X(SOURCE,   "source",   "what is cited stands among the lesson's sources")                         \
    X(TERM,     "term",     "a new term is said on a card, and no lesson before has it")               \
    X(PLAIN,    "plain",    "questions, answers, goals and titles hold no {...}")                      \
    X(ANSWER,   "answer",   "a wrong answer names the belief behind it and has a reply of its own")    \
    X(WORDS,    "words",    "a card, or a reply with its because, has at most 45 words")               \
    X(FITS,     "fits",     "a card has room at 80x24 and at 40x12, whatever was answered")            \
    X(LESSON,   "lesson",   "lessons that this one refers to are there")                               \
    X(NAME,     "name",     "the file is called like the lesson")
/* clang-format on */

enum lesson_rule {
#define X(id, name, help) LESSON_RULE_##id,
    LESSON_RULES(X)
#undef X
        LESSON_RULE_COUNT
};
const char *lesson_rule_name(enum lesson_rule rule);
const char *lesson_rule_help(enum lesson_rule rule);

enum lesson_verdict {
    LESSON_HOLDS,
    LESSON_FAILS,      /* false, or it could not be judged */
    LESSON_COMPLAINED, /* true, and yet no good lesson */
};

struct lesson_finding {
    enum lesson_verdict verdict;
    enum lesson_rule rule;
    char *file; /* the lesson's, or one that it requires */
    int line;   /* 0: the file as a whole */
    char *text;
};

struct lesson_check {
    char *id;         /* NULL: it does not load */
    int claims, held; /* claims judged, and true; a task counts as two */
    int failed, complaints;
    struct lesson_finding *findings; /* in the order of the lines */
    size_t count, cap;
};

/* Who knows screens: appends a line to `out` for each thing of what `player` shows now that has no
 * room. */
typedef void lesson_fit_fn(struct player *player, struct text *out);

/*
 * `places`: where the lessons are that this one refers to, besides its own folder. `fit` NULL: nobody
 * looks whether cards have room. `result` is to be finished in either case; false when anything failed
 * or was complained about, err then holds the first.
 */
bool lesson_check(const char *path, const struct lesson_places *places, lesson_fit_fn *fit,
                  struct lesson_check *result, struct err *err);
void lesson_check_finish(struct lesson_check *result);

/* Adds what lesson_load() or lesson_list() said of files that do not load, a line each. */
void lesson_check_add_errors(struct lesson_check *result, const char *errors);

/*
 * Appends one line for each finding:
 *     lessons/x.lua:40: ok: by rack, PFC changes nothing
 *     lessons/x.lua:52: not ok: ...
 *     lessons/x.lua:60: lint: this card has 51 words, at most 45
 */
void lesson_check_say(const struct lesson_check *result, struct text *out);

#endif
