/*
 * Files that somebody else writes: when one of them was saved.
 *
 * Editors save in different ways: into the file, by a new file that takes the old one's name, with the
 * old one moved aside first, in pieces; a link may be turned to another file or folder. So it is folders
 * that are watched, each for the one name that the way to a file leads through, and what counts is
 * whether the file is another one afterwards. A save is told once, when nothing has moved for `rest_ms`.
 * A file that is not there is waited for: only when it stays away for GONE_MS, its loss is told.
 * Where the system has no watch to give (their number is limited), the files are looked at every second.
 */
#ifndef WEFT_APP_WATCH_H
#define WEFT_APP_WATCH_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <uv.h>

#include "lesson/lesson.h"

enum { WATCH_REST_MS = 100, WATCH_GONE_MS = 4000 }; /* rest: for people; tests are quicker */

/* What tells one content from the next. All zero: there is no such file. */
struct watch_stamp {
    uint64_t device, inode, size;
    int64_t modified_ns;
};
struct watch_stamp watch_stamp_of(const char *path);
bool watch_stamp_same(const struct watch_stamp *a, const struct watch_stamp *b);

struct watch;

typedef void watch_fn(void *arg);

/* Watches nothing yet. `changed` is called from the loop. */
struct watch *watch_create(uv_loop_t *loop, uint64_t rest_ms, watch_fn *changed, void *arg);
/* Closes its handles; they and the memory are gone once the loop has run again. */
void watch_destroy(struct watch *watch);

/* From now on these files, as they are now; those it watched before, as they were when last told. */
void watch_files(struct watch *watch, const struct lesson_files *files);

/* How many folders are watched: for tests. */
size_t watch_folder_count(const struct watch *watch);

#endif
