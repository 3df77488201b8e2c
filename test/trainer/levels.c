/* All levels of simulated machines together, which check one another, and their translations. */
#include "trainer/memory/levels.h"
#include "model/base/allocation.h"
#include "model/records/record.h"
#include "test/cache/simulated.h"
#include "test/suite.h"
#include "trainer/memory/capacity_told.h"
#include "trainer/memory/latency.h"
#include "trainer/memory/translation.h"

#include <math.h>
#include <stdlib.h>

/* Under the sanitizers, ten times slower, some stand for all. */
#ifdef __SANITIZE_ADDRESS__
enum { LASTING = 2 };
#else
enum { LASTING = OFTEN(2, 4) };
#endif

static struct simulated_machine translating(size_t pages, size_t ways, unsigned long seed)
{
    struct simulated_machine machine = {.levels = 2,
                                        .memory_cycles = 200,
                                        .page_bytes = 4096,
                                        .tlb_pages = pages,
                                        .tlb_ways = ways,
                                        .tlb_cycles = 7,
                                        .tlb_second_pages = 8 * pages,
                                        .tlb_second_cycles = 40,
                                        .noise = 0.003,
                                        .spike_share = 0.02,
                                        .arena_most = 1 << 28,
                                        .seed = seed};
    machine.caches[0] = (struct simulated_cache){.bytes = 12 * 4096,
                                                 .ways = 12,
                                                 .line_bytes = 64,
                                                 .virtually_indexed = true,
                                                 .replacement = LRU,
                                                 .hit_cycles = 5};
    machine.caches[1] = (struct simulated_cache){
        .bytes = 2 << 20, .ways = 16, .line_bytes = 64, .replacement = LRU, .hit_cycles = 14};
    return machine;
}

/* ---- all levels, which check one another ---- */

/* What lasts: nothing; another program in every set of the first cache while that is looked for the
   first time; a slow while; a clock that has risen. The first two leave all to be found. */
START_TEST(levels_are_right_whatever_lasts)
{
    static const struct persistent lasting[] = {
        {0},
        {               .to_s = 0.02,  .set_step = 1},
        { .from_s = 0.001,  .to_s = 0.1, .factor = 1.3},
        { .from_s = 0.002, .to_s = 0.01, .factor = 0.8},
    };
    for (size_t i = 0; i < LASTING; i++) {
        struct simulated_machine machine = translating(96, 6, i + 1);
        machine.levels = 3;
        machine.caches[1].bytes = 16 * 8 * 4096;
        machine.caches[2] = (struct simulated_cache){
            .bytes = 3 << 20, .ways = 12, .line_bytes = 64, .replacement = LRU, .hit_cycles = 50};
        machine.tlb_second_pages = 0;
        machine.persistent = lasting[i];
        struct backend backend = simulated_begin(&machine);
        const struct levels levels = levels_find(&backend, i + 1, 12 << 20);
        ck_assert(levels.first.because || levels.first.capacity_bytes == 12 * 4096);
        ck_assert(levels.first.because || levels.first.ways == 12);
        ck_assert(levels.second.because || levels.second.capacity_bytes == 16 * 8 * 4096);
        ck_assert(levels.second.because || levels.second.ways == 16);
        ck_assert_msg(lasting[i].factor > 0.0 || !levels.first.because, "%s", levels.first.because);
        ck_assert_msg(i > 0 || !levels.second.because, "%s", levels.second.because);
        ck_assert_double_eq_tol(levels.first.hit_cycles, 5, 0.1);
        simulated_end(&backend);
    }
}
END_TEST

/* Cycles of walks from 8 KB on, so many an octave. */
static struct plateaus plateaus_from(const double *cycles, size_t count, double octave)
{
    struct plateaus plateaus = {.walk_count = count};
    for (size_t i = 0; i < count; i++)
        plateaus.walks[i] = (struct walked){8192.0 * exp2((double)i / octave), cycles[i]};
    plateaus_of(&plateaus);
    return plateaus;
}

/* As they were measured, rounded: a quiet machine, and one whose last level others disturbed, where
   no octave of memory is flat. */
