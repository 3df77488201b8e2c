#include "trainer/same_calls.h"

#include "model/base/memory.h"
#include "model/base/path.h"
#include "model/machine/points.h"
#include "trainer/curve_cost.h"
#include "trainer/utilities.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

const struct cost *same_calls_measured(const struct utility *utility, int participants,
                                       const struct machine *machine)
{
    const char *names[] = {utility->same, participants == 2 ? utility->same_of_two : NULL};
    const struct cost *measured = NULL;
    for (size_t i = 0; i < 2 && !measured; i++) {
        const int other = names[i] ? utilities_named(names[i]) : -1;
        if (other < 0)
            continue;
        measured = same_calls_measured(utilities[other], participants, machine);
        if (!measured)
            measured = machine_cost(machine, names[i]);
    }
    return measured &&
                   measured->processors.most ==
                       utility_counted(utilities[utilities_named(measured->utility)], participants)
               ? measured
               : NULL;
}

/* ---- its points ---- */

/* A disturbed sweep is measured again: its last attempt counts. */
static bool is_last(const struct list *points, const struct point *point)
{
    const struct point *items = points->items;
    for (size_t i = 0; i < points->count; i++)
        if (items[i].attempt > point->attempt && items[i].processors == point->processors &&
            strcmp(items[i].utility, point->utility) == 0)
            return false;
    return true;
}

/* All points of that utility, as they were measured. */
static struct list points_of(const char *path, const char *utility)
{
    struct list all = {0}, its = {0};
    struct error error;
    if (points_read(path, &all, &error) != 0)
        return its;
    const struct point *items = all.items;
    for (size_t i = 0; i < all.count; i++)
        if (strcmp(items[i].utility, utility) == 0)
            *(struct point *)list_add(&point_record, &its) = items[i];
    free(all.items);
    return its;
}

static int counted_as(const struct utility *now, const struct utility *then, double processors)
{
    return utility_counted(now, utility_participants(then, (int)processors));
}

/* Those of the last attempts alone, under the name of the run's utility. */
static struct list points_as(const struct run *run, const struct utility *then)
{
    char *path = path_beside(run->options->output, ".points.csv");
    struct list its = points_of(path, then->name), mine = {0};
    free(path);
    const struct point *items = its.items;
    for (size_t i = 0; i < its.count; i++) {
        if (!is_last(&its, &items[i]))
            continue;
        struct point *point = list_add(&point_record, &mine);
        *point = items[i];
        memset(point->utility, 0, sizeof point->utility);
        strncpy(point->utility, run->utility->name, POINT_NAME - 1);
        point->processors = counted_as(run->utility, then, items[i].processors);
        point->attempt = 1;
    }
    free(its.items);
    return mine;
}

/* ---- its regions ---- */

static struct list copy_regions(const struct list *regions)
{
    struct list copy = {0};
    for (size_t i = 0; i < regions->count; i++)
        *(struct region *)list_add(&region_record, &copy) =
            ((const struct region *)regions->items)[i];
    return copy;
}

/* Whether it was measured with so many participants. */
static bool has(const struct cost *cost, const struct utility *utility, int participants)
{
    const struct at_processors *items = cost->by_processors.items;
    const double p = utility_counted(utility, participants);
    bool found = cost->processors.most == p;
    for (size_t i = 0; i < cost->by_processors.count; i++)
        found = found || items[i].processors == p;
    return found;
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
    cost->mean_over_maximum = from->mean_over_maximum;
    cost->disturbed = from->disturbed;
    cost->note = memory_format("the same calls as %s, whose times these are%s%s", from->utility,
                               from->note ? "; " : "", from->note ? from->note : "");
}

bool same_calls_adopt(struct run *run, const int *participants, size_t count, struct span bytes,
                      const struct cost *measured, struct machine *machine)
{
    const struct utility *then = utilities[utilities_named(measured->utility)];
    struct list points = points_as(run, then);
    if (points.count == 0)
        return false;
    struct cost *cost = list_add(&cost_record, &machine->communication);
    const struct cost *from = machine_cost(machine, then->name); /* the list may have moved */
    curve_cost_describe(cost, run, bytes);
    copy_times(cost, from, run->utility, then);
    for (size_t i = 0; i < count; i++)
        if (!has(cost, run->utility, participants[i]))
            curve_cost_missing(run, participants[i], machine);
    if (cost->by_processors.count > 0)
        curve_cost_over_processors(run, cost, &points, machine);
    for (size_t i = 0; i < points.count; i++)
        run_keep_point(run, (const struct point *)points.items + i);
    curve_cost_count(cost, &points);
    curve_cost_report(run, cost);
    free(points.items);
    return true;
}
