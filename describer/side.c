#include "describer/side.h"

#include "model/base/input.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The file that was given under that name, with or without its folders; -1: none. */
static int file_named(const struct source *source, const char *name)
{
    for (int i = 0; i < source->file_count; i++) {
        const char *base = strrchr(source->files[i], '/');
        if (!strcmp(source->files[i], name) || (base && !strcmp(base + 1, name)))
            return i;
    }
    return -1;
}

static const struct function *function_named(const struct source *source, const char *name)
{
    for (int i = 0; i < source->function_count; i++)
        if (!strcmp(source->functions[i]->name, name))
            return source->functions[i];
    return NULL;
}

/* LINE, FILE:LINE or FUNCTION. */
static int read_place(struct arena *arena, const char *text, const struct source *source,
                      struct directive *directive, struct error *error)
{
    const char *colon = strrchr(text, ':'), *number = colon ? colon + 1 : text;
    char *end;
    const unsigned long line = strtoul(number, &end, 10);
    directive->file = 0;
    if (!*end && end != number && line > 0) {
        directive->line = (unsigned)line;
        if (colon)
            directive->file = file_named(source, arena_copy(arena, text, (size_t)(colon - text)));
        return directive->file >= 0
                   ? 0
                   : error_at(error, directive->place,
                              "'%s' is none of the files that are described", text);
    }
    const struct function *function = function_named(source, text);
    if (!function)
        return error_at(error, directive->place,
                        "'at %s': neither a line nor a function that is defined in the source",
                        text);
    directive->function = function->name;
    directive->file = function->file;
    return 0;
}

static int read_line(struct arena *arena, const char *text, const struct source *source,
                     struct directive directive, struct directives *directives, struct error *error)
{
    text += strspn(text, " \t");
    if (!*text || *text == '#')
        return 0;
    if (!strncmp(text, "at ", 3)) {
        text += 3 + strspn(text + 3, " ");
        const size_t length = strcspn(text, " ");
        const char *place = arena_copy(arena, text, length);
        if (read_place(arena, place, source, &directive, error))
            return -1;
        text += length;
    }
    return directives_add(arena, directives, text, directive, error);
}

/* One line of the file with what continues it; NULL at the end. *number is that of the last. */
static char *whole_line(struct arena *arena, FILE *stream, unsigned *number)
{
    char *line = NULL, *text = NULL;
    size_t room = 0;
    ssize_t length;
    while ((length = getline(&line, &room, stream)) >= 0) {
        ++*number;
        while (length > 0 && strchr("\r\n", line[length - 1]))
            line[--length] = '\0';
        const bool goes_on = length > 0 && line[length - 1] == '\\';
        if (goes_on)
            line[length - 1] = ' ';
        text = arena_format(arena, "%s%s", text ? text : "", line);
        if (!goes_on)
            break;
    }
    free(line);
    for (char *at = text; at && *at; at++)
        *at = *at == '\t' ? ' ' : *at;
    return text;
}

int side_read(struct arena *arena, const char *path, const struct source *source,
              struct directives *directives, struct error *error)
{
    FILE *stream = input_begin(path);
    if (!stream)
        return error_at(error, place_at(path, 0, 0), "cannot be read: %s", strerror(errno));
    unsigned number = 0;
    int status = 0;
    for (const char *text; status == 0 && (text = whole_line(arena, stream, &number));) {
        const struct directive directive = {.place = place_at(path, number, 1), .file = -1};
        status = read_line(arena, text, source, directive, directives, error);
    }
    input_end(stream);
    return status;
}
