/*
 * The glossary of a lesson: every word that it may use, with its sentence, and where a text uses which.
 *
 * They are those of assets/glossary.txt, of the index beside the lesson, and its own. A word is found in its
 * own letters, with small ones also capitalised, and with an s or es behind it ("gradients"); where two overlap, the
 * longer one is meant ("ACK timeout", not "ACK").
 */
#ifndef WEFT_LESSON_GLOSSARY_H
#define WEFT_LESSON_GLOSSARY_H

#include <stdbool.h>
#include <stddef.h>

#include "lesson/lesson.h"

struct lesson_glossary;

/* Never fails: what cannot be read is not in it. */
struct lesson_glossary *lesson_glossary_create(const struct lesson *lesson, const char *data_dir);
void lesson_glossary_destroy(struct lesson_glossary *glossary); /* takes NULL */

/* In the order of the alphabet, small and capital letters alike. Valid as long as the glossary. */
size_t lesson_glossary_count(const struct lesson_glossary *glossary);
const struct lesson_word *lesson_glossary_word(const struct lesson_glossary *glossary,
                                               size_t index);

/* The word of that name, small and capital letters, blanks and hyphens alike; NULL: there is none. */
const struct lesson_word *lesson_glossary_find(const struct lesson_glossary *glossary,
                                               const char *name);

/* Where a text uses a word for the first time. */
struct lesson_use {
    const struct lesson_word *word;
    size_t from, to; /* bytes of the text */
};
/* All of them in their order, at most `cap`; returns how many. */
size_t lesson_glossary_uses(const struct lesson_glossary *glossary, const char *text,
                            struct lesson_use *use, size_t cap);

#endif
