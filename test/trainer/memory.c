/* The search for caches on simulated machines, whose caches are known. */
#include "test/cache/simulated.h"
#include "test/suite.h"
#include "trainer/caches/geometry.h"
#include "trainer/memory/plateaus.h"

#include <gsl/gsl_rng.h>
#include <math.h>

#define PICK(array) (array)[gsl_rng_uniform_int(random, sizeof(array) / sizeof *(array))]

/* A machine drawn at random: geometries of processors that there are, and many that there are not.
   A way of the first level is up to 8 pages, so that its lines have up to 8 colours, and down to a
   64th of one. */
static struct simulated_machine draw(gsl_rng *random, unsigned long seed)
{
    static const size_t ways[] = {2, 3, 4, 5, 6, 8, 10, 12, 16, 20, 24},
                        lines[] = {32, 64, 128, 256}, pages[] = {4096, 4096, 8192, 16384, 65536};
    const size_t first_ways = PICK(ways), line = PICK(lines);
    const size_t way_bytes = 1024ul << gsl_rng_uniform_int(random, 6);
    struct simulated_machine machine = {
        .levels = 3,
        .memory_cycles = 200 + gsl_rng_uniform(random) * 200,
        .page_bytes = PICK(pages),
        .tlb_pages = gsl_rng_uniform_int(random, 2) ? 64 + gsl_rng_uniform_int(random, 64) : 0,
        .tlb_cycles = 7,
        .noise = 0.003,
        .spike_share = 0.02,
        .prefetch_share = gsl_rng_uniform_int(random, 2) ? 0.2 : 0.0,
        .arena_most = 1 << 28,
        .seed = seed,
    };
    machine.caches[0] = (struct simulated_cache){
        .ways = first_ways,
        .line_bytes = line,
        .bytes = first_ways * (way_bytes > 4 * line ? way_bytes : 4 * line),
        .virtually_indexed = true,
        .replacement = (enum policy)gsl_rng_uniform_int(random, POLICIES),
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
enum { COUNT = OFTEN(6, 20), WALKED = 1, DISTURBED = COUNT };
#else
enum { COUNT = OFTEN(20, 240), WALKED = 1, DISTURBED = 2 * COUNT / 5 };
#endif

/* As the suite does: what chance or a disturbance led astray is begun again. */
enum { ATTEMPTS = 3 };

/* Whether it was found; what is found is right, what is not has a reason. */
static bool first_is_found(const struct simulated_machine *machine, unsigned long number)
{
    const struct simulated_cache *truth = &machine->caches[0];
    struct backend backend = simulated_begin(machine);
    struct cache_probe probe = cache_probe_begin(&backend, number, 1.0);
    struct cache_found found = {.because = "not tried"};
    for (int i = 0; i < ATTEMPTS && found.because; i++)
        found = geometry_find_first(&probe);
    ck_assert_msg(
        found.because ||
            (found.ways == (double)truth->ways && found.line_bytes == (double)truth->line_bytes &&
             found.capacity_bytes == (double)truth->bytes),
        "machine %lu: %zu bytes, %zu ways, line %zu, policy %d, page %zu: found %g, %g, %g", number,
        truth->bytes, truth->ways, truth->line_bytes, (int)truth->replacement, machine->page_bytes,
        found.capacity_bytes, found.ways, found.line_bytes);
    if (!(machine->persistent.factor > 0.0))
        ck_assert_double_eq_tol(found.hit_cycles, truth->hit_cycles, 0.02 * truth->hit_cycles);
    cache_probe_end(&probe);
    simulated_end(&backend);
    return !found.because;
}

/* Of 1000 drawn in the same way 995 are found, and 5 refused, which have 20 or 24 ways of 4 or 8
   pages; none is wrong. */
START_TEST(first_levels_are_found_exactly)
{
    gsl_rng *random = gsl_rng_alloc(gsl_rng_mt19937);
    size_t found = 0;
    for (unsigned long i = 1; i <= COUNT; i++) {
        const struct simulated_machine machine = draw(random, i);
        found += first_is_found(&machine, i);
    }
    ck_assert_uint_ge(100 * found, 98 * COUNT);
    gsl_rng_free(random);
}
END_TEST

/* ---- what disturbs for a while ---- */

/* Another program takes a way of the sets that a search begins with, or of some of them; the clock
   changes while rings are timed; a second of the machine is slow. From where in the search on, and
   until where, is drawn; it lasts some milliseconds. */
static struct persistent draw_persistent(gsl_rng *random, const struct simulated_machine *machine)
{
    static const double factors[] = {0.75, 0.8, 0.9, 0.95, 1.05, 1.1, 1.25, 2.0};
    const double from_s = 2e-3 * gsl_rng_uniform(random);
    struct persistent persistent = {.from_s = from_s,
                                    .to_s = from_s + 5e-3 * gsl_rng_uniform(random)};
    if (gsl_rng_uniform_int(random, 2)) {
        const size_t eighth = machine->page_bytes / 8 / machine->caches[0].line_bytes;
        persistent.set_step = eighth > 8 ? eighth : 8;
        persistent.to_s += (double)gsl_rng_uniform_int(random, 2); /* or for ever */
    } else {
        persistent.factor = PICK(factors);
    }
    return persistent;
}

/* A hit that was timed while it lasted is off by as much; what is found of the cache is right. */
START_TEST(first_levels_are_right_or_refused_whatever_lasts)
{
    gsl_rng *random = gsl_rng_alloc(gsl_rng_mt19937);
    size_t found = 0;
    for (unsigned long i = 1; i <= DISTURBED; i++) {
        struct simulated_machine machine = draw(random, i);
        machine.persistent = draw_persistent(random, &machine);
        found += first_is_found(&machine, i);
    }
    ck_assert_uint_ge(2 * found, DISTURBED);
    gsl_rng_free(random);
}
END_TEST

START_TEST(plateaus_hold_the_capacities)
{
    gsl_rng *random = gsl_rng_alloc(gsl_rng_mt19937);
    for (unsigned long i = 1; i <= WALKED; i++) {
        struct simulated_machine machine = draw(random, i);
        machine.page_bytes = 4096;
        machine.prefetch_share = 0.0;
        machine.caches[0].replacement = LRU;
        machine.caches[0].bytes = 12 * 4096;
        machine.caches[0].ways = 12;
        machine.caches[2].bytes = 8 << 20;
        struct backend backend = simulated_begin(&machine);
        struct cache_probe probe = cache_probe_begin(&backend, i, 1e9);
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
        cache_probe_end(&probe);
        simulated_end(&backend);
    }
    gsl_rng_free(random);
}
END_TEST

/* What took a part of a cache when it was walked through first has gone when it is once more. */
START_TEST(walks_are_repaired)
{
    gsl_rng *random = gsl_rng_alloc(gsl_rng_mt19937);
    gsl_rng_set(random, 1);
    struct simulated_machine machine = draw(random, 1);
    machine.page_bytes = 4096;
    machine.prefetch_share = 0.0;
    machine.caches[0].replacement = LRU;
    machine.caches[0].bytes = 12 * 4096;
    machine.caches[0].ways = 12;
    struct backend backend = simulated_begin(&machine);
    struct cache_probe probe = cache_probe_begin(&backend, 1, 1e9);
    const double line_bytes = (double)machine.caches[0].line_bytes, truth = 12 * 4096;
    struct plateaus found = plateaus_find(&probe, 1 << 19, line_bytes);
    for (size_t i = 0; i < found.walk_count; i++)
        if (found.walks[i].bytes > 24576 && found.walks[i].bytes <= truth)
            found.walks[i].cycles = machine.caches[1].hit_cycles;
    plateaus_of(&found);
    ck_assert_double_lt(found.items[0].overflow_bytes, truth);
    plateaus_again(&probe, 1 << 17, line_bytes, &found);
    ck_assert_double_gt(found.items[0].fits_bytes, 0.8 * truth);
    ck_assert_double_ge(found.items[0].overflow_bytes, truth);
    ck_assert_double_le(found.items[1].from_bytes, found.items[1].fits_bytes);
    cache_probe_end(&probe);
    simulated_end(&backend);
    gsl_rng_free(random);
}
END_TEST

SUITE("memory", first_levels_are_found_exactly, first_levels_are_right_or_refused_whatever_lasts,
      plateaus_hold_the_capacities, walks_are_repaired)
