/* The levels of memory, from conflicts and from walks, which check one another: the first two
   caches exactly or not at all, the others as intervals. */
#ifndef TRAINER_MEMORY_LEVELS_H
#define TRAINER_MEMORY_LEVELS_H

#include "trainer/caches/geometry.h"
#include "trainer/memory/plateaus.h"

enum { LOOKS_MOST = 16, HITS_MOST = 16 };

/* The looks at the first cache that found one, each at another moment. */
struct looks {
    struct cache_found seen[LOOKS_MOST];
    size_t count;
    const char *because; /* why the last one found none */
};

/* A hit of the first level, timed at several moments, cycles. */
struct hits {
    double cycles[HITS_MOST];
    size_t count;
};

struct levels {
    struct cache_found first, second; /* second: only where the first was found */
    struct plateaus plateaus;
    struct looks looks;
    struct hits hits;
    struct cache_found second_seen; /* whatever the first one turns out to be */
    double second_way_bytes; /* the first cache's, as the second was looked for; 0: it was not */
};

/* What is loaded is so far apart where lines were not found, bytes. */
extern const double levels_usual_line_bytes;

/* Walks through bytes_most at most. Within about ten seconds of the backend's clock; the first two
   caches on a quiet machine within two. */
struct levels levels_find(const struct backend *backend, unsigned long seed, double bytes_most);

/* Looks once more at what is not known yet of the first two caches, within about two seconds: what
   others take of a cache they take for seconds, and then for as long they do not. Nothing where all
   is known; how many plateaus there are stays. seed: another one each time. */
void levels_again(const struct backend *backend, unsigned long seed, struct levels *levels);

/* The same again and again until all is known, for about three seconds at most (one more look may
   go beyond them). */
void levels_insist(const struct backend *backend, unsigned long seed, struct levels *levels);

#endif
