/* What a load of memory itself takes, in nanoseconds: the core's clock changes from one moment to
   the next and memory's does not. What others do to memory lasts for seconds or minutes and
   lengthens loads all the time, so that it is timed at several moments; how far they are apart is
   how well it is known. */
#ifndef TRAINER_MEMORY_LATENCY_H
#define TRAINER_MEMORY_LATENCY_H

#include "trainer/caches/cache_probe.h"

enum { MOMENTS_MOST = 16 };

/* Zeroed: at no moment yet. */
struct latency {
    double ns[MOMENTS_MOST];
    size_t count;
};

/* Of the moments the lower quartile, the least and the most; NAN: there was none. */
struct latency_found {
    double ns, low_ns, high_ns;
};

/* One more moment, the lower tenth of many parts of a walk over `bytes` of the arena, by lines that
   are in no cache: some lines of a page after the other's, so that few translations are missed.
   Nothing where there is no memory for it, or were MOMENTS_MOST. About 30 ms. */
void latency_look(struct cache_probe *probe, double bytes, double line_bytes,
                  struct latency *latency);

/* The same, each load on another page than the ones before, so that its translation is missed, too.
 */
void latency_look_apart(struct cache_probe *probe, double bytes, double line_bytes,
                        struct latency *latency);

struct latency_found latency_of(const struct latency *latency);

#endif
