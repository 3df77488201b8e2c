/* The head of a for loop: its variable, and the values that it goes through. */
#ifndef DESCRIBER_WALK_LOOP_HEAD_H
#define DESCRIBER_WALK_LOOP_HEAD_H

#include "describer/walk/evaluate.h"

struct loop_head {
    struct binding *variable;
    const char *name;
    polynomial first, last;        /* values of the variable, both included */
    double step;                   /* its sign alone, where it is a parameter */
    polynomial stride;             /* what the index advances by */
    const struct syntax *steps[8]; /* what is done after each iteration */
    int step_count;
    const struct syntax *body;
};

/* Reads it, and executes its first part. Errors are noted: a bound that is not affine, an index
   that does not advance by a constant. */
bool loop_head_read(struct describer *describer, const struct syntax *loop, struct loop_head *head);

#endif
