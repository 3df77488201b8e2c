/* Essential misses: equation 5.1 and the miss counts of whole programs, against a simulated LRU
   cache; the mean time of an access in hierarchies of any depth. */
#include "model/machine/cache.h"

#include "model/base/memory.h"
#include "model/segment/misses.h"
#include "test/draw.h"
#include "test/suite.h"

#include <gsl/gsl_rng.h>
#include <math.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

static struct cache lru(double lines, double ways)
{
    return (struct cache){lines, ways, 64, REPLACEMENT_LRU, INFINITY};
}

/* ---- a simulated cache ---- */

enum { SETS_MOST = 512, WAYS_MOST = 16 };

struct simulated {
    size_t sets, ways, misses;
    size_t line[SETS_MOST][WAYS_MOST]; /* most recently used first; 0: empty */
};

static void touch_line(struct simulated *cache, size_t line)
{
    size_t *set = cache->line[line % cache->sets], at = 0;
    while (at + 1 < cache->ways && set[at] != line)
        at++;
    cache->misses += set[at] != line;
    memmove(set + 1, set, at * sizeof *set);
    set[0] = line;
}

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

/* One array misses from 64 to 80 KB in the POWER2's cache: 64 / (80 - 64) = 4 ways (001:1054). */
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
    /* three levels (001:1003), the second of which may miss everything (001:1007) */
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

/* ---- whole programs: random loops, their addresses gone through one by one ---- */

enum { ARRAYS = 3, NESTS_MOST = 3, READS = 3, ROWS = 24, PASSES = 4 };

struct random_reference {
    int array, offset[2];
    bool transposed;
};

struct random_nest {
    int last[2]; /* of loops i and j, which begin at 2 */
    struct random_reference of[READS + 1];
};

struct random_program {
    bool by_columns[ARRAYS]; /* order: Fortran */
    int columns;             /* of all arrays */
    int nests;
    struct random_nest nest[NESTS_MOST];
};

static struct random_program random_program(gsl_rng *random, enum replacement replacement)
{
    static const int columns[] = {40, 64, 128, 256};
    struct random_program program = {.nests = draw_between(random, 1, NESTS_MOST),
                                     .columns = columns[0]};
    /* Equation 5.1 takes lines as spread over all sets, which those of long rows are not. */
    if (replacement != REPLACEMENT_LRU)
        program.columns = columns[draw_between(random, 0, 3)];
    for (int a = 0; a < ARRAYS; a++)
        program.by_columns[a] = draw_between(random, 0, 2) == 0;
    for (int n = 0; n < program.nests; n++) {
        struct random_nest *nest = &program.nest[n];
        nest->last[0] = draw_between(random, 4, ROWS - 3);
        nest->last[1] = draw_between(random, 4, ROWS - 3);
        for (int r = 0; r <= READS; r++) {
            nest->of[r] = (struct random_reference){
                draw_between(random, 0, ARRAYS - 1),
                {draw_between(random, -2, 2), draw_between(random, -2, 2)},
                draw_between(random, 0, 3) == 0
            };
        }
    }
    return program;
}

static void put_reference(FILE *stream, const struct random_reference *it)
{
    fprintf(stream, "'a%d[%c + %d][%c + %d]'", it->array, it->transposed ? 'j' : 'i', it->offset[0],
            it->transposed ? 'i' : 'j', it->offset[1]);
}

static void put_program(const struct random_program *program, const char *path)
{
    FILE *stream = fopen(path, "w");
    fprintf(stream, "forecost-segment: 1\narrays:\n");
    for (int a = 0; a < ARRAYS; a++)
        fprintf(stream, "  a%d: {extent: [%d, %d]%s}\n", a, ROWS, program->columns,
                program->by_columns[a] ? ", order: Fortran" : "");
    fprintf(stream, "program:\n- segment: s\n  repeat: %d\n  body:\n", PASSES);
    for (int n = 0; n < program->nests; n++) {
        const struct random_nest *nest = &program->nest[n];
        fprintf(stream,
                "  - loop: {i: [2, %d]}\n    body:\n    - loop: {j: [2, %d]}\n      body:\n"
                "      - {statement: t, writes: ",
                nest->last[0], nest->last[1]);
        put_reference(stream, &nest->of[READS]);
        fprintf(stream, ", reads: [");
        for (int r = 0; r < READS; r++) {
            fprintf(stream, r ? ", " : "");
            put_reference(stream, &nest->of[r]);
        }
        fprintf(stream, "]}\n");
    }
    fclose(stream);
}

static size_t element(const struct random_program *program, const struct random_reference *it,
                      int i, int j)
{
    const int row = (it->transposed ? j : i) + it->offset[0];
    const int column = (it->transposed ? i : j) + it->offset[1];
    return (size_t)(program->by_columns[it->array] ? column * ROWS + row
                                                   : row * program->columns + column);
}

static void run_nest(const struct random_program *program, const struct random_nest *nest,
                     const size_t *start, struct simulated *cache)
{
    for (int i = 2; i <= nest->last[0]; i++)
        for (int j = 2; j <= nest->last[1]; j++)
            for (int r = 0; r <= READS; r++) {
                const struct random_reference *it = &nest->of[r];
                touch_line(cache, (start[it->array] + element(program, it, i, j)) / 8);
            }
}

