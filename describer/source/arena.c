#include "describer/source/arena.h"

#include "model/base/allocation.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { BLOCK_BYTES = 1 << 16, ALIGNMENT = 16 };

struct block {
    struct block *before;
    size_t used, size;
    char *bytes;
};

struct arena {
    struct block *last;
    size_t given;
};

struct arena *arena_new(void)
{
    return memory_new(1, sizeof(struct arena));
}

void arena_free(struct arena *arena)
{
    if (!arena)
        return;
    for (struct block *block = arena->last, *before; block; block = before) {
        before = block->before;
        free(block->bytes);
        free(block);
    }
    free(arena);
}

static struct block *block_with(struct arena *arena, size_t bytes)
{
    struct block *block = arena->last;
    if (block && block->size - block->used >= bytes)
        return block;
    block = memory_new(1, sizeof *block);
    block->size = bytes > BLOCK_BYTES ? bytes : BLOCK_BYTES;
    block->bytes = memory_new(block->size, 1);
    block->before = arena->last;
    arena->last = block;
    return block;
}

void *arena_take(struct arena *arena, size_t count, size_t size)
{
    const size_t bytes = (count * size + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT;
    struct block *block = block_with(arena, bytes);
    void *taken = block->bytes + block->used;
    block->used += bytes;
    arena->given += bytes;
    return taken;
}

void *arena_more(struct arena *arena, void *items, size_t count, size_t size)
{
    if (count > 0 && (count & (count - 1)) != 0)
        return items;
    void *more = arena_take(arena, count > 0 ? 2 * count : 1, size);
    if (count > 0)
        memcpy(more, items, count * size);
    return more;
}

char *arena_copy(struct arena *arena, const char *text, size_t length)
{
    char *copy = arena_take(arena, length + 1, 1);
    memcpy(copy, text, length);
    return copy;
}

char *arena_format(struct arena *arena, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    char *text = memory_format_list(format, arguments);
    va_end(arguments);
    char *copy = arena_copy(arena, text, strlen(text));
    free(text);
    return copy;
}

size_t arena_bytes(const struct arena *arena)
{
    return arena->given;
}
