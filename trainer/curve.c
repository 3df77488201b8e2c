#include "trainer/curve.h"

#include "model/base/memory.h"
#include "model/machine/fit.h"
#include "model/machine/points.h"
#include "trainer/attempts.h"
#include "trainer/curve_cost.h"
#include "trainer/interruption.h"
#include "trainer/same_calls.h"
#include "trainer/utilities.h"

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

/* A sweep_measure: one point by the crew, kept in the file at once. */
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
    strncpy(point->utility, run->utility->name, POINT_NAME - 1);
    crew_size(run->crew, (int)ask->bytes);
    if (run_measure(run, ask->again, point, error) != 0)
        return -1;
    point->mean_over_maximum = crew_mean_over_maximum(run->crew);
    if (ask->again)
        return 0;
    run_keep_point(run, point);
    progress_point(&run->progress, run->utility->name, ++run->points, now_s);
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

static struct sweep_plan sweep_plan_of(const struct run *run, int participants)
{
    const struct utility *utility = run->utility;
    const struct options *options = run->options;
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
        .points_most = (options->quick ? 3 : 8) * (size_t)options->points,
        .seed = options->seed,
        .trusting = options->quick,
        .statistic = options->statistic,
        .edge_ratio = options->quick ? quick_edge_ratio : 1.0,
    };
}

/* The part size that broadcasts a long message the fastest; of nearly equal ones the largest, which
   is the fewest messages (001:570). */
static int choose_parts(struct run *run, int bytes, double *part_bytes, struct error *error)
{
    double best_us = INFINITY;
    *part_bytes = bytes;
    for (int part = bytes; part >= part_least; part /= 2) {
        struct point point = {0};
        crew_parts(run->crew, part);
        crew_size(run->crew, bytes);
        if (measure(&run->plan, crew_batch, run->crew, &point, error) != 0)
            return -1;
        const double time_us = point_time_us(&point, run->options->statistic);
        if (time_us < (1.0 - part_gain) * best_us) {
            best_us = time_us;
            *part_bytes = part;
        }
    }
    crew_parts(run->crew, (int)*part_bytes);
    return 0;
}

/* ---- attempts ---- */

static void begin_attempt(void *state)
{
    const struct task *task = state;
    task->run->points = 0;
    task->run->attempt_begin_s = MPI_Wtime();
    run_choose(task->run, task->utility, task->participants);
}

static int look_around(void *state, const char **disturbance, struct error *error)
{
    return run_look_around(((const struct task *)state)->run, disturbance, error);
}

static bool is_over(void *state)
{
    return interruption_or_after(((const struct task *)state)->run->share_end_s);
}

static void keep_points(void *state, const struct list *points)
{
    struct run *run = ((const struct task *)state)->run;
    for (size_t i = 0; i < points->count; i++)
        run_keep_point(run, point_at(points, i));
}

/* The next attempt will take about as long as this one; one that would be cut short is not begun.
 */
static bool may_repeat(void *state, double need)
{
    struct run *run = ((const struct task *)state)->run;
    const double now_s = MPI_Wtime(), attempt_s = now_s - run->attempt_begin_s;
    return now_s + attempt_s <= run->share_end_s &&
           allowance_grant(&run->repeats, attempt_s, need, run->parts_left);
}

static struct attempts attempts_of(struct task *task)
{
    return (struct attempts){.most = task->run->options->attempts,
                             .number = &task->run->attempt,
                             .begin = begin_attempt,
                             .measure = measure_point,
                             .look_around = look_around,
                             .is_over = is_over,
                             .may_repeat = may_repeat,
                             .keep = keep_points,
                             .state = task};
}

/* ---- the same regions at another processor count ---- */

/* Up to a few sizes of each region, spread over what the sweep measured there, its ends among them;
   the middle one is held out. */
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

static int measure_spots_once(struct task *task, const struct observation *swept, size_t count,
                              const struct list *edges, struct swept *found, struct error *error)
{
    begin_attempt(task);
    int status = measure_spots(task, swept, count, edges, &found->points, error);
    if (status == 0)
        status = look_around(task, &found->disturbance, error);
    if (status == 0 && !found->disturbance)
        found->disturbance = attempts_interrupted(&found->points);
    return status;
}

/* The spots until the machine held still meanwhile, as long as that is its equal share of the time
   for measuring again. Returns 1 when the budget ended before all were measured once. */
static int measure_still_spots(struct task *task, const struct observation *swept, size_t count,
                               const struct list *edges, struct swept *found, struct error *error)
{
    const struct attempts attempts = attempts_of(task);
    int *number = &task->run->attempt;
    for (*number = 1;; ++*number) {
        struct swept now = {0};
        const int status = measure_spots_once(task, swept, count, edges, &now, error);
        if (status > 0 && found->points.count > 0) {
            swept_free(&now);
            attempts_keep_again(&attempts, found);
            return 0;
        }
        swept_free(found);
        *found = now;
        if (status != 0 || !now.disturbance || is_over(task) || *number >= attempts.most ||
            !may_repeat(task, 0.0))
            return status;
    }
}

