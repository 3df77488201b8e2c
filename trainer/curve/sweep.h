/* Which message sizes to measure: a log-uniform start, the smallest sizes three times, as there are
   too few of them for a line of their own, then bisection where a straight line between
   neighbours misses, then the edges of packets where there seem to be some, then every point asked
   again, then every edge between regions narrowed as far as the noise allows, to the byte where
   there is none. Knows no MPI and no clock: asks for one point after the other. */
#ifndef TRAINER_CURVE_SWEEP_H
#define TRAINER_CURVE_SWEEP_H

#include "trainer/curve/curve.h"

#include <stdbool.h>

struct sweep_plan {
    double bytes_least, bytes_most; /* 0 <= least <= most */
    double granule;                 /* sizes are multiples of it: 1, or 8 for doubles */
    size_t start_points;            /* of the log-uniform start */
    size_t refine_points;           /* at most so many more where a straight line misses */
    size_t points_most;             /* all together */
    unsigned long seed;
    bool trusting;     /* no point is asked again: of a quick launch */
    double edge_ratio; /* edges are narrowed down to sizes that differ by that; 1: all the way */
    double known_edge; /* the last size before one that is known of beforehand, bytes; 0: none */
    enum statistic statistic; /* which of a point's times counts; not said: the median */
};

/* Of each region that a sweep finds so many sizes at most are asked for at other processor counts.
 */
enum { SPOTS_A_REGION = 6 };

/* How many points a sweep by that plan begins with. */
size_t sweep_begins_with(const struct sweep_plan *plan);

/* What to measure. again: one of several passes; may be short. */
struct ask {
    double bytes;
    bool held_out, again;
};

/* Measures into *point; returns 0, 1 when the budget is spent (no point), -1 on error. */
typedef int sweep_measure(void *state, const struct ask *ask, struct point *point,
                          struct error *error);

/* Adds the points to the curve, and its packets, granule and statistic: what is needed for its
   regions to be found. A spent budget is not an error: the points are then what there was time
   for. */
int sweep(const struct sweep_plan *plan, sweep_measure *measure, void *state, struct curve *curve,
          struct error *error);

#endif
