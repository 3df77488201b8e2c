/* How the innermost loop of a leaf walks through its arrays. */
#ifndef MODEL_SEGMENT_MEMORY_WALK_H
#define MODEL_SEGMENT_MEMORY_WALK_H

#include "model/segment/memory/loops.h"

#include "model/node/cache.h"

/* Cycles that a line of the array takes more on its way into the cache than one of many in the
   order of addresses, the way in which the leaf comes by it; 0 where the table does not tell.
   store: whether such a line counts as one that is stored to. Of several references to the array
   the one with which that is least. */
double walk_more_cycles(const struct leaf *leaf, size_t array, bool store,
                        const struct cache *cache);

#endif
