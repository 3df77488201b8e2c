/* The size of the second level of cache and its ways, from lines that drive one another out. */
#ifndef TRAINER_CACHES_SECOND_LEVEL_H
#define TRAINER_CACHES_SECOND_LEVEL_H

#include "trainer/caches/eviction.h"

/* Within the probe's time, some tenths of a second on a quiet machine. What sets of several victims
   agree on; its lines are as long as those of the first. */
struct cache_found second_level_find(struct cache_probe *probe,
                                     const struct eviction_levels *levels);

#endif