START_TEST(memory_is_not_mistaken)
{
    static const double quiet[] = {5,  5,  5,  5,  5,  16, 16, 16, 16,  16,  16,  16,  16,  35, 54,
                                   57, 58, 60, 61, 61, 62, 63, 85, 164, 190, 195, 192, 197, 212};
    static const double unsteady[] = {5,  5,  5,  5,   5,   16,  16,  16,  16, 16,
                                      16, 16, 16, 35,  54,  57,  58,  60,  61, 61,
                                      62, 63, 81, 105, 169, 259, 200, 272, 201};
    const size_t count = sizeof quiet / sizeof *quiet;
    const struct plateaus reached = plateaus_from(quiet, count, 2),
                          hidden = plateaus_from(unsteady, count, 2);
    ck_assert_uint_eq(reached.count, 4);
    ck_assert(plateaus_reach_memory(&reached));
    ck_assert_uint_eq(hidden.count, 3);
    ck_assert(!plateaus_reach_memory(&hidden));
}
END_TEST

/* Beyond a last cache that others use, no octave is flat, yet all of it is far above the cache;
   while times only rise, memory was not reached. */
START_TEST(memory_may_be_uneven)
{
    static const double uneven[] = {5,  5,  5,  5,   5,   5,   5,   5,   5,   16,  16,  16, 16, 16,
                                    16, 16, 16, 16,  60,  60,  60,  60,  60,  60,  60,  60, 60, 85,
                                    99, 99, 99, 190, 259, 200, 272, 201, 230, 290, 205, 280};
    static const double rising[] = {5,  5,  5,  5,   5,   5,   5,   5,   5,   16,  16,  16, 16, 16,
                                    16, 16, 16, 16,  60,  60,  60,  60,  60,  60,  60,  60, 60, 66,
                                    73, 80, 90, 100, 112, 126, 140, 160, 180, 205, 230, 260};
    const size_t count = sizeof uneven / sizeof *uneven;
    const struct plateaus found = plateaus_from(uneven, count, 4),
                          beyond = plateaus_from(rising, count, 4);
    ck_assert_uint_eq(found.count, 4);
    ck_assert_double_eq(found.items[3].cycles, 230);
    ck_assert(plateaus_reach_memory(&found));
    ck_assert(!plateaus_reach_memory(&beyond));
}
END_TEST

/* As it was measured, rounded, in cycles from 8 KB on, four an octave: a third level of 32 MB,
   which others fill all the time. And two levels as the kindest of replacements would have them,
   disturbed. */
START_TEST(a_level_that_others_fill_is_not_lost)
{
    static const double filled[] = {4,   4,   4,   4,   4,   4,   4,   9,   13,  14,  14,  14,
                                    14,  14,  14,  14,  14,  14,  14,  14,  14,  14,  14,  14,
                                    16,  17,  18,  19,  27,  33,  38,  41,  114, 72,  239, 538,
                                    546, 731, 679, 763, 816, 642, 724, 723, 407, 423, 431, 429,
                                    411, 422, 427, 434, 390, 361, 413, 434};
    const size_t count = sizeof filled / sizeof *filled;
    const double second_bytes = 1 << 20, memory_cycles = 420;
    struct plateaus plateaus = plateaus_from(filled, count, 4);
    ck_assert_uint_eq(plateaus.count, 3);
    plateaus_know_second(&plateaus, second_bytes);
    ck_assert_uint_eq(plateaus.count, 4);
    ck_assert(plateaus.items[2].cycles == 41);
    ck_assert(plateaus.items[2].fits_bytes > second_bytes &&
              plateaus.items[2].fits_bytes < 32 * second_bytes);
    ck_assert(plateaus_reach_memory(&plateaus));
    double two[56];
    for (size_t i = 0; i < count; i++) {
        const double share = fmin(1.0, second_bytes / plateaus.walks[i].bytes);
        two[i] =
            i < 7 ? 4.0 : (14.0 * share + memory_cycles * (1.0 - share)) * (i % 5 == 0 ? 1.2 : 1.0);
    }
    plateaus = plateaus_from(two, count, 4);
    plateaus_know_second(&plateaus, second_bytes);
    ck_assert_uint_eq(plateaus.count, 3);
}
END_TEST

/* ---- translations ---- */

static struct cache_found as_found(const struct simulated_cache *cache)
{
    return (struct cache_found){.ways = (double)cache->ways,
                                .line_bytes = (double)cache->line_bytes,
                                .way_bytes = (double)(cache->bytes / cache->ways),
                                .capacity_bytes = (double)cache->bytes,
                                .hit_cycles = cache->hit_cycles};
}

