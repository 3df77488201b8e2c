/* What points of one utility take, foretold from a few of them. Knows no MPI and no clock. */
#ifndef TRAINER_EFFORT_ASKED_H
#define TRAINER_EFFORT_ASKED_H

#include "trainer/curve/curve.h"
#include "trainer/curve/sweep.h"

#include <stddef.h>

enum { ASKED_MOST = 4 };

/* At a few sizes, ascending: what a point takes, all that belongs to it included. */
struct asked {
    double bytes[ASKED_MOST], point_s[ASKED_MOST];
    size_t count;
};

/* Sizes that tell what all of the plan take, ascending and different: small ones, and one that is
   short beside the longest, of which a few would take as long as all others. Returns how many. */
size_t asked_sizes(const struct sweep_plan *plan, double sizes[ASKED_MOST]);

/* Straight between the sizes that were asked, and on beyond the last. */
double asked_at(const struct asked *asked, double bytes);

/* What so many processors take, as a power of their number, from what the most and some fewer do.
 */
double asked_among(double most_s, int most, double fewer_s, int fewer, int processors);

/* Which sizes a sweep asked for, ascending, and where its regions begin. */
struct usual {
    double *sizes, *regions; /* bytes; owned */
    size_t size_count, region_count;
    size_t begun;      /* how many of the sizes its plan began with */
    double bytes_most; /* its longest */
};

/* Of a curve at one processor count, swept by that plan, with those regions (struct region): on one
   machine the sweeps of all utilities look for much the same. */
struct usual usual_of(const struct curve *curve, const struct sweep_plan *plan,
                      const struct list *regions);

/* Where times do not repeat themselves: a sweep makes all the points that it may, and few regions
   are seen. */
struct usual usual_in_noise(void);
void usual_free(struct usual *usual);

/* What the points of a sweep with the plan take. */
double usual_sweep_s(const struct usual *usual, const struct sweep_plan *plan,
                     const struct asked *asked);

/* The same at another processor count, where the regions are known by then. */
double usual_spots_s(const struct usual *usual, const struct sweep_plan *plan,
                     const struct asked *asked);

#endif
