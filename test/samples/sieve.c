/* Repetitions whose times and disturbances are told. */
#include "samples/sieve.h"
#include "test/suite.h"

#include <math.h>

enum { WANTED = 15 };

static const double true_us = 100.0, patience_us = 1e6;

/* A machine on which somebody is busy from one time to another: what runs then takes 1.8 times as
   long, and so do the instructions beside a chain. */
struct guest {
    double from_us, to_us;
};

/* The mean of what counts. */
static double mean_us(struct sieve *sieve, struct guest guest)
{
    double now_us = 0.0, sum_us = 0.0;
    *sieve = (struct sieve){.wanted = WANTED, .patience_us = patience_us};
    while (!sieve_is_full(sieve)) {
        const bool is_busy = now_us >= guest.from_us && now_us < guest.to_us;
        const double took_us = is_busy ? 1.8 * true_us : true_us;
        now_us += took_us;
        if (sieve_takes(sieve, is_busy ? 1.8 : 1.001, now_us))
            sum_us += took_us;
    }
    ck_assert_int_eq(sieve->counted, WANTED);
    return sum_us / WANTED;
}

START_TEST(an_undisturbed_machine_repeats_as_often_as_wanted)
{
    struct sieve sieve;
    ck_assert_double_eq_tol(mean_us(&sieve, (struct guest){0.0, 0.0}), true_us, 1e-9);
    ck_assert_int_eq(sieve.disturbed, 0);
}
END_TEST

START_TEST(what_a_guest_disturbs_does_not_count)
{
    struct sieve sieve;
    ck_assert_double_eq_tol(mean_us(&sieve, (struct guest){300.0, 0.9 * patience_us}), true_us,
                            1e-9);
    ck_assert_int_eq(sieve.disturbed, 0);
}
END_TEST

/* It would wait for ever; and says how many were not what was wanted. */
START_TEST(patience_ends)
{
    struct sieve sieve;
    ck_assert_double_eq_tol(mean_us(&sieve, (struct guest){0.0, INFINITY}), 1.8 * true_us, 1e-9);
    ck_assert_int_eq(sieve.disturbed, WANTED);
    mean_us(&sieve, (struct guest){450.0, INFINITY});
    ck_assert_int_eq(sieve.disturbed, WANTED - 5);
}
END_TEST

/* Of a kind of processor on which nobody can look. */
START_TEST(what_is_not_known_counts)
{
    struct sieve sieve = {.wanted = 2, .patience_us = patience_us};
    ck_assert(sieve_takes(&sieve, NAN, 1.0));
    ck_assert(!sieve_is_full(&sieve));
    ck_assert(sieve_takes(&sieve, NAN, 2.0));
    ck_assert(sieve_is_full(&sieve));
    ck_assert_int_eq(sieve.disturbed, 0);
}
END_TEST

/* A look whose chain alone was interrupted says nothing. */
START_TEST(a_look_finds_a_core_alone_or_not)
{
    ck_assert(sieve_is_alone(1.008));
    ck_assert(!sieve_is_alone(1.05));
    ck_assert(!sieve_is_alone(0.5));
    ck_assert(!sieve_is_alone(NAN));
}
END_TEST

SUITE("sieve", an_undisturbed_machine_repeats_as_often_as_wanted,
      what_a_guest_disturbs_does_not_count, patience_ends, what_is_not_known_counts,
      a_look_finds_a_core_alone_or_not)