START_TEST(translations_are_counted)
{
    static const struct {
        size_t pages, ways; /* 0 ways: any */
    } truth[] = {
        {96,  6},
        {64,  4},
        {64,  0},
        {32,  0},
        {48,  0},
        {128, 8},
        {16,  2},
        {64,  1},
    };
    for (size_t i = 0; i < sizeof truth / sizeof *truth; i++) {
        const struct simulated_machine machine = translating(truth[i].pages, truth[i].ways, i + 1);
        const struct cache_found cache = as_found(&machine.caches[0]);
        struct backend backend = simulated_begin(&machine);
        struct cache_probe probe = cache_probe_begin(&backend, i + 1, 1.0);
        const struct translation_found first = translation_find_first(&probe, &cache);
        ck_assert_msg(!first.because, "%zu: %s", truth[i].pages, first.because);
        if (truth[i].ways) {
            ck_assert_double_eq(first.entries, (double)truth[i].pages);
            ck_assert_double_eq(first.ways, (double)truth[i].ways);
            ck_assert_ptr_null(first.open);
        } else { /* one set, of which the program's own pages have some */
            ck_assert(isnan(first.entries) && isnan(first.ways));
            ck_assert_double_eq(first.entries_low, (double)truth[i].pages);
            ck_assert_double_ge(first.entries_high, 1.1 * (double)truth[i].pages);
            ck_assert_ptr_nonnull(first.open);
        }
        ck_assert_double_eq_tol(first.miss_cycles, 7, 0.5);
        const struct translation_found second =
            translation_find_second(&probe, &first, 64.0, (2 << 20) / 64 / 4);
        ck_assert_msg(!second.because, "%zu: %s", truth[i].pages, second.because);
        ck_assert_double_le(second.entries_low, 8.0 * (double)truth[i].pages);
        ck_assert_double_ge(second.entries_high, 8.0 * (double)truth[i].pages);
        ck_assert_double_le(second.entries_high, 2.0 * second.entries_low);
        /* Lines close together are on more pages than a small first level holds. */
        ck_assert_double_eq_tol(second.miss_cycles, 40, machine.tlb_cycles);
        cache_probe_end(&probe);
        simulated_end(&backend);
    }
}
END_TEST

/* More translations than the first cache has lines for: it is said so, and nothing invented. */
START_TEST(translations_that_cannot_be_counted_are_refused)
{
    struct simulated_machine machine = translating(1024, 4, 1);
    const struct cache_found cache = as_found(&machine.caches[0]);
    struct backend backend = simulated_begin(&machine);
    struct cache_probe probe = cache_probe_begin(&backend, 1, 1.0);
    ck_assert_ptr_nonnull(translation_find_first(&probe, &cache).because);
    cache_probe_end(&probe);
    simulated_end(&backend);
    machine = translating(64, 4, 1);
    machine.tlb_second_pages = 0;
    backend = simulated_begin(&machine);
    probe = cache_probe_begin(&backend, 1, 1.0);
    const struct translation_found first = translation_find_first(&probe, &cache);
    ck_assert_double_eq(first.entries, 64);
    ck_assert_ptr_nonnull(translation_find_second(&probe, &first, 64.0, 8192.0).because);
    /* A hit that was taken for shorter makes every ring look like one that misses. */
    struct cache_found hasty = cache;
    hasty.hit_cycles *= 0.88;
    ck_assert_ptr_nonnull(translation_find_first(&probe, &hasty).because);
    cache_probe_end(&probe);
    simulated_end(&backend);
}
END_TEST

/* ---- memory ---- */

/* By pages a quarter of the loads misses its translation: four lines of each of a block. */
START_TEST(memory_is_timed_with_and_without_translations)
{
    struct simulated_machine machine = translating(64, 4, 1);
    struct latency near = {0}, apart = {0};
    machine.prefetch_share = 0.2;
    struct backend backend = simulated_begin(&machine);
    struct cache_probe probe = cache_probe_begin(&backend, 1, 1e9);
    ck_assert(isnan(latency_of(&near).ns));
    for (int i = 0; i < 3; i++) {
        latency_look(&probe, 128 << 20, 64.0, &near);
        latency_look_apart(&probe, 128 << 20, 64.0, &apart);
    }
    const double cycle_ns = backend.cycle_ns(backend.state);
    const struct latency_found found = latency_of(&near), found_apart = latency_of(&apart);
    ck_assert_uint_eq(near.count, 3);
    ck_assert_double_eq_tol(found.ns, (200 + 0.25 * (7 + 40)) * cycle_ns, 0.02 * 200 * cycle_ns);
    ck_assert_double_eq_tol(found_apart.ns, (200 + 7 + 40) * cycle_ns, 0.02 * 200 * cycle_ns);
    ck_assert(found.low_ns <= found.ns && found.ns <= found.high_ns);
    cache_probe_end(&probe);
    simulated_end(&backend);
}
END_TEST

