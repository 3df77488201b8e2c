#include "trainer/curve/resumed.h"

#include "trainer/base/checkpoint.h"
#include "trainer/curve/curve.h"
#include "trainer/curve/same_calls.h"
#include "trainer/utilities/utilities.h"

#include <math.h>
#include <stdlib.h>

static void add_curve(struct run *run, const struct cost *cost, int utility, const struct list *all)
{
    struct curve curve = {.utility = utility,
                          .bytes = cost->bytes,
                          .part_bytes = cost->part_bytes,
                          .granule = fmax(1.0, utilities[utility]->granule_bytes),
                          .statistic = run->options->statistic,
                          .is_spoilt = cost->disturbed};
    struct list points = {0};
    const struct point *items;
    points_last(all, cost->utility, &points);
    items = points.items;
    for (size_t i = 0; i < points.count; i++)
        curve.attempt = fmax(curve.attempt, items[i].attempt);
    packets_among(cost_regions_at(cost, cost->processors.most), &curve.packets);
    curve_add_points(&curve, &points);
    if (points.count > 0)
        *(struct curve *)list_add(&curve_record, &run->curves) = curve;
    free(points.items);
}

void resumed_curves(struct run *run, const struct machine *machine)
{
    char *path = checkpoint_points_path(run->options->output);
    const struct cost *costs = machine->communication.items;
    struct list all = {0};
    struct error error;
    if (points_read(path, &all, &error) == 0)
        for (size_t i = 0; i < machine->communication.count; i++) {
            const int utility = utilities_named(costs[i].utility);
            if (utility >= 0 && !same_calls_as(&costs[i], machine))
                add_curve(run, &costs[i], utility, &all);
        }
    free(all.items);
    free(path);
}
