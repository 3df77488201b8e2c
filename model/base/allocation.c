#include "model/base/allocation.h"

#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/types.h>

/* Of each thread its own. */
static _Thread_local jmp_buf *way_out;

jmp_buf *memory_go_to(jmp_buf *where)
{
    jmp_buf *before = way_out;
    way_out = where;
    return before;
}

bool memory_may_end(void)
{
    return !way_out;
}

void memory_is_out(void)
{
    if (way_out)
        longjmp(*way_out, 1);
    fputs("out of memory\n", stderr);
    exit(2);
}

static void *checked(void *got)
{
    if (!got)
        memory_is_out();
    return got;
}

void *memory_new(size_t count, size_t size)
{
    return checked(calloc(count ? count : 1, size ? size : 1));
}

void *memory_grow(void *old, size_t count, size_t size)
{
    const size_t bytes = size && count > SIZE_MAX / size ? SIZE_MAX : count * size;
    return checked(realloc(old, bytes ? bytes : 1));
}

char *memory_copy_text(const char *text)
{
    return text ? checked(strdup(text)) : NULL;
}

char *memory_format_list(const char *format, va_list arguments)
{
    char *text = NULL;
    const int length = vasprintf(&text, format, arguments);
    return checked(length < 0 ? NULL : text);
}

char *memory_format(const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    char *text = memory_format_list(format, arguments);
    va_end(arguments);
    return text;
}

/* A stream in memory writes here. We do not use open_memstream: without memory it loses characters,
   and ferror does not report it. */
struct written {
    char *bytes;
    size_t count, room;
    char **text; /* where it goes at the end; borrowed */
    size_t *size;
};

static ssize_t take_bytes(void *cookie, const char *bytes, size_t count)
{
    struct written *it = cookie;
    if (it->room - it->count <= count) {
        const size_t room = 2 * it->room + count + 1;
        char *longer = realloc(it->bytes, room);
        if (!longer)
            return 0; /* which ferror tells of */
        it->bytes = longer;
        it->room = room;
    }
    memcpy(it->bytes + it->count, bytes, count);
    it->count += count;
    it->bytes[it->count] = '\0';
    return (ssize_t)count;
}

static int hand_over(void *cookie)
{
    struct written *it = cookie;
    *it->text = it->bytes;
    *it->size = it->count;
    free(it);
    return 0;
}

FILE *memory_stream(char **text, size_t *bytes)
{
    struct written *it = memory_new(1, sizeof *it);
    *it = (struct written){.bytes = memory_new(1, 1), .room = 1, .text = text, .size = bytes};
    return checked(
        fopencookie(it, "w", (cookie_io_functions_t){.write = take_bytes, .close = hand_over}));
}

void memory_stream_end(FILE *stream)
{
    const bool is_whole = fflush(stream) == 0 && !ferror(stream);
    if (fclose(stream) != 0 || !is_whole)
        memory_is_out();
}
