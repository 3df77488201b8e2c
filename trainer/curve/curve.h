/* One utility's curve: its points (message sizes at processor counts), each with its passes; which
   of them are asked in the next pass, what they say together, and the regions through them. Knows
   no MPI and no clock. */
#ifndef TRAINER_CURVE_CURVE_H
#define TRAINER_CURVE_CURVE_H

#include "model/fit/packets.h"
#include "trainer/engine/passes.h"

/* One point of so many is a witness, which costs 3 of 40 points in each later pass: enough, over
   all utilities, for a share of a fifth to be none by chance. */
enum { WITNESS_OF = 16 };

struct curve {
    int utility;            /* its number */
    struct span bytes;      /* least and longest message */
    double part_bytes;      /* that it sends in; NAN: whole */
    struct list points;     /* struct passes, by processors and size; owned */
    struct packets packets; /* that its first pass found; bytes = 0: none */
    double granule;         /* sizes are multiples of it */
    enum statistic statistic;
    double attempt;  /* of its points in the file */
    bool is_spoilt;  /* its first pass, by others or by interruptions */
    bool quickened;  /* the machine became quicker once */
    size_t all_more; /* passes in which all points are asked again for it */
};

extern const struct record curve_record; /* for list_add */
void curve_free(struct curve *curve);

/* That of a utility, by its number; NULL: there is none. */
struct curve *curves_find(const struct list *curves, int utility);

/* ---- its points ---- */

/* The i-th, in that order. Borrowed, until the next is added. */
struct passes *curve_at(const struct curve *curve, size_t i);

/* A point with its passes so far; or, of a size that was never asked, with none. */
void curve_add(struct curve *curve, const struct passes *passes);
void curve_add_size(struct curve *curve, const struct point *like, double bytes);

/* The same of points (struct point) of which only one pass is known. */
void curve_add_points(struct curve *curve, const struct list *points);

/* ---- which are asked ---- */

/* Whether its i-th point is to be asked in the next pass: all are a few times, later the doubtful
   ones and the witnesses. */
bool curve_asks(const struct curve *curve, size_t i);

/* After the pass so numbered, from 0, of several curves: what their witnesses saw. Where the
   machine became quicker (a host moved a virtual machine's processors nearer to one another), what
   was not asked since then is of another machine: all points are asked in the next passes. Returns
   whether there have to be such passes. */
bool curves_look_back(struct curve *curves, size_t count, size_t pass);

/* Of several curves: whether the machine became quicker and did not stay so for long enough. */
bool curves_changed(const struct curve *curves, size_t count);

/* Whether so many points came out otherwise at once that the first pass is a mixture of two
   machines. */
bool curve_is_mixture(const struct curve *curve);

/* ---- what they say ---- */

/* Whether at its most processors a time that is not held out is above 0: there is something to fit.
   On a disturbed machine all may be lost in the clock. */
bool curve_has_times(const struct curve *curve);

/* Whether a point has seen several passes over all of them. */
bool curve_has_later(const struct curve *curve);

/* What stands for its points (struct point, to be freed); those never measured are left out. */
struct list curve_settled(const struct curve *curve);

/* Of settled points those of the most processors, the last ones. Borrowed. */
struct list curve_of_most(const struct list *settled);

/* Appends the regions through the settled points of one processor count. In a region that has none,
   one of several points is marked as held out: without it nothing says how good the region is.
   Returns 0, or -1 with *error set. */
int curve_fit(const struct curve *curve, struct list settled, struct list *regions,
              struct error *error);

/* The same of observations of one processor count, sorted by size, none marked. Where regions end
   are sizes that can be measured. */
int curve_fit_observed(const struct packets *packets, double granule,
                       const struct observation *points, size_t count, struct list *regions,
                       struct error *error);

/* How far what every other pass over the points says is from what those between say, longer over
   shorter - 1: 95 of 100 points are within. It is what a launch knows of how far another one may
   be. NAN: no point has several passes. */
double curve_passes_p95(const struct curve *curve);

#endif
