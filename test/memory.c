/* The search for caches on simulated machines, whose caches are known. */
#include "test/cache/simulated.h"
#include "test/suite.h"
#include "trainer/memory/geometry.h"
#include "trainer/memory/plateaus.h"

#include <gsl/gsl_rng.h>
#include <math.h>

/* A machine drawn at random: geometries of processors that there are, and some that there are not.
 */
static struct simulated_machine draw(gsl_rng *random, unsigned long seed)
{
    static const size_t ways[] = {2, 4, 6, 8, 12, 16}, lines[] = {32, 64, 64, 128},
                        pages[] = {4096, 4096, 16384, 65536};
    /* First levels replace at random or what is old; stale lines of other policies can last. */
    static const enum policy replacements[] = {LRU, TREE_PLRU, RANDOM};
    const size_t first_ways = ways[gsl_rng_uniform_int(random, 6)];
    const size_t line = lines[gsl_rng_uniform_int(random, 4)];
    struct simulated_machine machine = {
        .levels = 3,
        .memory_cycles = 200 + gsl_rng_uniform(random) * 200,
        .page_bytes = pages[gsl_rng_uniform_int(random, 4)],
        .tlb_pages = gsl_rng_uniform_int(random, 2) ? 64 + gsl_rng_uniform_int(random, 64) : 0,
        .tlb_cycles = 7,
        .noise = 0.003,
        .spike_share = 0.02,
        .arena_most = 1 << 28,
        .seed = seed,
    };
    machine.caches[0] = (struct simulated_cache){
        .bytes = first_ways * 4096,
        .ways = first_ways,
        .line_bytes = line,
        .virtually_indexed = true,
        .replacement = replacements[gsl_rng_uniform_int(random, 3)],
        .hit_cycles = 3.0 + (double)gsl_rng_uniform_int(random, 3),
    };
    machine.caches[1] = (struct simulated_cache){
        .bytes = 16 * 65536, .ways = 16, .line_bytes = line, .replacement = LRU, .hit_cycles = 14};
    machine.caches[2] = (struct simulated_cache){
        .bytes = 16 << 20, .ways = 16, .line_bytes = line, .replacement = LRU, .hit_cycles = 45};
    return machine;
}

/* Under the sanitizers, ten times slower, some stand for all. */
#ifdef __SANITIZE_ADDRESS__
enum { MACHINES = 20, SECOND_MACHINES = 2, WALKED = 1 };
#else
enum { MACHINES = 200, SECOND_MACHINES = 12, WALKED = 2 };
#endif

START_TEST(first_levels_are_found_exactly)
{
    gsl_rng *random = gsl_rng_alloc(gsl_rng_mt19937);
    for (unsigned long i = 1; i <= MACHINES; i++) {
        const struct simulated_machine machine = draw(random, i);
        const struct simulated_cache *truth = &machine.caches[0];
        struct backend backend = simulated_begin(&machine);
        struct probe probe = probe_begin(&backend, i, 1e9);
        const struct cache_found found = geometry_find_first(&probe);
        ck_assert_msg(!found.because && found.ways == (double)truth->ways &&
                          found.line_bytes == (double)truth->line_bytes &&
                          found.capacity_bytes == (double)truth->bytes,
                      "machine %lu: %zu bytes, %zu ways, line %zu, replacement %d, page %zu: found "
                      "%g, %g, %g: %s",
                      i, truth->bytes, truth->ways, truth->line_bytes, (int)truth->replacement,
                      machine.page_bytes, found.capacity_bytes, found.ways, found.line_bytes,
                      found.because ? found.because : "");
        ck_assert_double_eq_tol(found.hit_cycles, truth->hit_cycles, 0.02 * truth->hit_cycles);
        probe_end(&probe);
        simulated_end(&backend);
    }
    gsl_rng_free(random);
}
END_TEST

/* As the suite does: what chance or a disturbance led astray is begun again. */
enum { ATTEMPTS = 3 };

static void assert_second(const struct simulated_machine *machine, unsigned long number,
                          bool must_be_found)
{
    const struct simulated_cache *truth = &machine->caches[1];
    struct backend backend = simulated_begin(machine);
    struct probe probe = probe_begin(&backend, number, 3.0);
    const struct cache_found first = geometry_find_first(&probe);
    const struct cache_found found =
        geometry_find_second(&probe, &first, machine->caches[2].hit_cycles - truth->hit_cycles);
    const bool is_right = !found.because && found.ways == (double)truth->ways &&
                          found.capacity_bytes == (double)truth->bytes;
    ck_assert_msg(is_right || (found.because && !must_be_found),
                  "machine %lu: %zu bytes, %zu ways, replacement %d: found %g, %g: %s", number,
                  truth->bytes, truth->ways, (int)truth->replacement, found.capacity_bytes,
                  found.ways, found.because ? found.because : "");
    probe_end(&probe);
    simulated_end(&backend);
}

