/* What the system tells of a cache's capacity, weighed against what was measured of it. */
#ifndef TRAINER_MEMORY_CAPACITY_TOLD_H
#define TRAINER_MEMORY_CAPACITY_TOLD_H

#include "model/node/memory.h"

#include <stdbool.h>

/* The level has its measured capacity, or the interval that walks gave, and told_capacity_bytes.
   A private cache of which walks gave an interval has the told capacity, if it lies in the
   interval. Of a shared cache, of which others may hold any part, the told capacity is only an
   upper limit of the interval. One number that was measured of a private cache and is less than the
   told one becomes the interval between both. Otherwise the measurement stays as it is. */
void capacity_weigh_told(struct memory_level *level, bool is_private);

#endif
