/* How far rows overlap, against a core that takes iterations in their order; what of a chain
   counts, against the longest way through nests; and the window that the trainer reads off such
   cores. */
#include "model/node/window.h"

#include "model/segment/memory/rows.h"
#include "test/suite.h"
#include "trainer/node/rows.h"

#include <gsl/gsl_randist.h>
#include <gsl/gsl_rng.h>
#include <math.h>
#include <string.h>

/* ---- a core ---- */

enum { HELD_MOST = 512, ITERATIONS_MOST = 60000 };

/* Iterations of one step each, and how many of them wait or are not done at the most. */
struct core {
    double scheduler, reorder; /* INFINITY: any number */
    double above; /* >= 0: steps after the iteration above is done, too; as a wavefront */
};

/* When places that are taken become free: the soonest first. */
struct places {
    size_t count;
    double free_at[HELD_MOST];
};

static double take_soonest(struct places *places)
{
    size_t soonest = 0;
    for (size_t i = 1; i < places->count; i++)
        if (places->free_at[i] < places->free_at[soonest])
            soonest = i;
    const double at = places->free_at[soonest];
    places->free_at[soonest] = places->free_at[--places->count];
    return at;
}

/* Done at: of every iteration. A place in the scheduler is free when the operation starts, one in
   the reorder buffer when all before are done as well. */
static void run(const struct core *core, size_t length, size_t rows, double *done)
{
    static double left[ITERATIONS_MOST];
    struct places waiting = {0};
    double entered = 0.0;
    for (size_t n = 0; n < rows * length; n++) {
        if (isfinite(core->reorder) && n >= (size_t)core->reorder)
            entered = fmax(entered, left[n - (size_t)core->reorder]);
        if (isfinite(core->scheduler) && waiting.count == (size_t)core->scheduler)
            entered = fmax(entered, take_soonest(&waiting));
        double start = n % length ? fmax(entered, done[n - 1]) : entered;
        if (core->above >= 0.0 && n >= length)
            start = fmax(start, done[n - length] + core->above);
        if (isfinite(core->scheduler))
            waiting.free_at[waiting.count++] = start;
        done[n] = start + 1.0;
        left[n] = fmax(done[n], n ? left[n - 1] : 0.0);
    }
}

/* From one row's end to the next one's, over what a row takes alone, in the middle of many. */
static double simulated_share(const struct core *core, size_t length)
{
    static double done[ITERATIONS_MOST];
    const size_t rows = 240;
    run(core, length, rows, done);
    return (done[rows * length - 1] - done[rows / 2 * length - 1]) / (double)(rows / 2 * length);
}

static const size_t lengths[] = {4, 8, 12, 16, 20, 24, 32, 48, 62, 64, 80, 96, 128, 200, 240};
static const double windows[] = {4, 10, 24, 38, 48, 97};
#define COUNT(array) (sizeof(array) / sizeof *(array))

START_TEST(the_closed_form_of_the_scheduler_is_what_a_core_does)
{
    for (size_t w = 0; w < COUNT(windows); w++)
        for (size_t l = 0; l < COUNT(lengths); l++) {
            const struct core core = {windows[w], INFINITY, -1.0};
            const double expected = simulated_share(&core, lengths[l]),
                         share = window_scheduler_share(windows[w] / (double)lengths[l]);
            /* An iteration begins with a step, not between two. */
            ck_assert_double_eq_tol(share, expected, 0.02 * expected + 0.5 / (double)lengths[l]);
            ck_assert_double_ge(share, expected - 0.02 * expected);
        }
}
END_TEST

START_TEST(the_closed_form_of_the_reorder_buffer_is_what_a_core_does)
{
    for (size_t w = 0; w < COUNT(windows); w++)
        for (size_t l = 0; l < COUNT(lengths); l++) {
            const struct core core = {INFINITY, windows[w], -1.0};
            const double expected = simulated_share(&core, lengths[l]),
                         share = window_reorder_share((windows[w] - 1.0) / (double)lengths[l]);
            ck_assert_double_eq_tol(share, expected, 0.04 * expected);
        }
}
END_TEST

START_TEST(of_both_the_scarcer_counts)
{
    struct node node = {.scheduler_operations = 97.0, .window_instructions = 410.0};
    const double scheduler[] = {48.0, 97.0, 24.0}, instructions[] = {10.0, 5.0, 9.0};
    for (size_t k = 0; k < COUNT(scheduler); k++)
        for (size_t l = 0; l < COUNT(lengths); l++) {
            const struct core core = {scheduler[k], floor(410.0 / instructions[k]), -1.0};
            const struct window_row row = {(double)lengths[l], 97.0 / scheduler[k],
                                           instructions[k]};
            const double expected = simulated_share(&core, lengths[l]),
                         share = window_share(&node, &row);
            ck_assert_double_eq_tol(share, expected, 0.12 * expected + 0.5 / (double)lengths[l]);
        }
    node.scheduler_operations = NAN;
    ck_assert_double_eq_tol(window_share(&node, &(struct window_row){100.0, 2.0, 10.0}), 0.6, 1e-9);
    node.window_instructions = NAN;
    ck_assert_double_eq(window_share(&node, &(struct window_row){100.0, 2.0, 10.0}), 1.0);
}
END_TEST

