/* A curve whose points are asked at several moments of a launch: what they say together, which of
   them are asked again, and which sizes they lack. Knows no MPI and no clock. */
#ifndef TRAINER_CURVE_CURVE_MOMENTS_H
#define TRAINER_CURVE_CURVE_MOMENTS_H

#include "model/fit/packets.h"
#include "trainer/engine/moments.h"

struct curve_moments {
    struct list points;     /* struct moments, by processors and size; owned */
    struct packets packets; /* that its sweep found; bytes = 0: none */
    double granule;         /* sizes are multiples of it */
    enum statistic statistic;
    bool quickened;  /* the machine became quicker once */
    size_t all_more; /* moments at which all points are asked again for it */
};

/* Points (struct point, of one curve) become what was measured at the first moment. */
void curve_moments_begin(struct curve_moments *curve, const struct list *points);

/* Whether its i-th point is to be asked at the next moment: all are a few times, later the doubtful
   ones and the witnesses. */
bool curve_moments_asks(const struct curve_moments *curve, size_t i);

/* After the moment so numbered of several curves: what their witnesses saw. Where the machine
   became quicker (a host moved a virtual machine's processors nearer to one another), what was not
   asked since then is of another machine: all points are asked at the next moments. Returns whether
   there have to be such moments. */
bool curve_moments_look_back(struct curve_moments *curves, size_t count, size_t moment);

/* Of several curves: whether the machine became quicker and did not stay so for long enough. */
bool curve_moments_changed(const struct curve_moments *curves, size_t count);

/* What stands for its points (struct point, to be freed); those never measured are left out. */
struct list curve_moments_settled(const struct curve_moments *curve);

/* Appends the regions through the settled points of one processor count. In a region that has none,
   one of several points is marked as held out: without it nothing says how good the region is.
   Returns 0, or -1 with *error set. */
int curve_moments_fit(const struct curve_moments *curve, struct list settled, struct list *regions,
                      struct error *error);

/* How far the single moments are from what stands for their points, longer over shorter - 1: 95 of
   100 are within. It is what a launch knows of how far another one may be. NAN: no point has
   several. */
double curve_moments_p95(const struct curve_moments *curve);

/* Of settled points those of the most processors, the last ones. Borrowed. */
struct list curve_moments_of_most(const struct list *settled);

/* A sweep narrows the edges that it sees. What it does not see for noise, several moments may show,
   between sizes far apart: adds the size halfway, not yet measured. Before the moment so numbered,
   from 0; does nothing where there were too few before, or there are too few left. */
void curve_moments_narrow(struct curve_moments *curve, size_t moment);

void curve_moments_free(struct curve_moments *curve);

#endif
