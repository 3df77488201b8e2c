/* What a segment costs at least, as a sum of parts that depend on few arrays each: for a segment of
   so many arrays that its layouts cannot all be written down. */
#ifndef FORECAST_SEARCH_SEGMENT_PARTS_H
#define FORECAST_SEARCH_SEGMENT_PARTS_H

#include "forecast/search/part.h"
#include "forecast/search/segment_costs.h"

/* Adds the segment's parts. The statements of one nest, which may need the same messages, are
   priced together, other nests apart from them: alone, they wait for one another less. Of one nest
   what each array adds in which nothing runs is a part of its own. */
void segment_parts_add(struct parts *parts, struct pricing *pricing, size_t segment);

#endif
