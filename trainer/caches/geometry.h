/* The size of the first level of cache, its ways and its lines, found from conflicts alone: no
   physical address, no large page, no counter, nothing that the system tells but its page size. */
#ifndef TRAINER_CACHES_GEOMETRY_H
#define TRAINER_CACHES_GEOMETRY_H

#include "trainer/caches/colours.h"

struct cache_found {
    const char *because; /* NULL: found; else why not, and the numbers are not to be used */
    double ways, line_bytes;
    double way_bytes; /* sets x line: addresses so far apart may conflict */
    double capacity_bytes;
    double hit_cycles; /* of a dependent load that hits; of the second NAN where the clock
                          did not stay the same */
};

/* Within the probe's time, 10 to 40 ms on a quiet machine. */
struct cache_found geometry_find_first(struct cache_probe *probe);

/* Cycles of a dependent load that hits the first level; the arena has a page at least. NAN: the
   clock did not stay the same. About a millisecond. */
double geometry_first_hit(struct cache_probe *probe);

#endif
