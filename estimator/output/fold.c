#include "estimator/output/fold.h"

#include "estimator/output/shown.h"

#include <stdlib.h>
#include <string.h>

struct fold {
    FILE *to;
    size_t columns;
    char *line; /* what has come of the present line */
    size_t length, room;
};

/* Writes the present line, which ends with a zero. */
static void put_line(struct fold *fold)
{
    const char *text = fold->line, *rest;
    size_t indent = strspn(text, " ");
    if (indent + 20 > fold->columns)
        indent = 0;
    const size_t further = indent ? indent + 2 : 0;
    for (size_t before = 0; *text; text = rest, before = further) {
        const size_t bytes = shown_next_line(text, fold->columns - before, &rest);
        fprintf(fold->to, "%*s%.*s\n", (int)before, "", (int)bytes, text);
    }
}

static ssize_t put(void *cookie, const char *bytes, size_t count)
{
    struct fold *fold = cookie;
    for (size_t i = 0; i < count; i++) {
        if (fold->length + 1 >= fold->room) {
            const size_t room = fold->room ? 2 * fold->room : 256;
            char *line = realloc(fold->line, room);
            if (!line)
                return 0;
            fold->line = line;
            fold->room = room;
        }
        if (bytes[i] != '\n') {
            fold->line[fold->length++] = bytes[i];
            continue;
        }
        fold->line[fold->length] = '\0';
        if (fold->length == 0)
            putc('\n', fold->to);
        put_line(fold);
        fold->length = 0;
    }
    return ferror(fold->to) ? 0 : (ssize_t)count;
}

static int end(void *cookie)
{
    struct fold *fold = cookie;
    if (fold->length > 0)
        fwrite(fold->line, 1, fold->length, fold->to);
    const int status = fflush(fold->to);
    free(fold->line);
    free(fold);
    return status;
}

FILE *fold_new(FILE *to, size_t columns)
{
    struct fold *fold = calloc(1, sizeof *fold);
    if (!fold)
        return NULL;
    *fold = (struct fold){.to = to, .columns = columns};
    FILE *stream = fopencookie(fold, "w", (cookie_io_functions_t){.write = put, .close = end});
    if (!stream)
        free(fold);
    return stream;
}
