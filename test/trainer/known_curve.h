/* Curves whose regions are known, as a sweep asks them. */
#ifndef TEST_TRAINER_KNOWN_CURVE_H
#define TEST_TRAINER_KNOWN_CURVE_H

#include "test/sweep_plan.h"

#include <gsl/gsl_rng.h>

struct line {
    double from_bytes, t0_us, rinf;
};

/* A curve and, where noise is not 0, exponential noise, spikes, 1 % each way, and disturbances: now
   and then all is slower by half for the length of a few points. */
struct truth {
    const struct line *lines;
    size_t count;
    double noise_us;
    size_t draws;
    double disturbances; /* the chance that one begins with a point */
    gsl_rng *random;
    size_t asked, slow_upto;
};

double known_us(const struct truth *truth, double bytes);

/* A sweep_measure, of a truth. */
int known_measure(void *state, const struct ask *ask, struct point *point, struct error *error);

/* The regions that a sweep finds. */
struct list known_sweep(struct truth *truth, const struct sweep_plan *with);

#endif
