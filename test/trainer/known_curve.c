#include "test/trainer/known_curve.h"

#include "model/base/allocation.h"
#include "model/fit/summary.h"

#include <gsl/gsl_randist.h>

double known_us(const struct truth *truth, double bytes)
{
    size_t k = truth->count - 1;
    while (bytes < truth->lines[k].from_bytes)
        k--;
    return truth->lines[k].t0_us + bytes / truth->lines[k].rinf;
}

int known_measure(void *state, const struct ask *ask, struct point *point, struct error *error)
{
    struct truth *truth = state;
    (void)error;
    truth->asked++;
    *point = (struct point){.bytes = ask->bytes, .held_out = ask->held_out};
    point->median_us = known_us(truth, ask->bytes);
    if (truth->noise_us > 0.0) {
        double *draws = memory_new(truth->draws, sizeof *draws);
        for (size_t i = 0; i < truth->draws; i++) {
            draws[i] = point->median_us + gsl_ran_exponential(truth->random, truth->noise_us);
            if (gsl_rng_uniform(truth->random) < 0.01)
                draws[i] += 500.0;
        }
        if (gsl_rng_uniform(truth->random) < truth->disturbances)
            truth->slow_upto = truth->asked + 3;
        for (size_t i = 0; i < truth->draws && truth->asked < truth->slow_upto; i++)
            draws[i] *= 1.5;
        const struct summary summary = summary_of(draws, truth->draws, 0.95);
        point->median_us = summary.median;
        point->half_width_us = 0.5 * (summary.median_high - summary.median_low);
        free(draws);
    }
    return 0;
}

struct list known_sweep(struct truth *truth, const struct sweep_plan *with)
{
    truth->random = gsl_rng_alloc(gsl_rng_mt19937);
    gsl_rng_set(truth->random, 4711 + with->seed);
    const struct list regions = regions_swept(with, known_measure, truth);
    gsl_rng_free(truth->random);
    return regions;
}
