/* The loadable object of a program's loops, which `estimator loops` makes. */
#ifndef TRAINER_LOOPS_OBJECT_H
#define TRAINER_LOOPS_OBJECT_H

#include "model/base/error.h"

/* One innermost loop with those around it; the same as in describer/write/loop_code.c. */
struct forecost_loop {
    const char *at, *hash;
    long nest;                 /* loops, itself included */
    const char *kinds;         /* of its arrays: f, floating point; i, whole numbers */
    const char *const *values; /* expressions of the description's parameters; ends with NULL */
    const char *const *arrays; /* their names in the description; ends with NULL */
    /* values, arrays, extents (OBJECT_RANK an array), every so many-th of the outermost loop */
    void (*run)(const long *, void *const *, const long *, long);
    /* values, every so many-th; adds to how often the loop is begun, and its iterations */
    void (*count)(const long *, long, double *);
};

enum { OBJECT_VERSION = 1, OBJECT_RANK = 8 };

struct loops_object {
    long version;
    const char *compiler, *flags, *source, *description;
    const struct forecost_loop *items; /* the last one has no name */
};

/* Loads it; it stays loaded. NULL with *error set: it is none. What stands in it is run. */
const struct loops_object *object_load(const char *path, struct error *error);

#endif
