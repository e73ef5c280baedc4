/*
 * `weft check`: a lesson is a test. Loads it, plays every card headless by the declared path,
 * evaluates every claim and every truth, fills every reply, tries every value of every switch and
 * measures every prose value.
 */
#ifndef WEFT_LESSON_CHECK_H
#define WEFT_LESSON_CHECK_H

#include <stdbool.h>

#include "base/err.h"
#include "base/text.h"
#include "lesson/lesson.h"

#define LESSON_CARD_WORDS 45

struct lesson_check {
    int claims, held; /* claims judged, and true */
    int failed;       /* claims false, or that could not be judged; truths; load errors */
    int complaints;   /* lint: too many words, switch without effect, ... */
};

/*
 * Writes one line per claim, failure and complaint to `out`:
 *     lessons/x.lua:40: ok: by rack, PFC changes nothing
 *     lessons/x.lua:52: not ok: ...
 *     lessons/x.lua:60: lint: this card has 51 words, at most 45
 * `places`: where the lessons are that this one refers to, besides its own folder.
 * False when anything failed or lint complained; err then holds the first.
 */
bool lesson_check(const char *path, const struct lesson_places *places, struct lesson_check *result,
                  struct text *out, struct err *err);

#endif
