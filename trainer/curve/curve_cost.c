#include "trainer/curve/curve_cost.h"

#include "model/base/allocation.h"
#include "model/base/number.h"
#include "model/cost/grid.h"
#include "model/fit/counts.h"
#include "model/fit/hops.h"
#include "model/fit/learn.h"
#include "model/fit/measured.h"
#include "model/fit/points.h"
#include "model/fit/summary.h"
#include "trainer/utilities/utilities.h"

#include <math.h>
#include <stdlib.h>

/* Of what passes differ by. */
enum { P95_DIGITS = 3 };

static const struct point *point_at(const struct list *points, size_t i)
{
    return (const struct point *)points->items + i;
}

/* ---- what it is ---- */

/* All processor counts of a cost suit equally well, so that the largest tells of all. */
static void describe_grid(struct cost *cost, const struct utility *utility)
{
    const int full = utility->grid_side_full;
    if (full == 0)
        return;
    const int side = grid_shortest_side(utility_participants(utility, (int)cost->processors.most),
                                        utility->pattern->grid_directions);
    cost->grid_side_least = side < full ? side : full;
    cost->grid_side_most = side < full ? side : (double)INFINITY;
}

void curve_cost_describe(struct cost *cost, const struct run *run, struct span bytes)
{
    cost->utility = memory_copy_text(run->utility->pattern->name);
    cost->statistic = (int)run->options->statistic;
    cost->processors_mean = (int)run->utility->pattern->processors_mean;
    cost->measures = (int)run->utility->measures;
    cost->across = (int)run->utility->across;
    cost->bytes = bytes;
    cost->processors = (struct span){run->counted, run->counted};
    if (run->distances.together > 1)
        cost->processors_near = utility_counted(run->utility, run->distances.together);
    describe_grid(cost, run->utility);
    if (run->utility->pattern->near)
        cost->note = memory_format(
            "processors 0 and %d: an empty message takes %.3g us, to the near one %.3g us",
            run->distances.far, run->distances.far_us, run->distances.near_us);
}

static void mark_disturbed(struct cost *cost, const char *disturbance)
{
    cost->disturbed = true;
    char *before = cost->note;
    cost->note =
        memory_format("%s%sdisturbed: %s", before ? before : "", before ? "; " : "", disturbance);
    free(before);
}

/* ---- its functions of p ---- */

/* What one message of a pattern takes, where that explains the times better than functions of p; of
   a broadcast in parts what was learned from the same one in one part. Near messages have the
   breaks that they have between two. */
static void learn_hops(const struct utility *utility, const struct machine *machine,
                       struct cost *cost, const struct observation *points, size_t count)
{
    const struct cost *whole =
        utility->pattern->whole ? machine_cost(machine, utility->pattern->whole->name) : NULL;
    const struct cost *near = machine_cost(machine, pattern_point_to_point.name);
    const struct list none = {0};
    if (utility->tree != TREE_UNKNOWN)
        hops_learn(cost, utility->tree, near ? &near->regions : &none, points, count);
    else if (whole)
        hops_adopt(cost, whole, points, count);
}

void curve_cost_over_processors(const struct run *run, struct cost *cost, const struct list *points,
                                const struct machine *machine)
{
    learn_regions(cost, NULL);
    cost->processors.least = ((const struct at_processors *)cost->by_processors.items)->processors;
    struct observation *all = points_observe(points, run->options->statistic);
    fit_errors(&cost->regions, all, points->count);
    learn_hops(run->utility, machine, cost, all, points->count);
    measured_learn(cost, all, points->count);
    free(all);
}

/* ---- the whole ---- */

static void keep_measured(const struct run *run, struct cost *cost, const struct list *points)
{
    struct observation *seen = points_observe(points, run->options->statistic);
    measured_learn(cost, seen, points->count);
    free(seen);
}

/* Functions of p where there are several counts. Takes the regions at the most. */
static void add_regions(const struct run *run, const struct list *points, struct list regions,
                        struct cost *cost, const struct machine *machine)
{
    counts_fit(cost, points, run->options->statistic, regions);
    if (cost->by_processors.count == 0)
        keep_measured(run, cost, points);
    else
        curve_cost_over_processors(run, cost, points, machine);
}

