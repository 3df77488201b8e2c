#include "trainer/engine/in_situ.h"

#include "trainer/base/pages.h"

#include <gsl/gsl_sort.h>
#include <gsl/gsl_statistics_double.h>
#include <stdlib.h>

/* The first uses find caches as whatever was before has left them. */
enum { USES_BEFORE = 8, USES = IN_SITU_USES - USES_BEFORE, LINE_BYTES = 64 };

/* Ones, of which sums neither overflow nor become denormal. */
static void write_all(char *buffer, size_t bytes)
{
    double *values = (double *)(void *)buffer;
    for (size_t i = 0; i < bytes / sizeof *values; i++)
        ((volatile double *)values)[i] = 1.0;
}

static void read_all(const char *buffer, size_t bytes)
{
    for (size_t i = 0; i < bytes; i += sizeof(double))
        (void)*(const volatile char *)(buffer + i);
}

static void work(char *other, size_t bytes)
{
    for (size_t i = 0; i < bytes; i += LINE_BYTES)
        ++*(volatile char *)(other + i);
}

static double median_of_least(double *mine_us, const struct site *site)
{
    double least_us[USES] = {0};
    MPI_Reduce(mine_us, least_us, USES, MPI_DOUBLE, MPI_MIN, 0, site->comm);
    gsl_sort(least_us, 1, USES);
    return gsl_stats_median_from_sorted_data(least_us, 1, USES);
}

double in_situ_use_us(struct site *site, const struct utility *utility, size_t room,
                      size_t work_bytes)
{
    double mine_us[USES] = {0};
    char *other = pages_new(work_bytes, 1);
    for (int i = -USES_BEFORE; i < USES; i++) {
        work(other, work_bytes);
        write_all(site->send, room);
        read_all(site->receive, room);
        site->excluded_s = 0.0;
        const double start_s = MPI_Wtime();
        utility->run(site, 1);
        const double took_s = MPI_Wtime() - start_s - site->excluded_s;
        if (i >= 0)
            mine_us[i] = 1e6 * took_s;
    }
    free(other);
    return median_of_least(mine_us, site);
}
