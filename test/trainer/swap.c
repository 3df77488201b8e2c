/* The statistics of Worley, COMMTEST, against curves whose truth is known. */
#include "model/micro/swap_summary.h"

#include "test/suite.h"
#include "trainer/micro/swap_protocols.h"

#include <gsl/gsl_randist.h>
#include <gsl/gsl_rng.h>
#include <math.h>
#include <string.h>

enum { TIMES = 11 };

/* T_N = start + message N + byte V, for N = 1, 2, 4, ..., 1024. */
static void line(struct swap_time times[TIMES], double start_us, double message_us, double byte_us,
                 double volume)
{
    for (int i = 0; i < TIMES; i++) {
        times[i].messages = ldexp(1, i);
        times[i].time_us = start_us + message_us * times[i].messages + byte_us * volume;
    }
}

static struct swap begun(double order, double volume)
{
    struct swap swap;
    record_begin(&swap_record, &swap);
    swap.order = order;
    swap.volume_bytes = volume;
    return swap;
}

START_TEST(a_line_gives_its_statistics_unordered)
{
    struct swap_time times[TIMES];
    struct swap swap = begun(SWAP_UNORDERED, 2097152);
    line(times, 0, 5, 0.002, 2097152);
    ck_assert_int_eq(swap_conclude(&swap, times, TIMES, &swap_default, NULL), 0);
    const double b = 0.002 + 5 / 2097152.0; /* the least time is that of one message */
    ck_assert_double_eq_tol(swap.a_us, 5, 1e-9);
    ck_assert_double_eq_tol(swap.b_us_per_byte, b, 1e-15);
    ck_assert_double_eq_tol(swap.latency_us, 5, 1e-9);
    ck_assert_double_eq_tol(swap.swap_mb_per_s, 2 / b, 1e-9);
    ck_assert_double_eq_tol(swap.busy_mb_per_s, 1 / b, 1e-9);
    ck_assert(isnan(swap.idle_mb_per_s));
    ck_assert_double_eq(swap.best_messages, 1);
    ck_assert_double_eq_tol(swap.single_us, times[0].time_us, 1e-12);
    /* a N + b V is a above every time: most at the least one */
    ck_assert_double_eq_tol(swap.model_error_max, 5 / times[0].time_us, 1e-12);
    double mean = 0;
    for (int i = 0; i < TIMES; i++)
        mean += 5 / times[i].time_us / TIMES;
    ck_assert_double_eq_tol(swap.model_error_mean, mean, 1e-12);
}
END_TEST

START_TEST(in_order_the_latency_is_half_and_idle_stands_for_busy)
{
    struct swap_time times[TIMES];
    struct swap swap = begun(SWAP_ORDERED, 8192);
    line(times, 100, 4, 0.01, 8192);
    ck_assert_int_eq(swap_conclude(&swap, times, TIMES, &swap_default, NULL), 0);
    ck_assert_double_eq_tol(swap.a_us, 4, 1e-9);
    ck_assert_double_eq_tol(swap.latency_us, 2, 1e-9);
    const double b = (104 + 81.92) / 8192;
    ck_assert_double_eq_tol(swap.idle_mb_per_s, 2 / b, 1e-9);
    ck_assert_double_eq_tol(swap.swap_mb_per_s, 2 / b, 1e-9); /* not doubled again */
    ck_assert(isnan(swap.busy_mb_per_s));
}
END_TEST

/* Splitting by hand pays: the least time is that of many messages. */
START_TEST(a_minimum_in_the_middle_is_found)
{
    struct swap_time times[TIMES];
    struct swap swap = begun(SWAP_UNORDERED, 131072);
    for (int i = 0; i < TIMES; i++) {
        times[i].messages = ldexp(1, i);
        times[i].time_us = 300 + 4 * fabs(i - 6.0) + 0.1 * times[i].messages;
    }
    ck_assert_int_eq(swap_conclude(&swap, times, TIMES, &swap_default, NULL), 0);
    ck_assert_double_eq(swap.best_messages, 64);
    ck_assert_double_gt(swap.single_us, swap.b_us_per_byte * swap.volume_bytes);
}
END_TEST