static int upwards(const void *a, const void *b)
{
    const double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

/* A simulated machine is the same in every launch but for the noise that it is given, by which two
   medians of one point differ: as the interval of one of them says. 95 of 100 points differ by no
   more. */
static double between_medians_p95(const struct list *points)
{
    double *offs = memory_new(points->count + 1, sizeof *offs);
    size_t count = 0;
    for (size_t i = 0; i < points->count; i++)
        if (point_at(points, i)->median_us > 0.0)
            offs[count++] =
                sqrt(2.0) * point_at(points, i)->half_width_us / point_at(points, i)->median_us;
    qsort(offs, count, sizeof *offs, upwards);
    const double p95 = count > 0 ? summary_quantile(offs, count, 0.95) : 0.0;
    free(offs);
    return p95;
}

/* ---- its points in the file ---- */

static bool is_as_measured(const struct curve *curve, const struct list *settled)
{
    for (size_t i = 0; i < settled->count; i++)
        if (curve_at(curve, i)->count != 1 ||
            curve_at(curve, i)->of[0].held_out != point_at(settled, i)->held_out)
            return false;
    return true;
}

static void keep_settled(struct run *run, struct curve *curve, struct list *settled)
{
    struct point *points = settled->items;
    if (is_as_measured(curve, settled))
        return;
    curve->attempt++;
    for (size_t i = 0; i < settled->count; i++) {
        points[i].attempt = curve->attempt;
        run_keep_point(run, &points[i]);
    }
}

bool curve_cost_add(struct run *run, struct curve *curve, const char *disturbed,
                    struct machine *machine)
{
    struct list points = curve_settled(curve), regions = {0};
    const struct list of_most = curve_of_most(&points);
    struct error error;
    const bool is_fitted =
        curve_has_times(curve) && curve_fit(curve, of_most, &regions, &error) == 0;
    if (is_fitted) {
        struct cost *cost = list_add(&cost_record, &machine->communication);
        run->counted = (int)point_at(&of_most, 0)->processors;
        curve_cost_describe(cost, run, curve->bytes);
        if (disturbed)
            mark_disturbed(cost, disturbed);
        cost->part_bytes = curve->part_bytes;
        cost->passes_p95 = number_rounded(
            run->simulated ? between_medians_p95(&points) : curve_passes_p95(curve), P95_DIGITS);
        cost->mean_over_maximum = counts_mean_over_maximum(&of_most);
        add_regions(run, &points, regions, cost, machine);
        counts_count(cost, &points);
        keep_settled(run, curve, &points);
    }
    free(points.items);
    return is_fitted;
}

/* ---- saying so ---- */

void curve_cost_report(struct run *run, const struct cost *cost)
{
    char line[200], counts[40];
    const struct span *p = &cost->processors;
    if (p->least < p->most)
        snprintf(counts, sizeof counts, "%g..%g", p->least, p->most);
    else
        snprintf(counts, sizeof counts, "%g", p->most);
    snprintf(line, sizeof line, "%-16s p = %-6s %4.0f points, %zu region%s%s", cost->utility,
             counts, cost->points + cost->held_out_points, cost->regions.count,
             cost->regions.count == 1 ? "" : "s", cost->disturbed ? ", disturbed" : "");
    progress_part(&run->progress, line);
}

static bool has_processors(const struct cost *cost, double processors)
{
    const struct at_processors *items = cost->by_processors.items;
    bool found = cost->processors.most == processors;
    for (size_t i = 0; i < cost->by_processors.count; i++)
        found = found || items[i].processors == processors;
    return found;
}

void curve_cost_say_missing(const struct run *run, const int *participants, size_t count,
                            struct machine *machine)
{
    const struct cost *cost = machine_cost(machine, run->utility->pattern->name);
    for (size_t i = 0; i < count; i++) {
        const int p = utility_counted(run->utility, participants[i]);
        if (has_processors(cost, p))
            continue;
        char *what = memory_format("%s at p = %d", run->utility->pattern->name, p);
        run_not_measured(machine, what, "the budget ended, or no time was above the clock's noise");
        free(what);
    }
}
