/* What a batch takes on a processor that is taken away for 22 us about every 100 us, as of a
   virtual machine, or for 200 us every few milliseconds: of neither does the loop itself know. */
#include "trainer/loops/interruptions.h"
#include "test/suite.h"
#include "trainer/loops/batches.h"
#include "trainer/node/core_clock.h"

#include <gsl/gsl_rng.h>
#include <math.h>

/* Of a batch, on any of the processors. */
static const double exact = 0.03;

static struct processor {
    double now_ns, next_ns; /* when it is taken away next */
    double apart_ns, gap_ns, beat_ns;
    gsl_rng *random;
} processor;

static void begin(double apart_ns, double gap_ns, unsigned long seed)
{
    processor = (struct processor){.apart_ns = apart_ns,
                                   .gap_ns = gap_ns,
                                   .next_ns = 0.5 * apart_ns,
                                   .beat_ns = 20e6,
                                   .random = gsl_rng_alloc(gsl_rng_taus2)};
    gsl_rng_set(processor.random, seed);
}

/* More and less often by turns. */
static double until_next_ns(void)
{
    const double turn = 1.0 + 0.3 * sin(processor.now_ns / processor.beat_ns);
    return processor.apart_ns * turn * (0.6 + 0.8 * gsl_rng_uniform(processor.random));
}

static void work(double ns)
{
    while (processor.now_ns + ns > processor.next_ns) {
        ns -= processor.next_ns - processor.now_ns;
        processor.now_ns = processor.next_ns + processor.gap_ns;
        processor.next_ns = processor.now_ns + until_next_ns();
    }
    processor.now_ns += ns;
}

double core_clock_now_ns(void)
{
    work(30.0);
    return processor.now_ns;
}

/* As a loop of which a run takes so long is measured: watches before, batches, and a watch as long
   behind each. */
static double time_of(double run_ns, size_t count, struct interruptions *seen)
{
    struct batches batches = {.crowding_least = 1.0};
    interruptions_watch(seen, 0.003);
    const double runs = batches_runs(seen, 1e-9 * run_ns, false), batch_ns = runs * run_ns;
    for (size_t i = 0; i < count; i++) {
        const double start_ns = core_clock_now_ns();
        work(batch_ns);
        batches_add(&batches, 1e-9 * (core_clock_now_ns() - start_ns), 1.0, 1.0);
        interruptions_watch(seen, fmin(1e-9 * batch_ns, 0.002));
    }
    return 1e9 * batches_time(&batches, seen) / runs;
}

/* The mean of some, relative. */
static double off(double run_ns, size_t count, double apart_ns, double gap_ns)
{
    enum { SEEDS = 20 };
    double sum = 0.0;
    for (unsigned long seed = 1; seed <= SEEDS; seed++) {
        struct interruptions seen = {0};
        begin(apart_ns, gap_ns, seed);
        sum += fabs(time_of(run_ns, count, &seen) / run_ns - 1.0);
        gsl_rng_free(processor.random);
    }
    return sum / SEEDS;
}

START_TEST(what_interrupts_is_not_part_of_a_batch)
{
    static const double lengths_ns[] = {1e3, 25e3, 45e3, 60e3, 100e3, 150e3, 400e3, 1e6, 5e6};
    for (size_t i = 0; i < sizeof lengths_ns / sizeof *lengths_ns; i++) {
        const size_t count = lengths_ns[i] > 2e6 ? 5 : 32;
        ck_assert_double_lt(off(lengths_ns[i], count, 80e3, 22e3), exact);
        ck_assert_double_lt(off(lengths_ns[i], count, 4e6, 200e3), exact);
        ck_assert_double_lt(off(lengths_ns[i], count, INFINITY, 0.0), 0.003);
    }
}
END_TEST

START_TEST(how_often_and_how_long_is_seen)
{
    struct interruptions seen = {0};
    begin(80e3, 22e3, 1);
    interruptions_watch(&seen, 0.1);
    ck_assert_double_eq_tol(interruptions_apart_s(&seen, 1e-3), 102e-6, 10e-6);
    ck_assert_double_eq_tol(interruptions_share(&seen, 1e-3), 0.22, 0.02);
    /* None is so short. */
    ck_assert(isinf(interruptions_apart_s(&seen, 10e-6)));
    ck_assert_double_eq(interruptions_share(&seen, 10e-6), 0.0);
    gsl_rng_free(processor.random);
}
END_TEST

START_TEST(batches_are_shorter_than_what_lies_between_or_far_longer)
{
    struct interruptions seen = {0};
    ck_assert_double_eq(batches_runs(&seen, 1e-6, false), 500.0);
    begin(80e3, 22e3, 1);
    interruptions_watch(&seen, 0.1);
    ck_assert_double_eq_tol(batches_runs(&seen, 1e-6, false), 30.0, 5.0);
    ck_assert_double_eq(batches_runs(&seen, 35e-6, false), 1.0);
    ck_assert_double_eq(batches_runs(&seen, 60e-6, false), 8.0);
    ck_assert_double_eq(batches_runs(&seen, 5e-3, false), 1.0);
    ck_assert_double_eq(batches_runs(&seen, 1e-6, true), 500.0);
    gsl_rng_free(processor.random);
}
END_TEST

/* A processor that others leave alone from now on is soon one. */
START_TEST(what_was_is_forgotten)
{
    struct interruptions seen = {0};
    begin(80e3, 22e3, 1);
    interruptions_watch(&seen, 0.01);
    processor.next_ns = INFINITY;
    for (int i = 0; i < 10; i++) {
        interruptions_age(&seen);
        interruptions_watch(&seen, 0.01);
    }
    ck_assert_double_lt(interruptions_share(&seen, 1e-3), 0.001);
    gsl_rng_free(processor.random);
}
END_TEST

SUITE("interruptions", what_interrupts_is_not_part_of_a_batch, how_often_and_how_long_is_seen,
      batches_are_shorter_than_what_lies_between_or_far_longer, what_was_is_forgotten)
