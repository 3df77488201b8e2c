#include "estimator/output/output.h"

#include "model/base/allocation.h"
#include "model/base/printable.h"

#include <errno.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

int output_save(const char *text, const char *path, struct error *error)
{
    FILE *stream = path ? fopen(path, "w") : stdout;
    if (!stream)
        return error_at(error, place_at(path, 0, 0), "cannot be written: %s", strerror(errno));
    bool failed = fputs(text, stream) < 0 || fflush(stream) != 0;
    if (path)
        failed = fclose(stream) != 0 || failed;
    if (failed)
        return error_at(error, place_at(path, 0, 0), "cannot be written: %s", strerror(errno));
    return 0;
}

/* The folder that a path is in; to be freed. */
static char *folder_of(const char *path)
{
    const char *end = strrchr(path, '/');
    if (!end)
        return memory_copy_text(".");
    return memory_format("%.*s", end == path ? 1 : (int)(end - path), path);
}

int output_check(const char *path, struct error *error)
{
    struct stat file;
    char *folder = folder_of(path);
    int number = 0;
    if (stat(path, &file) == 0)
        number = S_ISDIR(file.st_mode) ? EISDIR : access(path, W_OK) == 0 ? 0 : errno;
    else
        number = access(folder, W_OK | X_OK) == 0 ? 0 : errno;
    free(folder);
    if (number == 0)
        return 0;
    return error_at(error, place_at(path, 0, 0), "cannot be written: %s", strerror(number));
}

void output_named(const char *text)
{
    char *shown = printable(text);
    fputs(shown, stdout);
    free(shown);
}
