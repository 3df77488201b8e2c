#include "trainer/micro/start_up_probe.h"

#include "model/base/number.h"
#include "model/micro/start_up.h"
#include "trainer/base/clock.h"
#include "trainer/base/pages.h"

#include <gsl/gsl_sort.h>
#include <gsl/gsl_statistics_double.h>
#include <math.h>
#include <mpi.h>
#include <stdlib.h>
#include <string.h>

enum { TAG = 15, EXCHANGES = 2 * START_UP_MESSAGES, TOLD = 4, DIGITS = 4 };

/* Ascending, since what a short one has touched a long one finds as well; the last two are
   announced first by most libraries. */
static const int sizes[] = {8, 2048, 16384, 131072};

static int partner_of(int rank, int processors)
{
    const int half = processors / 2;
    return rank >= 2 * half ? MPI_PROC_NULL : rank < half ? rank + half : rank - half;
}

static void exchange(char *send, char *receive, int bytes, int partner, double us[EXCHANGES])
{
    for (int i = 0; i < EXCHANGES; i++) {
        MPI_Request requests[2];
        const double start_s = clock_s();
        MPI_Irecv(receive, bytes, MPI_BYTE, partner, TAG, MPI_COMM_WORLD, &requests[0]);
        MPI_Isend(send, bytes, MPI_BYTE, partner, TAG, MPI_COMM_WORLD, &requests[1]);
        MPI_Waitall(2, requests, MPI_STATUSES_IGNORE);
        us[i] = 1e6 * (clock_s() - start_s);
    }
}

/* What the ones from first to end take beyond what those of the second half do. An interruption
   makes a few of many longer, and is no part of it: the longest tenth counts as the next one. */
static double beyond_us(const double us[EXCHANGES], int first, int end, double settled)
{
    double sorted[EXCHANGES];
    const size_t count = (size_t)(end - first);
    memcpy(sorted, us + first, count * sizeof *sorted);
    gsl_sort(sorted, 1, count);
    const size_t longest = count - count / 10 - 1;
    double sum_us = 0.0;
    for (size_t i = 0; i < count; i++)
        sum_us += sorted[i < longest ? i : longest] - settled;
    return sum_us;
}

static double settled_us(const double us[EXCHANGES])
{
    double sorted[START_UP_MESSAGES];
    memcpy(sorted, us + START_UP_MESSAGES, sizeof sorted);
    gsl_sort(sorted, 1, START_UP_MESSAGES);
    return gsl_stats_median_from_sorted_data(sorted, 1, START_UP_MESSAGES);
}

static struct start_up row_of(int bytes, const double told_us[TOLD])
{
    return (struct start_up){bytes, told_us[0], told_us[1], told_us[2], told_us[3]};
}

/* What so many of the first ones take more: never less than fewer of them. */
static void tell(const double us[EXCHANGES], double told_us[TOLD])
{
    static const int ends[TOLD + 1] = {0, 1, 8, 64, START_UP_MESSAGES};
    const double settled = settled_us(us);
    double sum_us = 0.0;
    for (int k = 0; k < TOLD; k++) {
        sum_us += fmax(0.0, beyond_us(us, ends[k], ends[k + 1], settled));
        told_us[k] = sum_us;
    }
}

void start_up_probe(struct list *rows)
{
    int rank, processors;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &processors);
    const size_t room = (size_t)sizes[sizeof sizes / sizeof *sizes - 1];
    char *send = pages_new(room, 1), *receive = pages_new(room, 2);
    const int partner = partner_of(rank, processors);
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
        double us[EXCHANGES], mine_us[TOLD], most_us[TOLD];
        exchange(send, receive, sizes[i], partner, us);
        tell(us, mine_us);
        MPI_Reduce(mine_us, most_us, TOLD, MPI_DOUBLE, MPI_MAX, 0, MPI_COMM_WORLD);
        for (int k = 0; k < TOLD && rank == 0; k++)
            most_us[k] = number_rounded(most_us[k], DIGITS);
        if (rank == 0)
            *(struct start_up *)list_add(&start_up_record, rows) = row_of(sizes[i], most_us);
    }
    free(send);
    free(receive);
}
