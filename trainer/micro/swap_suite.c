/* COMMTEST: the peak that two processors reach when they swap data, by protocol (Worley,
   COMMTEST). */
#include "trainer/micro/swap_probe.h"

#include "model/base/allocation.h"
#include "model/fit/points.h"
#include "model/machine/swap_best.h"
#include "trainer/base/clock.h"
#include "trainer/base/interruption.h"
#include "trainer/micro/microbenchmarks.h"
#include "trainer/micro/swap_only.h"
#include "trainer/micro/swap_protocols.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { COUNTS_OF_MESSAGES = 11, REPEATS = 10, SIMULATED_REPEATS = 2 };

/* 2 MB, 128 KB, 8 KB (Worley, COMMTEST, the experiments). */
static const long volumes[] = {2097152, 131072, 8192};
enum { VOLUMES = sizeof volumes / sizeof *volumes };

static const char *const pair_names[SWAP_PAIRS] = {"0-1", "0-2", "0-2 and 1-3"};

/* What is most worth having comes first, for the time may end. An exchange that is cold, or
   repeated, takes long. */
static const struct {
    int way;
    const char *name;
    int times;
} ways[SWAP_WAYS] = {
    {SWAP_WARM,     "warm",     5},
    {SWAP_ITERATED, "iterated", 1},
    {SWAP_COLD,     "cold",     1},
};

/* The whole suite may take so long, s. */
static const double suite_s_most = 18.0;

/* To read a quarter more than the last cache holds leaves nothing of what was in it; a cache that
   is not known, or shared by more processors than this one may ever fill, is taken to hold so much.
 */
static const double cache_unknown = 32.0 * 1024 * 1024, cache_most = 128.0 * 1024 * 1024;

struct swapping {
    struct run *run;
    struct machine *machine;
    struct swap_probe_order order;
    struct swap_choice choice;
    long cache_bytes;
    double end_s;
    size_t rows;
};

static bool time_is_up(const struct swapping *swapping)
{
    return interruption_or_after(swapping->end_s);
}

/* ---- one T_N ---- */

/* "swap-0.3-basic-warm-2097152-0-1" */
static void name_point(const struct swap *swap, char name[POINT_NAME])
{
    static const char *const sets[] = {"basic", "reorg"};
    static const char *const in_short[] = {"cold", "warm", "iter"};
    snprintf(name, POINT_NAME, "swap-%.0f.%.0f-%s-%s-%.0f-%.3s%s", swap->order, swap->protocol,
             sets[swap->set], in_short[swap->way], swap->volume_bytes, swap->pair,
             swap->pair[3] ? "+1-3" : "");
}

static void keep_point(struct swapping *swapping, const struct swap *swap, double results[])
{
    const struct swap_probe_order *order = &swapping->order;
    struct point point = {.processors = order->pairs == SWAP_0_2_AND_1_3 ? 4.0 : 2.0,
                          .bytes = (double)(order->volume_bytes / order->messages),
                          .repetitions = order->times * order->repeats,
                          .minimum_us = results[1],
                          .median_us = results[0],
                          .mean_us = results[4],
                          .standard_deviation_us = results[5],
                          .maximum_us = results[2],
                          .attempt = 1};
    name_point(swap, point.utility);
    run_keep_point(swapping->run, &point);
}

/* T_N; NAN where the data arrived wrong. */
static double exchange_us(struct swapping *swapping, int messages, struct swap *swap)
{
    double results[PROBE_RESULTS];
    swapping->order.messages = messages;
    engine_probe(swapping->run->engine, PROBE_SWAP, &swapping->order, sizeof swapping->order,
                 results);
    if (isnan(results[0]))
        return NAN;
    keep_point(swapping, swap, results);
    swap->common_clock_us = fmax(swap->common_clock_us, results[3]);
    return results[0];
}

/* ---- one row: all N ---- */

