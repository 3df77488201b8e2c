#include "trainer/engine/noise.h"

#include "model/fit/summary.h"

#include <gsl/gsl_sort.h>
#include <math.h>

/* Below this the clock and the core's own steps make the difference. */
static const double interrupted_least = 0.25;

struct noise_moment noise_moment_of(double *times_us, size_t count)
{
    gsl_sort(times_us, 1, count);
    struct noise_moment moment = {.quantum_us = summary_quantile(times_us, count, 0.5)};
    for (size_t i = 0; i < count; i++) {
        const double more_us = times_us[i] - moment.quantum_us;
        const bool interrupted = more_us > interrupted_least * moment.quantum_us;
        moment.time_us += times_us[i];
        moment.interruptions += interrupted;
        moment.lost_us += interrupted ? more_us : 0.0;
        moment.longest_us = interrupted ? more_us : moment.longest_us;
    }
    return moment;
}

void noise_add(struct noise_watch *watch, const struct noise_moment *moment)
{
    if (watch->moments < NOISE_MOMENTS)
        watch->quanta_us[watch->moments++] = moment->quantum_us;
    watch->sum.time_us += moment->time_us;
    watch->sum.lost_us += moment->lost_us;
    watch->sum.interruptions += moment->interruptions;
    watch->sum.longest_us = fmax(watch->sum.longest_us, moment->longest_us);
}

struct noise noise_of(const struct noise_watch *watch)
{
    double quanta_us[NOISE_MOMENTS];
    const struct noise_moment *sum = &watch->sum;
    const double any = sum->interruptions > 0.0 ? 1.0 : (double)NAN;
    for (size_t i = 0; i < watch->moments; i++)
        quanta_us[i] = watch->quanta_us[i];
    gsl_sort(quanta_us, 1, watch->moments);
    return (struct noise){
        .moments = (double)watch->moments,
        .quantum_us = summary_quantile(quanta_us, watch->moments, 0.5),
        .low_us = summary_quantile(quanta_us, watch->moments, 0.05),
        .high_us = summary_quantile(quanta_us, watch->moments, 0.95),
        .interrupted_share = sum->lost_us / sum->time_us,
        .interruptions_per_s = 1e6 * sum->interruptions / sum->time_us,
        .interruption_us = any * sum->lost_us / fmax(1.0, sum->interruptions),
        .interruption_longest_us = any * sum->longest_us,
    };
}
