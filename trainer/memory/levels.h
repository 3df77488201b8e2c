/* The levels of memory, from conflicts and from walks, which check one another: the first two
   caches exactly or not at all, the others as intervals. */
#ifndef TRAINER_MEMORY_LEVELS_H
#define TRAINER_MEMORY_LEVELS_H

#include "trainer/memory/geometry.h"
#include "trainer/memory/plateaus.h"

struct levels {
    struct cache_found first, second; /* second: only where the first was found */
    struct plateaus plateaus;
};

/* What is loaded is so far apart where lines were not found, bytes. */
extern const double levels_usual_line_bytes;

/* Walks through bytes_most at most. Within about ten seconds of the backend's clock; the first two
   caches on a quiet machine within two. */
struct levels levels_find(const struct backend *backend, unsigned long seed, double bytes_most);

#endif
