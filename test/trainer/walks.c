/* Walks with a stride, as the trainer times them: on simulated caches, whose times are known. */
#include "trainer/memory/walks.h"
#include "test/cache/simulated.h"
#include "test/suite.h"

#include <math.h>

static const double in_cache = 300.0 * 1024, in_memory = 16.0 * 1024 * 1024;

/* The first cache is indexed within pages, as they all are; the second one's sets are where its
   pages happen to lie, so that it keeps what leaves it room. */
static struct simulated_machine two_caches(unsigned long seed)
{
    return (struct simulated_machine){
        .levels = 2,
        .caches =
            {{.bytes = 48 << 10, .ways = 12, .line_bytes = 64, .replacement = LRU, .hit_cycles = 1},
                     {.bytes = 1 << 20, .ways = 16, .line_bytes = 64, .replacement = LRU, .hit_cycles = 6}},
        .memory_cycles = 20,
        .memory_store_cycles = 33,
        .in_turn_cycles = 9,
        .page_bytes = 4096,
        .noise = 0.003,
        .spike_share = 0.03,
        .arena_most = 32 << 20,
        .seed = seed,
    };
}

struct walks {
    struct strided_lines of[STRIDES_MOST];
    size_t count;
};

static struct walks walks_of(double period_lines)
{
    struct walks walks;
    double strides[STRIDES_MOST];
    walks.count = walks_strides(period_lines, strides);
    for (size_t i = 0; i < walks.count; i++) {
        record_begin(&strided_lines_record, &walks.of[i]);
        walks.of[i].stride_lines = strides[i];
    }
    return walks;
}

static void assert_near(double value, double expected, double share)
{
    ck_assert_double_eq_tol(value, expected, share * expected);
}

static void assert_walks(const struct walks *walks, double load, double store, double in_turn,
                         double share)
{
    for (size_t i = 0; i < walks->count; i++) {
        assert_near(walks->of[i].load_line_cycles, load, share);
        assert_near(walks->of[i].store_line_cycles, store, share);
        assert_near(walks->of[i].store_in_turn_line_cycles, in_turn, share);
    }
}

/* Every access of every stride misses the first cache, and nothing the second: 6 cycles. In memory
   a tenth of the lines may have been met before. */
START_TEST(every_access_is_a_line_from_its_level)
{
    for (unsigned long seed = 1; seed <= 4; seed++) {
        const struct simulated_machine machine = two_caches(seed);
        struct backend backend = simulated_begin(&machine);
        struct walks near = walks_of(64.0), far = near;
        walks_measure(&backend, in_cache, 64.0, true, near.of, near.count);
        assert_walks(&near, 6.0, 6.0, 15.0, 0.02);
        walks_measure(&backend, in_memory, 64.0, false, far.of, far.count);
        assert_walks(&far, 20.0, 33.0, 42.0, 0.1);
        simulated_end(&backend);
    }
}
END_TEST

/* Of a megabyte most would still come from memory when samples are taken. */
START_TEST(all_lines_are_gone_through_before_they_count)
{
    struct simulated_machine machine = two_caches(7);
    machine.caches[1].bytes = 8 << 20;
    struct backend backend = simulated_begin(&machine);
    struct walks walks = walks_of(64.0);
    walks_measure(&backend, 1 << 20, 64.0, true, walks.of, walks.count);
    assert_walks(&walks, 6.0, 6.0, 15.0, 0.02);
    simulated_end(&backend);
}
END_TEST

/* Moments in which everything takes three times as long, and between them one in which nothing is
   disturbed. */
START_TEST(of_three_moments_the_disturbed_ones_do_not_count)
{
    struct simulated_machine machine = two_caches(5);
    struct walks walks = walks_of(64.0);
    for (int moment = 0; moment < 3; moment++) {
        machine.persistent = (struct persistent){.to_s = moment == 1 ? 0.0 : 1e9, .factor = 3.0};
        struct backend backend = simulated_begin(&machine);
        walks_measure(&backend, in_cache, 64.0, true, walks.of, walks.count);
        if (moment == 0)
            assert_walks(&walks, 18.0, 18.0, 45.0, 0.05);
        else
            assert_walks(&walks, 6.0, 6.0, 15.0, 0.02);
        simulated_end(&backend);
    }
}
END_TEST