/* 1, 2, 4, ..., 1024; with --quick every third, and those that the latency is taken between. */
static bool is_measured(const struct swapping *swapping, int exponent)
{
    const double n = ldexp(1.0, exponent);
    return swapping->run->options->points >= 48 || exponent % 3 == 0 ||
           n == swapping->choice.first_messages || n == swapping->choice.last_messages;
}

static void measure_row(struct swapping *swapping, struct swap *swap)
{
    struct swap_time times[COUNTS_OF_MESSAGES];
    struct error reason;
    size_t count = 0;
    for (int exponent = 0; exponent < COUNTS_OF_MESSAGES; exponent++) {
        if (!is_measured(swapping, exponent))
            continue;
        if (time_is_up(swapping)) {
            swap->not_available = memory_copy_text("the time for it ended");
            return;
        }
        const double time_us = exchange_us(swapping, 1 << exponent, swap);
        if (isnan(time_us)) {
            swap->not_available = memory_copy_text("the data arrived wrong");
            return;
        }
        times[count++] = (struct swap_time){1 << exponent, time_us};
    }
    if (swap_conclude(swap, times, count, &swapping->choice, &reason) != 0)
        swap->not_available = memory_copy_text(reason.text);
}

/* The row that differs from it in that its caches are warm; NULL: none. */
static const struct swap *warm_row(const struct machine *machine, const struct swap *cold)
{
    const struct swap *rows = machine->swap_rows.items;
    for (size_t i = 0; i < machine->swap_rows.count; i++)
        if (rows[i].way == SWAP_WARM && rows[i].order == cold->order &&
            rows[i].protocol == cold->protocol && rows[i].set == cold->set &&
            rows[i].volume_bytes == cold->volume_bytes && strcmp(rows[i].pair, cold->pair) == 0)
            return &rows[i];
    return NULL;
}

static void take_from(struct swap *cold, const struct swap *warm)
{
    char *pair = cold->pair;
    *cold = *warm;
    cold->way = SWAP_COLD;
    cold->pair = pair;
    cold->not_available = warm->not_available ? memory_copy_text(warm->not_available) : NULL;
}

/* A simulated machine has no caches that could be cold: to measure the same again was a quarter of
   the suite. */
static bool is_known(const struct run *run, int way)
{
    return run->simulated && way == SWAP_COLD;
}

/* Says of which experiment the row is: the one that is ordered. */
static void name_row(const struct swapping *swapping, int way, struct swap *swap)
{
    const struct swap_probe_order *order = &swapping->order;
    swap->order = order->order;
    swap->protocol = order->protocol;
    swap->set = order->reorganized ? SWAP_REORGANIZED : SWAP_BASIC;
    swap->way = way;
    swap->volume_bytes = (double)order->volume_bytes;
    swap->pair = memory_copy_text(pair_names[order->pairs]);
}

static void add_row(struct swapping *swapping, int way)
{
    struct swap *swap = list_add(&swap_record, &swapping->machine->swap_rows);
    name_row(swapping, way, swap);
    const struct swap *warm =
        is_known(swapping->run, way) ? warm_row(swapping->machine, swap) : NULL;
    if (warm)
        take_from(swap, warm);
    else
        measure_row(swapping, swap);
    progress_point(&swapping->run->progress, "swap", ++swapping->rows, clock_s());
}

/* ---- all rows: each loop a function ---- */

/* Whether there is such an experiment, and it is asked for. */
static bool is_asked(const struct swapping *swapping, int way)
{
    const struct swap_probe_order *order = &swapping->order;
    struct swap row;
    if (!swap_protocol_name(order->order, order->protocol) ||
        (order->reorganized && !swap_can_reorganize(order->order, order->protocol)))
        return false;
    name_row(swapping, way, &row);
    const bool is_asked = swap_only_has(swapping->run->options->swap_only, &row);
    free(row.pair);
    return is_asked;
}

