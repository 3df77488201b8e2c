#include "trainer/curve/curve.h"

#include "model/base/allocation.h"
#include "model/base/number.h"
#include "model/fit/fit.h"
#include "model/fit/points.h"
#include "trainer/base/interruption.h"
#include "trainer/curve/curve_cost.h"
#include "trainer/curve/same_calls.h"
#include "trainer/curve/sweep.h"
#include "trainer/utilities/utilities.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { SPOTS_A_REGION = 6 };

/* A part of a message is sought from the whole of a long one down to this, and a smaller one has to
   be faster by that share. */
static const double part_probe_bytes = 1024 * 1024;
static const int part_least = 1024;
static const double part_gain = 0.01;

/* A quick look leaves an edge between two sizes that differ by less. */
static const double quick_edge_ratio = 1.1;

/* A rank's buffer for all messages of one use, bytes; of a simulated machine, all of whose messages
   one process copies, the buffers of all ranks together, and a message that is always allowed. */
static const double room_most = 16.0 * 1024 * 1024;
static const double simulated_room_most = 64.0 * 1024 * 1024, simulated_message = 64.0 * 1024;

/* ---- points ---- */

/* A utility among so many. */
struct task {
    struct run *run;
    int utility, participants;
};

/* A sweep_measure: one point by the engine, kept in the file at once. */
static int measure_point(void *state, const struct ask *ask, struct point *point,
                         struct error *error)
{
    struct run *run = ((const struct task *)state)->run;
    const double now_s = MPI_Wtime();
    if (interruption_or_after(run->share_end_s))
        return 1;
    *point = (struct point){.bytes = ask->bytes,
                            .processors = run->counted,
                            .attempt = run->attempt,
                            .launch = 1,
                            .held_out = ask->held_out};
    strncpy(point->utility, run->utility->pattern->name, POINT_NAME - 1);
    engine_size(run->engine, (int)ask->bytes);
    if (run_measure(run, ask->again, point, error) != 0)
        return -1;
    point->mean_over_maximum = engine_mean_over_maximum(run->engine);
    if (ask->again)
        return 0;
    run_keep_point(run, point);
    progress_point(&run->progress, run->utility->pattern->name, ++run->points, now_s);
    return 0;
}

static const struct point *point_at(const struct list *points, size_t i)
{
    return (const struct point *)points->items + i;
}

/* ---- the sweep at the largest processor count ---- */

/* The longest message that there is room for. */
static double bytes_with_room(const struct run *run, int participants)
{
    const struct utility *utility = run->utility;
    const double messages = utility->messages ? utility->messages(participants) : 1.0;
    if (!run->simulated)
        return room_most / messages;
    const double room = fmin(room_most, simulated_room_most / participants);
    return fmax(room / messages, fmin(simulated_message, room_most / messages));
}

/* How many sizes beside those of the start, as multiples of them. */
struct effort {
    double refine, most;
};

/* What is asked at several moments, and shows its noise only then, has fewer sizes for it. */
static struct effort effort_of(const struct run *run)
{
    const bool quick = run->options->quick;
    if (run->looks_later)
        return (struct effort){.refine = 1.0 / 3.0, .most = quick ? 2.0 : 2.5};
    return (struct effort){.refine = 1.0, .most = quick ? 3.0 : 8.0};
}

static struct sweep_plan sweep_plan_of(const struct run *run, int participants)
{
    const struct utility *utility = run->utility;
    const struct options *options = run->options;
    const struct effort effort = effort_of(run);
    const bool sized = utility->granule_bytes > 0.0;
    const double granule = sized ? utility->granule_bytes : 1.0;
    const double least = utility->empty_is_nothing ? granule : 0.0;
    const double room = bytes_with_room(run, participants);
    const double most = utility->bytes_most > 0.0 ? fmin(room, utility->bytes_most) : room;
    return (struct sweep_plan){
        .bytes_least = sized ? granule * ceil(fmax(least, options->bytes_least) / granule) : 0.0,
        .bytes_most = sized ? granule * floor(fmin(most, options->bytes_most) / granule) : 0.0,
        .granule = granule,
        .start_points = (size_t)options->points,
        .refine_points = (size_t)(effort.refine * options->points),
        .points_most = (size_t)(effort.most * options->points),
        .seed = options->seed,
        .trusting = options->quick,
        .statistic = options->statistic,
        .known_edge = run->protocol.seen ? run->protocol.eager_upto_bytes : 0.0,
        .edge_ratio = options->quick ? quick_edge_ratio : 1.0,
    };
}

