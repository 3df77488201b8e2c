#include "trainer/curve/curve_states.h"

#include "model/base/allocation.h"
#include "model/base/number.h"

#include <gsl/gsl_sort.h>
#include <gsl/gsl_statistics_double.h>
#include <math.h>
#include <stdlib.h>

/* Of fewer a median says little. */
enum { FACTOR_POINTS = 3, FACTOR_DIGITS = 3 };

/* All passes of several curves, one after the other. */
static size_t passes_of(const struct curve *curves, size_t count)
{
    size_t passes = 0;
    for (size_t i = 0; i < count; i++)
        for (size_t k = 0; k < curves[i].points.count; k++)
            passes += curve_at(&curves[i], k)->count;
    return passes;
}

static void mark(struct passes *passes, const struct list *states)
{
    for (size_t i = 0; i < passes->count; i++)
        passes->of[i].state =
            passes->of[i].gauge_us > 0.0 ? states_which(states, passes->of[i].gauge_us) + 1 : 0;
}

void curve_states_find(struct curve *curves, size_t count, struct list *states)
{
    const size_t all = passes_of(curves, count);
    double *gauges_us = memory_new(all + 1, sizeof *gauges_us),
           *spent_us = memory_new(all + 1, sizeof *spent_us);
    size_t some = 0;
    for (size_t i = 0; i < count; i++)
        for (size_t k = 0; k < curves[i].points.count; k++)
            for (size_t n = 0; n < curve_at(&curves[i], k)->count; n++, some++) {
                gauges_us[some] = curve_at(&curves[i], k)->of[n].gauge_us;
                spent_us[some] = curve_at(&curves[i], k)->of[n].spent_us;
            }
    list_free(&machine_state_record, states);
    states_find(gauges_us, spent_us, some, states);
    for (size_t i = 0; i < count; i++)
        for (size_t k = 0; k < curves[i].points.count; k++)
            mark(curve_at(&curves[i], k), states);
    free(gauges_us);
    free(spent_us);
}

/* What a point took in that state, the median, and what stands, which is of the commonest one;
   false: it was not measured in both. */
static bool point_in_both(const struct passes *passes, int state, enum statistic statistic,
                          double *first_us, double *other_us)
{
    const struct point settled = passes_settled(passes, statistic);
    double times_us[RECORD_COUNT(passes->of)];
    size_t count = 0;
    *first_us = point_time_us(&settled, statistic);
    for (size_t i = 0; i < passes->count; i++) {
        const double time_us = point_time_us(&passes->of[i], statistic);
        if (passes->of[i].state == state && time_us > 0.0)
            times_us[count++] = time_us;
    }
    if (settled.state != 1 || !(*first_us > 0.0) || count == 0)
        return false;
    gsl_sort(times_us, 1, count);
    *other_us = gsl_stats_median_from_sorted_data(times_us, 1, count);
    return true;
}

/* Of the points with more than `above` bytes, up to bytes_upto; points = 0: of too few. */
static struct state_factor factor_of(const struct curve *curve, int state, double above,
                                     double bytes_upto)
{
    double *first_us = memory_new(curve->points.count + 1, sizeof *first_us),
           *other_us = memory_new(curve->points.count + 1, sizeof *other_us);
    size_t count = 0;
    struct state_factor factor = {.points = 0.0};
    for (size_t k = 0; k < curve->points.count; k++) {
        const struct passes *passes = curve_at(curve, k);
        if (passes->of[0].bytes > above && passes->of[0].bytes <= bytes_upto)
            count +=
                point_in_both(passes, state, curve->statistic, &first_us[count], &other_us[count]);
    }
    if (count >= FACTOR_POINTS)
        factor = states_line(first_us, other_us, count);
    factor.state = state;
    factor.bytes_upto = bytes_upto;
    factor.ratio = number_rounded(factor.ratio, FACTOR_DIGITS);
    factor.add_us = number_rounded(factor.add_us, FACTOR_DIGITS);
    factor.factor = number_rounded(factor.factor, FACTOR_DIGITS);
    free(first_us);
    free(other_us);
    return factor;
}

/* Regions of too few points go with the next longer one. */
static void learn_state(const struct curve *curve, int state, struct cost *cost)
{
    const struct region *regions = cost->regions.items;
    double above = -1.0;
    for (size_t r = 0; r < cost->regions.count; r++) {
        if (!(regions[r].bytes_upto > above))
            continue; /* the same region at other processor counts */
        const struct state_factor factor = factor_of(curve, state, above, regions[r].bytes_upto);
        if (factor.points == 0.0)
            continue;
        *(struct state_factor *)list_add(&state_factor_record, &cost->states) = factor;
        above = regions[r].bytes_upto;
    }
}

void curve_states_learn(const struct curve *curve, const struct list *states, struct cost *cost)
{
    list_free(&state_factor_record, &cost->states);
    for (size_t s = 1; s < states->count; s++)
        learn_state(curve, (int)s + 1, cost);
}