/* Whether all were measured. */
static bool all_protocols(struct swapping *swapping, int way)
{
    struct swap_probe_order *order = &swapping->order;
    for (order->reorganized = 0; order->reorganized <= 1; order->reorganized++)
        for (order->order = 0; order->order < SWAP_ORDERS; order->order++)
            for (order->protocol = 0; order->protocol < SWAP_PROTOCOLS; order->protocol++) {
                if (!is_asked(swapping, way))
                    continue;
                if (time_is_up(swapping))
                    return false;
                add_row(swapping, way);
            }
    return true;
}

static void say_missing(struct swapping *swapping, const char *way)
{
    const struct swap_probe_order *order = &swapping->order;
    char *what = memory_format("swap %s, %ld bytes, %s, from protocol (%d, %d) of the %s set on",
                               way, order->volume_bytes, pair_names[order->pairs], order->order,
                               order->protocol, order->reorganized ? "reorganized" : "basic");
    run_not_measured(swapping->machine, what, "the time for it ended");
    free(what);
}

/* Four processors have pairs that are not neighbours, and two pairs at a time (Worley, COMMTEST,
   the experiments). */
static void all_pairs(struct swapping *swapping, int way, const char *name)
{
    const int pairs = swapping->run->processors < 4 ? 1 : SWAP_PAIRS;
    for (swapping->order.pairs = 0; swapping->order.pairs < pairs; swapping->order.pairs++)
        if (!all_protocols(swapping, way))
            say_missing(swapping, name);
}

/* Whether messages may be so long. */
static bool choose(struct swapping *swapping, int i, int volume)
{
    const bool simulated = swapping->run->simulated;
    const int repeats = simulated ? SIMULATED_REPEATS : REPEATS;
    swapping->order.volume_bytes = volumes[volume];
    swapping->order.times = simulated ? 1 : ways[i].times;
    swapping->order.repeats = ways[i].way == SWAP_ITERATED ? repeats : 1;
    swapping->order.cache_bytes = ways[i].way == SWAP_COLD ? swapping->cache_bytes : 0;
    return (double)volumes[volume] <= swapping->run->options->bytes_most;
}

static void all_ways(struct swapping *swapping)
{
    for (int i = 0; i < SWAP_WAYS; i++)
        for (int k = 0; k < VOLUMES; k++)
            if (choose(swapping, i, k))
                all_pairs(swapping, ways[i].way, ways[i].name);
}

/* What this run leaves out altogether. */
static void say_left_out(const struct swapping *swapping)
{
    for (int k = 0; k < VOLUMES; k++)
        if ((double)volumes[k] > swapping->run->options->bytes_most) {
            char *what = memory_format("swap of %ld bytes", volumes[k]);
            run_not_measured(swapping->machine, what, "larger than the largest message");
            free(what);
        }
    if (swapping->run->processors < 4)
        run_not_measured(swapping->machine, "swap of the pairs 0-2, and 0-2 and 1-3 at once",
                         "needs at least 4 processors");
}

/* ---- the section ---- */

static long cache_bytes(const struct run *run)
{
    if (run->simulated)
        return 0; /* it has none */
    if (!isnan(run->options->swap_cache_bytes))
        return (long)run->options->swap_cache_bytes;
    const long said = sysconf(_SC_LEVEL3_CACHE_SIZE);
    const double holds = said > 0 ? fmin((double)said, cache_most) : cache_unknown;
    return (long)(1.25 * holds);
}

static void report_part(struct run *run, const struct machine *machine)
{
    const struct swap *swaps = machine->swap_rows.items;
    double most = 0.0;
    for (size_t i = 0; i < machine->swap_rows.count; i++)
        most = fmax(most, swaps[i].swap_mb_per_s);
    char *line = memory_format("%-16s %zu protocols and ways, up to %.0f MB/s both ways together",
                               "swap", machine->swap_rows.count, most);
    progress_part(&run->progress, machine->swap.count ? line : "swap             not measured");
    free(line);
}