START_TEST(limits)
{
    ck_assert_double_eq(window_scheduler_share(0.0), 1.0);
    ck_assert_double_eq(window_reorder_share(0.0), 1.0);
    ck_assert_double_eq(window_scheduler_share(INFINITY), 0.0);
    ck_assert_double_eq(window_reorder_share(INFINITY), 0.0);
    for (double rows = 0.0; rows < 20.0; rows += 0.01) {
        ck_assert_double_lt(window_scheduler_share(rows + 0.01), window_scheduler_share(rows));
        ck_assert_double_le(window_reorder_share(rows + 0.01), window_reorder_share(rows) + 1e-12);
    }
}
END_TEST

/* ---- a window without an end ---- */

/* What a bound counts of all chains where only their rows are known. */
static double bound_of_chains(size_t length, size_t rows)
{
    struct essential essential = {.chain_count = 1};
    struct leaf leaf = {
        .nest = {.depth = 2,                              .first = {1.0, 1.0}, .last = {(double)rows, (double)length}},
        .row_loops = {1U << 1}
    };
    rows_overlap(&essential, &leaf, (double)INFINITY, NULL);
    return (double)(rows * length) * essential.chains[0].share;
}

/* The chain of one row alone: a window without an end takes that, and no core less. */
START_TEST(no_core_does_a_wavefront_in_less_than_the_chain_of_a_row)
{
    static double done[ITERATIONS_MOST];
    const double aboves[] = {-1.0, 0.0, 2.0};
    for (size_t a = 0; a < COUNT(aboves); a++)
        for (size_t l = 0; l < COUNT(lengths); l++) {
            const size_t length = lengths[l], rows = 60;
            const struct core core = {INFINITY, INFINITY, aboves[a]};
            double last = 0.0;
            run(&core, length, rows, done);
            for (size_t n = 0; n < rows * length; n++)
                last = fmax(last, done[n]);
            ck_assert_double_ge(last, bound_of_chains(length, rows) - 1e-9);
            if (aboves[a] < 0.0)
                ck_assert_double_eq_tol(last, bound_of_chains(length, rows), 1e-9);
            if (aboves[a] == 0.0)
                ck_assert_double_eq(last, (double)(length + rows - 1));
        }
}
END_TEST

/* ---- what the trainer reads off ---- */

/* Cycles of an iteration of every item on a core, with noise that only adds. */
static void measure(double operations, double instructions, gsl_rng *random, double *cycles)
{
    static double done[ITERATIONS_MOST];
    const double step_cycles = 7.0;
    for (size_t i = 0; i < rows_count; i++) {
        const struct rows_item *it = &rows_items[i];
        const bool bare = it->kind == ROWS_BARE;
        const struct core core = {floor(operations / ROWS_WAITING),
                                  floor(instructions / (bare ? 4.0 : ROWS_INSTRUCTIONS)), -1.0};
        run(&core, (size_t)it->iterations, (size_t)it->rows, done);
        cycles[i] = step_cycles * done[it->rows * it->iterations - 1] / rows_iterations(i) *
                    (1.0 + fabs(gsl_ran_gaussian(random, 0.005)));
    }
}

START_TEST(the_trainer_finds_the_window_of_a_core)
{
    const double hidden = 1000.0; /* behind the scheduler */
    const double cores[][2] = {
        {97,  512   },
        {60,  224   },
        {32,  128   },
        {160, 630   },
        {48,  hidden}
    };
    gsl_rng *random = gsl_rng_alloc(gsl_rng_mt19937);
    double cycles[64];
    ck_assert_uint_le(rows_count, 64);
    for (size_t k = 0; k < COUNT(cores) && rows_count > 0; k++)
        for (int draw = 0; draw < 20; draw++) {
            struct node node = {.scheduler_operations = NAN};
            measure(cores[k][0], cores[k][1], random, cycles);
            rows_set(&node, cycles);
            ck_assert_double_eq_tol(node.scheduler_operations, cores[k][0],
                                    0.07 * cores[k][0] + 2.0);
            if (cores[k][1] == hidden)
                ck_assert(isnan(node.window_instructions));
            else
                ck_assert_double_eq_tol(node.window_instructions, cores[k][1],
                                        0.07 * cores[k][1] + ROWS_INSTRUCTIONS);
        }
    gsl_rng_free(random);
}
END_TEST

START_TEST(a_core_that_does_not_look_ahead_has_no_window)
{
    struct node node = {.scheduler_operations = 1.0, .window_instructions = 1.0};
    double cycles[64];
    for (size_t i = 0; i < rows_count; i++)
        cycles[i] = 7.0;
    rows_set(&node, cycles);
    ck_assert(isnan(node.scheduler_operations));
    ck_assert(isnan(node.window_instructions));
    for (size_t i = 0; i < rows_count; i++)
        cycles[i] = NAN;
    rows_set(&node, cycles);
    ck_assert(isnan(node.scheduler_operations));
    ck_assert(isnan(node.window_instructions));
}
END_TEST

SUITE("window", the_closed_form_of_the_scheduler_is_what_a_core_does,
      the_closed_form_of_the_reorder_buffer_is_what_a_core_does, of_both_the_scarcer_counts, limits,
      no_core_does_a_wavefront_in_less_than_the_chain_of_a_row,
      the_trainer_finds_the_window_of_a_core, a_core_that_does_not_look_ahead_has_no_window)