/* Eight strides of 64 lines are 32 KB; and what no memory is left for is not known. */
START_TEST(an_array_too_short_for_a_stride_says_nothing_of_it)
{
    struct simulated_machine machine = two_caches(6);
    struct backend backend = simulated_begin(&machine);
    struct walks walks = walks_of(64.0);
    walks_measure(&backend, 16.0 * 1024, 64.0, true, walks.of, walks.count);
    for (size_t i = 0; i < walks.count; i++)
        ck_assert_int_eq(isnan(walks.of[i].store_line_cycles), walks.of[i].stride_lines > 32.0);
    walks = walks_of(64.0);
    walks_measure(&backend, 2.0 * (double)machine.arena_most, 64.0, false, walks.of, walks.count);
    for (size_t i = 0; i < walks.count; i++)
        ck_assert(isnan(walks.of[i].load_line_cycles));
    simulated_end(&backend);
}
END_TEST

/* The powers of two up to the period in their order, and 17. */
START_TEST(strides_reach_ever_fewer_sets)
{
    for (double period = 1.0; period <= 1024.0; period *= 2.0) {
        double strides[STRIDES_MOST], power = 2.0;
        const size_t count = walks_strides(period, strides);
        ck_assert_uint_eq(count, (size_t)log2(period) + 1);
        for (size_t i = 0; i < count; i++) {
            ck_assert(i == 0 || strides[i] > strides[i - 1]);
            if (strides[i] == 17.0)
                continue;
            ck_assert_double_eq(strides[i], power);
            power *= 2.0;
        }
        ck_assert_double_eq(power, 2.0 * period);
    }
}
END_TEST

/* Those of another nearest cache take the place of all. */
START_TEST(walks_go_through_every_level_but_the_nearest)
{
    const double levels[] = {1.0, 2.0, INFINITY}, periods[] = {1024.0, 1.0, 64.0};
    struct memory memory;
    record_begin(&memory_record, &memory);
    for (size_t i = 0; i < 3; i++)
        ((struct memory_level *)list_add(&memory_level_record, &memory.levels))->level = levels[i];
    for (size_t k = 0; k < 3; k++) {
        double strides[STRIDES_MOST];
        const size_t count = walks_strides(periods[k], strides);
        walks_begin(&memory, periods[k]);
        ck_assert_uint_eq(memory.strided.count, 2 * count);
        for (size_t i = 0; i < 2 * count; i++) {
            struct strided_lines *walk = (struct strided_lines *)memory.strided.items + i;
            ck_assert_double_eq(walk->level, levels[1 + i / count]);
            ck_assert_double_eq(walk->stride_lines, strides[i % count]);
            ck_assert(isnan(walk->load_line_cycles));
            walk->load_line_cycles = 1.0;
        }
    }
    record_free(&memory_record, &memory);
}
END_TEST

/* Round after round all lines of the array once before one comes again. */
START_TEST(rounds_go_through_all_columns)
{
    struct sweep sweep = {.bytes = 4096, .stride_bytes = 512, .shift_bytes = 64};
    for (size_t round = 1; round <= 16; round++) {
        sweep.at = sweep_next_round(&sweep, sweep.at + sweep.bytes);
        ck_assert_uint_eq(sweep.at, round % 8 * 64);
    }
}
END_TEST

SUITE("walks", every_access_is_a_line_from_its_level, all_lines_are_gone_through_before_they_count,
      of_three_moments_the_disturbed_ones_do_not_count,
      an_array_too_short_for_a_stride_says_nothing_of_it, strides_reach_ever_fewer_sets,
      walks_go_through_every_level_but_the_nearest, rounds_go_through_all_columns)