/* The part size that broadcasts a long message the fastest; of nearly equal ones the largest, which
   is the fewest messages (Abandah, IBM SP2, section 3.5). */
static int choose_parts(struct run *run, int bytes, double *part_bytes, struct error *error)
{
    double best_us = INFINITY;
    *part_bytes = bytes;
    for (int part = bytes; part >= part_least; part /= 2) {
        struct point point = {0};
        engine_parts(run->engine, part);
        engine_size(run->engine, bytes);
        if (measure(&run->plan, engine_batch, run->engine, &point, error) != 0)
            return -1;
        const double time_us = point_time_us(&point, run->options->statistic);
        if (time_us < (1.0 - part_gain) * best_us) {
            best_us = time_us;
            *part_bytes = part;
        }
    }
    engine_parts(run->engine, (int)*part_bytes);
    return 0;
}

/* ---- the spots of the same regions at another processor count ---- */

/* Up to a few sizes of each region, spread over what the sweep measured there, its ends among them;
   the middle one is held out. Returns 1 when the budget ended before all were measured. */
static int measure_spots(struct task *task, const struct observation *swept, size_t count,
                         const struct list *edges, struct list *points, struct error *error)
{
    const struct region *regions = edges->items;
    for (size_t k = 0, start = 0, end; k < edges->count; k++, start = end) {
        for (end = start; end < count && swept[end].bytes <= regions[k].bytes_upto;)
            end++;
        const size_t spots = end - start < SPOTS_A_REGION ? end - start : SPOTS_A_REGION;
        double last = -1.0;
        for (size_t i = 0; i < spots; i++) {
            const size_t at = spots > 1 ? start + i * (end - start - 1) / (spots - 1) : start;
            struct point point;
            if (swept[at].bytes == last)
                continue;
            last = swept[at].bytes;
            const struct ask ask = {.bytes = last, .held_out = spots > 3 && i == spots / 2};
            const int status = measure_point(task, &ask, &point, error);
            if (status != 0)
                return status;
            *(struct point *)list_add(&point_record, points) = point;
        }
    }
    return 0;
}

/* Whether there is anything to fit. */
static bool has_times(const struct run *run, const struct list *points)
{
    for (size_t i = 0; i < points->count; i++)
        if (point_time_us(point_at(points, i), run->options->statistic) > 0.0)
            return true;
    return false;
}

/* Adds the points of one of the other processor counts, if it has all. */
static int measure_other(struct task *task, const struct observation *swept, size_t count,
                         struct curve *curve, struct error *error)
{
    struct run *run = task->run;
    struct list points = {0};
    run->points = 0;
    run->counted = utility_counted(run->utility, task->participants);
    run_choose(run, task->utility, task->participants);
    const int status = measure_spots(task, swept, count, &curve->regions, &points, error);
    for (size_t i = 0; status == 0 && has_times(run, &points) && i < points.count; i++)
        *(struct point *)list_add(&point_record, &curve->points) = *point_at(&points, i);
    free(points.items);
    return status;
}

/* The other processor counts, upwards. */
static int measure_others(struct run *run, int index, const int *participants, size_t count,
                          struct curve *curve, struct error *error)
{
    const size_t swept_count = curve->points.count;
    struct observation *swept = points_observe(&curve->points, run->options->statistic);
    int status = 0;
    run->attempt = 1;
    for (size_t i = 0; i + 1 < count && status >= 0; i++) {
        struct task task = {run, index, participants[i]};
        status = measure_other(&task, swept, swept_count, curve, error);
    }
    free(swept);
    return status < 0 ? -1 : 0;
}

