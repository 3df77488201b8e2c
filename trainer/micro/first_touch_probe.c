#include "trainer/micro/first_touch_probe.h"

#include "model/base/number.h"
#include "model/micro/start_up.h"
#include "trainer/base/clock.h"

#include <gsl/gsl_sort.h>
#include <math.h>
#include <mpi.h>
#include <sys/mman.h>

/* As large as arrays that a program gets as pages of their own, and small beside any memory. */
enum { REGIONS = 7, BYTES = 16 << 20, WORDS = BYTES / (int)sizeof(double), DIGITS = 4 };

static double write_us(volatile double *words, double value)
{
    const double begin_s = clock_s();
    for (int i = 0; i < WORDS; i++)
        words[i] = value;
    return 1e6 * (clock_s() - begin_s);
}

/* NAN: there is no memory. */
static double region_us(void)
{
    void *const region =
        mmap(NULL, BYTES, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (region == MAP_FAILED)
        return NAN;
    const double first_us = write_us(region, 1.0), again_us = write_us(region, 2.0);
    munmap(region, BYTES);
    return fmax(0.0, first_us - again_us);
}

void first_touch_probe(struct list *rows)
{
    int rank;
    double mine_us[REGIONS], most_us[REGIONS];
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    for (int i = 0; i < REGIONS; i++) {
        MPI_Barrier(MPI_COMM_WORLD);
        mine_us[i] = region_us() / (BYTES / 0x1p20);
    }
    gsl_sort(mine_us, 1, REGIONS);
    MPI_Reduce(mine_us, most_us, REGIONS, MPI_DOUBLE, MPI_MAX, 0, MPI_COMM_WORLD);
    if (rank != 0 || isnan(most_us[0] + most_us[REGIONS - 1]))
        return;
    *(struct first_touch *)list_add(&first_touch_record, rows) = (struct first_touch){
        BYTES, number_rounded(most_us[REGIONS / 2], DIGITS), number_rounded(most_us[0], DIGITS),
        number_rounded(most_us[REGIONS - 1], DIGITS)};
}
