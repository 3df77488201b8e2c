/* From points to regions: least squares on relative error, breaks by dynamic programming, the
   number of regions by held-out error and parsimony (Abandah, IBM SP2, section 2.3). */
#ifndef MODEL_FIT_FIT_H
#define MODEL_FIT_FIT_H

#include "model/cost/cost.h"

#include <stdbool.h>
#include <stddef.h>

/* A measured time. half_width_us: of its confidence interval; 0 where the clock is exact. */
struct observation {
    double bytes, time_us, half_width_us;
    double processors; /* as the utility counts them; 0 where nothing depends on p */
    bool held_out;     /* used to choose and to judge, never to fit */
};

struct fit_plan {
    size_t regions_most; /* 1 to 64 */
    size_t points_least; /* fitted points in a region, at least 2 */
    double noise_floor;  /* relative error below which a better fit is no reason for a region */
};

/* The plan that the trainer uses by default. */
struct fit_plan fit_plan_default(void);

/* Fits regions (Hockney: slope >= 0, t0 free; jumps up and down allowed) to count observations
   sorted by bytes (equal sizes allowed). Appends struct region to *regions, the last without bound,
   each with its errors. The smallest sizes, up to points_least of them, are a region of their own
   where they were observed several times and all their times stand apart from what follows, by a
   tenth and beyond its noise; it comes on top of regions_most. bytes_upto of a region is half way
   between its last fitted size and the first of the next: whoever can measure more narrows it
   (trainer/curve/sweep.h). At least one fitted observation is needed. */
int fit_regions(const struct observation *observations, size_t count, const struct fit_plan *plan,
                struct list *regions, struct error *error);

/* One region, without bound, through count >= 1 points, none held out; one spoilt point among many
   does not move it. */
struct region fit_region(const struct observation *points, size_t count);

/* The same with breaks that are known: those of edges, and their packets. A region without fitted
   observations gets the line of the region before it (of the first that has one, at the start). At
   least one fitted observation is needed. */
int fit_regions_at(const struct list *edges, const struct observation *observations, size_t count,
                   struct list *regions, struct error *error);

/* Sets the errors of each region from the observations that fall in it. */
void fit_errors(struct list *regions, const struct observation *observations, size_t count);

/* Relative errors |model - time| / time over the held-out (or fitted) observations. */
struct fit_quality {
    size_t count;
    double median, p95, worst; /* NAN where count is 0 */
};
struct fit_quality fit_quality(const struct list *regions, const struct observation *observations,
                               size_t count, bool held_out);

#endif
