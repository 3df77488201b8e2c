/* A cost's regions at each processor count that its points were measured at. */
#ifndef MODEL_FIT_COUNTS_H
#define MODEL_FIT_COUNTS_H

#include "model/cost/cost.h"
#include "model/fit/points.h"

/* Fills the cost's lists of regions from points (struct point, at least one), those of the most
   processors given and taken: with one count they become the cost's regions; with several, the same
   breaks are fitted at every other count, and by_processors has them all, ascending, for
   learn_regions. cost->processors.most is the most. A count whose points cannot be fitted is left
   out. */
void counts_fit(struct cost *cost, const struct list *points, enum statistic statistic,
                struct list regions);

/* The points of one processor count, in a list whose items are to be freed. */
struct list counts_points(const struct list *points, double processors);

/* The next processor count after that one among the points; INFINITY: none. */
double counts_next(const struct list *points, double after);

/* The median over points that know it of the processors' mean time as a share of the longest, at
   most 1; 0: none does. */
double counts_mean_over_maximum(const struct list *points);

/* Counts at least one point in cost->points and held_out_points, and sets its share of rejected
   repetitions, NAN where that is not known. */
void counts_count(struct cost *cost, const struct list *points);

#endif
