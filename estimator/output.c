#include "estimator/output.h"

#include "model/base/printable.h"

#include <errno.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

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

void output_named(const char *text)
{
    char *shown = printable(text);
    fputs(shown, stdout);
    free(shown);
}
