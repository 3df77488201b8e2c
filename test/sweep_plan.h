/* The sweeps that tests make: the usual one, and, with fewer sizes, one of a launch that asks for
   all of them at other moments again. */
#ifndef TEST_SWEEP_PLAN_H
#define TEST_SWEEP_PLAN_H

#include "trainer/curve/sweep.h"

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

#endif
