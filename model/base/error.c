#include "model/base/error.h"

#include "model/base/printable.h"

#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

/* What has no room ends with "...", and not in the middle of a character. */
static void copy_or_cut(char *to, size_t size, const char *text, bool is_cut)
{
    printable_copy(to, size, text);
    size_t end = strlen(to);
    /* One byte of the text is at most four of the copy. */
    char whole[4 * sizeof((struct error *)0)->text];
    is_cut = is_cut || strlen(printable_copy(whole, sizeof whole, text)) > end;
    if (!is_cut)
        return;
    while (end > size - 4 || (end > 0 && ((unsigned char)to[end] & 0xc0) == 0x80))
        end--;
    memcpy(to + end, "...", 4);
}

void error_fill(struct error *error, struct place place, const char *format, ...)
{
    if (!error)
        return;
    char text[sizeof error->text];
    printable_copy(error->file, sizeof error->file, place.file ? place.file : "");
    error->line = place.line;
    error->column = place.column;
    error->is_particular = error->is_not_known = error->is_said = false;
    va_list arguments;
    va_start(arguments, format);
    const int length = vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    copy_or_cut(error->text, sizeof error->text, text, (size_t)length >= sizeof text);
}

int error_particular(struct error *error)
{
    if (error)
        error->is_particular = true;
    return -1;
}

int error_not_known(struct error *error)
{
    if (error)
        error->is_not_known = true;
    return error_particular(error);
}

int error_said(struct error *error)
{
    error_fill(error, place_at(NULL, 0, 0), "said before");
    if (error)
        error->is_said = true;
    return -1;
}

const char *error_line(const struct error *error, char *text, unsigned long size)
{
    if (error->file[0] == '\0')
        snprintf(text, size, "%s", error->text);
    else if (error->line == 0)
        snprintf(text, size, "%s: %s", error->file, error->text);
    else if (error->column == 0)
        snprintf(text, size, "%s:%u: %s", error->file, error->line, error->text);
    else
        snprintf(text, size, "%s:%u:%u: %s", error->file, error->line, error->column, error->text);
    return text;
}
