#include "trainer/engine/distances.h"

#include "model/base/allocation.h"
#include "trainer/utilities/utilities.h"

#include <math.h>
#include <stdlib.h>

/* Distances that differ by less are noise: the near and far nodes of the SP2 differ by 2 to 6 %
   (Abandah, IBM SP2, section 2.3), which its authors left out of their models too. */
static const double clearly = 1.1;

static int measure_all(const struct measure_plan *plan, struct engine *engine, int processors,
                       double *distance_us, struct error *error)
{
    const int point_to_point = utilities_named(pattern_point_to_point.name);
    for (int other = 1; other < processors; other++) {
        struct point point = {0};
        engine_choose_pair(engine, point_to_point, other);
        engine_size(engine, 0);
        if (measure(plan, engine_batch, engine, &point, error) != 0)
            return -1;
        distance_us[other] = point.minimum_us;
    }
    return 0;
}

/* There is one that is farther. */
static int count_together(const double *distance_us, double near_most_us)
{
    int together = 1;
    while (distance_us[together] <= near_most_us)
        together++;
    return together;
}

int distances_measure(const struct measure_plan *plan, struct engine *engine, int processors,
                      struct distances *distances, struct error *error)
{
    *distances = (struct distances){.near = 1, .far = -1, .near_us = NAN, .far_us = NAN};
    if (processors == 2)
        return 0;
    double *distance_us = memory_new((size_t)processors, sizeof *distance_us);
    const int status = measure_all(plan, engine, processors, distance_us, error);
    int farthest = 1;
    for (int other = 2; other < processors && status == 0; other++) {
        if (distance_us[other] * clearly < distance_us[distances->near])
            distances->near = other;
        if (distance_us[other] > distance_us[farthest])
            farthest = other;
    }
    distances->near_us = distance_us[distances->near];
    if (distance_us[farthest] > clearly * distances->near_us) {
        distances->far = farthest;
        distances->far_us = distance_us[farthest];
        distances->together = count_together(distance_us, clearly * distances->near_us);
    }
    free(distance_us);
    engine_tell_distances(engine, distances->together, distances->near_us, distances->far_us);
    return status;
}
