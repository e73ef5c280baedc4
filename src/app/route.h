/*
 * A route through the course (lesson/index.h): which one is meant, and which lesson a stop is in.
 */
#ifndef WEFT_APP_ROUTE_H
#define WEFT_APP_ROUTE_H

#include <stdbool.h>
#include <stddef.h>

#include "base/err.h"
#include "lesson/lesson.h"

/* The route of that name: its place in the list. False: there is none, and err lists those that there are. */
bool route_find(const struct lesson_list *list, const char *name, size_t *which, struct err *err);

/* The lesson of a stop; NULL: it is not in the list. */
const struct lesson_info *route_lesson(const struct lesson_list *list,
                                       const struct lesson_stop *stop);

#endif
