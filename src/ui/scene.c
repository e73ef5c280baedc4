#include "ui/scene.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"

enum { BLOCK_BYTES = 32768, ALIGN = 16 };

struct scene_mem_block {
    struct scene_mem_block *next;
    size_t used, size;
    _Alignas(ALIGN) unsigned char bytes[];
};

/* A block with room for `need` bytes: a spare one when the first spare is large enough. */
static struct scene_mem_block *block_with_room(struct scene_mem *mem, size_t need)
{
    struct scene_mem_block *block = mem->spare;
    if (block != NULL && block->size >= need) {
        mem->spare = block->next;
    } else {
        const size_t size = need > BLOCK_BYTES ? need : BLOCK_BYTES;
        block = mem_alloc(1, sizeof *block + size);
        block->size = size;
    }
    block->used = 0;
    block->next = mem->block;
    mem->block = block;
    return block;
}

void *scene_mem_take(struct scene_mem *mem, size_t count, size_t size)
{
    if (size != 0 && count > (SIZE_MAX - ALIGN) / size) {
        abort(); /* our mistake: counts come from capped fabrics */
    }
    const size_t bytes = (count * size + ALIGN - 1) / ALIGN * ALIGN;
    struct scene_mem_block *block = mem->block;
    if (block == NULL || block->size - block->used < bytes) {
        block = block_with_room(mem, bytes);
    }
    void *p = block->bytes + block->used;
    block->used += bytes;
    memset(p, 0, bytes);
    return p;
}

const char *scene_mem_textf(struct scene_mem *mem, const char *fmt, ...)
{
    va_list args, again;
    va_start(args, fmt);
    va_copy(again, args);
    const int need = vsnprintf(NULL, 0, fmt, args);
    va_end(args);
    char *s = scene_mem_take(mem, (size_t)(need < 0 ? 0 : need) + 1, 1);
    if (need > 0) {
        vsnprintf(s, (size_t)need + 1, fmt, again);
    }
    va_end(again);
    return s;
}

void scene_mem_reset(struct scene_mem *mem)
{
    while (mem->block != NULL) {
        struct scene_mem_block *block = mem->block;
        mem->block = block->next;
        block->next = mem->spare;
        mem->spare = block;
    }
}

static void free_blocks(struct scene_mem_block *block)
{
    while (block != NULL) {
        struct scene_mem_block *next = block->next;
        free(block);
        block = next;
    }
}

void scene_mem_finish(struct scene_mem *mem)
{
    free_blocks(mem->block);
    free_blocks(mem->spare);
    *mem = (struct scene_mem){ 0 };
}
