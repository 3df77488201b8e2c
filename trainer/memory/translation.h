/* Translation look-aside buffers, found from rings with one line on each of many pages, at places
   of the pages that the first cache keeps apart: what such a ring takes beyond hits is
   translations. */
#ifndef TRAINER_MEMORY_TRANSLATION_H
#define TRAINER_MEMORY_TRANSLATION_H

#include "trainer/caches/geometry.h"

struct translation_found {
    const char *because;              /* NULL: found; else why not */
    double entries, ways;             /* NAN where only an interval is known */
    double entries_low, entries_high; /* the number lies between */
    const char *open;                 /* why it is not known; NULL: it is */
    double miss_cycles;               /* what a miss costs beyond a hit */
};

/* The first level: pages a power of two apart fight for fewer and fewer of its sets, until only the
   ways of one are left. A ring so found is small, and one miss is much of its lap. Where all
   entries are one set, the program's own pages take some of what the ring has. */
struct translation_found translation_find_first(struct cache_probe *probe,
                                                const struct cache_found *cache);

/* The second level: pages against as many lines close together. first: as found, without because.
   lines_most: lines that the second cache surely keeps, wherever their pages lie. */
struct translation_found translation_find_second(struct cache_probe *probe,
                                                 const struct translation_found *first,
                                                 double line_bytes, double lines_most);

#endif
