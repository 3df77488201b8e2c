/* Repeated times summed up: order statistics, and a confidence interval of the median that assumes
   nothing about the distribution. */
#ifndef MODEL_FIT_SUMMARY_H
#define MODEL_FIT_SUMMARY_H

#include <stddef.h>

struct summary {
    size_t count;
    double minimum, median, mean, standard_deviation, maximum; /* as the samples' unit */
    double median_low, median_high; /* confidence interval of the median, by order statistics */
    double outliers;                /* share beyond median + 5 scaled MAD; 0 to 1 */
};

/* Sums up count >= 1 samples; confidence in (0, 1), e.g. 0.95. With too few samples for the
   confidence asked, the interval is [minimum, maximum]. Sorts samples in place. */
struct summary summary_of(double *samples, size_t count, double confidence);

/* The q-quantile, 0 <= q <= 1, of count >= 1 samples sorted upwards, linearly interpolated. Never
   less for a larger q, rounding included. */
double summary_quantile(const double *sorted, size_t count, double q);

#endif
