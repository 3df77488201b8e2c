#include "trainer/engine/in_situ.h"

#include "trainer/base/clock.h"
#include "trainer/base/pages.h"

#include <gsl/gsl_sort.h>
#include <gsl/gsl_statistics_double.h>
#include <stdlib.h>

/* The first sixth of the uses finds caches as whatever was before has left them. */
enum { USES_MOST = 49, BEFORE_OF = 6, LINE_BYTES = 64 };

/* What is gone through for one median: 12 uses with 32 MB between them take 0.1 s. */
static const size_t gone_through_bytes_most = (size_t)384 << 20;

int in_situ_uses(size_t work_bytes)
{
    return work_bytes * USES_MOST <= gone_through_bytes_most
               ? USES_MOST
               : (int)(gone_through_bytes_most / work_bytes);
}

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

static double median_of_least(double *mine_us, int uses, const struct site *site)
{
    double least_us[USES_MOST] = {0};
    MPI_Reduce(mine_us, least_us, uses, MPI_DOUBLE, MPI_MIN, 0, site->comm);
    gsl_sort(least_us, 1, (size_t)uses);
    return gsl_stats_median_from_sorted_data(least_us, 1, (size_t)uses);
}

double in_situ_use_us(struct site *site, const struct utility *utility, size_t room,
                      size_t work_bytes)
{
    double mine_us[USES_MOST] = {0};
    char *other = pages_new(work_bytes, 1);
    const int all = in_situ_uses(work_bytes), before = all / BEFORE_OF, uses = all - before;
    for (int i = -before; i < uses; i++) {
        work(other, work_bytes);
        write_all(site->send, room);
        site->excluded_s = 0.0;
        const double start_s = clock_s();
        utility->run(site, 1);
        const double took_s = clock_s() - start_s - site->excluded_s;
        if (i >= 0)
            mine_us[i] = 1e6 * took_s;
        read_all(site->receive, room); /* before the work, which leaves it cold for the next use */
    }
    free(other);
    return median_of_least(mine_us, uses, site);
}
