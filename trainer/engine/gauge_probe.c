/* How quick the machine is at the moment: a virtual machine whose processors are moved, or share
   their cores with others, passes the same message in one of a few times, for seconds each. */
#include "trainer/engine/probe.h"

#include "model/base/allocation.h"
#include "trainer/base/clock.h"

#include <gsl/gsl_sort.h>
#include <gsl/gsl_statistics_double.h>
#include <stdlib.h>

/* Each is so many messages in turn with a partner, and a combination of all. */
enum { SAMPLES = 9, IN_TURN = 10 };

/* 8 bytes to one half of the ranks and back; the last of an odd number sits out. */
static double sample_s(const struct probe_context *context)
{
    double sent = 1.0, got = 0.0;
    const int half = context->processors / 2, rank = context->rank;
    const int partner = rank < half ? rank + half : rank < 2 * half ? rank - half : MPI_PROC_NULL;
    const double start_s = clock_s();
    for (int i = 0; i < IN_TURN; i++)
        MPI_Sendrecv(&sent, 1, MPI_DOUBLE, partner, 0, &got, 1, MPI_DOUBLE, partner, 0,
                     context->comm, MPI_STATUS_IGNORE);
    MPI_Allreduce(&sent, &got, 1, MPI_DOUBLE, MPI_SUM, context->comm);
    return clock_s() - start_s;
}

/* results[0]: the median of some samples, in us, on the rank where it is longest. */
static void perform(void *state, const struct probe_context *context, const void *order,
                    double results[PROBE_RESULTS])
{
    double samples_us[SAMPLES];
    (void)state, (void)order;
    MPI_Barrier(context->comm);
    for (int i = 0; i < SAMPLES; i++)
        samples_us[i] = 1e6 * sample_s(context);
    gsl_sort(samples_us, 1, SAMPLES);
    const double median_us = gsl_stats_median_from_sorted_data(samples_us, 1, SAMPLES);
    MPI_Reduce(&median_us, results, 1, MPI_DOUBLE, MPI_MAX, 0, context->comm);
}

const struct probe gauge_probe = {.perform = perform};
