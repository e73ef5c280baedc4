#include "base/mem.h"

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void out_of_memory(size_t count, size_t size)
{
    (void)fprintf(stderr, "weft: out of memory (%zu x %zu bytes)\n", count, size);
    abort(); /* the terminal's owner restores it on SIGABRT */
}

void *mem_alloc(size_t count, size_t size)
{
    void *p = calloc(count > 0 ? count : 1, size > 0 ? size : 1);
    if (p == NULL) {
        out_of_memory(count, size);
    }
    return p;
}

void *mem_resize(void *old, size_t count, size_t size)
{
    if (size > 0 && count > SIZE_MAX / size) {
        out_of_memory(count, size);
    }
    size_t bytes = count * size;
    void *p = realloc(old, bytes > 0 ? bytes : 1);
    if (p == NULL) {
        out_of_memory(count, size);
    }
    return p;
}

void *mem_grow(void *old, size_t *cap, size_t need, size_t size)
{
    if (need <= *cap) {
        return old;
    }
    size_t grown = *cap > 0 ? *cap : 8;
    while (grown < need) {
        if (grown > SIZE_MAX / 2) {
            out_of_memory(need, size);
        }
        grown *= 2;
    }
    void *p = mem_resize(old, grown, size);
    *cap = grown;
    return p;
}

char *mem_strndup(const char *s, size_t len)
{
    char *copy = mem_alloc(len + 1, 1);
    memcpy(copy, s, len);
    return copy;
}

char *mem_strdup(const char *s)
{
    return mem_strndup(s, strlen(s));
}

void *mem_dup(const void *from, size_t size)
{
    void *copy = mem_alloc(1, size);
    if (size > 0) {
        memcpy(copy, from, size);
    }
    return copy;
}
