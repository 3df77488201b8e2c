/* The sweep that tests make where they do not say otherwise. */
#ifndef TEST_SWEEP_PLAN_H
#define TEST_SWEEP_PLAN_H

#include "trainer/sweep/sweep.h"

static const struct sweep_plan usual_plan = {.bytes_most = 1048576,
                                             .granule = 1,
                                             .start_points = 48,
                                             .points_most = 400,
                                             .seed = 7,
                                             .edge_ratio = 1,
                                             .statistic = STATISTIC_MEDIAN};

#endif
