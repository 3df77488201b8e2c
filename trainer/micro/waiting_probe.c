#include "trainer/micro/waiting_probe.h"

#include "model/base/allocation.h"
#include "trainer/base/clock.h"
#include "trainer/base/group.h"
#include "trainer/base/pages.h"
#include "trainer/base/work.h"
#include "trainer/engine/probe.h"

#include <gsl/gsl_sort.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Beyond the private caches of processors of today (2 MiB), and short enough that all processors
   of a node have room. */
enum {
    MEMORY_BYTES = 16 << 20,
    TRIALS = 5,
    TIMES_LEAST = 3,
    WORDS = MEMORY_BYTES / (int)sizeof(double)
};

static const double trial_units = 20000.0;

/* Two quarters, then halves of the rest; the last two are as large. */
double waiting_share(int part)
{
    const int halvings = part < 2 ? 2 : part + 1 < WAITING_PARTS_MOST ? part : part - 1;
    return pow(0.5, halvings);
}

/* ---- computation ---- */

struct computing {
    double *memory; /* NULL: in registers */
    size_t at;      /* the next word of it */
    bool simulated;
};

/* A unit is a word that is read and written, the first one again behind the last. */
static void compute(struct computing *it, double units)
{
    if (!it->memory) {
        work(units, it->simulated);
        return;
    }
    volatile double *words = it->memory;
    size_t at = it->at;
    for (double k = 0.0; k < units; k += 1.0) {
        words[at] = words[at] + 1.0;
        at = at + 1 == WORDS ? 0 : at + 1;
    }
    it->at = at;
}

static double compute_us(struct computing *it, double units)
{
    const double begin_s = clock_s();
    compute(it, units);
    return 1e6 * (clock_s() - begin_s);
}

/* The quickest of a few on any processor: what disturbs one is what is looked for. */
static double units_for(struct computing *it, double work_us, MPI_Comm comm)
{
    double least_us = INFINITY;
    for (int i = 0; i < TRIALS; i++)
        least_us = fmin(least_us, compute_us(it, trial_units));
    MPI_Allreduce(MPI_IN_PLACE, &least_us, 1, MPI_DOUBLE, MPI_MIN, comm);
    return fmax(1.0, floor(trial_units * work_us / least_us));
}

/* ---- runs ---- */

static void synchronise(MPI_Comm comm)
{
    double mine = 1.0, sum;
    MPI_Allreduce(&mine, &sum, 1, MPI_DOUBLE, MPI_SUM, comm);
}

static double reduction_us(int times, MPI_Comm comm)
{
    synchronise(comm);
    const double begin_s = clock_s();
    for (int i = 0; i < times; i++)
        synchronise(comm);
    return 1e6 * (clock_s() - begin_s) / times;
}

/* Fills single_us with the processor's computations, less the mean of all processors' in this run.
   Returns what all wait. */
static double one_run_us(struct computing *it, double units, int times, int processors,
                         MPI_Comm comm, double *single_us)
{
    double mean_us = 0.0;
    synchronise(comm);
    const double begin_s = clock_s();
    for (int i = 0; i < times; i++) {
        single_us[i] = compute_us(it, units);
        synchronise(comm);
    }
    const double both_us = 1e6 * (clock_s() - begin_s) / times;
    for (int i = 0; i < times; i++)
        mean_us += single_us[i] / times / processors;
    MPI_Allreduce(MPI_IN_PLACE, &mean_us, 1, MPI_DOUBLE, MPI_SUM, comm);
    for (int i = 0; i < times; i++)
        single_us[i] -= mean_us;
    const double waited_us = both_us - mean_us - reduction_us(times, comm);
    return waited_us > 2e6 * MPI_Wtick() ? waited_us : 0.0; /* else the clock cannot tell it */
}

/* The means of the parts of all computations, which are sorted; a part begins and ends within one
   of them where its share is not a whole number. */
static void tell_parts(const double *all_us, size_t count, double *means_us)
{
    double from = 0.0;
    for (int part = 0; part < WAITING_PARTS_MOST; part++) {
        const bool last = part + 1 == WAITING_PARTS_MOST;
        const double share = waiting_share(part), upto = last ? 1.0 : from + share;
        const double begin = from * (double)count, end = upto * (double)count;
        double sum_us = 0.0;
        for (size_t i = (size_t)begin; i < count && (double)i < end; i++)
            sum_us += all_us[i] * (fmin((double)i + 1.0, end) - fmax((double)i, begin));
        means_us[part] = sum_us / (end - begin);
        from = upto;
    }
}

/* The mean without the least and the most: noise that is rare is in a mean, and what came once in
   all runs in none. */
static double middle(const double *sorted, int count)
{
    double sum = 0.0;
    for (int i = 1; i + 1 < count; i++)
        sum += sorted[i];
    return sum / (count - 2);
}

static void perform_among(const struct waiting_order *order, bool simulated, MPI_Comm comm,
                          double results[PROBE_RESULTS])
{
    struct computing it = {.simulated = simulated};
    double waited_us[WAITING_RUNS_MOST];
    int rank;
    MPI_Comm_rank(comm, &rank);
    if (order->work == WAITING_ON_MEMORY)
        it.memory = (double *)(void *)pages_new(MEMORY_BYTES, 0);
    if (it.memory)
        compute(&it, WORDS); /* no page is touched for the first time in a run */
    const double units = units_for(&it, order->work_us, comm);
    double *mine_us = memory_new((size_t)order->times * (size_t)order->runs, sizeof *mine_us);
    /* Where others use the machine it takes longer than it was asked for: behind the first run all
       others are so much shorter that together they take about half as long again. */
    const double most_s = 1.5e-6 * order->runs * order->times * order->work_us;
    const double begin_s = clock_s();
    int times = order->times;
    size_t mine = 0;
    for (int run = 0; run < order->runs; run++) {
        waited_us[run] = one_run_us(&it, units, times, order->processors, comm, mine_us + mine);
        mine += (size_t)times;
        double took_s = clock_s() - begin_s;
        MPI_Bcast(&took_s, 1, MPI_DOUBLE, 0, comm);
        if (run == 0 && order->runs > 1 && !simulated)
            times = (int)fmin(
                times, fmax(TIMES_LEAST, times * (most_s - took_s) / took_s / (order->runs - 1)));
    }
    const size_t count = mine * (size_t)order->processors;
    double *all_us = memory_new(rank == 0 ? count : 0, sizeof *all_us);
    MPI_Gather(mine_us, (int)mine, MPI_DOUBLE, all_us, (int)mine, MPI_DOUBLE, 0, comm);
    if (rank == 0) {
        gsl_sort(waited_us, 1, (size_t)order->runs);
        gsl_sort(all_us, 1, count);
        results[WAITING_RESULT] = middle(waited_us, order->runs);
        results[WAITING_RESULT_LOW] = waited_us[0];
        results[WAITING_RESULT_HIGH] = waited_us[order->runs - 1];
        results[WAITING_LEAST] = all_us[0];
        tell_parts(all_us, count, &results[WAITING_PARTS]);
    }
    free(all_us);
    free(mine_us);
    free(it.memory);
}

static void perform(void *state, const struct probe_context *context, const void *what,
                    double results[PROBE_RESULTS])
{
    struct waiting_order order;
    (void)state;
    memcpy(&order, what, sizeof order);
    if (context->rank >= order.processors)
        return;
    struct group group = group_new((struct group_ranks){0, order.processors - 1, 1});
    perform_among(&order, context->simulated, group.comm, results);
    group_free(&group);
}

const struct probe waiting_probe = {.perform = perform};
