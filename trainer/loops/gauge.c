#include "trainer/loops/gauge.h"

#include <math.h>
#include <stddef.h>

/* What is slower is taken for another state of the machine: two kinds of noise alone are less. */
static const double slow = 1.15;

enum { NUMBERS = 1024, PASSES = 40, TIMES = 3 };

bool gauge_is_slow(struct gauge *gauge, double took_ns)
{
    if (gauge->least_ns == 0.0 || took_ns < gauge->least_ns)
        gauge->least_ns = took_ns;
    return took_ns > slow * gauge->least_ns;
}

/* Four sums that do not wait for one another. */
static double sum_of(const volatile double *numbers)
{
    double sums[4] = {0.0};
    for (int i = 0; i < PASSES; i++)
        for (size_t k = 0; k < NUMBERS; k += 4) {
            sums[0] += numbers[k];
            sums[1] += numbers[k + 1];
            sums[2] += numbers[k + 2];
            sums[3] += numbers[k + 3];
        }
    return sums[0] + sums[1] + sums[2] + sums[3];
}

/* The least of a few: an interruption is no state. */
double gauge_time_ns(double (*clock_s)(void))
{
    volatile double numbers[NUMBERS], sum = 0.0;
    double least_s = INFINITY;
    for (size_t i = 0; i < NUMBERS; i++)
        numbers[i] = 1.0;
    for (int i = 0; i < TIMES; i++) {
        const double start_s = clock_s();
        sum += sum_of(numbers);
        least_s = fmin(least_s, clock_s() - start_s);
    }
    return sum > 0.0 ? 1e9 * least_s : INFINITY;
}
