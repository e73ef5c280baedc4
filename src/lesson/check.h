/*
 * `weft check`: a lesson is a test. Loads it, plays every card and every choice headless, evaluates
 * every claim and every truth, looks at every switch and measures every prose value.
 */
#ifndef WEFT_LESSON_CHECK_H
#define WEFT_LESSON_CHECK_H

#include <stdbool.h>

#include "base/err.h"
#include "base/text.h"

struct lesson_check {
    int claims, held;      /* claims judged, and true */
    int failed;            /* claims false, or that could not be judged */
    int complaints;        /* lint: too many words, switch without effect, ... */
};

/* Writes one line per claim and complaint ("file:line: ok/not ok: ...") to `out`. False when
 * anything failed; err then holds the first failure. */
bool lesson_check(const char *path, const char *data_dir, struct lesson_check *result,
                  struct text *out, struct err *err);

#endif
