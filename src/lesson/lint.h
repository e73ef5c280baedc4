/*
 * What can be said about a lesson's texts.
 */
#ifndef WEFT_LESSON_LINT_H
#define WEFT_LESSON_LINT_H

#include <stdbool.h>
#include <stddef.h>

#include "base/text.h"

/* Words of a text as one reads it: Markdown marks do not count. */
int lesson_lint_words(const char *text);

/* The first number with a unit ("16.8 ms") that is typed into prose outside of {...}, or NULL;
 * its length in `*len`. */
const char *lesson_lint_typed_number(const char *prose, size_t *len);

/* Takes the next citation "[Key]" at or after `*at`; false when there is none. */
bool lesson_lint_citation(const char *prose, size_t *at, struct text *key);

#endif
