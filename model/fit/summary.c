#include "model/fit/summary.h"

#include "model/base/allocation.h"

#include <gsl/gsl_cdf.h>
#include <gsl/gsl_sort.h>
#include <gsl/gsl_statistics_double.h>
#include <math.h>
#include <stdlib.h>

double summary_quantile(const double *sorted, size_t count, double q)
{
    const double at = q * (double)(count - 1);
    const size_t below = (size_t)at;
    if (below + 1 >= count)
        return sorted[count - 1];
    /* gsl_stats_quantile weighs both neighbours, and rounding then takes it below two that are
       equal. */
    const double low = sorted[below], high = sorted[below + 1];
    return fmin(high, low + (at - (double)below) * (high - low));
}

/* The largest index r (from 0) with P(Binomial(count, 1/2) <= r) <= tail: sorted[r] and
   sorted[count - 1 - r] hold the median between them with confidence 1 - 2 tail. 0 where there are
   too few samples for that. */
static size_t index_of_tail(size_t count, double tail)
{
    size_t index = 0;
    while (index + 1 < count / 2 &&
           gsl_cdf_binomial_P((unsigned)(index + 1), 0.5, (unsigned)count) <= tail)
        index++;
    return index;
}

static void set_interval(struct summary *summary, const double *sorted, double confidence)
{
    const size_t count = summary->count;
    const size_t low = index_of_tail(count, 0.5 * (1.0 - confidence));
    summary->median_low = sorted[low];
    summary->median_high = sorted[count - 1 - low];
}

/* 1.4826 MAD estimates the standard deviation of a normal distribution; more than five of them
   above the median is a disturbance, not noise. */
static double outlier_share(const double *sorted, size_t count, double median)
{
    double *away = memory_new(count, sizeof *away);
    for (size_t i = 0; i < count; i++)
        away[i] = fabs(sorted[i] - median);
    gsl_sort(away, 1, count);
    const double deviation = 1.4826 * gsl_stats_median_from_sorted_data(away, 1, count);
    const double limit = median + fmax(5.0 * deviation, 1e-6 * fabs(median)); /* exact samples */
    free(away);
    size_t beyond = 0;
    while (beyond < count && sorted[count - 1 - beyond] > limit)
        beyond++;
    return (double)beyond / (double)count;
}

struct summary summary_of(double *samples, size_t count, double confidence)
{
    gsl_sort(samples, 1, count);
    struct summary summary = {
        .count = count,
        .minimum = samples[0],
        .median = gsl_stats_median_from_sorted_data(samples, 1, count),
        .mean = gsl_stats_mean(samples, 1, count),
        .standard_deviation = count > 1 ? gsl_stats_sd(samples, 1, count) : 0.0,
        .maximum = samples[count - 1],
    };
    set_interval(&summary, samples, confidence);
    summary.outliers = outlier_share(samples, count, summary.median);
    return summary;
}