static struct swapping swapping_of(struct run *run, struct machine *machine)
{
    const double *between = run->options->swap_messages, *over = run->options->swap_dominant;
    return (struct swapping){
        .run = run,
        .machine = machine,
        .choice = {between[0], between[1], over[0], over[1]},
        .cache_bytes = cache_bytes(run),
        .end_s = run->share_end_s
    };
}

int swap_measure(struct run *run, struct machine *machine, struct error *error)
{
    struct swapping swapping = swapping_of(run, machine);
    (void)error;
    if (!run->simulated)
        swapping.end_s = fmin(swapping.end_s, clock_s() + suite_s_most);
    all_ways(&swapping);
    say_left_out(&swapping);
    swap_summarise(&machine->swap_rows, &machine->swap);
    swap_add_best(machine);
    report_part(run, machine);
    return 0;
}

/* ---- how long it takes ---- */

/* How many messages one after the other a swap is, beside the one of the simplest: both in turn,
   and a word that tells that the receive is posted. */
static double count_messages(int order, int protocol)
{
    const struct swap_protocol *it = swap_protocol(order, protocol);
    const bool tells = it->one.tells || it->two.tells;
    return (order == SWAP_UNORDERED ? 1.0 : 2.0) + (tells ? 1.0 : 0.0);
}

/* All protocols of both sets that are asked for, in swaps by the simplest. */
static double count_protocols(struct swapping *swapping, int way)
{
    struct swap_probe_order *order = &swapping->order;
    double count = 0.0;
    for (order->reorganized = 0; order->reorganized <= 1; order->reorganized++)
        for (order->order = 0; order->order < SWAP_ORDERS; order->order++)
            for (order->protocol = 0; order->protocol < SWAP_PROTOCOLS; order->protocol++)
                if (is_asked(swapping, way))
                    count += count_messages(order->order, order->protocol);
    return count;
}

/* The chosen exchanges in so many messages, by the simplest protocol. */
static double order_s(struct swapping *swapping, int messages)
{
    double results[PROBE_RESULTS];
    const double begin_s = clock_s();
    swapping->order.messages = messages;
    engine_probe(swapping->run->engine, PROBE_SWAP, &swapping->order, sizeof swapping->order,
                 results);
    return clock_s() - begin_s;
}

/* What its messages take grows straight with their number. */
static double row_s(struct swapping *swapping)
{
    const int many = 1 << (COUNTS_OF_MESSAGES - 1);
    order_s(swapping, 1); /* the first one makes buffers grow */
    const double few_s = order_s(swapping, 1), many_s = order_s(swapping, many);
    const double each_s = fmax(0.0, many_s - few_s) / (many - 1);
    double sum_s = 0.0;
    for (int exponent = 0; exponent < COUNTS_OF_MESSAGES; exponent++)
        if (is_measured(swapping, exponent))
            sum_s += few_s + each_s * ((1 << exponent) - 1);
    return sum_s;
}

double swap_foresee_s(struct run *run)
{
    struct swapping swapping = swapping_of(run, NULL);
    const struct swap_probe_order simplest = swapping.order;
    const int pairs = run->processors < 4 ? 1 : SWAP_PAIRS;
    double sum_s = 0.0;
    for (int i = 0; i < SWAP_WAYS && !run->crowded; i++)
        for (int k = 0; k < VOLUMES; k++) {
            double swaps = 0.0;
            if (!choose(&swapping, i, k) || is_known(run, ways[i].way))
                continue;
            for (swapping.order.pairs = 0; swapping.order.pairs < pairs; swapping.order.pairs++)
                swaps += count_protocols(&swapping, ways[i].way);
            swapping.order.reorganized = simplest.reorganized;
            swapping.order.order = simplest.order;
            swapping.order.protocol = simplest.protocol;
            swapping.order.pairs = simplest.pairs;
            sum_s += swaps > 0.0 ? swaps * row_s(&swapping) : 0.0;
        }
    return run->simulated ? sum_s : fmin(sum_s, suite_s_most);
}
