/* Essential misses in closed form: equation 5.1, and lines that crowd into few sets, against a
   simulated LRU cache; the mean time of an access in hierarchies of any depth. */
#include "model/node/cache.h"

#include "test/lru.h"
#include "test/suite.h"

#include <gsl/gsl_rng.h>
#include <math.h>
#include <string.h>

/* ---- equation 5.1 ---- */

START_TEST(equation_5_1_has_the_values_worked_out_by_another_hand)
{
    static const struct {
        double lines, arrays, misses;
    } truth[] = {
        {600,  1, 0         },
        {1200, 1, 825       },
        {700,  2, 0         },
        {1280, 2, 640       },
        {1280, 3, 1280.0 / 3},
        {1280, 4, 320       },
        {1280, 9, 320       }, /* no more degrees of freedom than
  ways */
        {1280, 0, 1280      }, /* and no fewer than one */
    };
    const struct cache cache = lru(1024, 4);
    for (size_t i = 0; i < sizeof truth / sizeof *truth; i++)
        ck_assert_double_eq_tol(cache_pass_misses(&cache, truth[i].lines, truth[i].arrays),
                                truth[i].misses, 1e-9);
}
END_TEST

/* One array misses from 64 to 80 KB in the POWER2's cache: 64 / (80 - 64) = 4 ways (Abandah, IBM
   SP2, section 5.4.1). */
START_TEST(the_transition_is_where_the_report_saw_it)
{
    const struct cache cache = lru(1024, 4);
    ck_assert_double_eq(cache_pass_misses(&cache, 64 * 1024 / 64, 1), 0.0);
    ck_assert_double_gt(cache_pass_misses(&cache, 64 * 1024 / 64 + 1, 1), 0.0);
    ck_assert_double_lt(cache_pass_misses(&cache, 80 * 1024 / 64 - 1, 1), 80 * 1024 / 64 - 1);
    ck_assert_double_eq(cache_pass_misses(&cache, 80 * 1024 / 64, 1), 80 * 1024 / 64);
}
END_TEST

START_TEST(equation_5_1_is_continuous_and_never_falls)
{
    static const double ways[] = {1, 2, 4, 8, 12, 16};
    for (size_t k = 0; k < 6; k++)
        for (double arrays = 1; arrays <= ways[k]; arrays++) {
            const struct cache cache = lru(ways[k] * 64, ways[k]);
            const double end = cache.lines * (1 + arrays / ways[k]);
            ck_assert_double_eq_tol(cache_pass_misses(&cache, cache.lines, arrays), 0, 1e-9);
            ck_assert_double_eq_tol(cache_pass_misses(&cache, end, arrays), end, 1e-9);
            ck_assert_double_eq_tol(cache_pass_misses(&cache, end * (1 + 1e-9), arrays), end, 1e-5);
            for (double lines = 1, before = 0; lines < 3 * end; lines += 0.5) {
                const double now = cache_pass_misses(&cache, lines, arrays);
                ck_assert_double_ge(now, before);
                ck_assert_double_le(now, lines);
                before = now;
            }
        }
}
END_TEST

/* Arrays anywhere, gone through together or one after the other, again and again. */
static size_t simulate_passes(gsl_rng *random, size_t sets, size_t ways, size_t lines,
                              size_t arrays, bool together)
{
    static struct simulated cache;
    size_t start[8];
    cache = (struct simulated){.sets = sets, .ways = ways};
    for (size_t a = 0; a < arrays; a++)
        start[a] = (a + 1) * 100000 + gsl_rng_uniform_int(random, sets);
    for (int pass = 0; pass < 4; pass++) {
        cache.misses = 0;
        for (size_t i = 0; i < lines * arrays; i++)
            touch_line(&cache,
                       together ? start[i % arrays] + i / arrays : start[i / lines] + i % lines);
    }
    return cache.misses;
}

