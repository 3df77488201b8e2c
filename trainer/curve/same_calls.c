#include "trainer/curve/same_calls.h"

#include "model/base/allocation.h"
#include "model/fit/counts.h"
#include "model/fit/points.h"
#include "trainer/curve/curve.h"
#include "trainer/curve/curve_cost.h"
#include "trainer/utilities/utilities.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

const struct cost *same_calls_measured(const struct utility *utility, int participants,
                                       const struct machine *machine)
{
    const struct pattern *pattern = utility->pattern;
    const struct pattern *same[] = {pattern->same, participants == 2 ? pattern->same_of_two : NULL};
    const struct cost *measured = NULL;
    for (size_t i = 0; i < 2 && !measured; i++) {
        const int other = same[i] ? utilities_named(same[i]->name) : -1;
        if (other < 0)
            continue;
        measured = same_calls_measured(utilities[other], participants, machine);
        if (!measured)
            measured = machine_cost(machine, same[i]->name);
    }
    return measured &&
                   measured->processors.most ==
                       utility_counted(utilities[utilities_named(measured->utility)], participants)
               ? measured
               : NULL;
}

const struct cost *same_calls_as(const struct cost *cost, const struct machine *machine)
{
    const struct utility *utility = utilities[utilities_named(cost->utility)];
    return same_calls_measured(utility, utility_participants(utility, (int)cost->processors.most),
                               machine);
}

/* ---- its points ---- */

static int counted_as(const struct utility *now, const struct utility *then, double processors)
{
    return utility_counted(now, utility_participants(then, (int)processors));
}

/* What stands for them, under the name of the run's utility. */
static struct list points_as(const struct run *run, const struct curve *curve)
{
    struct list mine = curve_settled(curve);
    struct point *points = mine.items;
    for (size_t i = 0; i < mine.count; i++) {
        memset(points[i].utility, 0, sizeof points[i].utility);
        strncpy(points[i].utility, run->utility->pattern->name, POINT_NAME - 1);
        points[i].processors =
            counted_as(run->utility, utilities[curve->utility], points[i].processors);
        points[i].attempt = curve->attempt;
    }
    return mine;
}

/* ---- its regions ---- */

static struct list copy_regions(const struct list *regions)
{
    struct list copy = {0};
    const struct region *items = regions->items;
    for (size_t i = 0; i < regions->count; i++) {
        struct region *region = list_add(&region_record, &copy);
        *region = items[i];
        region->measured_us = marks_copy(items[i].measured_us.of, items[i].measured_us.count);
    }
    return copy;
}

static void copy_times(struct cost *cost, const struct cost *from, const struct utility *now,
                       const struct utility *then)
{
    const struct at_processors *items = from->by_processors.items;
    if (from->by_processors.count == 0)
        cost->regions = copy_regions(&from->regions);
    for (size_t i = 0; i < from->by_processors.count; i++)
        *(struct at_processors *)list_add(&at_processors_record, &cost->by_processors) =
            (struct at_processors){counted_as(now, then, items[i].processors),
                                   items[i].mean_over_maximum, copy_regions(&items[i].regions)};
    cost->part_bytes = from->part_bytes;
    cost->passes_p95 = from->passes_p95;
    const struct state_factor *factors = from->states.items;
    for (size_t i = 0; i < from->states.count; i++)
        *(struct state_factor *)list_add(&state_factor_record, &cost->states) = factors[i];
    cost->mean_over_maximum = from->mean_over_maximum;
    cost->disturbed = from->disturbed;
    cost->note = memory_format("the same calls as %s, whose times these are%s%s", from->utility,
                               from->note ? "; " : "", from->note ? from->note : "");
}

bool same_calls_adopt(struct run *run, struct span bytes, const struct cost *measured,
                      struct machine *machine)
{
    const struct utility *then = utilities[utilities_named(measured->utility)];
    const struct curve *curve = curves_find(&run->curves, utilities_named(measured->utility));
    if (!curve)
        return false;
    struct list points = points_as(run, curve);
    struct cost *cost = list_add(&cost_record, &machine->communication);
    const struct cost *from =
        machine_cost(machine, then->pattern->name); /* the list may have moved */
    curve_cost_describe(cost, run, bytes);
    copy_times(cost, from, run->utility, then);
    if (cost->by_processors.count > 0)
        curve_cost_over_processors(run, cost, &points, machine);
    for (size_t i = 0; i < points.count; i++)
        run_keep_point(run, (const struct point *)points.items + i);
    counts_count(cost, &points);
    free(points.items);
    return true;
}
