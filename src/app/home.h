/*
 * The home screen: the course as a timeline, and above it a ring of GPUs that is already at work.
 *
 *     row 0      where to go on, or to start: also in its place below
 *     lessons    of the course by their years, then those of one's own folders
 *     the lab
 *     routes     ways through the course for a given time
 *
 * `/` narrows them by what is typed: title, id, year, term. Rows are made anew when that, or what one has
 * done, changes; what was selected stays so where it is still there.
 *
 * The ring is a real run: the first scene of the lesson that a newcomer starts with, again and again. It
 * rests when nobody has touched a key for a minute.
 */
#ifndef WEFT_APP_HOME_H
#define WEFT_APP_HOME_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "app/app.h"
#include "app/commands.h"
#include "app/playback.h"
#include "app/prompt.h"
#include "base/text.h"
#include "lesson/lesson.h"

struct progress;

enum home_kind {
    HOME_LEAD,   /* the lesson to go on with */
    HOME_LESSON, /* `which`: of list.items */
    HOME_LAB,    /* free experiment */
    HOME_ROUTE   /* `which`: of list.routes */
};

/* What it is called in the list. */
#define HOME_LAB_WORDS "The lab: any network, any fault"

struct home_row {
    enum home_kind kind;
    size_t which;
};

struct home {
    struct lesson_list list;
    struct home_row *row;
    size_t row_count; /* 0: nothing matches what is searched for */
    size_t selected;  /* of row */
    struct prompt search;
    char note[300];  /* what went wrong last, or empty */
    struct run *run; /* the ring; NULL: none */
    struct playback playback;
    int64_t awake_until; /* wall ms */
};

/* False: there are no lessons at all. */
bool home_init(struct home *home, const struct app_options *options, struct err *err);
void home_finish(struct home *home);

/* Makes the rows, after what one has done has changed. `progress` may be NULL. */
void home_refresh(struct home *home, const struct progress *progress);

void home_touch(struct home *home, int64_t now_ms); /* somebody is there */
void home_tick(struct home *home, int64_t now_ms);
bool home_moving(const struct home *home, int64_t now_ms);

/* So many rows down, or up where negative; not beyond the ends. */
void home_move(struct home *home, int rows);

/* The searching line: opens, takes a key, goes away with what was searched for. */
void home_search(struct home *home);
void home_search_key(struct home *home, uint32_t key, const struct progress *progress);
void home_search_end(struct home *home, const struct progress *progress);

/* The row that is selected; NULL: there is none. */
const struct home_row *home_selected(const struct home *home);
/* The lesson that is selected, NULL: none is. */
const struct lesson_info *home_lesson(const struct home *home);

/* How many lessons are done. */
size_t home_done(const struct home *home, const struct progress *progress);

#endif
