/*
 * Whole files, in and out.
 */
#ifndef WEFT_BASE_FILE_H
#define WEFT_BASE_FILE_H

#include <stdbool.h>
#include <stddef.h>

#include "base/err.h"

/* Reads all of a regular file of at most `limit` bytes. The caller frees `*data`; a terminator is
 * added behind the last byte (not counted in `*size`). */
bool file_read(const char *path, size_t limit, char **data, size_t *size, struct err *err);

/* Writes a file whole: into a temporary file in the same folder, fsync, rename. On failure the
 * old file is untouched. A symbolic link is followed, not replaced. An existing file is an error
 * unless `replace`. */
bool file_write(const char *path, const char *data, size_t size, bool replace, struct err *err);

/* True when `path` names an existing regular file (links followed). */
bool file_exists(const char *path);

#endif
