/* The loops about a statement, outermost first, with their bounds: numbers, or functions of the
   indices of loops further out (triangular nests). */
#ifndef MODEL_SEGMENT_LOOPS_NEST_H
#define MODEL_SEGMENT_LOOPS_NEST_H

#include "model/segment/loops/affine.h"
#include "model/segment/program/program.h"

/* Whole numbers first..last, both included; none where last < first. */
struct range {
    double first, last;
};

double range_count(struct range range);

/* Where a loop begins or ends. */
struct loop_bound {
    bool is_affine; /* else it is evaluated wherever it is needed: min(N, k + b) */
    struct affine value;
    bool turns[LOOPS_MOST];     /* it may rise and fall with the index of that outer loop */
    const struct formula *text; /* borrowed */
};

struct nest {
    int depth;
    const struct loop *loops[LOOPS_MOST]; /* borrowed; the same loop is the same pointer */
    const char *index[LOOPS_MOST];
    struct loop_bound first[LOOPS_MOST], last[LOOPS_MOST];
    double least[LOOPS_MOST], most[LOOPS_MOST]; /* of the index; infinite: not known */
    bool outer[LOOPS_MOST][LOOPS_MOST];         /* [l][k]: the bounds of loop l depend on index k */
    const struct program *program;              /* borrowed, for evaluating bounds */
    struct scope *scope;
};

/* The indices of its loops, for affine forms. */
struct indices nest_indices(const struct nest *nest);

/* Enters one more loop. Errors: too many, an index that is the name of something else, bounds. */
int nest_enter(struct nest *nest, const struct loop *loop, struct error *error);

/* The range of loop l where the loops that its bounds depend on have the values `at`. Errors: a
   bound that is not whole there. */
int nest_range(const struct nest *nest, int l, const double *at, struct range *range,
               struct error *error);

/* The same, over all values of those loops that are not fixed: from the least begin to the greatest
   end. ranges: those of the loops further out that are not fixed. */
int nest_hull(const struct nest *nest, int l, const bool *fixed, const double *at,
              const struct range *ranges, struct range *range, struct error *error);

/* Whether the bounds of a loop depend on any of loops from..depth-1 that `fixed` (may be NULL) does
   not name. */
bool nest_is_triangular(const struct nest *nest, int l, const bool *fixed);

/* How many outermost loops two nests have in common. */
int nest_common(const struct nest *a, const struct nest *b);

#endif