START_TEST(a_disturbed_moment_is_in_the_interval_alone)
{
    const struct latency latency = {
        {121, 150, 119, 120, 122},
        5
    };
    const struct latency_found found = latency_of(&latency);
    ck_assert_double_eq(found.ns, 120);
    ck_assert_double_eq(found.low_ns, 119);
    ck_assert_double_eq(found.high_ns, 150);
}
END_TEST

/* ---- what the system tells ---- */

/* A level that was measured, what the system tells of it, and what comes out; 0: not known. */
struct weighed {
    bool is_private;
    double exact, low, high, told;
    double to_exact, to_low, to_high;
};

static void weigh(const struct weighed *row)
{
    struct memory_level level;
    record_begin(&memory_level_record, &level);
    level.told_capacity_bytes = row->told > 0.0 ? row->told : (double)NAN;
    level.told_ways = 16;
    level.method = memory_copy_text("walks");
    if (row->exact > 0.0) {
        level.capacity_bytes = row->exact;
    } else {
        level.capacity_bytes_low = row->low;
        level.capacity_bytes_high = row->high;
        level.because = memory_copy_text("of walks");
    }
    capacity_weigh_told(&level, row->is_private);
    if (row->to_exact > 0.0) {
        const bool is_told = row->exact == 0.0;
        ck_assert_double_eq(level.capacity_bytes, row->to_exact);
        ck_assert(isnan(level.capacity_bytes_low) && isnan(level.capacity_bytes_high));
        ck_assert_str_eq(level.method, is_told ? "told, confirmed" : "walks");
        ck_assert(!level.because && (!is_told || level.ways == 16));
    } else {
        ck_assert(isnan(level.capacity_bytes) && level.because);
        ck_assert_double_eq(level.capacity_bytes_low, row->to_low);
        ck_assert_double_eq(level.capacity_bytes_high, row->to_high);
        ck_assert_str_eq(level.method, "walks");
    }
    free(level.method);
    free(level.because);
}

START_TEST(told_capacities_are_taken_where_walks_confirm_them)
{
    static const double K = 1024, M = 1024 * 1024;
    const struct weighed rows[] = {
  /* hidden: the measurement alone */
        {true,  48 * K, 0,       0,      0,       48 * K, 0,       0     },
        {true,  0,      1 * M,   67 * M, 0,       0,      1 * M,   67 * M},
        {false, 0,      7 * M,   20 * M, 0,       0,      7 * M,   20 * M},
 /* true */
        {true,  48 * K, 0,       0,      48 * K,  48 * K, 0,       0     },
        {true,  0,      1 * M,   67 * M, 2 * M,   2 * M,  0,       0     },
        {false, 0,      6 * M,   48 * M, 32 * M,  0,      6 * M,   32 * M},
 /* true, and others had a part of it: nobody knows how much of a shared one they leave */
        {true,  24 * K, 0,       0,      48 * K,  0,      24 * K,  48 * K},
        {true,  0,      0.5 * M, 1 * M,  2 * M,   0,      0.5 * M, 2 * M },
        {false, 0,      7 * M,   20 * M, 480 * M, 0,      7 * M,   20 * M},
        {false, 4 * M,  0,       0,      8 * M,   4 * M,  0,       0     },
 /* false: less than was seen */
        {true,  48 * K, 0,       0,      32 * K,  48 * K, 0,       0     },
        {true,  0,      1.5 * M, 3 * M,  1 * M,   0,      1.5 * M, 3 * M },
        {false, 0,      7 * M,   20 * M, 4 * M,   0,      7 * M,   20 * M},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        weigh(&rows[i]);
}
END_TEST

SUITE("levels", told_capacities_are_taken_where_walks_confirm_them, levels_are_right_whatever_lasts,
      memory_is_not_mistaken, memory_may_be_uneven, a_level_that_others_fill_is_not_lost,
      translations_are_counted, translations_that_cannot_be_counted_are_refused,
      memory_is_timed_with_and_without_translations, a_disturbed_moment_is_in_the_interval_alone)
