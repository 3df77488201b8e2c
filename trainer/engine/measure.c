#include "trainer/engine/measure.h"

#include "model/base/allocation.h"
#include "model/base/number.h"
#include "model/fit/summary.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { WARM_UPS = 2, BATCHES_LEAST = 3, CHECK_EVERY = 10, BATCHES_SHORTLY = 5 };
static const double times_most = 1e6;

/* About the longest that a short look takes, where its batches are long. */
static const double shorter_us_most = 2500.0;

/* What took so long has nothing cold any more that would show in its time. */
static const double warm_us = 100.0;

/* A batch that is later than the median by more than both was not measured but interrupted: a
   processor is lent to others for that long, and noise is shorter. */
static const double interruption_us = 1000.0, interruption_share = 0.5;

/* What a simulated machine adds up in another order differs by less: on a dragonfly of 8 the same
   use of `collectives` by 2e-6, so that 1e-7 asked for all batches, four times the time. */
static const double alike_share = 1e-5;

/* The number of repetitions that makes a batch long enough; each try warms up as well. An exact
   clock needs neither. */
static int choose_times(const struct measure_plan *plan, measure_batch *batch, void *state,
                        long *times, struct error *error)
{
    struct batch_time took = {0};
    *times = 1;
    if (plan->batch_us == 0.0)
        return 0;
    for (int i = 0; i < WARM_UPS && took.elapsed_us < warm_us; i++)
        if (batch(state, 1, &took, error) != 0)
            return -1;
    while (took.elapsed_us < plan->batch_us && (double)*times < times_most) {
        const double missing = 1.2 * plan->batch_us / fmax(took.elapsed_us, 1e-3 * plan->batch_us);
        *times = (long)ceil((double)*times * fmin(10.0, fmax(1.5, missing)));
        if (batch(state, *times, &took, error) != 0)
            return -1;
    }
    return 0;
}

static bool agree(const double *samples, size_t count)
{
    for (size_t i = 1; i < count; i++)
        if (fabs(samples[i] - samples[0]) > alike_share * samples[0])
            return false;
    return true;
}

/* Whether the last batches agree. On a real clock only the first ones may: a long row has such a
   run by chance. On an exact one the first batches may still differ, since ranks begin apart. */
static bool are_alike(const struct measure_plan *plan, const double *samples, size_t count)
{
    const bool is_exact = plan->batch_us == 0.0;
    if (is_exact ? count < plan->batches_alike : count != plan->batches_alike)
        return false;
    return agree(samples + count - plan->batches_alike, plan->batches_alike);
}

static struct summary sum_up(const double *samples, size_t count, double confidence)
{
    double *sorted = memory_new(count, sizeof *sorted);
    memcpy(sorted, samples, count * sizeof *sorted);
    const struct summary summary = summary_of(sorted, count, confidence);
    free(sorted);
    return summary;
}

static double half_width(const struct summary *summary)
{
    return 0.5 * (summary->median_high - summary->median_low);
}

static bool known_well(const struct measure_plan *plan, const double *samples, size_t count)
{
    if (are_alike(plan, samples, count))
        return true;
    if (count < plan->batches_least || count % CHECK_EVERY != 0)
        return false;
    const struct summary summary = sum_up(samples, count, plan->confidence);
    return half_width(&summary) <= plan->accuracy * summary.median;
}

/* What the batches, each of so many uses, took together, and what of it interruptions did. */
static void add_up(struct point *point, const double *samples, size_t count, double uses)
{
    const double median_us = point->median_us * uses;
    point->spent_us = point->lost_us = 0.0;
    for (size_t i = 0; i < count; i++) {
        const double batch_us = samples[i] * uses, late_us = batch_us - median_us;
        point->spent_us += batch_us;
        if (late_us > fmax(interruption_us, interruption_share * median_us))
            point->lost_us += late_us;
    }
}

struct measure_plan measure_shortly(const struct measure_plan *plan)
{
    struct measure_plan shorter = *plan;
    shorter.batches_least = shorter.batches_most = BATCHES_SHORTLY;
    shorter.point_us_most = fmin(shorter_us_most, plan->point_us_most);
    return shorter;
}

int measure(const struct measure_plan *plan, measure_batch *batch, void *state, struct point *point,
            struct error *error)
{
    long times;
    if (choose_times(plan, batch, state, &times, error) != 0)
        return -1;
    double *samples = memory_new(plan->batches_most, sizeof *samples);
    struct batch_time took = {.uses = 1.0};
    size_t count = 0;
    int status = 0;
    for (double spent_us = 0.0; count < plan->batches_most;) {
        status = batch(state, times, &took, error);
        if (status != 0)
            break;
        samples[count++] =
            number_rounded(took.elapsed_us / ((double)times * took.uses), MEASURE_DIGITS);
        spent_us += took.elapsed_us;
        if (known_well(plan, samples, count) ||
            (spent_us > plan->point_us_most && count >= BATCHES_LEAST))
            break;
    }
    if (status == 0) {
        const struct summary summary = sum_up(samples, count, plan->confidence);
        point->repetitions = (double)times * (double)count;
        point->minimum_us = summary.minimum;
        point->median_us = summary.median;
        point->mean_us = summary.mean;
        point->standard_deviation_us = summary.standard_deviation;
        point->maximum_us = summary.maximum;
        point->half_width_us = half_width(&summary);
        point->rejected = summary.outliers;
        add_up(point, samples, count, (double)times * took.uses);
    }
    free(samples);
    return status;
}
