/* Allocation that never returns NULL: without memory the program ends with one line and status 2,
   or goes where it was told to go. What these return is released with free(). */
#ifndef MODEL_BASE_ALLOCATION_H
#define MODEL_BASE_ALLOCATION_H

#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

/* count items of size bytes, all zero. count * size may not overflow; 0 items are allowed. */
void *memory_new(size_t count, size_t size);

/* old (from here, or NULL) with room for count items of size bytes; new room is not cleared. */
void *memory_grow(void *old, size_t count, size_t size);

/* What happens where there is none: for libraries that let one choose. */
_Noreturn void memory_is_out(void);

/* From here on, without memory the present thread goes there (longjmp) instead, and what was being
   made is lost; NULL: it ends the program, as at first. Returns where it went before. For
   libforecost, which may end no program. */
jmp_buf *memory_go_to(jmp_buf *where);
bool memory_may_end(void);

/* A copy of text; NULL gives NULL. */
char *memory_copy_text(const char *text);

/* A new text, formatted as printf does. */
char *memory_format(const char *format, ...) __attribute__((format(printf, 1, 2)));
char *memory_format_list(const char *format, va_list arguments)
    __attribute__((format(printf, 1, 0)));

/* A stream into a new text: once memory_stream_end has ended it, *text is whole and released with
   free(). Both do what memory_new does where there is no memory. */
FILE *memory_stream(char **text, size_t *bytes);
void memory_stream_end(FILE *stream);

#endif