START_TEST(other_choices_of_messages_and_of_the_dominant_protocol)
{
    struct swap_time times[TIMES];
    struct swap swap = begun(SWAP_UNORDERED, 131072), all = swap;
    line(times, 0, 2, 0.001, 131072);
    times[10].time_us += 5000; /* another protocol for the smallest messages */
    const struct swap_choice choice = {128, 256, 1, 512};
    ck_assert_int_eq(swap_conclude(&swap, times, TIMES, &choice, NULL), 0);
    ck_assert_int_eq(swap_conclude(&all, times, TIMES, &swap_default, NULL), 0);
    ck_assert_double_eq_tol(swap.a_us, 2, 1e-9);
    ck_assert_double_eq(swap.first_messages, 128);
    ck_assert_double_eq(swap.last_messages, 256);
    ck_assert_double_lt(swap.model_error_max, 0.02);
    ck_assert_double_eq(swap.dominant_upto, 512);
    ck_assert_double_gt(all.a_us, 10);
    ck_assert_double_gt(all.model_error_max, 1);
    ck_assert(isnan(all.dominant_from) && isnan(all.dominant_upto));
}
END_TEST

START_TEST(noise_of_one_percent_moves_the_statistics_by_as_much)
{
    struct swap_time times[TIMES];
    gsl_rng *random = gsl_rng_alloc(gsl_rng_mt19937);
    for (unsigned long seed = 1; seed <= 20; seed++) {
        struct swap swap = begun(SWAP_UNORDERED, 8192);
        gsl_rng_set(random, seed);
        line(times, 0, 5, 0.01, 8192);
        for (int i = 0; i < TIMES; i++)
            times[i].time_us *= 1 + gsl_ran_gaussian(random, 0.01);
        ck_assert_int_eq(swap_conclude(&swap, times, TIMES, &swap_default, NULL), 0);
        ck_assert_double_eq_tol(swap.a_us, 5, 0.5); /* 1 % of 5120 over 512 messages, 4 sigma */
        ck_assert_double_eq_tol(swap.b_us_per_byte, 0.01 + 5 / 8192.0, 0.0005);
    }
    gsl_rng_free(random);
}
END_TEST

START_TEST(missing_and_impossible_times_are_errors)
{
    struct swap_time times[TIMES];
    struct swap swap = begun(SWAP_UNORDERED, 8192);
    struct error error;
    line(times, 0, 5, 0.01, 8192);
    ck_assert_int_eq(swap_conclude(&swap, times, TIMES - 1, &swap_default, &error), -1);
    ck_assert_str_eq(error.text, "no times of 512 and of 1024 messages");
    const struct swap_choice none = {1, 2, 3, 3};
    ck_assert_int_eq(swap_conclude(&swap, times, TIMES, &none, &error), -1);
    times[4].time_us = 0;
    ck_assert_int_eq(swap_conclude(&swap, times, TIMES, &swap_default, &error), -1);
    ck_assert_str_eq(error.text, "the time of 16 messages is 0 us");
}
END_TEST

/* Worley, COMMTEST, the protocols: ten unordered protocols and eleven ordered ones, sixteen of
   which reorganize. */
START_TEST(there_are_21_protocols)
{
    int count = 0, reorganize = 0;
    for (int order = -1; order <= SWAP_ORDERS; order++)
        for (int protocol = -1; protocol <= SWAP_PROTOCOLS; protocol++) {
            count += swap_protocol_name(order, protocol) != NULL;
            reorganize += swap_can_reorganize(order, protocol);
        }
    ck_assert_int_eq(count, 21);
    ck_assert_int_eq(reorganize, 16);
    ck_assert_ptr_null(swap_protocol_name(0, 10));
    ck_assert_str_eq(swap_protocol_name(0, 6), "native sendrecv");
    ck_assert_str_eq(swap_protocol_name(1, 6), "synchronous");
}
END_TEST

/* What the table of calls says agrees with what the model says of each protocol: posting is
   nonblocking receiving of processor 1, delaying is nonblocking sending of either. */
