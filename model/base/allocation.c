#include "model/base/allocation.h"

#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

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

FILE *memory_stream(char **text, size_t *bytes)
{
    FILE *stream = open_memstream(text, bytes);
    return checked(stream);
}

void memory_stream_end(FILE *stream, char **text)
{
    const bool is_whole = fflush(stream) == 0 && !ferror(stream);
    /* The end of a stream makes its text once more as long as it is, and says nothing of an
       error. */
    if (fclose(stream) != 0 || !is_whole || !*text)
        memory_is_out();
}