/* Misses of the first pass, and of the last. */
static void simulate(gsl_rng *random, const struct random_program *program, size_t sets,
                     size_t ways, double passes[2])
{
    static struct simulated cache;
    size_t start[ARRAYS];
    cache = (struct simulated){.sets = sets, .ways = ways};
    for (size_t a = 0; a < ARRAYS; a++)
        start[a] = (a + 1) * 800000 + gsl_rng_uniform_int(random, sets * 8);
    for (int pass = 0; pass < PASSES; pass++) {
        cache.misses = 0;
        for (int n = 0; n < program->nests; n++)
            run_nest(program, &program->nest[n], start, &cache);
        passes[pass > 0] = (double)cache.misses;
    }
}

/* Counted misses of all leaves together: first pass, later passes. */
static void count(const char *path, const struct cache *cache, double passes[2])
{
    struct program program;
    struct loop_node root;
    struct error error;
    struct pass_misses misses[NESTS_MOST];
    memset(misses, 0, sizeof misses);
    ck_assert_int_eq(program_read(&program, path, &error), 0);
    struct scope *scope = program_scope(&program, NULL, 0, 1, &error);
    ck_assert_int_eq(loops_make(&root, &program, scope, REDUCTIONS_FREE, &error), 0);
    ck_assert_uint_le(loops_leaves(&root), NESTS_MOST);
    misses_count(&root, &program, cache, misses);
    passes[0] = passes[1] = 0;
    for (size_t i = 0; i < loops_leaves(&root); i++) {
        passes[0] += misses[i].first.load + misses[i].first.store;
        passes[1] += misses[i].later.load + misses[i].later.store;
    }
    loops_free(&root);
    scope_free(scope);
    program_free(&program);
}

static void compare_programs(enum replacement replacement, double least_share)
{
    gsl_rng *random = gsl_rng_alloc(gsl_rng_taus);
    char path[] = "/tmp/forecost-misses-XXXXXX";
    double counted_sum = 0, simulated_sum = 0;
    close(mkstemp(path));
    for (int k = 0; k < 400; k++) {
        const struct random_program program = random_program(random, replacement);
        const size_t ways = 1 << gsl_rng_uniform_int(random, 4);
        const size_t sets = 64 >> gsl_rng_uniform_int(random, 5);
        struct cache cache = lru((double)(sets * ways), (double)ways);
        cache.replacement = replacement;
        double counted[2], simulated[2];
        put_program(&program, path);
        count(path, &cache, counted);
        simulate(random, &program, sets, ways, simulated);
        for (int pass = 0; pass < 2; pass++) {
            ck_assert_msg(counted[pass] <= simulated[pass] + 1e-6,
                          "case %d pass %d: counted %g, simulated %g (%zu sets, %zu ways)", k, pass,
                          counted[pass], simulated[pass], sets, ways);
            counted_sum += counted[pass];
            simulated_sum += simulated[pass];
        }
    }
    unlink(path);
    ck_assert_double_gt(counted_sum, least_share * simulated_sum);
    gsl_rng_free(random);
}

/* b[i][j] = a[i][j] column by column, its rows so long that a column lies in two sets of 64: of a
   line's eight visits only the first few columns' keep what the sets hold. */
START_TEST(columns_of_long_rows_miss_nearly_as_in_a_simulated_cache)
{
    char path[] = "/tmp/forecost-misses-XXXXXX";
    close(mkstemp(path));
    FILE *stream = fopen(path, "w");
    fprintf(stream,
            "forecost-segment: 1\narrays:\n  b: {extent: [256, 256]}\nprogram:\n- segment: s\n"
            "  body:\n  - loop: {j: [0, 255]}\n    body:\n    - loop: {i: [0, 255]}\n"
            "      body:\n      - {statement: t, writes: 'b[i][j]'}\n");
    fclose(stream);
    static struct simulated simulated = {.sets = 64, .ways = 12};
    for (size_t j = 0; j < 256; j++)
        for (size_t i = 0; i < 256; i++)
            touch_line(&simulated, 32 + (i * 256 + j) / 8);
    for (int replacement = 0; replacement < 2; replacement++) {
        struct cache cache = lru(64 * 12, 12);
        double counted[2];
        cache.replacement = replacement ? REPLACEMENT_LRU : REPLACEMENT_UNKNOWN;
        count(path, &cache, counted);
        ck_assert_double_le(counted[0], (double)simulated.misses);
        ck_assert_double_gt(counted[0], 0.9 * (double)simulated.misses);
    }
    unlink(path);
}
END_TEST

START_TEST(counted_misses_are_never_above_lru)
{
    compare_programs(REPLACEMENT_LRU, 0.3);
}
END_TEST

START_TEST(misses_that_nothing_avoids_are_never_above_lru)
{
    compare_programs(REPLACEMENT_UNKNOWN, 0.2);
}
END_TEST

SUITE("cache", equation_5_1_has_the_values_worked_out_by_another_hand,
      the_transition_is_where_the_report_saw_it, equation_5_1_is_continuous_and_never_falls,
      equation_5_1_is_never_above_lru, reuse_is_the_mean_of_equation_5_1,
      an_unknown_replacement_is_bounded_by_what_fits, effective_times_are_those_of_the_report,
      shares_of_any_number_of_levels_are_one_together,
      steps_fall_into_as_many_sets_as_they_are_counted, unknown_ways_crowd_nothing,
      columns_of_long_rows_miss_nearly_as_in_a_simulated_cache, counted_misses_are_never_above_lru,
      misses_that_nothing_avoids_are_never_above_lru)
