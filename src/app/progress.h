/*
 * How far somebody has come: $XDG_STATE_HOME/weft/progress.json (~/.local/state, unless it is set).
 *
 *     { "schema": 1,
 *       "lessons": { "one-lost-packet": { "card": 4, "cards": 12, "at": 5, "furthest": 9, "done": true } } }
 *
 * card of cards: where one left, as people count them on the way they took, from 1; at: its number in the
 * lesson, which has those of other answers, too. furthest: the highest card one has been at. done: its last
 * card was played to the end. Playing a lesson again moves where one left only; nothing ever takes `furthest` or `done` away.
 *
 * Saving reads the file again, adds what this program knows and replaces it whole, so that two weft at a
 * time lose nothing of each other, and members that another version wrote stay. A file of a newer schema
 * is left alone, and so is one that cannot be read; one that is no JSON is moved aside first. Then, and
 * where nothing can be written, weft works as ever and says so once: see progress_note().
 */
#ifndef WEFT_APP_PROGRESS_H
#define WEFT_APP_PROGRESS_H

#include <stdbool.h>
#include <stddef.h>

#include "base/err.h"

struct progress;

struct progress_place {
    size_t card; /* 0: never begun */
    size_t cards, at;
    size_t furthest;
    bool done;
};

struct player;
/* Where a player is; `furthest` and `done` are left out. */
struct progress_place progress_place_of(const struct player *player);

/* The file, by the environment; NULL where that names no absolute path. The caller frees. */
char *progress_path(void);

/* Reads it. `path` NULL: nothing is kept. Never fails: what was wrong is the note. */
struct progress *progress_open(const char *path);
void progress_close(struct progress *progress); /* saves nothing; takes NULL */

/* One sentence about a file that cannot be used, or NULL. Valid until progress_close(). */
const char *progress_note(const struct progress *progress);

/* `progress` NULL: nothing was begun. */
struct progress_place progress_of(const struct progress *progress, const char *id);

/* Somebody is at this place, and, if it is the last card, at its end. */
void progress_at(struct progress *progress, const char *id, struct progress_place place,
                 bool ended);

/*
 * Saving, in two parts, so that a slow disk keeps nobody waiting: what is to be written, NULL if that is
 * nothing new; and the writing, which may happen in another thread and frees the image.
 */
struct progress_image;
struct progress_image *progress_take(struct progress *progress);
bool progress_write(struct progress_image *image, struct err *err);

#endif