/* With more arrays than ways it can be: the clamp of D makes its transition narrower than it is. */
START_TEST(equation_5_1_is_never_above_lru)
{
    gsl_rng *random = gsl_rng_alloc(gsl_rng_taus);
    size_t between = 0;
    for (int i = 0; i < 3000; i++) {
        const size_t ways = 1 + gsl_rng_uniform_int(random, 8);
        const size_t sets = 8 << gsl_rng_uniform_int(random, 4);
        const size_t arrays = 1 + gsl_rng_uniform_int(random, ways);
        const size_t lines = 1 + gsl_rng_uniform_int(random, 3 * sets * ways / arrays);
        const struct cache cache = lru((double)(sets * ways), (double)ways);
        const double bound = cache_pass_misses(&cache, (double)(lines * arrays), (double)arrays);
        const size_t simulated = simulate_passes(random, sets, ways, lines, arrays, i % 2 == 0);
        ck_assert_double_le(bound, (double)simulated + 1e-9);
        between += bound > 0 && bound < (double)(lines * arrays);
    }
    ck_assert_uint_gt(between, 300);
    gsl_rng_free(random);
}
END_TEST

/* Of lines that come again after others, from few to many, so many are lost as on the average. */
START_TEST(reuse_is_the_mean_of_equation_5_1)
{
    const struct cache cache = lru(256, 4);
    for (double least = 100; least < 600; least += 37)
        for (double most = least; most < 900; most += 53) {
            double sum = 0;
            for (int i = 0; i < 2000; i++) {
                const double lines = least + (most - least) * (i + 0.5) / 2000;
                sum += cache_pass_misses(&cache, lines, 2) / lines / 2000;
            }
            ck_assert_double_eq_tol(cache_reuse_misses(&cache, least, most, 2), sum, 1e-5);
            ck_assert_double_eq_tol(cache_reuse_misses(&cache, most, least, 2), sum, 1e-5);
        }
}
END_TEST

START_TEST(an_unknown_replacement_is_bounded_by_what_fits)
{
    const struct cache cache = {.lines = 1000, .ways = NAN, .line_bytes = 64};
    ck_assert_double_eq(cache_pass_misses(&cache, 1000, 1), 0);
    ck_assert_double_eq(cache_pass_misses(&cache, 1250, 3), 250);
}
END_TEST

/* ---- the mean time of an access ---- */

START_TEST(effective_times_are_those_of_the_report)
{
    static const double loads[] = {1, 16.3}, stores[] = {1, 22};
    for (double miss = 0; miss <= 1; miss += 1.0 / 64) {
        ck_assert_double_eq_tol(effective_access_cycles(loads, &miss, 2), 1 + 15.3 * miss, 1e-12);
        ck_assert_double_eq_tol(effective_access_cycles(stores, &miss, 2), 1 + 21 * miss, 1e-12);
    }
    /* three levels (Abandah, IBM SP2, section 5.4), the second of which may miss everything
       (Abandah, IBM SP2, section 5.4) */
    static const double three[] = {1, 10, 100};
    ck_assert_double_eq_tol(effective_access_cycles(three, (double[]){0.25, 0.5}, 3),
                            0.75 * 1 + 0.25 * 0.5 * 10 + 0.25 * 0.5 * 100, 1e-12);
    ck_assert_double_eq_tol(effective_access_cycles(three, (double[]){0.25, 1}, 3),
                            0.75 * 1 + 0.25 * 100, 1e-12);
}
END_TEST

START_TEST(shares_of_any_number_of_levels_are_one_together)
{
    static const double same[] = {7, 7, 7, 7, 7, 7}, miss[] = {0.3, 0.9, 0.5, 0.01, 0.7};
    for (size_t levels = 1; levels <= 6; levels++)
        ck_assert_double_eq_tol(effective_access_cycles(same, miss, levels), 7, 1e-12);
    static const double unknown[] = {1, 10, NAN};
    ck_assert_double_eq(effective_access_cycles(unknown, (double[]){0.5, 0}, 3), 5.5);
    ck_assert(isnan(effective_access_cycles(unknown, (double[]){0.5, 0.5}, 3)));
}
END_TEST

