/* The head of a loop: the variable that counts, and the values that it goes through. */
#ifndef DESCRIBER_WALK_LOOP_HEAD_H
#define DESCRIBER_WALK_LOOP_HEAD_H

#include "describer/walk/evaluate.h"

struct loop_head {
    const struct syntax *counter; /* the variable as it is written; NULL: the loop counts its trips
                                     alone, as while (error > tolerance) */
    struct binding *variable;     /* of the counter, or NULL */
    const char *name;             /* of the index in the description */
    const struct syntax *end;     /* the expression of the end, or NULL */
    enum operation relation;      /* variable RELATION end, as long as the loop goes on */
    polynomial limit;       /* what the variable is compared with, before the first iteration */
    polynomial end_before;  /* the value of `end` there; NULL: not known */
    polynomial first, last; /* values of the variable, both included; last NULL: data, or a
                               statement `break`, says when the loop ends */
    polynomial stride;      /* what the variable advances by in an iteration */
    double step;            /* the same as a number; its sign alone, where it is a parameter */
    polynomial closing;     /* what the distance to the end shrinks by: the stride, less what
                               the end itself moves */
    polynomial cut;         /* iterations less one that -D or `parameters` say; or NULL */
    const struct syntax *condition; /* NULL: none, or always true */
    const struct syntax *before;    /* done before the body in each iteration (k-- > 0), or NULL */
    const struct syntax *steps[8];  /* what is done after each iteration */
    int step_count;
    const struct syntax *body;
    const struct colour *colour; /* of the iterations that a loop with a step runs, where it begins
                                    at a remainder; NULL: it does not */
    int copies;     /* iterations after which pointers that change places are what they were */
    bool converges; /* a condition on data may end it, before `last` if there is one */
    bool is_do;     /* do ... while: the first iteration needs no condition */
};

/* Reads it, and executes its first part. Errors are noted: a bound that is not affine, a loop that
   never ends. */
bool loop_head_read(struct describer *describer, const struct syntax *loop, struct loop_head *head);

/* The same of a stride that the body has turned out to have. */
bool loop_head_advance(struct describer *describer, const struct syntax *loop,
                       struct loop_head *head, polynomial stride, polynomial end_moves);

/* The loop counts its trips alone, which are a parameter. */
void loop_head_by_trips(struct describer *describer, const struct syntax *loop,
                        struct loop_head *head);

/* Whether a loop of so many iterations goes through the elements of a tile, each counted from where
   the tile begins, as in a[ii + i] of a loop over ii in steps of as many: both are one loop over
   all elements then. */
bool loop_is_tile(struct describer *describer, const struct loop_head *head, double trips);

/* The parameter that says how often a loop runs that data ends: trips_LINE. NULL: it has no value,
   and needs none, as `is_needed` is false. */
struct symbol *loop_trips(struct describer *describer, const struct syntax *loop, bool is_needed);

/* How far the head and the body advance a variable in one iteration, as far as that can be read
   from statements that each iteration goes through; NULL: it cannot. */
polynomial loop_advance(struct describer *describer, const struct syntax *syntax,
                        const struct binding *variable);

#endif
