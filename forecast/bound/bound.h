/* The machine-application bound of every part of a program on one processor. */
#ifndef FORECAST_BOUND_BOUND_H
#define FORECAST_BOUND_BOUND_H

#include "model/machine/machine.h"
#include "model/segment/memory/loops.h"

/* How the bound is to be made. */
struct bound_rules {
    enum convention convention;
    enum reductions reductions;
};

/* Statements in a row, a segment of several such parts, or the whole program. */
struct part {
    char name[120];
    bool wide;         /* neighbouring iterations touch neighbouring elements */
    bool is_sum;       /* of a segment's parts, or of all: has times only */
    double iterations; /* in one repetition */
    double repetitions;
    struct bound bound;   /* of an iteration: of a later repetition, where there is one */
    struct bound perfect; /* the same without misses */
    struct lines missed;  /* in the nearest cache, per iteration */
    double flops;         /* of all repetitions, weighted */
    double bound_us;      /* of all repetitions; the first has compulsory misses too */
};

struct program_bound {
    struct list parts; /* of struct part */
};

/* Bounds a program. Errors are at their place in the description, or about the table. On success
   release with program_bound_free. */
int program_bound_make(struct program_bound *bound, const struct machine *machine,
                       const struct program *program, struct scope *scope, struct bound_rules rules,
                       struct error *error);

void program_bound_free(struct program_bound *bound);

#endif
