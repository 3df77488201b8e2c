#include "trainer/visits.h"

#include "model/base/memory.h"
#include "model/base/path.h"
#include "trainer/curve_cost.h"
#include "trainer/interruption.h"
#include "trainer/moments.h"
#include "trainer/same_calls.h"
#include "trainer/sweep/sweep.h"
#include "trainer/utilities.h"

#include <gsl/gsl_randist.h>
#include <gsl/gsl_rng.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Of sizes nearer to each other than this one is asked again. */
static const double size_ratio_least = 1.02;

/* All that is asked again. others_ran: at which moments. */
struct visits {
    struct list points; /* struct moments, in the order of the machine's costs */
    bool others_ran[MOMENTS_MOST];
    size_t *order; /* of the points, by chance */
};

static const struct record moments_record = {.name = "a point at several moments",
                                             .size = sizeof(struct moments),
                                             .fields = NULL,
                                             .count = 0,
                                             .place_offset = NO_PLACE};

static struct moments *moments_at(const struct visits *visits, size_t i)
{
    return (struct moments *)visits->points.items + i;
}

static int by_size(const void *a, const void *b)
{
    const struct point *x = a, *y = b;
    if (x->processors != y->processors)
        return x->processors < y->processors ? -1 : 1;
    return (x->bytes > y->bytes) - (x->bytes < y->bytes);
}

/* ---- which points ---- */

/* Whether an edge lies between two sizes. */
static bool has_edge(const struct list *regions, double below, double above)
{
    const struct region *items = regions->items;
    for (size_t k = 0; k + 1 < regions->count; k++)
        if (below <= items[k].bytes_upto && items[k].bytes_upto < above)
            return true;
    return false;
}

static bool is_same_processors(const struct list *points, size_t i, size_t k)
{
    const struct point *items = points->items;
    return k < points->count && items[k].processors == items[i].processors;
}

/* Points sorted by processors and size: the ends, what is held out, both sides of an edge, and what
   is not next to the one that was chosen last. */
static bool is_chosen(const struct list *points, size_t i, size_t last, const struct list *regions)
{
    const struct point *items = points->items;
    const double bytes = items[i].bytes;
    if (items[i].held_out || i == 0 || !is_same_processors(points, i, i - 1) ||
        !is_same_processors(points, i, i + 1) || bytes == items[last].bytes)
        return true;
    return (bytes + 1.0) / (items[last].bytes + 1.0) > size_ratio_least ||
           has_edge(regions, items[i - 1].bytes, bytes) ||
           has_edge(regions, bytes, items[i + 1].bytes);
}

static void choose_points(struct visits *visits, const struct cost *cost, const struct list *all)
{
    struct list points = {0};
    points_last(all, cost->utility, &points);
    qsort(points.items, points.count, point_record.size, by_size);
    const struct list *regions = cost_regions_at(cost, cost->processors.most);
    for (size_t i = 0, last = 0; i < points.count; i++)
        if (is_chosen(&points, i, last, regions)) {
            *(struct moments *)list_add(&moments_record, &visits->points) =
                (struct moments){.looks[0] = ((const struct point *)points.items)[i], .count = 1};
            last = i;
        }
    free(points.items);
}

static const struct cost *same_as(const struct cost *cost, const struct machine *machine)
{
    const struct utility *utility = utilities[utilities_named(cost->utility)];
    return same_calls_measured(utility, utility_participants(utility, (int)cost->processors.most),
                               machine);
}

/* Of every cost that was swept. Points that are not in the file any more are not asked again. */
static void choose_all(struct visits *visits, const struct run *run, const struct machine *machine)
{
    char *path = path_beside(run->options->output, ".points.csv");
    const struct cost *costs = machine->communication.items;
    struct list all = {0};
    struct error error;
    if (points_read(path, &all, &error) == 0)
        for (size_t i = 0; i < machine->communication.count; i++)
            if (utilities_named(costs[i].utility) >= 0 && !same_as(&costs[i], machine))
                choose_points(visits, &costs[i], &all);
    free(all.items);
    free(path);
}

/* ---- measuring them ---- */

static int measure_now(struct run *run, const struct machine *machine, struct moments *moments,
                       struct error *error)
{
    struct point *now = &moments->looks[moments->count];
    *now = moments->looks[0];
    const int index = utilities_named(now->utility);
    const double part_bytes = machine_cost(machine, now->utility)->part_bytes;
    if (!isnan(part_bytes))
        crew_parts(run->crew, (int)part_bytes);
    run_choose(run, index, utility_participants(utilities[index], (int)now->processors));
    crew_size(run->crew, (int)now->bytes);
    if (run_measure(run, true, now, error) != 0)
        return -1;
    now->mean_over_maximum = crew_mean_over_maximum(run->crew);
    moments->count++;
    return 0;
}

/* All points once more, one processor count after the other, as another one needs another
   communicator. */
static int measure_moment(struct run *run, const struct machine *machine, struct visits *visits,
                          struct error *error)
{
    for (int participants = 2; participants <= run->processors; participants++)
        for (size_t k = 0; k < visits->points.count; k++) {
            struct moments *moments = moments_at(visits, visits->order[k]);
            const struct utility *utility = utilities[utilities_named(moments->looks[0].utility)];
            if (utility_participants(utility, (int)moments->looks[0].processors) != participants)
                continue;
            if (interruption_or_after(run->share_end_s))
                return 0;
            if (measure_now(run, machine, moments, error) != 0)
                return -1;
            progress_point(&run->progress, "other moments", ++run->points, MPI_Wtime());
        }
    return 0;
}

