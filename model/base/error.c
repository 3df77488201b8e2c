#include "model/base/error.h"

#include "model/base/printable.h"

#include <stdarg.h>
#include <stdio.h>

void error_fill(struct error *error, struct place place, const char *format, ...)
{
    if (!error)
        return;
    char text[sizeof error->text];
    printable_copy(error->file, sizeof error->file, place.file ? place.file : "");
    error->line = place.line;
    error->column = place.column;
    error->is_particular = false;
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    printable_copy(error->text, sizeof error->text, text);
}

int error_particular(struct error *error)
{
    if (error)
        error->is_particular = true;
    return -1;
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
