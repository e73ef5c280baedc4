/*
 * Whole files, in and out.
 *
 * What is written is a draft first: a temporary file in the same folder, which takes the other's place
 * only when it is whole. So whatever happens on the way, the old file is untouched.
 */
#ifndef WEFT_BASE_FILE_H
#define WEFT_BASE_FILE_H

#include <stdbool.h>
#include <stddef.h>

#include "base/err.h"

/* Reads all of a regular file of at most `limit` bytes. The caller frees `*data`; a terminator is
 * added behind the last byte (not counted in `*size`). */
bool file_read(const char *path, size_t limit, char **data, size_t *size, struct err *err);

/* Writes a file whole, as a draft that is kept. An existing file is an error unless `replace`. */
bool file_write(const char *path, const char *data, size_t size, bool replace, struct err *err);

/* A file that is being written; what does not fit in memory goes this way. */
struct file_draft {
    int fd;       /* to write to */
    char *temp;   /* NULL: a device or a pipe, written in place */
    char *target; /* what it will be; a symbolic link is followed, not replaced */
};

/* On success to be kept or dropped. `path` is for messages, here and in file_draft_keep(). */
bool file_draft_open(struct file_draft *draft, const char *path, bool replace, struct err *err);
/* fsync, rename; on failure dropped. */
bool file_draft_keep(struct file_draft *draft, const char *path, struct err *err);
void file_draft_drop(struct file_draft *draft);

/* How many bytes the file took; fewer than `size`: errno says why. */
size_t file_write_some(int fd, const char *data, size_t size);

/* True when `path` names an existing regular file (links followed). */
bool file_exists(const char *path);

#endif
