/*
 * Collecting problems, and guessing what was meant.
 */
#include "lesson/problems.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#define NAMES_LEN_MAX 64

void lesson_problems_finish(struct lesson_problems *problems)
{
    text_finish(&problems->all);
}

struct lesson_place lesson_problems_enter(struct lesson_problems *problems, const char *path)
{
    const struct lesson_place before = { problems->path, problems->source };
    if (path != NULL && strcmp(path, problems->path) != 0) {
        problems->path = path;
        problems->source = NULL; /* fields are then placed at their constructor */
    }
    return before;
}

void lesson_problems_leave(struct lesson_problems *problems, struct lesson_place before)
{
    problems->path = before.path;
    problems->source = before.source;
}

static bool is_said(const struct lesson_problems *problems, const char *line)
{
    const size_t n = strlen(line);
    const char *all = text_str(&problems->all), *at = all;
    while ((at = strstr(at, line)) != NULL) {
        if ((at == all || at[-1] == '\n') && at[n] == '\n') {
            return true;
        }
        at += n;
    }
    return false;
}

bool lesson_problem_err(struct lesson_problems *problems, int line, const struct err *err)
{
    struct err placed = *err;
    if (placed.where[0] == '\0') {
        (void)err_at(&placed, problems->path, line);
    }
    char buf[sizeof placed.msg + sizeof placed.where + 8];
    (void)err_text(&placed, buf, sizeof buf);
    if (is_said(problems, buf)) {
        return false; /* a function of the lesson makes the same thing again and again */
    }
    if (problems->count++ == 0) {
        problems->first = placed;
    }
    text_addf(&problems->all, "%s\n", buf);
    return false;
}

bool lesson_problem(struct lesson_problems *problems, int line, const char *fmt, ...)
{
    char msg[sizeof(struct err){ 0 }.msg];
    va_list args;
    va_start(args, fmt);
    (void)vsnprintf(msg, sizeof msg, fmt, args);
    va_end(args);
    struct err err = { 0 };
    (void)err_set(&err, ERR_SYNTAX, "%s", msg);
    return lesson_problem_err(problems, line, &err);
}

/* Edit distance (insert, delete, replace), for names up to NAMES_LEN_MAX. */
static size_t distance(const char *a, const char *b)
{
    const size_t n = strlen(a), m = strlen(b);
    size_t row[NAMES_LEN_MAX + 1];
    if (n > NAMES_LEN_MAX || m > NAMES_LEN_MAX) {
        return NAMES_LEN_MAX;
    }
    for (size_t j = 0; j <= m; j++) {
        row[j] = j;
    }
    for (size_t i = 1; i <= n; i++) {
        size_t diagonal = row[0];
        row[0] = i;
        for (size_t j = 1; j <= m; j++) {
            const size_t replace = diagonal + (a[i - 1] != b[j - 1]);
            const size_t step = (row[j] < row[j - 1] ? row[j] : row[j - 1]) + 1;
            diagonal = row[j];
            row[j] = replace < step ? replace : step;
        }
    }
    return row[m];
}

const char *lesson_nearest(const char *const *names, const char *mistyped)
{
    const char *best = NULL;
    size_t least = strlen(mistyped) / 2 + 1; /* farther than that is another word */
    for (; *names != NULL; names++) {
        const size_t d = distance(*names, mistyped);
        if (d < least || (d == least && best == NULL)) {
            least = d;
            best = *names;
        }
    }
    return best;
}
