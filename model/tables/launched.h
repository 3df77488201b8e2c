/* One utility in several launches of the trainer, side by side: what merge.h makes one of. */
#ifndef MODEL_TABLES_LAUNCHED_H
#define MODEL_TABLES_LAUNCHED_H

#include "model/fit/packets.h"
#include "model/machine/machine.h"

/* The same utility in all launches, at one processor count. The costs are not owned. */
struct launched {
    const struct cost **costs;
    size_t count;
    double processors;
    const struct list *merged; /* of struct cost: the utilities before this one */
};

/* The lower quartile over launches at both sides of all their edges and at sizes between,
   ascending; to be freed by the caller. */
struct observation *launched_observe(const struct launched *launched, size_t *count);

/* The median over the launches that know it of the processors' mean time as a share of the longest;
   0: none does. */
double launched_mean_over_maximum(const struct launched *launched, double processors);

/* The packets that all launches found alike, up to where the median one saw them end; false: they
   did not. */
bool launched_packets(const struct launched *launched, struct packets *common);

/* Whether all launches measured at that processor count. */
bool launched_have(const struct launched *launched, double processors);

/* Whether all launches chose the same size of parts. */
bool launched_parts_alike(const struct launched *launched);

/* Sets the errors of a merged region, which the count observations lie in: the launches' own, and
   how far the launches are from it. */
void launched_errors(const struct launched *launched, const struct observation *seen, size_t count,
                     struct region *region);

#endif