static int measure_moments(struct run *run, const struct machine *machine, struct visits *visits,
                           struct error *error)
{
    const size_t count = visits->points.count;
    gsl_rng *random = gsl_rng_alloc(gsl_rng_mt19937);
    gsl_rng_set(random, run->options->seed);
    visits->order = memory_new(count + 1, sizeof *visits->order);
    for (size_t i = 0; i < count; i++)
        visits->order[i] = i;
    int status = 0;
    run->points = 0;
    run_others_ran(run);
    for (size_t moment = 1; moment < MOMENTS_MOST && status == 0; moment++) {
        gsl_ran_shuffle(random, visits->order, count, sizeof *visits->order);
        status = measure_moment(run, machine, visits, error);
        visits->others_ran[moment] = run_others_ran(run);
    }
    free(visits->order);
    gsl_rng_free(random);
    return status;
}

/* ---- the costs anew ---- */

/* The moments of a cost, from *first to before *end. */
static bool find_moments(const struct visits *visits, const char *utility, size_t *first,
                         size_t *end)
{
    bool visited = false;
    for (*first = 0; *first < visits->points.count; ++*first)
        if (strcmp(moments_at(visits, *first)->looks[0].utility, utility) == 0)
            break;
    for (*end = *first; *end < visits->points.count; ++*end) {
        const struct moments *moments = moments_at(visits, *end);
        if (strcmp(moments->looks[0].utility, utility) != 0)
            break;
        visited = visited || moments->count > 1;
    }
    return visited;
}

static int fit_curve(const struct run *run, const struct cost *before, struct curve *curve,
                     struct error *error)
{
    const struct list *regions = cost_regions_at(before, before->processors.most);
    const double granule = fmax(1.0, run->utility->granule_bytes);
    struct packets packets = {0};
    struct list points = {0};
    packets_among(regions, &packets);
    for (size_t i = 0; i < curve->points.count; i++) {
        const struct point *point = (const struct point *)curve->points.items + i;
        if (point->processors == before->processors.most)
            *(struct point *)list_add(&point_record, &points) = *point;
    }
    struct observation *seen = curve_cost_observe(&points, run->options->statistic);
    const int status = sweep_fit(&packets, granule, seen, points.count, &curve->regions, error);
    free(seen);
    free(points.items);
    return status;
}

/* Appends the cost that the moments of `before` make. */
static int add_anew(struct run *run, const struct cost *before, struct visits *visits, size_t first,
                    size_t end, struct machine *machine, struct error *error)
{
    const enum statistic statistic = run->options->statistic;
    struct curve curve = {.bytes = before->bytes, .part_bytes = before->part_bytes};
    for (size_t i = first; i < end; i++)
        *(struct point *)list_add(&point_record, &curve.points) =
            moments_settled(moments_at(visits, i), statistic);
    visits->others_ran[0] = before->disturbed;
    curve.disturbed =
        moments_disturbance(moments_at(visits, first), end - first, visits->others_ran, statistic);
    run->utility = utilities[utilities_named(before->utility)];
    const int status = fit_curve(run, before, &curve, error);
    if (status == 0) {
        run->attempt = (int)moments_at(visits, first)->looks[0].attempt;
        run_keep_again(run, &curve.points);
        curve_cost_add(run, &curve, machine);
    }
    list_free(&region_record, &curve.regions);
    free(curve.points.items);
    return status;
}

/* Appends the cost again as it was, of the same calls as another one or of new moments. */
static int renew(struct run *run, struct cost *before, struct visits *visits,
                 struct machine *machine, struct error *error)
{
    size_t first, end;
    const int index = utilities_named(before->utility);
    const struct cost *same = index >= 0 ? same_as(before, machine) : NULL;
    run->utility = index >= 0 ? utilities[index] : NULL;
    run->counted = (int)before->processors.most;
    bool is_new = same && same_calls_adopt(run, before->bytes, same, machine);
    if (!is_new && find_moments(visits, before->utility, &first, &end)) {
        if (add_anew(run, before, visits, first, end, machine, error) != 0)
            return -1;
        is_new = true;
    }
    if (is_new)
        record_free(&cost_record, before);
    else
        *(struct cost *)list_add(&cost_record, &machine->communication) = *before;
    return 0;
}

static int renew_all(struct run *run, struct visits *visits, struct machine *machine,
                     struct error *error)
{
    struct list before = machine->communication;
    machine->communication = (struct list){0};
    size_t done = 0;
    while (done < before.count &&
           renew(run, (struct cost *)before.items + done, visits, machine, error) == 0)
        done++;
    const int status = done < before.count ? -1 : 0;
    for (; done < before.count; done++)
        record_free(&cost_record, (struct cost *)before.items + done);
    free(before.items);
    return status;
}

static void report(struct run *run, const struct visits *visits, const struct machine *machine)
{
    char line[200];
    size_t disturbed = 0;
    const struct cost *costs = machine->communication.items;
    for (size_t i = 0; i < machine->communication.count; i++)
        disturbed += costs[i].disturbed;
    snprintf(line, sizeof line, "%-16s %zu points asked again, %zu utilities disturbed",
             "other moments", visits->points.count, disturbed);
    progress_part(&run->progress, line);
}

int visits_make(struct run *run, struct machine *machine, struct error *error)
{
    struct visits visits = {0};
    choose_all(&visits, run, machine);
    int status = measure_moments(run, machine, &visits, error);
    if (status == 0)
        status = renew_all(run, &visits, machine, error);
    if (status == 0)
        report(run, &visits, machine);
    free(visits.points.items);
    return status;
}
