#include "test/cache/processors.h"

enum { KB = 1024, MB = 1024 * KB };

/* The first level: of that many bytes, ways, bytes a line, and cycles. */
#define NEAR(size, number, line, cycles)                                                           \
    {                                                                                              \
        .bytes = size, .ways = number, .line_bytes = line, .virtually_indexed = true,              \
        .hit_cycles = cycles                                                                       \
    }

/* The second, the third; more of it follows. */
#define CACHE(size, number, line, cycles)                                                          \
    .bytes = size, .ways = number, .line_bytes = line, .hit_cycles = cycles

/* All last levels choose a set by more of the address than its lower bits. */
enum { HASHED = 0xfff };

/* How the second level of the makers replaces lines, as far as it was found out (A. Abel, J.
   Reineke: uops.info, 2019, and nanoBench, 2020): what is the oldest, or comes close to it;
   elsewhere chance may. */
#define AMD                                                                                        \
    {                                                                                              \
        LRU, LRU, TREE_PLRU                                                                        \
    }
#define INTEL                                                                                      \
    {                                                                                              \
        LRU, TREE_PLRU, QLRU                                                                       \
    }
#define ARM                                                                                        \
    {                                                                                              \
        LRU, TREE_PLRU, RANDOM                                                                     \
    }

/* Sizes, ways and cycles: manuals of the makers, and A. Fog: The microarchitecture of Intel, AMD
   and VIA CPUs. How the second level of AMD's mixes bits is not published: some are. */
const struct processor processors[PROCESSORS] = {
    {"Zen 2",
     {NEAR(32 * KB, 8, 64, 4),
      {CACHE(512 * KB, 8, 64, 12), .hash_mask = 0x303, .inclusive = true},
      {CACHE(4 * MB, 16, 64, 40), .hash_mask = HASHED, .victim = true}},
     4096,  0.01,
     AMD  },
    {"Zen 4",
     {NEAR(32 * KB, 8, 64, 4),
      {CACHE(1 * MB, 8, 64, 14), .hash_mask = 0x603, .inclusive = true},
      {CACHE(4 * MB, 16, 64, 47), .hash_mask = HASHED, .victim = true}},
     4096,  0.01,
     AMD  },
    {"Zen 5",
     {NEAR(48 * KB, 12, 64, 4),
      {CACHE(1 * MB, 16, 64, 14), .hash_mask = 0x303, .inclusive = true},
      {CACHE(4 * MB, 16, 64, 50), .hash_mask = HASHED, .victim = true}},
     4096,  0.01,
     AMD  },
    {"Haswell",
     {NEAR(32 * KB, 8, 64, 4),
      {CACHE(256 * KB, 8, 64, 12)},
      {CACHE(4 * MB, 16, 64, 36), .hash_mask = HASHED, .inclusive = true}},
     4096,  0.2,
     INTEL},
    {"Skylake client",
     {NEAR(32 * KB, 8, 64, 4),
      {CACHE(256 * KB, 4, 64, 12)},
      {CACHE(4 * MB, 16, 64, 42), .hash_mask = HASHED, .inclusive = true}},
     4096,  0.2,
     INTEL},
    {"Skylake server",
     {NEAR(32 * KB, 8, 64, 5),
      {CACHE(1 * MB, 16, 64, 14)},
      {CACHE(4 * MB, 16, 64, 60), .hash_mask = HASHED, .victim = true}},
     4096,  0.2,
     INTEL},
    {"Ice Lake client",
     {NEAR(48 * KB, 12, 64, 5),
      {CACHE(512 * KB, 8, 64, 13)},
      {CACHE(4 * MB, 16, 64, 42), .hash_mask = HASHED, .inclusive = true}},
     4096,  0.2,
     INTEL},
    {"Alder Lake",
     {NEAR(48 * KB, 12, 64, 5),
      {CACHE(1280 * KB, 10, 64, 15)},
      {CACHE(6 * MB, 12, 64, 68), .hash_mask = HASHED}},
     4096,  0.2,
     INTEL},
    {"Sapphire Rapids",
     {NEAR(48 * KB, 12, 64, 5),
      {CACHE(2 * MB, 16, 64, 16)},
      {CACHE(4 * MB, 16, 64, 70), .hash_mask = HASHED, .victim = true}},
     4096,  0.2,
     INTEL},
    {"like Apple's",
     {NEAR(128 * KB, 8, 128, 4),
      {CACHE(4 * MB, 16, 128, 16)},
      {CACHE(6 * MB, 12, 128, 60), .hash_mask = HASHED}},
     16384, 0.1,
     ARM  },
    {"like Apple's, exclusive",
     {NEAR(64 * KB, 4, 128, 4),
      {CACHE(2 * MB, 16, 128, 16), .victim = true},
      {CACHE(6 * MB, 12, 128, 60), .hash_mask = HASHED}},
     16384, 0.1,
     AMD  },
    {"Neoverse",
     {NEAR(64 * KB, 4, 64, 4),
      {CACHE(1 * MB, 8, 64, 11), .inclusive = true},
      {CACHE(4 * MB, 16, 64, 80), .hash_mask = HASHED, .victim = true}},
     4096,  0.1,
     ARM  },
};

struct simulated_machine processor_draw(const struct processor *processor, unsigned long seed)
{
    gsl_rng *random = gsl_rng_alloc(gsl_rng_mt19937);
    gsl_rng_set(random, seed);
    struct simulated_machine machine = {
        .levels = SIMULATED_LEVELS,
        .memory_cycles = 250 + 150 * gsl_rng_uniform(random),
        .page_bytes = processor->page_bytes,
        .tlb_pages = 64 + 32 * gsl_rng_uniform_int(random, 2),
        .tlb_cycles = 7,
        .noise = 0.02 * gsl_rng_uniform(random),
        .spike_share = 0.04 * gsl_rng_uniform(random),
        .prefetch_share = processor->prefetch_share,
        .arena_most = 128 * MB,
        .seed = seed,
    };
    for (size_t i = 0; i < SIMULATED_LEVELS; i++)
        machine.caches[i] = processor->caches[i];
    machine.caches[0].replacement = gsl_rng_uniform_int(random, 2) ? LRU : TREE_PLRU;
    machine.caches[1].replacement =
        processor->policies[gsl_rng_uniform_int(random, PROCESSOR_POLICIES)];
    machine.caches[2].replacement = gsl_rng_uniform_int(random, 2) ? QLRU : RANDOM;
    gsl_rng_free(random);
    return machine;
}
