/* The sweeps that tests make: the usual one, and, with fewer sizes, one of a launch that asks all
   of them again in later passes; and the regions of what was swept. */
#ifndef TEST_SWEEP_PLAN_H
#define TEST_SWEEP_PLAN_H

#include "test/check.h"
#include "trainer/curve/sweep.h"

#include <stdlib.h>

static const struct sweep_plan usual_plan = {.bytes_most = 1048576,
                                             .granule = 1,
                                             .start_points = 48,
                                             .refine_points = 48,
                                             .points_most = 400,
                                             .seed = 7,
                                             .edge_ratio = 1,
                                             .statistic = STATISTIC_MEDIAN};

/* As trainer/curve/curve.c has it for 48 sizes at the start. */
static inline struct sweep_plan plan_of_launch(void)
{
    struct sweep_plan plan = usual_plan;
    plan.refine_points = 16;
    plan.points_most = 120;
    return plan;
}

static inline struct list regions_of(const struct curve *curve)
{
    struct list regions = {0}, settled = curve_settled(curve);
    struct error error;
    ck_assert_int_eq(curve_fit(curve, settled, &regions, &error), 0);
    free(settled.items);
    return regions;
}

/* Of a sweep; the curve is freed. */
static inline struct list regions_swept(const struct sweep_plan *plan, sweep_measure *measure,
                                        void *state)
{
    struct curve curve = {0};
    struct error error;
    ck_assert_int_eq(sweep(plan, measure, state, &curve, &error), 0);
    const struct list regions = regions_of(&curve);
    curve_free(&curve);
    return regions;
}

#endif
