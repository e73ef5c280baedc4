/*
 * A route through the course (lesson/index.h): which one is meant, which lesson a stop is in, what lessons are
 * called.
 */
#ifndef WEFT_APP_ROUTE_H
#define WEFT_APP_ROUTE_H

#include <stdbool.h>
#include <stddef.h>

#include "base/err.h"
#include "base/text.h"
#include "lesson/lesson.h"

/* The route of that name: its place in the list. False: there is none, and err lists those that there are. */
bool route_find(const struct lesson_list *list, const char *name, size_t *which, struct err *err);

/* The lesson of a stop; NULL: it is not in the list. */
const struct lesson_info *route_lesson(const struct lesson_list *list,
                                       const struct lesson_stop *stop);

/* Appends the titles of lessons, given as "id, id" as in lesson_info.after, with `between` between two of them;
 * an id that is not in the list stays. */
void route_add_titles(const struct lesson_list *list, const char *ids, const char *between,
                      struct text *out);

#endif
