/* Files that stand beside another, and files that may be written. */
#ifndef MODEL_BASE_PATH_H
#define MODEL_BASE_PATH_H

#include "model/base/error.h"

/* path with suffix in the place of its ending: "a.b/this.yaml" and ".points.csv" give
   "a.b/this.points.csv"; to be freed. */
char *path_beside(const char *path, const char *suffix);

/* Whether a file of that name may be written: 0, or -1 with *error set where something stands there
   that is no regular file, a link among them (none is followed), or where the file or its folder
   does not allow it. Writes nothing. */
int path_check(const char *path, struct error *error);

#endif
