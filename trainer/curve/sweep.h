/* Which message sizes to measure: a log-uniform start, the smallest sizes three times, as there are
   too few of them for a line of their own, then bisection where a straight line between
   neighbours misses, then the edges of packets where there seem to be some, then every time asked
   again, then every edge between regions narrowed as far as the noise allows, to the byte where
   there is none. Knows no MPI and no clock: asks for one point after the other. */
#ifndef TRAINER_CURVE_SWEEP_H
#define TRAINER_CURVE_SWEEP_H

#include "model/fit/packets.h"
#include "model/fit/points.h"

#include <stdbool.h>

struct sweep_plan {
    double bytes_least, bytes_most; /* 0 <= least <= most */
    double granule;                 /* sizes are multiples of it: 1, or 8 for doubles */
    size_t start_points;            /* of the log-uniform start */
    size_t refine_points;           /* at most so many more where a straight line misses */
    size_t points_most;             /* all together */
    unsigned long seed;
    bool trusting;     /* no time is asked again: a quick look */
    double edge_ratio; /* edges are narrowed down to sizes that differ by that; 1: all the way */
    double known_edge; /* the last size before one that is known of beforehand, bytes; 0: none */
    enum statistic statistic; /* which of a point's times counts; not said: the median */
};

/* What to measure. again: at another moment, whose mean with the first one may stand for both; may
   be short. */
struct ask {
    double bytes;
    bool held_out, again;
};

/* Measures into *point; returns 0, 1 when the budget is spent (no point), -1 on error. */
typedef int sweep_measure(void *state, const struct ask *ask, struct point *point,
                          struct error *error);

/* What asking again said: how many points were asked again, and how many of those came out
   otherwise, by more than a fifth. */
struct sweep_looks {
    size_t looked, moved;
};

/* Whether so many came out otherwise that the curve is a mixture of two machines. */
bool sweep_is_mixture(const struct sweep_looks *looks);

/* Appends the points (struct point) and the regions (struct region, errors set) that describe them.
   A spent budget is not an error: the regions are then what the points so far allow, none where no
   point has a time above 0. The mean of two times stands for a point; where they differ by more
   than a tenth, the middle one of three. */
int sweep(const struct sweep_plan *plan, sweep_measure *measure, void *state, struct list *points,
          struct list *regions, struct sweep_looks *looks, struct error *error);

/* Appends the regions that describe points, sorted by bytes, in those packets (bytes = 0: none),
   with edges that are sizes which can be measured. */
int sweep_fit(const struct packets *packets, double granule, const struct observation *points,
              size_t count, struct list *regions, struct error *error);

#endif
