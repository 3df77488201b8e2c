/* The search for the second level on simulated processors of many kinds, whose caches are known. */
#include "trainer/memory/second_level.h"
#include "test/cache/simulated.h"
#include "test/suite.h"

#include <gsl/gsl_rng.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { KB = 1024, MB = 1024 * KB };

/* A kind of processor: its caches, and what is peculiar to them. */
struct kind {
    const char *name;
    struct simulated_cache caches[SIMULATED_LEVELS];
    size_t page_bytes;
};

#define NEAR(size, number, line, cycles)                                                           \
    {                                                                                              \
        .bytes = size, .ways = number, .line_bytes = line, .virtually_indexed = true,              \
        .hit_cycles = cycles                                                                       \
    }

static const struct kind kinds[] = {
    {"Zen 2",
     {NEAR(32 * KB, 8, 64, 4),
      {.bytes = 512 * KB, .ways = 8, .line_bytes = 64, .hash_mask = 0x303, .inclusive = true, .hit_cycles = 12},
      {.bytes = 8 * MB, .ways = 16, .line_bytes = 64, .hash_mask = 0xfff, .victim = true, .hit_cycles = 40}},
     4096},
    {"Zen 4",
     {NEAR(32 * KB, 8, 64, 4),
      {.bytes = 1 * MB, .ways = 8, .line_bytes = 64, .hash_mask = 0x603, .inclusive = true, .hit_cycles = 14},
      {.bytes = 8 * MB, .ways = 16, .line_bytes = 64, .hash_mask = 0xfff, .victim = true, .hit_cycles = 47}},
     4096},
    {"Zen 5",
     {NEAR(48 * KB, 12, 64, 4),
      {.bytes = 1 * MB, .ways = 16, .line_bytes = 64, .hash_mask = 0x303, .inclusive = true, .hit_cycles = 14},
      {.bytes = 8 * MB, .ways = 16, .line_bytes = 64, .hash_mask = 0xfff, .victim = true, .hit_cycles = 50}},
     4096},
    {"Haswell",
     {NEAR(32 * KB, 8, 64, 4),
      {.bytes = 256 * KB, .ways = 8, .line_bytes = 64, .hit_cycles = 12},
      {.bytes = 8 * MB, .ways = 16, .line_bytes = 64, .hash_mask = 0xfff, .inclusive = true, .hit_cycles = 36}},
     4096},
    {"Skylake client",
     {NEAR(32 * KB, 8, 64, 4),
      {.bytes = 256 * KB, .ways = 4, .line_bytes = 64, .hit_cycles = 12},
      {.bytes = 8 * MB, .ways = 16, .line_bytes = 64, .hash_mask = 0xfff, .inclusive = true, .hit_cycles = 42}},
     4096},
    {"Skylake server",
     {NEAR(32 * KB, 8, 64, 5),
      {.bytes = 1 * MB, .ways = 16, .line_bytes = 64, .hit_cycles = 14},
      {.bytes = 8 * MB, .ways = 16, .line_bytes = 64, .hash_mask = 0xfff, .victim = true, .hit_cycles = 60}},
     4096},
    {"Ice Lake client",
     {NEAR(48 * KB, 12, 64, 5),
      {.bytes = 512 * KB, .ways = 8, .line_bytes = 64, .hit_cycles = 13},
      {.bytes = 8 * MB, .ways = 16, .line_bytes = 64, .hash_mask = 0xfff, .inclusive = true, .hit_cycles = 42}},
     4096},
    {"Alder Lake",
     {NEAR(48 * KB, 12, 64, 5),
      {.bytes = 1280 * KB, .ways = 10, .line_bytes = 64, .hit_cycles = 15},
      {.bytes = 6 * MB, .ways = 12, .line_bytes = 64, .hash_mask = 0xfff, .hit_cycles = 68}},
     4096},
    {"Sapphire Rapids",
     {NEAR(48 * KB, 12, 64, 5),
      {.bytes = 2 * MB, .ways = 16, .line_bytes = 64, .hit_cycles = 16},
      {.bytes = 8 * MB, .ways = 16, .line_bytes = 64, .hash_mask = 0xfff, .victim = true, .hit_cycles = 70}},
     4096},
    {"Apple-like",
     {NEAR(128 * KB, 8, 128, 4),
      {.bytes = 4 * MB, .ways = 16, .line_bytes = 128, .hit_cycles = 16},
      {.bytes = 6 * MB, .ways = 12, .line_bytes = 128, .hash_mask = 0xfff, .hit_cycles = 60}},
     16384},
    {"Neoverse",
     {NEAR(64 * KB, 4, 64, 4),
      {.bytes = 1 * MB, .ways = 8, .line_bytes = 64, .inclusive = true, .hit_cycles = 11},
      {.bytes = 8 * MB, .ways = 16, .line_bytes = 64, .hash_mask = 0xfff, .victim = true, .hit_cycles = 80}},
     4096},
};

