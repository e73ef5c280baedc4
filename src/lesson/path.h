/*
 * The ways through a lesson: which cards a learner meets, and in which order.
 *
 *     cards   0 --- 1 --- branch --- 2 --- 3 ---+--- 5        a branch stands behind a card; its ways
 *                           |                   |             meet again behind it. No way leads back,
 *                           +------- 4 ---------+             so the numbers of a path only grow
 *
 * A branch looks at the answer to one question. All that counts of an answer is its kind, a small
 * number: which choice (none for a number that was typed) and how it was judged. A question that nobody
 * has answered counts as answered in the kind that leads to the first way of its first branch:
 * that is the declared path.
 */
#ifndef WEFT_LESSON_PATH_H
#define WEFT_LESSON_PATH_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "lesson/lesson.h"

enum lesson_grade {
    LESSON_GRADE_NONE, /* could not be checked (yet) */
    LESSON_GRADE_RIGHT,
    LESSON_GRADE_WRONG, /* a number: too small */
    LESSON_GRADE_HIGH,  /* a number: too large */
    LESSON_GRADE_COUNT
};

#define LESSON_NO_ANSWER (-1)
#define LESSON_KINDS_MAX 32 /* kinds of answers: a bit each in lesson_way.answers */
#define LESSON_PATHS_MAX 64 /* different paths that one lesson may have */
#define LESSON_PATH_NONE SIZE_MAX

/* The kind of an answer; `choice` from 0, 0 for a number. */
int lesson_answer_kind(size_t choice, enum lesson_grade grade);

/* `answers` has the kind of the answer to each item, or LESSON_NO_ANSWER; NULL: nobody has answered. */

/* Where the path goes on behind a branch: an item, or 0. */
size_t lesson_path_behind(const struct lesson *lesson, size_t branch, const int *answers);

/* The card behind this one, or LESSON_PATH_NONE: the lesson ends. */
size_t lesson_path_next(const struct lesson *lesson, size_t card, const int *answers);

/* All cards of the path, in order; `cards` has room for lesson_card_count(). Returns how many. */
size_t lesson_path(const struct lesson *lesson, const int *answers, size_t *cards);

/* Changes `answers` so that the path leads to a card: what is on the way there already stays. */
void lesson_path_lead_to(const struct lesson *lesson, size_t card, int *answers);

/* What a branch calls the way that is taken there: "right", "[2]", "straight on". */
const char *lesson_path_word(const struct lesson *lesson, size_t branch, const int *answers);

/* How many combinations of answers differ in what they do at some branch, LESSON_PATHS_MAX at most;
 * where not all branches are on the way, several make the same path. */
size_t lesson_path_count(const struct lesson *lesson);

/* One of them by its number, from 0: the declared path. */
void lesson_path_answers(const struct lesson *lesson, size_t number, int *answers);

#endif
