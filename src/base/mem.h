/*
 * Memory from the heap, and the one place where running out of it ends the program.
 *
 * Nobody checks for NULL: when the system has no memory left, the program says so on stderr and
 * ends. What a learner or a lesson could make arbitrarily large is capped before it gets here.
 */
#ifndef WEFT_BASE_MEM_H
#define WEFT_BASE_MEM_H

#include <stddef.h>

/* Zeroed memory for `count` items of `size` bytes. Free with free(). Never NULL. */
void *mem_alloc(size_t count, size_t size);

/* realloc for `count` items of `size` bytes, overflow checked. New memory is not zeroed. */
void *mem_resize(void *old, size_t count, size_t size);

/*
 * Makes room for at least `need` items in a growing array: doubles `*cap` as often as necessary.
 *     list->item = mem_grow(list->item, &list->cap, list->count + 1, sizeof *list->item);
 */
void *mem_grow(void *old, size_t *cap, size_t need, size_t size);

/* A copy of a string, or of its first `len` bytes with a terminator added. */
char *mem_strdup(const char *s);
char *mem_strndup(const char *s, size_t len);

/* A copy of `size` bytes. */
void *mem_dup(const void *from, size_t size);

#endif
