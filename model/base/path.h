/* Files that stand beside another, and files that may be written. */
#ifndef MODEL_BASE_PATH_H
#define MODEL_BASE_PATH_H

#include "model/base/error.h"

/* path with suffix in the place of its ending: "a.b/this.yaml" and ".points.csv" give
   "a.b/this.points.csv"; to be freed. */
char *path_beside(const char *path, const char *suffix);

/* Where a file of that name is written: the path itself, or what it leads to where it is a symbolic
   link; to be freed. NULL with *error set where something stands there that is no regular file and
   is to be neither replaced nor written to, where the file or its folder does not allow it, or
   where the folder is not there, or where the link is another user's. Writes nothing. */
char *path_to_write(const char *path, struct error *error);

/* The same for a name that nobody gave, such as that of a file beside a table, where no link is
   followed. */
int path_check_beside(const char *path, struct error *error);

#endif
