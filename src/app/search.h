/*
 * Looking for lessons by what somebody types: each word must be somewhere in title, id, year or terms, small
 * and capital letters alike. Nothing typed finds everything.
 */
#ifndef WEFT_APP_SEARCH_H
#define WEFT_APP_SEARCH_H

#include <stdbool.h>
#include <stddef.h>

#include "lesson/lesson.h"

bool search_texts(const char *typed, const char *const *text, size_t count);
bool search_lesson(const char *typed, const struct lesson_info *info);

/* The term of the lesson that the first word typed was found in, into `term` of `size` bytes; empty: it
 * was found elsewhere, or nothing is typed. */
void search_term(const char *typed, const struct lesson_info *info, char *term, size_t size);

#endif
