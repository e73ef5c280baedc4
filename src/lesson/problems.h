/*
 * What is wrong with a lesson: all of it, each with its file and line.
 */
#ifndef WEFT_LESSON_PROBLEMS_H
#define WEFT_LESSON_PROBLEMS_H

#include <stdbool.h>
#include <stddef.h>

#include "base/err.h"
#include "base/text.h"
#include "lesson/source.h"

struct lesson_problems {
    const char *path;                   /* the lesson's file */
    const struct lesson_source *source; /* its text, or NULL */
    struct text all;                    /* "file:line: message\n" for each */
    struct err first;
    int count;
    bool
        adrift; /* what names refer to could not be built, which has been said: that they are not there,
                    or do not fit, would be the same problem once more */
};

/* Which file problems are noted for. */
struct lesson_place {
    const char *path;
    const struct lesson_source *source;
};

/* From now on problems are about another file (what a lesson's module has made). `path` must live
 * until the place is left; NULL or the present one changes nothing. Give the result to leave. */
struct lesson_place lesson_problems_enter(struct lesson_problems *problems, const char *path);
void lesson_problems_leave(struct lesson_problems *problems, struct lesson_place before);

void lesson_problems_finish(struct lesson_problems *problems);

/* Notes a problem. Returns false. */
bool lesson_problem(struct lesson_problems *problems, int line, const char *fmt, ...)
    __attribute__((format(printf, 3, 4)));
/* The same, from an error of a layer below. */
bool lesson_problem_err(struct lesson_problems *problems, int line, const struct err *err);

/* "; did you mean `pfc`?" appended for the nearest of `names` (NULL-terminated), if any is near. */
const char *lesson_nearest(const char *const *names, const char *mistyped);

#endif
