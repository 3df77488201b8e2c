#include "trainer/curve/visits.h"

#include "model/base/allocation.h"
#include "model/base/number.h"
#include "trainer/base/checkpoint.h"
#include "trainer/base/interruption.h"
#include "trainer/curve/curve_cost.h"
#include "trainer/curve/curve_moments.h"
#include "trainer/curve/same_calls.h"
#include "trainer/utilities/utilities.h"

#include <gsl/gsl_randist.h>
#include <gsl/gsl_rng.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { PASSES_DIGITS = 3 };

/* A point that is asked next. */
struct visit {
    struct curve_moments *curve;
    size_t point;
};

/* All that is asked again. spoilt: which moments of all points others spoilt. */
struct visits {
    struct curve_moments *curves; /* in the order of the machine's costs; owned */
    size_t curve_count;
    bool spoilt[MOMENTS_LEAST];
    struct visit *order; /* by chance */
    size_t ordered;
};

static struct moments *moments_at(const struct curve_moments *curve, size_t i)
{
    return (struct moments *)curve->points.items + i;
}

static void visits_free(struct visits *visits)
{
    for (size_t i = 0; i < visits->curve_count; i++)
        curve_moments_free(&visits->curves[i]);
    free(visits->curves);
    free(visits->order);
}

/* ---- which points ---- */

/* Those of the cost that count. */
static void choose_points(struct visits *visits, const struct run *run, const struct cost *cost,
                          const struct list *all)
{
    const struct utility *utility = utilities[utilities_named(cost->utility)];
    struct curve_moments curve = {.granule = fmax(1.0, utility->granule_bytes),
                                  .statistic = run->options->statistic};
    struct list points = {0};
    points_last(all, cost->utility, &points);
    packets_among(cost_regions_at(cost, cost->processors.most), &curve.packets);
    curve_moments_begin(&curve, &points);
    if (points.count > 0)
        visits->curves[visits->curve_count++] = curve;
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
    char *path = checkpoint_points_path(run->options->output);
    const struct cost *costs = machine->communication.items;
    struct list all = {0};
    struct error error;
    visits->curves = memory_new(machine->communication.count, sizeof *visits->curves);
    if (points_read(path, &all, &error) == 0)
        for (size_t i = 0; i < machine->communication.count; i++)
            if (utilities_named(costs[i].utility) >= 0 && !same_as(&costs[i], machine))
                choose_points(visits, run, &costs[i], &all);
    free(all.items);
    free(path);
}

/* ---- measuring them ---- */

