/*
 * An index: the index.lua of a folder with lessons.
 *
 *     return {
 *       "one-lost-packet", "pfc",                    the ids, in the order of the timeline
 *       title = "Why training networks ...",         what the course is called
 *       start = "one-lost-packet",                   where a newcomer begins; else the first one
 *       terms = { ["retry storm"] = "..." },         words for all lessons of the folder: words.h
 *       sources = { Smith24 = "..." },
 *       routes = {                                   ways through the course for a given time
 *         { name = "10", title = "10 minutes: ...",
 *           { "one-lost-packet", from = 1, to = 4 }, cards as people count them; else all of it
 *           { "deadlock" } },
 *       },
 *     }
 *
 * A stop whose lesson is not there (yet) is passed over; a card that a lesson does not have is an error.
 */
#ifndef WEFT_LESSON_INDEX_H
#define WEFT_LESSON_INDEX_H

#include <stdbool.h>
#include <stddef.h>

#include "lesson/lesson.h"
#include "lesson/words.h"

enum { LESSON_INDEX_MAX = 200, LESSON_ROUTES_MAX = 16, LESSON_STOPS_MAX = 64 };

/* Zero: an empty one. Owns its texts. */
struct lesson_index {
    char *ids[LESSON_INDEX_MAX];
    size_t count;
    char *title, *start;          /* or NULL */
    struct lesson_words words[2]; /* by enum lesson_lexicon */
    struct lesson_route routes[LESSON_ROUTES_MAX];
    size_t route_count;
};

/* Of data_dir/folder; of a folder by its path. To be finished in either case. */
bool lesson_index_read(const char *data_dir, const char *folder, struct lesson_index *index,
                       struct err *err);
bool lesson_index_read_in(const char *data_dir, const char *folder, struct lesson_index *index,
                          struct err *err);
void lesson_index_finish(struct lesson_index *index);

/* Whether an index may list this: rows of the validation table have capitals. */
bool lesson_index_is_id(const char *s);

void lesson_route_finish(struct lesson_route *route);

#endif