/* ---- lines that crowd into few sets ---- */

/* A cache whose sets the addresses within a page tell apart up to colours, of which each page has
   one by chance. */
struct paged {
    size_t sets, page_lines;
    size_t colour[4096]; /* per page */
};

static size_t set_of(const struct paged *paged, size_t address)
{
    const size_t line = address / 64, page = line / paged->page_lines;
    if (paged->sets <= paged->page_lines)
        return line % paged->sets;
    return line % paged->page_lines + paged->page_lines * paged->colour[page];
}

static size_t sets_touched(const struct paged *paged, size_t start, size_t step, size_t steps)
{
    static bool seen[4096];
    size_t count = 0;
    memset(seen, 0, sizeof seen);
    for (size_t i = 0; i < steps; i++) {
        const size_t set = set_of(paged, start + i * step);
        count += !seen[set];
        seen[set] = true;
    }
    return count;
}

START_TEST(steps_fall_into_as_many_sets_as_they_are_counted)
{
    gsl_rng *random = gsl_rng_alloc(gsl_rng_taus);
    static struct paged paged;
    for (int k = 0; k < 20000; k++) {
        const size_t steps = 1 + gsl_rng_uniform_int(random, 1500);
        const size_t step = 8 * (1 + gsl_rng_uniform_int(random, 40))
                            << gsl_rng_uniform_int(random, 7);
        const size_t start = 8 * gsl_rng_uniform_int(random, 512);
        paged.sets = (1 + gsl_rng_uniform_int(random, 3)) << gsl_rng_uniform_int(random, 9);
        paged.page_lines = gsl_rng_uniform_int(random, 2) ? 1 << 22 : 64;
        if (paged.page_lines == 64 && paged.sets > 64)
            paged.sets = 64u << gsl_rng_uniform_int(random, 4);
        if (paged.page_lines == 64 && 64 % paged.sets != 0 && paged.sets < 64)
            paged.sets = 32;
        if (paged.page_lines == 64 && (start + step * steps) / 4096 >= 4096)
            continue;
        for (size_t i = 0; i < 4096; i++)
            paged.colour[i] = paged.sets > paged.page_lines
                                  ? gsl_rng_uniform_int(random, paged.sets / paged.page_lines)
                                  : 0;
        struct cache cache = lru((double)(paged.sets * 4), 4);
        cache.page_bytes = (double)(paged.page_lines * 64);
        const double places = cache_places(&cache, (double)step, (double)steps);
        const double held = cache_held_lines(&cache, places);
        const double touched = (double)sets_touched(&paged, start, step, steps);
        ck_assert_msg(held >= 4 * touched, "%zu steps of %zu: %g held, %g sets", steps, step, held,
                      touched);
        if (paged.page_lines != 64 && step % 64 == 0) /* and no more than that */
            ck_assert_double_eq(held, 4 * touched);
    }
    gsl_rng_free(random);
}
END_TEST

START_TEST(unknown_ways_crowd_nothing)
{
    const struct cache cache = lru(1024, NAN);
    ck_assert_double_eq(cache_held_lines(&cache, 1.0), INFINITY);
}
END_TEST

SUITE("cache", equation_5_1_has_the_values_worked_out_by_another_hand,
      the_transition_is_where_the_report_saw_it, equation_5_1_is_continuous_and_never_falls,
      equation_5_1_is_never_above_lru, reuse_is_the_mean_of_equation_5_1,
      an_unknown_replacement_is_bounded_by_what_fits, effective_times_are_those_of_the_report,
      shares_of_any_number_of_levels_are_one_together,
      steps_fall_into_as_many_sets_as_they_are_counted, unknown_ways_crowd_nothing)