/* ---- the whole ---- */

static int sweep_largest(struct task *task, const struct sweep_plan *plan, struct curve *curve,
                         struct error *error)
{
    struct run *run = task->run;
    struct sweep_looks looks;
    run->points = 0;
    run->attempt = 1;
    run_choose(run, task->utility, task->participants);
    if (sweep(plan, measure_point, task, &curve->points, &curve->regions, &looks, error) != 0)
        return -1;
    if (looks.looked > 0)
        run_keep_again(run, &curve->points);
    if (sweep_is_mixture(&looks))
        curve->disturbed = "times changed while they were measured";
    return 0;
}

static const char *what_disturbed(struct run *run, const struct curve *curve)
{
    return run->crowded                         ? "ranks share cores"
           : run_others_ran(run)                ? "others used the processors"
           : points_interrupted(&curve->points) ? "ranks were interrupted"
                                                : curve->disturbed;
}

/* The part size first, where the utility sends in parts. */
static int measure_curve(struct run *run, int utility, const int *participants, size_t count,
                         struct curve *curve, struct error *error)
{
    struct task task = {run, utility, participants[count - 1]};
    const struct sweep_plan plan = sweep_plan_of(run, task.participants);
    int status = 0;
    if (run->utility->in_parts) {
        run_choose(run, utility, task.participants);
        status = choose_parts(run, (int)fmin(part_probe_bytes, plan.bytes_most), &curve->part_bytes,
                              error);
    }
    if (status == 0)
        status = sweep_largest(&task, &plan, curve, error);
    if (status == 0 && curve->regions.count > 0)
        status = measure_others(run, utility, participants, count, curve, error);
    curve->disturbed = what_disturbed(run, curve);
    return status;
}

/* A simulated machine is the same in every launch but for the noise that it is given, which the
   batches of every point show. */
static double worst_between_batches(const struct list *points)
{
    const struct point *items = points->items;
    double worst = 0.0;
    for (size_t i = 0; i < points->count; i++)
        if (items[i].minimum_us > 0.0)
            worst = fmax(worst, items[i].maximum_us / items[i].minimum_us - 1.0);
    return number_rounded(worst, 3);
}

int curve_measure(struct run *run, int utility, const int *participants, size_t count,
                  struct machine *machine, struct error *error)
{
    run->utility = utilities[utility];
    run->exact_points = 0; /* as where an earlier calibration is gone on with */
    const int largest = participants[count - 1];
    const struct sweep_plan plan = sweep_plan_of(run, largest);
    struct curve curve = {
        .bytes = {plan.bytes_least, plan.bytes_most},
          .part_bytes = NAN, .passes_p95 = NAN
    };
    const struct cost *same = same_calls_measured(run->utility, largest, machine);
    run->counted = utility_counted(run->utility, largest);
    int status = 0;
    bool has_cost = same && same_calls_adopt(run, curve.bytes, same, machine);
    if (!has_cost && !interruption_or_after(run->share_end_s))
        status = measure_curve(run, utility, participants, count, &curve, error);
    if (status == 0 && curve.regions.count > 0) {
        if (run->simulated)
            curve.passes_p95 = worst_between_batches(&curve.points);
        curve_cost_add(run, &curve, machine);
        has_cost = true;
    }
    if (has_cost) {
        curve_cost_say_missing(run, participants, count, machine);
        curve_cost_report(run, machine_cost(machine, run->utility->pattern->name));
    } else if (status == 0)
        run_not_measured(machine, run->utility->pattern->name,
                         curve.points.count ? "no time above the clock's noise"
                                            : "the budget ended before its first point");
    list_free(&region_record, &curve.regions);
    free(curve.points.items);
    return status;
}
