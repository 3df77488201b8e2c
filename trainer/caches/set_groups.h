/* Asks a set of the second level which groups of lines have one of it. */
#ifndef TRAINER_CACHES_SET_GROUPS_H
#define TRAINER_CACHES_SET_GROUPS_H

#include "trainer/caches/eviction.h"
#include "trainer/caches/set_count.h"

/* ring: as many lines of the set as it has ways, a lap through which takes more than limit_cycles
   as soon as one misses. As many groups as the probe's time allows, or as one victim tells anything
   new. NULL, or the reason why what was counted is not to be used. */
const char *set_groups_ask(struct eviction *eviction, const struct lines *ring, double limit_cycles,
                           struct set_count *count);

#endif