/* Second levels indexed by physical addresses, whose pages lie anywhere. Where the oldest line goes
   they are found; elsewhere what is found is right. */
START_TEST(second_levels_are_found_exactly)
{
    static const size_t ways[] = {12, 16, 16, 20}, colours[] = {2, 4, 8, 16, 32};
    static const enum policy replacements[] = {LRU, LRU, TREE_PLRU, QLRU, RANDOM};
    gsl_rng *random = gsl_rng_alloc(gsl_rng_mt19937);
    for (unsigned long i = 1; i <= SECOND_MACHINES; i++) {
        struct simulated_machine machine = draw(random, i);
        struct simulated_cache *first = &machine.caches[0], *truth = &machine.caches[1];
        machine.page_bytes = 4096;
        first->ways = 8;
        first->bytes = 8 * 4096;
        first->replacement = LRU;
        truth->ways = ways[gsl_rng_uniform_int(random, 4)];
        truth->bytes = truth->ways * 4096 * colours[gsl_rng_uniform_int(random, 5)];
        truth->replacement = replacements[gsl_rng_uniform_int(random, 5)];
        assert_second(&machine, i, truth->replacement == LRU);
    }
    gsl_rng_free(random);
}
END_TEST

START_TEST(plateaus_hold_the_capacities)
{
    gsl_rng *random = gsl_rng_alloc(gsl_rng_mt19937);
    for (unsigned long i = 1; i <= WALKED; i++) {
        struct simulated_machine machine = draw(random, i);
        machine.page_bytes = 4096;
        machine.caches[0].replacement = LRU;
        machine.caches[0].bytes = 12 * 4096;
        machine.caches[0].ways = 12;
        machine.caches[2].bytes = 8 << 20;
        struct backend backend = simulated_begin(&machine);
        struct probe probe = probe_begin(&backend, i, 1e9);
        const struct plateaus found =
            plateaus_find(&probe, 32 << 20, (double)machine.caches[0].line_bytes);
        ck_assert_uint_eq(found.count, 4);
        for (size_t level = 0; level < 3; level++) {
            const double truth = (double)machine.caches[level].bytes;
            ck_assert_double_le(found.items[level].fits_bytes, truth);
            ck_assert_double_ge(found.items[level].overflow_bytes, truth);
        }
        ck_assert_double_eq_tol(found.items[0].cycles, machine.caches[0].hit_cycles, 0.3);
        ck_assert_double_eq_tol(found.items[1].cycles, 14, 2);
        ck_assert_double_eq_tol(found.items[3].cycles, machine.memory_cycles,
                                0.1 * machine.memory_cycles);
        probe_end(&probe);
        simulated_end(&backend);
    }
    gsl_rng_free(random);
}
END_TEST

/* Cycles of walks from 8 KB on, two an octave. */
static struct plateaus plateaus_from(const double *cycles, size_t count)
{
    struct plateaus plateaus = {.walk_count = count};
    for (size_t i = 0; i < count; i++)
        plateaus.walks[i] = (struct walked){8192.0 * exp2(0.5 * (double)i), cycles[i]};
    plateaus_of(&plateaus);
    return plateaus;
}

/* As they were measured, rounded: a quiet machine, and one whose last level others disturbed, where
   no octave of memory is flat. */
START_TEST(memory_is_not_mistaken)
{
    static const double quiet[] = {5,  5,  5,  5,  5,  16, 16, 16, 16,  16,  16,  16,  16,  35, 54,
                                   57, 58, 60, 61, 61, 62, 63, 85, 164, 190, 195, 192, 197, 212};
    static const double moody[] = {5,  5,  5,  5,  5,  16, 16, 16, 16,  16,  16,  16,  16,  35, 54,
                                   57, 58, 60, 61, 61, 62, 63, 81, 105, 169, 259, 200, 272, 201};
    const size_t count = sizeof quiet / sizeof *quiet;
    const struct plateaus reached = plateaus_from(quiet, count),
                          hidden = plateaus_from(moody, count);
    ck_assert_uint_eq(reached.count, 4);
    ck_assert(plateaus_reach_memory(&reached));
    ck_assert_uint_eq(hidden.count, 3);
    ck_assert(!plateaus_reach_memory(&hidden));
}
END_TEST

SUITE("memory", memory_is_not_mistaken, first_levels_are_found_exactly,
      second_levels_are_found_exactly, plateaus_hold_the_capacities)
