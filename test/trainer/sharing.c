/* Whether a level of memory is shared, on simulated caches that are or are not. */
#include "trainer/memory/sharing.h"

#include "test/cache/simulated.h"
#include "test/suite.h"

#include <math.h>

/* ---- caches ---- */

enum { LINE = 64, FIRST = 4096, SECOND = 65536 };
static const double hits[] = {4.0, 14.0}, memory_cycles = 200.0;

/* Two processors, each with caches of its own or both with the same. */
struct two {
    struct backend own, other;
    bool share;
    size_t bytes; /* of each array */
    struct sweep sweep;
};

static struct backend processor(double noise, unsigned long seed)
{
    const struct simulated_machine machine = {
        .levels = 2,
        .caches = {{.bytes = FIRST, .ways = 8, .line_bytes = LINE, .hit_cycles = hits[0]},
                   {.bytes = SECOND, .ways = 16, .line_bytes = LINE, .hit_cycles = hits[1]}},
        .memory_cycles = memory_cycles,
        .page_bytes = 4096,
        .contiguous = true,
        .noise = noise,
        .spike_share = noise > 0.0 ? 0.05 : 0.0,
        .arena_most = 1 << 22,
        .seed = seed,
    };
    return simulated_begin(&machine);
}

/* The other one's array is behind the first one's: a ring, as a sweep begins where the arena does.
 */
static void lay_ring(struct two *two)
{
    struct backend *backend = two->share ? &two->own : &two->other;
    size_t lines[SECOND * 4 / LINE];
    for (size_t i = 0; i < two->bytes / LINE; i++)
        lines[i] = two->bytes + i * LINE;
    ck_assert(backend->enlarge(backend->state, 2 * two->bytes));
    backend->link(backend->state, lines, two->bytes / LINE);
}

static double block(void *state, bool together)
{
    struct two *two = state;
    struct backend *beside = two->share ? &two->own : &two->other;
    double cycles = 0.0;
    for (int lap = 0; lap < 6; lap++) {
        if (together)
            beside->walk(beside->state, 1);
        const double now = two->own.sweep(two->own.state, &two->sweep, two->bytes / LINE);
        cycles += lap < 2 ? 0.0 : now; /* what was warm before is not counted */
    }
    return cycles;
}

static double ratio(bool share, size_t bytes, double noise)
{
    struct two two = {
        .own = processor(noise, 1),
        .other = processor(noise, 2),
        .share = share,
        .bytes = bytes,
        .sweep = {.bytes = bytes, .stride_bytes = LINE}
    };
    ck_assert(two.own.enlarge(two.own.state, bytes));
    lay_ring(&two);
    const double result = sharing_ratio(block, &two);
    simulated_end(&two.own);
    simulated_end(&two.other);
    return result;
}

START_TEST(caches_of_their_own_cost_the_same)
{
    for (size_t bytes = FIRST / 2; bytes <= 2 * SECOND; bytes *= 2) {
        ck_assert_double_eq_tol(ratio(false, bytes, 0.0), 1.0, 1e-12);
        ck_assert_double_eq_tol(ratio(false, bytes, 0.003), 1.0, 0.01);
    }
}
END_TEST

/* Three quarters of a cache for each of two: they drive out each other's lines. */
START_TEST(a_cache_that_both_fill_costs_what_the_next_one_does)
{
    ck_assert_double_eq_tol(ratio(true, FIRST * 3 / 4, 0.0), hits[1] / hits[0], 1e-12);
    ck_assert_double_eq_tol(ratio(true, SECOND * 3 / 4, 0.0), memory_cycles / hits[1], 1e-12);
    ck_assert_double_eq_tol(ratio(true, SECOND * 3 / 4, 0.003), memory_cycles / hits[1], 0.15);
}
END_TEST

START_TEST(a_shared_cache_with_room_for_both_costs_the_same)
{
    ck_assert_double_eq_tol(ratio(true, SECOND / 4, 0.0), 1.0, 1e-12);
    ck_assert_double_eq_tol(ratio(true, 2 * SECOND, 0.0), 1.0, 1e-12); /* memory without a limit */
}
END_TEST

/* ---- what goes on beside ---- */

struct drifting {
    int blocks;
    double truth, drift;
    int disturbed; /* every so many blocks one that lasts three times as long; 0: none */
    int breaks;    /* the block that cannot be measured; 0: none */
};

static double drifting_block(void *state, bool together)
{
    struct drifting *now = state;
    const int number = ++now->blocks;
    const double cost = (1.0 + now->drift * number) * (together ? now->truth : 1.0);
    if (number == now->breaks)
        return NAN;
    return now->disturbed && number % now->disturbed == 0 ? 3.0 * cost : cost;
}

START_TEST(a_drift_is_in_both)
{
    struct drifting now = {.truth = 1.37, .drift = 0.2};
    ck_assert_double_eq_tol(sharing_ratio(drifting_block, &now), 1.37, 1e-12);
    ck_assert_int_ge(now.blocks, 15);
}
END_TEST

START_TEST(few_disturbed_blocks_do_not_count)
{
    struct drifting now = {.truth = 1.37, .disturbed = 7};
    ck_assert_double_eq_tol(sharing_ratio(drifting_block, &now), 1.37, 1e-12);
}
END_TEST

START_TEST(what_cannot_be_measured_is_not)
{
    for (int i = 1; i <= 5; i++) {
        struct drifting now = {.truth = 1.0, .breaks = i};
        ck_assert(isnan(sharing_ratio(drifting_block, &now)));
    }
}
END_TEST

SUITE("sharing", caches_of_their_own_cost_the_same,
      a_cache_that_both_fill_costs_what_the_next_one_does,
      a_shared_cache_with_room_for_both_costs_the_same, a_drift_is_in_both,
      few_disturbed_blocks_do_not_count, what_cannot_be_measured_is_not)