static int measure_now(struct run *run, const struct machine *machine, struct moments *moments,
                       struct error *error)
{
    struct point *now = &moments->looks[moments->count];
    if (moments->count > 0)
        *now = moments->looks[0];
    const int index = utilities_named(now->utility);
    const double part_bytes = machine_cost(machine, now->utility)->part_bytes;
    if (!isnan(part_bytes))
        engine_parts(run->engine, (int)part_bytes);
    run_choose(run, index, utility_participants(utilities[index], (int)now->processors));
    engine_size(run->engine, (int)now->bytes);
    if (run_measure(run, true, now, error) != 0)
        return -1;
    now->mean_over_maximum = engine_mean_over_maximum(run->engine);
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
            const struct visit *visit = &visits->order[k];
            struct moments *moments = moments_at(visit->curve, visit->point);
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

/* Who is asked next, in which order. */
static void draw_order(struct visits *visits, gsl_rng *random)
{
    visits->ordered = 0;
    for (size_t i = 0; i < visits->curve_count; i++) {
        struct curve_moments *curve = &visits->curves[i];
        visits->order = memory_grow(visits->order, visits->ordered + curve->points.count,
                                    sizeof *visits->order);
        for (size_t k = 0; k < curve->points.count; k++)
            if (curve_moments_asks(curve, k))
                visits->order[visits->ordered++] = (struct visit){curve, k};
    }
    if (visits->ordered > 0)
        gsl_ran_shuffle(random, visits->order, visits->ordered, sizeof *visits->order);
}

static int measure_moments(struct run *run, const struct machine *machine, struct visits *visits,
                           struct error *error)
{
    gsl_rng *random = gsl_rng_alloc(gsl_rng_mt19937);
    gsl_rng_set(random, run->options->seed);
    const bool quick = run->options->quick;
    const size_t most = quick ? MOMENTS_QUICK : MOMENTS_MOST;
    bool more = false;
    int status = 0;
    run->points = 0;
    run_others_ran(run);
    for (size_t moment = 1; (moment < most || more) && status == 0; moment++) {
        for (size_t i = 0; i < visits->curve_count; i++)
            curve_moments_narrow(&visits->curves[i], moment);
        draw_order(visits, random);
        status = measure_moment(run, machine, visits, error);
        more = !quick && curve_moments_look_back(visits->curves, visits->curve_count, moment);
        if (moment < MOMENTS_LEAST)
            visits->spoilt[moment] = run_others_ran(run);
    }
    gsl_rng_free(random);
    return status;
}

static size_t points_of(const struct visits *visits)
{
    size_t count = 0;
    for (size_t i = 0; i < visits->curve_count; i++)
        count += visits->curves[i].points.count;
    return count;
}

static bool is_complete(const struct visits *visits, size_t least)
{
    for (size_t i = 0; i < visits->curve_count; i++)
        for (size_t k = 0; k < visits->curves[i].points.count; k++)
            if (moments_at(&visits->curves[i], k)->count < least)
                return false;
    return true;
}

/* ---- the costs anew ---- */

/* The curve of a cost that was asked at another moment; NULL: none was. */
static struct curve_moments *find_curve(const struct visits *visits, const char *utility)
{
    for (size_t i = 0; i < visits->curve_count; i++) {
        struct curve_moments *curve = &visits->curves[i];
        if (strcmp(moments_at(curve, 0)->looks[0].utility, utility) != 0)
            continue;
        for (size_t k = 0; k < curve->points.count; k++)
            if (moments_at(curve, k)->count > 1)
                return curve;
    }
    return NULL;
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
                     const struct curve_moments *moments, struct machine *machine)
{
    struct curve curve = {.bytes = before->bytes,
                          .part_bytes = before->part_bytes,
                          .passes_p95 = number_rounded(curve_moments_p95(moments), PASSES_DIGITS),
                          .points = curve_moments_settled(moments)};
    struct error error;
    visits->spoilt[0] = before->disturbed;
    curve.disturbed = moments_disturbance(moments->points.items, moments->points.count,
                                          visits->spoilt, moments->statistic);
    if (!curve.disturbed && curve_moments_changed(visits->curves, visits->curve_count))
        curve.disturbed = "the machine became quicker while it was measured";
    const bool is_fitted = curve_moments_fit(moments, curve_moments_of_most(&curve.points),
                                             &curve.regions, &error) == 0;
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
    const struct curve_moments *moments = find_curve(visits, before->utility);
    const int index = utilities_named(before->utility);
    const struct cost *same = index >= 0 ? same_as(before, machine) : NULL;
    run->utility = index >= 0 ? utilities[index] : NULL;
    run->counted = (int)before->processors.most;
    if ((same && same_calls_adopt(run, before->bytes, same, machine)) ||
        (moments && add_anew(run, before, visits, moments, machine)))
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
             "other moments", points_of(visits), disturbed);
    progress_part(&run->progress, line);
}

int visits_make(struct run *run, struct machine *machine, struct error *error)
{
    struct visits visits = {0};
    choose_all(&visits, run, machine);
    if (visits.curve_count == 0) {
        run_not_measured(machine, "other moments", "no points are in the file to be asked again");
        visits_free(&visits);
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
    visits_free(&visits);
    return status;
}
