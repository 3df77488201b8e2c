#include "trainer/base/target.h"

#include "model/base/allocation.h"
#include "model/base/path.h"

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static bool is_empty_or_begins(const char *path, const char *begins)
{
    FILE *stream = fopen(path, "r");
    if (!stream)
        return true; /* nothing is there */
    char *line = memory_new(strlen(begins) + 1, 1);
    const size_t read = fread(line, 1, strlen(begins), stream);
    const bool begins_so = read == 0 || strcmp(line, begins) == 0;
    fclose(stream);
    free(line);
    return begins_so;
}

static int check_table(const char *path, struct error *error)
{
    static const char ending[] = ".points.csv";
    const size_t length = strlen(path), more = sizeof ending - 1;
    if (length <= more || strcmp(path + length - more, ending) != 0)
        return 0;
    char *table = memory_format("%.*s.yaml", (int)(length - more), path);
    const bool has_table = access(table, F_OK) == 0;
    if (has_table)
        error_fill(error, place_at(path, 0, 0), "has the points of %.200s: expected another name",
                   table);
    free(table);
    return has_table ? -1 : 0;
}

int target_check(const char *path, const char *begins, const char *kind, struct error *error)
{
    int status = path_check(path, error);
    if (status == 0)
        status = check_table(path, error);
    if (status == 0 && !is_empty_or_begins(path, begins))
        status = error_at(error, place_at(path, 0, 0),
                          "is something else than %s: expected such a file, or none yet", kind);
    return status;
}
