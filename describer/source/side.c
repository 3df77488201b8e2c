#include "describer/source/side.h"

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

/* The loop of that number in the order of the source; NULL: there are fewer. */
static const struct syntax *loop_numbered(const struct syntax *syntax, unsigned long *number)
{
    if (syntax->kind == SYNTAX_FOR && --*number == 0)
        return syntax;
    for (int i = 0; i < syntax->count; i++) {
        const struct syntax *found =
            syntax->children[i] ? loop_numbered(syntax->children[i], number) : NULL;
        if (found)
            return found;
    }
    return NULL;
}

/* FUNCTION, or FUNCTION:LOOP with the number of the loop. */
static int place_in_function(const struct function *function, unsigned long number,
                             struct directive *directive, struct error *error)
{
    directive->file = function->file;
    if (number == 0) {
        directive->function = function->name;
        return 0;
    }
    unsigned long left = number;
    const struct syntax *loop = loop_numbered(function->body, &left);
    if (!loop)
        return error_at(error, directive->place, "%s has fewer than %lu loops", function->name,
                        number);
    directive->begin = directive->next = loop->begin;
    return 0;
}

/* LINE or FILE:LINE. */
static int place_at_line(const struct source *source, const char *file, unsigned long line,
                         struct directive *directive, struct error *error)
{
    directive->line = (unsigned)line;
    directive->file = file ? file_named(source, file) : 0;
    return directive->file >= 0
               ? 0
               : error_at(error, directive->place,
                          "'%s' is neither a file that is described nor a function "
                          "that is defined in one",
                          file);
}

static int read_place(struct arena *arena, const char *text, const struct source *source,
                      struct directive *directive, struct error *error)
{
    const char *colon = strrchr(text, ':'), *digits = colon ? colon + 1 : text;
    const char *name = colon ? arena_copy(arena, text, (size_t)(colon - text)) : text;
    char *end;
    const unsigned long number = strtoul(digits, &end, 10);
    const bool has_number = end != digits && !*end && number > 0;
    const struct function *function = function_named(source, name);
    if (function && (has_number || !colon))
        return place_in_function(function, has_number ? number : 0, directive, error);
    if (has_number)
        return place_at_line(source, colon ? name : NULL, number, directive, error);
    return error_at(error, directive->place,
                    "'at %s': neither a line nor a function that is defined in the source", text);
}

static int read_line(struct arena *arena, const char *text, const struct source *source,
                     struct directive directive, struct directives *directives, struct error *error)
{
    text += strspn(text, " \t");
    if (!*text)
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

/* One line of the file with what continues it into text, which has room for DIRECTIVE_BYTES_MOST
   and the end; *number is that of the last. 0: the file has ended, or cannot be read; -1: the line
   is too long. */
static int whole_line(FILE *stream, char *text, unsigned *number)
{
    size_t length = 0, from = 0;
    int next = 0;
    for (bool goes_on = true; goes_on;) {
        while ((next = getc(stream)) != EOF && next != '\n') {
            if (length == DIRECTIVE_BYTES_MOST)
                return -1;
            text[length++] = next == '\t' ? ' ' : (char)next;
        }
        if (next == EOF && length == from)
            break;
        ++*number;
        while (length > from && text[length - 1] == '\r')
            length--;
        goes_on = length > from && text[length - 1] == '\\' && next != EOF;
        if (goes_on)
            text[length - 1] = ' ';
        from = length;
    }
    const bool is_end = next == EOF && length == 0;
    text[length] = '\0';
    text[strcspn(text, "#")] = '\0';
    return !is_end;
}

int side_read(struct arena *arena, const char *path, const struct source *source,
              struct directives *directives, struct error *error)
{
    FILE *stream = input_begin(path);
    if (!stream)
        return error_at(error, place_at(path, 0, 0), "cannot be read: %s", strerror(errno));
    unsigned number = 0;
    int status = 0, got = 0;
    char *text = arena_take(arena, DIRECTIVE_BYTES_MOST + 1, 1);
    while (status == 0 && (got = whole_line(stream, text, &number)) > 0) {
        const struct directive directive = {.place = place_at(path, number, 1), .file = -1};
        status = read_line(arena, arena_copy(arena, text, strlen(text)), source, directive,
                           directives, error);
    }
    if (status == 0 && ferror(stream))
        status =
            error_at(error, place_at(path, number + 1, 0), "cannot be read: %s", strerror(errno));
    else if (status == 0 && got < 0)
        status = error_at(error, place_at(path, number + 1, 0),
                          "a line has more than %d characters", DIRECTIVE_BYTES_MOST);
    input_end(stream);
    return status;
}
