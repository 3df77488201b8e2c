/* The measuring of a program's loops under way, and one size of one of them. All ranks call these
   together, and have the same answers. */
#ifndef TRAINER_LOOPS_MEASURING_H
#define TRAINER_LOOPS_MEASURING_H

#include "trainer/base/options.h"
#include "trainer/loops/bench.h"
#include "trainer/loops/gauge.h"

struct measuring {
    const struct options *options;
    struct bench_program program;
    int rank, processors;
    double end_s, bytes_most;
    struct gauge gauge;
    struct loop_curves curves;
};

/* Whether it is right on all ranks. */
bool measuring_agrees(bool is_right);

/* Whether there is time left, as rank 0 says. */
bool measuring_goes_on(double end_s);

/* Whether there is a point: the loop runs at these values, on all ranks. */
bool measuring_point(const struct measuring *it, const struct forecost_loop *loop,
                     const char *const *definitions, size_t count, struct loop_point *point,
                     struct error *error);

/* Whether any processor is slower than it was at its best. */
bool measuring_is_slow(struct measuring *it);

#endif
