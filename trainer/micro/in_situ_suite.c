/* How much longer utilities take where buffers were just written and other work lies between two
   uses, beside uses one right after the other: rows in_situ of the costs that are in the table. */
#include "model/base/number.h"
#include "model/micro/in_situ.h"
#include "trainer/base/clock.h"
#include "trainer/base/interruption.h"
#include "trainer/curve/first_pass.h"
#include "trainer/engine/counts.h"
#include "trainer/engine/in_situ.h"
#include "trainer/engine/message_buffers.h"
#include "trainer/micro/microbenchmarks.h"
#include "trainer/utilities/utilities.h"

#include <gsl/gsl_sort.h>
#include <gsl/gsl_statistics_double.h>
#include <math.h>

enum { ROUNDS = 3, RATIO_DIGITS = 3 };

static const int sizes[] = {8, 1024, 8192, 32768, 131072, 524288};
static const size_t sizes_count = sizeof sizes / sizeof *sizes;

/* Where one processor's clock tells, what it reads is not the same when the others wait for it; and
   of several uses in one run all but the first are not in situ. */
static bool suits(const struct utility *utility)
{
    return (utility->across == ACROSS_MAXIMUM || utility->across == ACROSS_MEAN) &&
           utility->uses_per_run == 1 && utility->granule_bytes > 0.0 && !utility->in_parts &&
           !utility->pattern->near && utility->pattern->distance == 0;
}

/* One round: of each mode, against warm uses before and behind all of them, so that a machine that
   changes meanwhile does not change one alone. */
static void one_round(const struct run *run, int bytes, double ratios[IN_SITU_MODES])
{
    const double before_us = engine_in_situ_us(run->engine, bytes, false, 0);
    for (int mode = 0; mode < IN_SITU_MODES; mode++)
        ratios[mode] = engine_in_situ_us(run->engine, bytes, true,
                                         (size_t)in_situ_work_bytes((enum in_situ_mode)mode));
    const double warm_us = (before_us + engine_in_situ_us(run->engine, bytes, false, 0)) / 2.0;
    for (int mode = 0; mode < IN_SITU_MODES; mode++) /* a clock may be too coarse for either */
        ratios[mode] = ratios[mode] > 0.0 && warm_us > 0.0 ? ratios[mode] / warm_us : 1.0;
}

static int rounds_of(const struct run *run)
{
    return run_passes(run) > 1 ? ROUNDS : 1;
}

/* ---- how long it takes ---- */

/* The second use: the first one makes buffers grow. INFINITY: it cannot be measured. */
static double use_s(const struct run *run, int bytes)
{
    struct batch_time took = {.elapsed_us = INFINITY};
    struct error error;
    engine_size(run->engine, bytes);
    for (int i = 0; i < 2; i++)
        if (engine_batch(run->engine, 1, &took, &error) != 0)
            return INFINITY;
    return 1e-6 * took.elapsed_us;
}

/* A utility that was chosen among so many. */
struct chosen {
    const struct utility *utility;
    int participants;
    double byte_s; /* what going through a byte between two uses takes */
};

/* As a measurement goes through them, but for the uses of the shortest message. */
static double touching_s(const struct run *run)
{
    const double bytes = in_situ_work_bytes(IN_SITU_32M), without_s = use_s(run, sizes[0]);
    const double begin_s = clock_s();
    engine_in_situ_us(run->engine, sizes[0], true, (size_t)bytes);
    return fmax(0.0, (clock_s() - begin_s) / in_situ_uses((size_t)bytes) - without_s) / bytes;
}

/* A row of messages of so many bytes: warm uses twice a round, and those of all modes. */
static double row_s(const struct run *run, const struct chosen *chosen, int bytes)
{
    const double buffers =
        2.0 * (double)message_buffers_room(chosen->utility, chosen->participants, bytes);
    const double warm_s = use_s(run, bytes);
    double round_s = 2.0 * in_situ_uses(0) * warm_s;
    for (int mode = 0; mode < IN_SITU_MODES; mode++) {
        const double work_bytes = in_situ_work_bytes((enum in_situ_mode)mode);
        round_s +=
            in_situ_uses((size_t)work_bytes) * (warm_s + chosen->byte_s * (work_bytes + buffers));
    }
    return rounds_of(run) * round_s;
}

static struct chosen choose(const struct run *run, int index, int participants)
{
    run_choose(run, index, participants);
    return (struct chosen){utilities[index], participants, touching_s(run)};
}

/* ---- rows ---- */

static void add_row(const struct run *run, int bytes, struct list *rows)
{
    const int rounds = rounds_of(run);
    struct in_situ *row = list_add(&in_situ_record, rows);
    double all[ROUNDS][IN_SITU_MODES], of_mode[ROUNDS];
    for (int round = 0; round < rounds; round++)
        one_round(run, bytes, all[round]);
    row->bytes = bytes;
    for (int mode = 0; mode < IN_SITU_MODES; mode++) {
        for (int round = 0; round < rounds; round++)
            of_mode[round] = all[round][mode];
        gsl_sort(of_mode, 1, (size_t)rounds);
        *in_situ_of(row, (enum in_situ_mode)mode) = number_rounded(
            gsl_stats_median_from_sorted_data(of_mode, 1, (size_t)rounds), RATIO_DIGITS);
    }
}

/* False where the time for it ended. */
static bool add_rows(struct run *run, int index, struct cost *cost)
{
    list_free(&in_situ_record, &cost->in_situ);
    const struct chosen chosen =
        choose(run, index, utility_participants(utilities[index], (int)cost->processors.most));
    for (size_t i = 0; i < sizes_count && sizes[i] <= cost->bytes.most; i++) {
        if (interruption_or_after(run->share_end_s - row_s(run, &chosen, sizes[i])))
            return false;
        add_row(run, sizes[i], &cost->in_situ);
    }
    return true;
}

int in_situ_measure(struct run *run, struct machine *machine, struct error *error)
{
    struct cost *costs = machine->communication.items;
    bool all = true;
    (void)error;
    if (run->simulated)
        return 0; /* nothing is in a cache there */
    if (machine->communication.count == 0)
        run_not_measured(machine, "in-situ",
                         "it needs utilities that are measured in the same run");
    for (size_t i = 0; i < machine->communication.count; i++) {
        const int index = utilities_named(costs[i].utility);
        if (index >= 0 && suits(utilities[index]))
            all = add_rows(run, index, &costs[i]) && all;
    }
    if (!all)
        run_not_measured(machine, "in-situ of some utilities or of long messages",
                         "the time for it ended");
    progress_part(&run->progress, "in-situ          buffers written, and work between messages");
    return 0;
}

/* Longest messages are those that the utility is measured with. */
static double all_rows_s(struct run *run, int index)
{
    int counts[COUNTS_MOST];
    double sum_s = 0.0;
    const size_t count =
        counts_of(utilities[index], run->options, run->processors, run->distances.together, counts);
    if (count == 0)
        return 0.0;
    const struct chosen chosen = choose(run, index, counts[count - 1]);
    run->utility = utilities[index];
    const double most = first_pass_plan(run, chosen.participants).bytes_most;
    for (size_t i = 0; i < sizes_count && sizes[i] <= most; i++)
        sum_s += row_s(run, &chosen, sizes[i]);
    return sum_s;
}

double in_situ_foresee_s(struct run *run)
{
    double sum_s = 0.0;
    for (int i = 0; i < utilities_count && !run->simulated && !run->crowded; i++)
        if (run->has[i] && suits(utilities[i]))
            sum_s += all_rows_s(run, i);
    return sum_s;
}