enum { KINDS = sizeof kinds / sizeof *kinds };

/* A processor of the kind, as it replaces lines, as its pages lie, as it is disturbed. */
static struct simulated_machine draw(gsl_rng *random, const struct kind *kind, unsigned long seed)
{
    static const enum policy policies[] = {LRU, LRU, TREE_PLRU, QLRU, RANDOM};
    struct simulated_machine machine = {
        .levels = 3,
        .memory_cycles = 250 + 150 * gsl_rng_uniform(random),
        .page_bytes = kind->page_bytes,
        .tlb_pages = 64 + 32 * gsl_rng_uniform_int(random, 2),
        .tlb_cycles = 7,
        .noise = 0.02 * gsl_rng_uniform(random),
        .spike_share = 0.04 * gsl_rng_uniform(random),
        .prefetch_share = gsl_rng_uniform_int(random, 2) ? 0.2 : 0.0,
        .arena_most = 128 * MB,
        .seed = seed,
    };
    for (size_t i = 0; i < SIMULATED_LEVELS; i++)
        machine.caches[i] = kind->caches[i];
    machine.caches[0].replacement = gsl_rng_uniform_int(random, 2) ? LRU : TREE_PLRU;
    machine.caches[1].replacement =
        policies[gsl_rng_uniform_int(random, sizeof policies / sizeof *policies)];
    machine.caches[2].replacement = gsl_rng_uniform_int(random, 2) ? QLRU : RANDOM;
    return machine;
}

/* As the first level was found, which is another test. */
static struct cache_found first_of(const struct simulated_cache *cache)
{
    return (struct cache_found){.ways = (double)cache->ways,
                                .line_bytes = (double)cache->line_bytes,
                                .way_bytes = (double)(cache->bytes / cache->ways),
                                .capacity_bytes = (double)cache->bytes,
                                .hit_cycles = cache->hit_cycles};
}

static struct cache_found find(const struct simulated_machine *machine, unsigned long seed)
{
    const struct cache_found first = first_of(&machine->caches[0]);
    struct backend backend = simulated_begin(machine);
    struct cache_probe probe = cache_probe_begin(&backend, seed, 2.0);
    const struct eviction_levels levels = {&first, 1.1 * machine->caches[1].hit_cycles,
                                           1.1 * machine->caches[2].hit_cycles};
    const struct cache_found found = second_level_find(&probe, &levels);
    cache_probe_end(&probe);
    simulated_end(&backend);
    return found;
}

START_TEST(second_levels_of_many_kinds_are_exact)
{
    const char *rounds = getenv("ROUNDS"), *only = getenv("ONLY");
    const unsigned long each = rounds ? strtoul(rounds, NULL, 10) : 1;
    gsl_rng *random = gsl_rng_alloc(gsl_rng_mt19937);
    size_t exact = 0, all = 0;
    for (unsigned long i = 0; i < each * KINDS; i++) {
        const struct kind *kind = &kinds[i % KINDS];
        if (only) { char t[32]; snprintf(t,32,",%lu,",i); if(!strstr(only,t)) continue; }
        gsl_rng_set(random, i + 1);
        struct simulated_machine machine = draw(random, kind, i + 1);
        if (getenv("L1LRU")) machine.caches[0].replacement = LRU;
        if (getenv("NOPRE")) machine.prefetch_share = 0;
        if (getenv("NOTLB")) machine.tlb_pages = 0;
        if (getenv("NONOISE")) machine.noise = machine.spike_share = 0;
        if (getenv("NOHASH")) machine.caches[1].hash_mask = 0;
        if (getenv("NOINC")) machine.caches[1].inclusive = false;
        printf("L1 %d pre %g noise %g spikes %g L3 %d\n", machine.caches[0].replacement, machine.prefetch_share, machine.noise, machine.spike_share, machine.caches[2].replacement);
        const struct simulated_cache *truth = &machine.caches[1];
        const struct cache_found found = find(&machine, i + 1);
        const bool is_right = found.ways == (double)truth->ways &&
                              found.capacity_bytes == (double)truth->bytes;
        printf("%lu %s policy %d: %s %g KB %g ways %g cycles\n", i, kind->name, (int)truth->replacement, found.because ? found.because : is_right ? "right" : "WRONG", found.capacity_bytes/1024, found.ways, found.hit_cycles); fflush(stdout);
        exact += is_right && !found.because;
        all++;
    }
    printf("%zu of %zu\n", exact, all);
    gsl_rng_free(random);
}
END_TEST

SUITE("second-level", second_levels_of_many_kinds_are_exact)
