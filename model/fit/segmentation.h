/* Where to break a curve into straight pieces, and how many: the part of the fit that decides.
   Breaks by dynamic programming over all positions; the number of pieces by parsimony: no more than
   the noise of the points asks for, and no more than predict points which were left out better. */
#ifndef MODEL_FIT_SEGMENTATION_H
#define MODEL_FIT_SEGMENTATION_H

#include "model/fit/fit.h"

#include <stddef.h>

enum { SEGMENTS_MOST = 64 };

/* Breaks count >= 1 points, sorted by bytes, times above 0, none held out, into segments:
   segment k holds the points from ends[k - 1] (0 for the first) up to before ends[k]. Returns the
   number of segments, 1 to plan->regions_most. */
size_t segmentation_choose(const struct observation *points, size_t count,
                           const struct fit_plan *plan, size_t ends[SEGMENTS_MOST]);

#endif