START_TEST(the_calls_of_each_protocol_are_those_of_its_name)
{
    for (int order = 0; order < SWAP_ORDERS; order++)
        for (int number = 0; number < SWAP_PROTOCOLS; number++) {
            const struct swap_protocol *protocol = swap_protocol(order, number);
            const char *name = swap_protocol_name(order, number);
            ck_assert_int_eq(protocol != NULL, name != NULL);
            if (!protocol)
                continue;
            const struct swap_side *one = &protocol->one, *two = &protocol->two;
            const bool delays = swap_send_is_nonblocking(one->send);
            ck_assert_int_eq(one->posts || delays, swap_can_reorganize(order, number));
            ck_assert_int_eq(delays, strstr(name, "nonblocking send") ||
                                         strstr(name, "nonblocking ready") ||
                                         strstr(name, "nonblocking sync"));
            /* 1 sends first, 2 receives first in order; unordered they are the same. */
            ck_assert(!one->receives_first);
            ck_assert_int_eq(two->receives_first, order == SWAP_ORDERED);
            ck_assert(!swap_send_is_nonblocking(two->send) || order == SWAP_UNORDERED);
            /* Who hears is told. */
            ck_assert_int_eq(one->hears, two->tells);
            ck_assert_int_eq(two->hears, one->tells);
            /* A ready send knows that its receive is posted: from a word, or because the message
               that it answers was sent after that. */
            const bool ready = strstr(name, "ready") != NULL;
            ck_assert_int_eq(ready, one->send == SWAP_RSEND || one->send == SWAP_IRSEND);
            if (ready) {
                ck_assert(one->hears && two->posts);
                ck_assert(two->hears || (two->receives_first && one->posts));
            }
        }
}
END_TEST

/* ---- summaries ---- */

static void add_experiment(struct list *list, int order, int protocol, int set,
                           double b_us_per_byte)
{
    struct swap *swap = list_add(&swap_record, list);
    swap->order = order;
    swap->protocol = protocol;
    swap->set = set;
    swap->way = SWAP_WARM;
    swap->volume_bytes = 8192;
    swap->a_us = 1.23456789;
    swap->b_us_per_byte = b_us_per_byte;
    swap_take_rates(swap);
}

/* Of each order the fastest, of equals the first, whole; the basic ones' fits to six digits; how
   far all are apart. Another volume is another summary. */
START_TEST(a_summary_has_the_best_the_fits_and_the_spread)
{
    struct list rows = {0}, summaries = {0}, best = {0}, fits = {0};
    add_experiment(&rows, 0, 1, SWAP_BASIC, 0.004);
    add_experiment(&rows, 0, 3, SWAP_BASIC, 0.002);
    add_experiment(&rows, 0, 3, SWAP_REORGANIZED, 0.002);
    add_experiment(&rows, 1, 0, SWAP_BASIC, 0.008);
    add_experiment(&rows, 1, 1, SWAP_BASIC, 0.008);
    add_experiment(&rows, 1, 2, SWAP_BASIC, 0.001);
    ((struct swap *)rows.items)[5].volume_bytes = 4096;
    swap_summarise(&rows, &summaries);
    ck_assert_uint_eq(summaries.count, 2);
    const struct swap_summary *first = summaries.items;
    ck_assert_double_eq(first->experiments, 5);
    ck_assert_double_eq(swap_experiments_count(&summaries), 6);
    ck_assert_double_eq(first->least_mb_per_s, 250);
    ck_assert_double_eq(first->median_mb_per_s, 500);
    ck_assert_double_eq(first->most_mb_per_s, 1000);
    swap_best_known(&summaries, &best);
    ck_assert_uint_eq(best.count, 3);
    const struct swap *items = best.items;
    ck_assert(items[0].protocol == 3 && items[0].set == SWAP_BASIC && items[0].a_us == 1.23456789);
    ck_assert(items[1].order == 1 && items[1].protocol == 0 && items[1].volume_bytes == 8192);
    ck_assert(items[2].order == 1 && items[2].protocol == 2 && items[2].volume_bytes == 4096);
    swap_fits_known(&summaries, &fits);
    ck_assert_uint_eq(fits.count, 2);
    items = fits.items;
    ck_assert(items[0].order == 0 && items[0].protocol == 1 && items[0].a_us == 1.23457);
    ck_assert(items[0].swap_mb_per_s == 500 && items[0].way == SWAP_WARM);
    ck_assert(items[1].order == 1 && items[1].protocol == 1);
    list_free(&swap_record, &rows);
    list_free(&swap_summary_record, &summaries);
    list_free(&swap_record, &best);
    list_free(&swap_record, &fits);
}
END_TEST

SUITE("swap", a_summary_has_the_best_the_fits_and_the_spread,
      the_calls_of_each_protocol_are_those_of_its_name, a_line_gives_its_statistics_unordered,
      in_order_the_latency_is_half_and_idle_stands_for_busy, a_minimum_in_the_middle_is_found,
      other_choices_of_messages_and_of_the_dominant_protocol,
      noise_of_one_percent_moves_the_statistics_by_as_much, missing_and_impossible_times_are_errors,
      there_are_21_protocols)
