/* The miss counts of whole programs, random loops whose addresses are gone through one by one,
   against a simulated LRU cache. */
#include "model/segment/memory/misses.h"

#include "model/base/allocation.h"
#include "model/segment/memory/footprint.h"
#include "model/segment/memory/node_lines.h"
#include "test/draw.h"
#include "test/lru.h"
#include "test/suite.h"

#include <gsl/gsl_rng.h>
#include <stdio.h>
#include <unistd.h>

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

/* The nests in a segment that is repeated, or each in one, which are repeated together. */
static void put_program(const struct random_program *program, bool together, const char *path)
{
    FILE *stream = fopen(path, "w");
    fprintf(stream, "forecost-segment: 1\narrays:\n");
    for (int a = 0; a < ARRAYS; a++)
        fprintf(stream, "  a%d: {extent: [%d, %d]%s}\n", a, ROWS, program->columns,
                program->by_columns[a] ? ", order: Fortran" : "");
    if (together)
        fprintf(stream, "repeat: %d\nprogram:\n", PASSES);
    else
        fprintf(stream, "program:\n- segment: s\n  repeat: %d\n  body:\n", PASSES);
    for (int n = 0; n < program->nests; n++) {
        const struct random_nest *nest = &program->nest[n];
        if (together)
            fprintf(stream, "- segment: s%d\n  body:\n", n);
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

struct loops {
    struct program program;
    struct scope *scope;
    struct loop_node root;
};

static void read_loops(struct loops *loops, const char *path)
{
    struct error error;
    ck_assert_int_eq(program_read(&loops->program, path, &error), 0);
    loops->scope = program_scope(&loops->program, NULL, 0, 1, &error);
    ck_assert_int_eq(
        loops_make(&loops->root, &loops->program, loops->scope, REDUCTIONS_FREE, &error), 0);
    ck_assert_uint_le(loops_leaves(&loops->root), NESTS_MOST);
}

static void release_loops(struct loops *loops)
{
    loops_free(&loops->root);
    scope_free(loops->scope);
    program_free(&loops->program);
}

/* Counted misses of all leaves together: first pass, later passes. */
static void count(const char *path, const struct cache *cache, double passes[2])
{
    struct loops loops;
    struct pass_misses misses[NESTS_MOST];
    memset(misses, 0, sizeof misses);
    read_loops(&loops, path);
    misses_count(&loops.root, &loops.program, cache, misses);
    passes[0] = passes[1] = 0;
    for (size_t i = 0; i < loops_leaves(&loops.root); i++) {
        passes[0] += misses[i].first.load + misses[i].first.store;
        for (enum repetition kind = REPETITION_AGAIN; kind < REPETITIONS; kind++) {
            const struct lines lines = misses_in(&misses[i], kind);
            passes[1] += lines.load + lines.store;
        }
    }
    release_loops(&loops);
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
        double counted[2], together[2], simulated[2];
        put_program(&program, true, path);
        count(path, &cache, together);
        put_program(&program, false, path);
        count(path, &cache, counted);
        simulate(random, &program, sets, ways, simulated);
        for (int pass = 0; pass < 2; pass++) {
            ck_assert_double_eq_tol(together[pass], counted[pass], 1e-9);
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

/* c[i][j] += a[k][i] a[k][j]: two columns at a time, of which one stays while the other goes on. */
START_TEST(two_columns_of_one_array_are_two)
{
    enum { SIDE = 128, LINES = SIDE / 8, ROWS_LONG = 1024 };
    char path[] = "/tmp/forecost-misses-XXXXXX";
    close(mkstemp(path));
    FILE *stream = fopen(path, "w");
    fprintf(stream,
            "forecost-segment: 1\narrays:\n  a: {extent: [%d, %d]}\nprogram:\n- segment: s\n"
            "  body:\n  - loop: {i: [0, %d]}\n    body:\n    - loop: {j: [0, %d]}\n      body:\n"
            "      - loop: {k: [0, %d]}\n        body:\n"
            "        - {statement: t, reads: ['a[k][i]', 'a[k][j]']}\n",
            ROWS_LONG, SIDE, SIDE - 1, SIDE - 1, ROWS_LONG - 1);
    fclose(stream);
    static struct simulated simulated = {.sets = 64, .ways = 12};
    for (size_t i = 0; i < SIDE; i++)
        for (size_t j = 0; j < SIDE; j++)
            for (size_t k = 0; k < ROWS_LONG; k++) {
                touch_line(&simulated, k * LINES + i / 8);
                touch_line(&simulated, k * LINES + j / 8);
            }
    struct cache cache = lru(64 * 12, 12);
    double counted[2];
    count(path, &cache, counted);
    ck_assert_double_le(counted[0], (double)simulated.misses);
    ck_assert_double_gt(counted[0], 0.9 * (double)simulated.misses);
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

/* ---- what is counted once ---- */

/* Of the node whole, or of one iteration's first children. */
static void check_footprint(const struct loop_node *node, size_t children, bool whole,
                            const struct cache *cache, size_t array, double lines, double held)
{
    struct footprint footprint = {.depth = whole ? node->outside : node->inside};
    if (whole)
        footprint_add(&footprint, node);
    for (size_t i = 0; i < children; i++)
        footprint_add(&footprint, (const struct loop_node *)node->children.items + i);
    ck_assert_double_eq(lines, footprint_lines(&footprint, array, cache->line_bytes));
    if (!isnan(held))
        ck_assert_double_eq(held, footprint_held(&footprint, array, cache));
    footprint_free(&footprint);
}

static void check_lines(const struct node_lines *lines, const struct cache *cache)
{
    const size_t children = lines->node->children.count;
    for (size_t array = 0; array < ARRAYS; array++) {
        check_footprint(lines->node, 0, true, cache, array, lines->all[array],
                        lines->all_held[array]);
        for (size_t i = 0; i <= children; i++)
            check_footprint(lines->node, i, false, cache, array, node_lines_upto(lines, i, array),
                            NAN);
        if (children > 0)
            check_footprint(lines->node, children, false, cache, array,
                            node_lines_each(lines, array), lines->each_held[array]);
    }
    for (size_t i = 0; i < children; i++)
        check_lines(&lines->children[i], cache);
}

START_TEST(lines_that_are_counted_once_are_those_of_footprints_made_anew)
{
    gsl_rng *random = gsl_rng_alloc(gsl_rng_taus);
    char path[] = "/tmp/forecost-misses-XXXXXX";
    close(mkstemp(path));
    for (int k = 0; k < 100; k++) {
        const struct random_program program = random_program(random, REPLACEMENT_UNKNOWN);
        struct loops loops;
        put_program(&program, true, path);
        read_loops(&loops, path);
        for (double line_bytes = 32; line_bytes <= 128; line_bytes *= 2) {
            const double lines = 32 * draw_between(random, 1, 16);
            const struct cache cache = {.lines = lines,
                                        .ways = 4,
                                        .line_bytes = line_bytes,
                                        .replacement = REPLACEMENT_UNKNOWN,
                                        .page_bytes = 4096};
            struct node_lines of;
            node_lines_make(&of, &loops.root, ARRAYS, &cache);
            check_lines(&of, &cache);
            node_lines_free(&of);
        }
        release_loops(&loops);
    }
    unlink(path);
    gsl_rng_free(random);
}
END_TEST

SUITE("misses", columns_of_long_rows_miss_nearly_as_in_a_simulated_cache,
      two_columns_of_one_array_are_two, counted_misses_are_never_above_lru,
      misses_that_nothing_avoids_are_never_above_lru,
      lines_that_are_counted_once_are_those_of_footprints_made_anew)
