/* A machine with simulated caches: the truth that the search for caches is tested against. */
#ifndef TEST_CACHE_SIMULATED_H
#define TEST_CACHE_SIMULATED_H

#include "trainer/caches/backend.h"

#include <stdint.h>

enum policy { LRU, TREE_PLRU, QLRU, RANDOM, POLICIES };

struct simulated_cache {
    size_t bytes, ways, line_bytes;
    bool virtually_indexed;
    size_t hash_mask; /* bits of the set's number into which the address above it is folded */
    bool victim;      /* it holds what the nearer level drives out, and gives up what that takes */
    bool inclusive;   /* what it drives out, nearer levels lose, too */
    enum policy replacement;
    double hit_cycles; /* of a dependent load that hits here */
};

enum { SIMULATED_LEVELS = 3 };

/* What disturbs for a while, not by chance: the clock of the core, or whoever else slows it down,
   so that samples last so many times as long (less than 1: the clock has risen since it was
   measured); and another program, one of whose lines is used all the time in every so many-th set
   of the first level. */
struct persistent {
    double from_s, to_s; /* of simulated time */
    double factor;       /* 0: 1 */
    size_t set_step;     /* 1: all sets; 0: none */
};

struct simulated_machine {
    struct simulated_cache caches[SIMULATED_LEVELS]; /* the first `levels` */
    size_t levels;
    double memory_cycles, memory_store_cycles; /* the latter: of a sweep's stores; 0: as loads */
    double in_turn_cycles; /* what a sweep's store takes more that misses, where others come between
                            */
    size_t page_bytes;
    bool contiguous;          /* pages lie in memory as in the arena; else at random */
    size_t tlb_pages;         /* translations held (LRU); 0: all */
    size_t tlb_ways;          /* 0: any translation anywhere */
    double tlb_cycles;        /* what a miss of them adds */
    size_t tlb_second_pages;  /* a second level, any anywhere; 0: none that misses */
    double tlb_second_cycles; /* what a miss there adds to that */
    double noise;             /* standard deviation of a sample / the sample */
    double spike_share;       /* of samples that last up to 5 times as long */
    struct persistent persistent;
    double prefetch_share;  /* of misses of the first level that fetch the next line as well */
    size_t sample_accesses; /* as struct backend */
    size_t arena_most;
    uint64_t seed;
};

/* Begins a backend that behaves so; release with simulated_end. */
struct backend simulated_begin(const struct simulated_machine *machine);
void simulated_end(struct backend *backend);

/* Accesses simulated so far. */
size_t simulated_accesses(const struct backend *backend);

#endif
