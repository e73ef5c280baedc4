/*
 * The home screen: the lessons in the order of the course, and above them a ring of GPUs that is
 * already at work. The first lesson is the one to start with.
 *
 * The ring is a real run: the first scene of the first lesson, again and again. It rests when
 * nobody has touched a key for a minute.
 */
#ifndef WEFT_APP_HOME_H
#define WEFT_APP_HOME_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "app/app.h"
#include "app/commands.h"
#include "app/playback.h"
#include "base/text.h"
#include "lesson/lesson.h"

struct home {
    struct lesson_list list;
    size_t selected;
    char note[300];  /* what went wrong last, or empty */
    struct run *run; /* the ring; NULL: none */
    struct playback playback;
    int64_t awake_until; /* wall ms */
};

/* False: there are no lessons at all. */
bool home_init(struct home *home, const struct app_options *options, struct err *err);
void home_finish(struct home *home);

void home_touch(struct home *home, int64_t now_ms); /* somebody is there */
void home_tick(struct home *home, int64_t now_ms);
bool home_moving(const struct home *home, int64_t now_ms);
void home_move(struct home *home, bool down);

#endif
