#include "model/base/error.h"

#include <stdarg.h>
#include <stdio.h>

void error_fill(struct error *error, struct place place, const char *format, ...)
{
    if (!error)
        return;
    snprintf(error->file, sizeof error->file, "%s", place.file ? place.file : "");
    error->line = place.line;
    error->column = place.column;
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(error->text, sizeof error->text, format, arguments);
    va_end(arguments);
}

const char *error_line(const struct error *error, char *text, unsigned long size)
{
    if (error->file[0] == '\0')
        snprintf(text, size, "%s", error->text);
    else if (error->line == 0)
        snprintf(text, size, "%s: %s", error->file, error->text);
    else
        snprintf(text, size, "%s:%u:%u: %s", error->file, error->line, error->column, error->text);
    return text;
}
