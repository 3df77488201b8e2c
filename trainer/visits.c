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

/* So many points are enough for a line and one that is held out. */
enum { HELD_OUT_OF = 4 };

/* All that is asked again. spoilt: which moments of all points others spoilt. */
struct visits {
    struct list points; /* struct moments, in the order of the machine's costs */
    bool spoilt[MOMENTS_LEAST];
    size_t *order, ordered; /* of the points that are asked next, by chance */
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

/* ---- which points ---- */

static int by_size(const void *a, const void *b)
{
    const struct point *x = a, *y = b;
    if (x->processors != y->processors)
        return x->processors < y->processors ? -1 : 1;
    return (x->bytes > y->bytes) - (x->bytes < y->bytes);
}

/* Those that count, by processors and size. */
static void choose_points(struct visits *visits, const char *utility, const struct list *all)
{
    struct list points = {0};
    points_last(all, utility, &points);
    qsort(points.items, points.count, point_record.size, by_size);
    for (size_t i = 0; i < points.count; i++)
        *(struct moments *)list_add(&moments_record, &visits->points) =
            (struct moments){.looks[0] = ((const struct point *)points.items)[i], .count = 1};
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
                choose_points(visits, costs[i].utility, &all);
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

/* Those of the order once more, one processor count after the other, as another one needs another
   communicator. */
static int measure_moment(struct run *run, const struct machine *machine, struct visits *visits,
                          struct error *error)
{
    for (int participants = 2; participants <= run->processors; participants++)
        for (size_t k = 0; k < visits->ordered; k++) {
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

/* The point if it is of the same curve as the other; NULL: it is not. */
static const struct moments *neighbour(const struct visits *visits, size_t i, size_t at)
{
    if (at >= visits->points.count)
        return NULL;
    const struct point *mine = moments_at(visits, i)->looks;
    const struct point *other = moments_at(visits, at)->looks;
    const bool is_same =
        strcmp(mine->utility, other->utility) == 0 && mine->processors == other->processors;
    return is_same ? moments_at(visits, at) : NULL;
}

static bool is_doubtful(const struct visits *visits, size_t i, enum statistic statistic)
{
    return moments_doubtful(i > 0 ? neighbour(visits, i, i - 1) : NULL, moments_at(visits, i),
                            neighbour(visits, i, i + 1), statistic);
}

/* Who is asked at that moment, in which order: all at the first ones, later the doubtful. */
static void draw_order(struct visits *visits, size_t moment, enum statistic statistic,
                       gsl_rng *random)
{
    visits->ordered = 0;
    for (size_t i = 0; i < visits->points.count; i++)
        if (moment < MOMENTS_LEAST || is_doubtful(visits, i, statistic))
            visits->order[visits->ordered++] = i;
    if (visits->ordered > 0)
        gsl_ran_shuffle(random, visits->order, visits->ordered, sizeof *visits->order);
}

static bool is_complete(const struct visits *visits, size_t least)
{
    for (size_t i = 0; i < visits->points.count; i++)
        if (moments_at(visits, i)->count < least)
            return false;
    return true;
}

static int measure_moments(struct run *run, const struct machine *machine, struct visits *visits,
                           struct error *error)
{
    gsl_rng *random = gsl_rng_alloc(gsl_rng_mt19937);
    gsl_rng_set(random, run->options->seed);
    visits->order = memory_new(visits->points.count, sizeof *visits->order);
    const size_t most = run->options->quick ? MOMENTS_QUICK : MOMENTS_MOST;
    int status = 0;
    run->points = 0;
    run_others_ran(run);
    for (size_t moment = 1; moment < most && status == 0; moment++) {
        draw_order(visits, moment, run->options->statistic, random);
        status = measure_moment(run, machine, visits, error);
        if (moment < MOMENTS_LEAST)
            visits->spoilt[moment] = run_others_ran(run);
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

/* In each region that has none, one of several points is held out: without it nothing says how good
   the region is. Points sorted by size. Whether there was such a region. */
static bool hold_out_in_each(const struct list *regions, struct point *points, size_t count)
{
    const struct region *items = regions->items;
    bool had_none = false;
    for (size_t k = 0, start = 0, end; k < regions->count; k++, start = end) {
        bool has_one = false;
        for (end = start; end < count && points[end].bytes <= items[k].bytes_upto; end++)
            has_one = has_one || points[end].held_out;
        if (has_one || end - start < HELD_OUT_OF)
            continue;
        points[(start + end) / 2].held_out = true;
        had_none = true;
    }
    return had_none;
}

/* Regions through points sorted by size, with the packets that were found before, each with a point
   held out. */
static int fit(const struct run *run, const struct list *before, struct list points,
               struct list *regions, struct error *error)
{
    const enum statistic statistic = run->options->statistic;
    const double granule = fmax(1.0, run->utility->granule_bytes);
    struct packets packets = {0};
    struct list edges = {0};
    packets_among(before, &packets);
    struct observation *seen = curve_cost_observe(&points, statistic);
    int status = sweep_fit(&packets, granule, seen, points.count, regions, error);
    free(seen);
    if (status == 0 && hold_out_in_each(regions, points.items, points.count)) {
        edges = *regions;
        *regions = (struct list){0};
        seen = curve_cost_observe(&points, statistic);
        status = fit_regions_at(&edges, seen, points.count, regions, error);
        free(seen);
    }
    list_free(&region_record, &edges);
    return status;
}

/* The points of the most processors: the last ones, sorted by size. Borrowed. */
static struct list points_of_most(const struct list *points)
{
    struct point *items = points->items;
    size_t first = points->count - 1;
    while (first > 0 && items[first - 1].processors == items[first].processors)
        first--;
    return (struct list){.items = items + first, .count = points->count - first};
}

/* Of all processor counts, some of which were asked again before and some not. */
static int last_attempt(const struct list *points)
{
    double last = 0.0;
    for (size_t i = 0; i < points->count; i++)
        last = fmax(last, ((const struct point *)points->items + i)->attempt);
    return (int)last;
}

/* Appends the cost that the moments of `before` make; false, and nothing is changed, where they
   have no time above 0. */
static bool add_anew(struct run *run, const struct cost *before, struct visits *visits,
                     size_t first, size_t end, struct machine *machine)
{
    const enum statistic statistic = run->options->statistic;
    struct curve curve = {.bytes = before->bytes, .part_bytes = before->part_bytes};
    struct error error;
    for (size_t i = first; i < end; i++)
        *(struct point *)list_add(&point_record, &curve.points) =
            moments_settled(moments_at(visits, i), statistic);
    visits->spoilt[0] = before->disturbed;
    curve.disturbed =
        moments_disturbance(moments_at(visits, first), end - first, visits->spoilt, statistic);
    const bool is_fitted = fit(run, cost_regions_at(before, before->processors.most),
                               points_of_most(&curve.points), &curve.regions, &error) == 0;
    if (is_fitted) {
        run->attempt = last_attempt(&curve.points);
        run_keep_again(run, &curve.points);
        curve_cost_add(run, &curve, machine);
    }
    list_free(&region_record, &curve.regions);
    free(curve.points.items);
    return is_fitted;
}

/* Appends the cost of the same calls as another one, of new moments, or, where there are neither,
   as it was. */
static void renew(struct run *run, struct cost *before, struct visits *visits,
                  struct machine *machine)
{
    size_t first, end;
    const int index = utilities_named(before->utility);
    const struct cost *same = index >= 0 ? same_as(before, machine) : NULL;
    run->utility = index >= 0 ? utilities[index] : NULL;
    run->counted = (int)before->processors.most;
    if ((same && same_calls_adopt(run, before->bytes, same, machine)) ||
        (find_moments(visits, before->utility, &first, &end) &&
         add_anew(run, before, visits, first, end, machine)))
        record_free(&cost_record, before);
    else
        *(struct cost *)list_add(&cost_record, &machine->communication) = *before;
}

static void renew_all(struct run *run, struct visits *visits, struct machine *machine)
{
    struct list before = machine->communication;
    machine->communication = (struct list){0};
    for (size_t i = 0; i < before.count; i++)
        renew(run, (struct cost *)before.items + i, visits, machine);
    free(before.items);
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
    if (visits.points.count == 0) {
        run_not_measured(machine, "other moments", "no points are in the file to be asked again");
        return 0;
    }
    const int status = measure_moments(run, machine, &visits, error);
    if (status == 0) {
        renew_all(run, &visits, machine);
        report(run, &visits, machine);
    }
    if (status == 0 && !is_complete(&visits, run_moments(run)))
        run_not_measured(machine, "other moments",
                         "the calibration ended before all points were asked again");
    free(visits.points.items);
    return status;
}
