/* Files that stand beside another, and files that may be written. */
#ifndef MODEL_BASE_PATH_H
#define MODEL_BASE_PATH_H

#include "model/base/error.h"

#include <stdbool.h>

/* path with suffix in the place of its ending: "a.b/this.yaml" and ".points.csv" give
   "a.b/this.points.csv"; to be freed. */
char *path_beside(const char *path, const char *suffix);

/* Whether a file of that name may be written: 0, or -1 with *error set where something stands there
   that is no regular file, a link among them (none is followed), or where the file or its folder
   does not allow it. Writes nothing. */
int path_check(const char *path, struct error *error);

/* Whether the file at path begins so, or is so far a part of that. An empty file does, too. */
bool path_begins_with(const char *path, const char *begins);

/* path_check of a file that a command writes beside the one that was asked for, whose users never
   said its name: an error too where another file has it, one that does not begin so. */
int path_check_beside(const char *path, const char *begins, struct error *error);

#endif
