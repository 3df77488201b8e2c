/* What was measured, where the laws alone do not say it: marks of regions (marks.h), and how far
   answers are from points that they are not told, between sizes and between processor counts. */
#ifndef MODEL_FIT_MEASURED_H
#define MODEL_FIT_MEASURED_H

#include "model/fit/fit.h"

/* Knots of a cost's regions at one processor count, from its observations, sorted by bytes: as few
   as answer each of them to within its own noise, 0.5 % at least and 5 % at most. A region whose
   law does so has none. The law may be that of the cost's hops. Where there are marks,
   between_median and between_p95 are how far points are from what their neighbours say without
   them: |answer - time| / time, the larger way round. */
void measured_keep(const struct cost *cost, struct list *regions, double processors,
                   const struct observation *observations, size_t count);

/* other_processors of a cost's laws, where at least three counts were measured: 95 of 100 points at
   counts between others are within of what those say. */
void measured_between(struct cost *cost, const struct observation *observations, size_t count);

/* Both, of a cost whose regions, by_processors and hops are there. */
void measured_learn(struct cost *cost, const struct observation *observations, size_t count);

#endif
