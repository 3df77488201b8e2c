/* Simulated processors of many kinds, whose caches are known. */
#ifndef TEST_CACHE_PROCESSORS_H
#define TEST_CACHE_PROCESSORS_H

#include "test/cache/simulated.h"

#include <gsl/gsl_rng.h>

enum { PROCESSORS = 12, PROCESSOR_POLICIES = 3 };

/* A kind of processor: its caches, of which the last is one core's share, and what is peculiar to
   it. */
struct processor {
    const char *name;
    struct simulated_cache caches[SIMULATED_LEVELS];
    size_t page_bytes;
    double prefetch_share; /* of loads that miss the first level: the next line comes too */
    enum policy policies[PROCESSOR_POLICIES]; /* of the second level, as likely each */
};

extern const struct processor processors[PROCESSORS];

/* A machine of the kind: as its second level replaces lines, as its pages lie, as it is disturbed,
   as chance has it. */
struct simulated_machine processor_draw(const struct processor *processor, unsigned long seed);

#endif