/* Returns 1 when the budget ended before all spots were measured, or when no time was above 0: this
   p is missing, not the calibration. */
static int measure_at(struct task *task, const struct observation *swept, size_t count,
                      const struct list *edges, struct swept *found, struct at_processors *result,
                      struct error *error)
{
    task->run->counted = utility_counted(task->run->utility, task->participants);
    const int status = measure_still_spots(task, swept, count, edges, found, error);
    if (status != 0)
        return status;
    struct observation *seen = curve_cost_observe(&found->points, task->run->options->statistic);
    result->processors = task->run->counted;
    result->mean_over_maximum = curve_cost_mean_over_maximum(&found->points);
    const bool fitted =
        fit_regions_at(edges, seen, found->points.count, &result->regions, error) == 0;
    free(seen);
    return fitted ? 0 : 1;
}

static void add_points(struct list *points, const struct list *more)
{
    for (size_t i = 0; i < more->count; i++)
        *(struct point *)list_add(&point_record, points) = *point_at(more, i);
}

/* One of the other processor counts. */
static int measure_other(struct task *task, const struct observation *swept, size_t swept_count,
                         const struct list *edges, struct cost *cost, struct list *points,
                         struct machine *machine, struct error *error)
{
    struct at_processors at = {0};
    struct swept found = {0};
    const int status = measure_at(task, swept, swept_count, edges, &found, &at, error);
    if (status == 1)
        curve_cost_missing(task->run, task->participants, machine);
    if (status == 0) {
        add_points(points, &found.points);
        curve_cost_disturbed(cost, found.disturbance);
        *(struct at_processors *)list_add(&at_processors_record, &cost->by_processors) = at;
    }
    swept_free(&found);
    return status;
}

/* The other processor counts, upwards, and then the functions of p over all of them. */
static int measure_others(struct run *run, int index, const int *participants, size_t count,
                          struct cost *cost, struct list *points, struct machine *machine,
                          struct error *error)
{
    const size_t swept_count = points->count;
    struct observation *swept = curve_cost_observe(points, run->options->statistic);
    const struct list edges = cost->regions;
    const struct at_processors largest = {cost->processors.most, cost->mean_over_maximum, edges};
    int status = 0;
    for (size_t i = 0; i + 1 < count && status >= 0; i++) {
        struct task task = {run, index, participants[i]};
        status = measure_other(&task, swept, swept_count, &edges, cost, points, machine, error);
    }
    free(swept);
    if (status < 0 || cost->by_processors.count == 0)
        return status < 0 ? -1 : 0;
    *(struct at_processors *)list_add(&at_processors_record, &cost->by_processors) = largest;
    cost->regions = (struct list){0};
    curve_cost_over_processors(run, cost, points, machine);
    return 0;
}

static int keep(struct run *run, int utility, const int *participants, size_t count,
                const struct sweep_plan *plan, double part_bytes, struct swept *swept,
                struct machine *machine, struct error *error)
{
    struct cost *cost = list_add(&cost_record, &machine->communication);
    curve_cost_describe(cost, run, (struct span){plan->bytes_least, plan->bytes_most});
    curve_cost_disturbed(cost, run->crowded ? "ranks share cores" : swept->disturbance);
    cost->part_bytes = part_bytes;
    cost->mean_over_maximum = curve_cost_mean_over_maximum(&swept->points);
    cost->regions = swept->regions;
    swept->regions = (struct list){0};
    const int status =
        measure_others(run, utility, participants, count, cost, &swept->points, machine, error);
    curve_cost_count(cost, &swept->points);
    curve_cost_report(run, cost);
    return status;
}

int curve_measure(struct run *run, int utility, const int *participants, size_t count,
                  struct machine *machine, struct error *error)
{
    run->utility = utilities[utility];
    run->exact_points = 0; /* as where an earlier calibration is gone on with */
    const int largest = participants[count - 1];
    const struct sweep_plan plan = sweep_plan_of(run, largest);
    run->counted = utility_counted(run->utility, largest);
    const struct span bytes = {plan.bytes_least, plan.bytes_most};
    const struct cost *same = same_calls_measured(run->utility, largest, machine);
    if (same && same_calls_adopt(run, participants, count, bytes, same, machine))
        return 0;
    struct task task = {run, utility, largest};
    const struct attempts attempts = attempts_of(&task);
    struct swept swept = {0};
    double part_bytes = NAN;
    int status = 0;
    if (run->utility->in_parts && !is_over(&task)) {
        run_choose(run, utility, largest);
        status =
            choose_parts(run, (int)fmin(part_probe_bytes, plan.bytes_most), &part_bytes, error);
    }
    if (status == 0 && !is_over(&task))
        status = attempts_sweep(&attempts, &plan, &swept, error);
    if (status == 0 && swept.regions.count == 0)
        run_not_measured(machine, run->utility->name,
                         swept.points.count ? "no time above the clock's noise"
                                            : "the budget ended before its first point");
    else if (status == 0)
        status = keep(run, utility, participants, count, &plan, part_bytes, &swept, machine, error);
    swept_free(&swept);
    return status;
}
