/* Files that stand beside another. */
#ifndef MODEL_BASE_PATH_H
#define MODEL_BASE_PATH_H

/* path with suffix in the place of its ending: "a.b/this.yaml" and ".points.csv" give
   "a.b/this.points.csv"; to be freed. */
char *path_beside(const char *path, const char *suffix);

#endif
