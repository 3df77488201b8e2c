#include "trainer/curve/first_pass.h"

#include "model/base/allocation.h"
#include "model/fit/fit.h"
#include "model/fit/points.h"
#include "trainer/base/clock.h"
#include "trainer/base/interruption.h"
#include "trainer/curve/curve.h"
#include "trainer/curve/curve_cost.h"
#include "trainer/curve/edge.h"
#include "trainer/curve/same_calls.h"
#include "trainer/curve/sweep.h"
#include "trainer/utilities/utilities.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* A part of a message is sought from the whole of a long one down to this, and a smaller one has to
   be faster by that share. */
static const double part_probe_bytes = 1024 * 1024;
static const int part_least = 1024;
static const double part_gain = 0.01;

/* So many sizes say where the steps of one processor count are. */
enum { STEP_SIZES_MOST = 8 };

/* A quick look leaves an edge between two sizes that differ by less. */
static const double quick_edge_ratio = 1.1;

/* A rank's buffer for all messages of one use, bytes; of a simulated machine, all of whose messages
   one process copies, the buffers of all ranks together, and a message that is always allowed,
   unless those of all ranks to all take more than there is memory for. */
static const double room_most = 16.0 * 1024 * 1024;
static const double simulated_room_most = 64.0 * 1024 * 1024, simulated_message = 64.0 * 1024;
static const double simulated_memory = 1024.0 * 1024 * 1024;

/* What is on its way at one time a simulator looks through again and again: reductions of 106 KB
   among 64, one behind another, took it 14 s each, one of 64 KB among 1024 90 s, and of 16 KB 3 s;
   1 KB from all of 128 to all 3 s, of 256 2 min, where 512 bytes, which are gone before the next
   ones are sent, took 0.1 s. So where messages pile up among more ranks than these, none is longer
   than that other one, and all ranks together have no more than so many bytes, or, where there are
   more messages than that, each has no more than so many in all, and so many for each other. */
enum { PILED_RANKS = 64 };
static const double piled_by_all = 16.0 * 1024 * 1024;
static const double piled_messages = 16384.0, piled_by_one = 131072.0, piled_bytes = 512.0;

/* A simulator takes 10 to 100 us for a message: sizes of a sweep are fewer where all of them, once,
   would take more messages than this, but not fewer than a law of n needs. Of what all send to all
   it is 64 sizes among 128 ranks, 16 among 256, and 8 among 1024; among 64 all that there are. */
static const double simulated_messages = 1024.0 * 1024;
enum { SIZES_FEWEST = 8, ENDS_AND_EDGE = 4 };

/* ---- points ---- */

/* A utility among so many. */
struct task {
    struct run *run;
    int utility, participants;
};

/* Whether the share of the budget has time for a point of that size: by a straight line through the
   shortest of the points so far and the last one of a long message, also of the utility before,
   until this one has such a point. Without it one long message took three times its utility's
   share, and the last one a tenth of the budget more than there was. */
static bool has_time_for(const struct run *run, double bytes)
{
    const struct foretold *by = &run->foretold;
    const double slope = by->longest_bytes > 0.0
                             ? fmax(0.0, by->longest_s - by->shortest_s) / by->longest_bytes
                             : 0.0;
    return !interruption_or_after(run->share_end_s - by->shortest_s - slope * bytes);
}

static void note_point_time(struct run *run, double bytes, double took_s)
{
    struct foretold *by = &run->foretold;
    if (by->shortest_s == 0.0 || took_s < by->shortest_s)
        by->shortest_s = took_s;
    if (2.0 * bytes >= by->longest_bytes) {
        by->longest_s = took_s;
        by->longest_bytes = bytes;
    }
}

/* A sweep_measure: one point by the engine, kept in the file at once. */
static int measure_point(void *state, const struct ask *ask, struct point *point,
                         struct error *error)
{
    struct run *run = ((const struct task *)state)->run;
    const double now_s = clock_s();
    if (!has_time_for(run, ask->bytes))
        return 1;
    *point = (struct point){.bytes = ask->bytes,
                            .processors = run->counted,
                            .attempt = 1,
                            .launch = 1,
                            .held_out = ask->held_out};
    strncpy(point->utility, run->utility->pattern->name, POINT_NAME - 1);
    engine_size(run->engine, (int)ask->bytes);
    if (run_measure(run, ask->again, point, error) != 0)
        return -1;
    note_point_time(run, ask->bytes, clock_s() - now_s);
    point->mean_over_maximum = engine_mean_over_maximum(run->engine);
    if (ask->again)
        return 0;
    run_keep_point(run, point);
    progress_point(&run->progress, run->utility->pattern->name, ++run->points, now_s);
    return 0;
}

/* ---- the sweep at the largest processor count ---- */

/* How many messages one processor has room for, or sends one after the other. */
static double messages_of_one(const struct utility *utility, int participants)
{
    if (utility->messages)
        return utility->messages(participants);
    return utility->tree == TREE_FLAT ? participants - 1.0 : 1.0;
}

/* Of all processors together; where one of them has all, it sends or receives them. */
static double messages_of_all(const struct utility *utility, int participants)
{
    const double messages = messages_of_one(utility, participants);
    return utility->rooted || utility->tree == TREE_FLAT ? messages : messages * participants;
}

/* The longest message that there is room for, and for which the one that sends to all has time. */
static double bytes_with_room(const struct run *run, int participants)
{
    const double messages = messages_of_one(run->utility, participants);
    if (!run->simulated)
        return room_most / messages;
    const double room = fmin(room_most, simulated_room_most / participants);
    const double all = messages_of_all(run->utility, participants);
    if (run->utility->piles_up > 0 && participants > PILED_RANKS)
        return all > piled_messages
                   ? fmin(piled_bytes, piled_by_one / messages)
                   : fmin(simulated_message, piled_by_all / run->utility->piles_up / participants);
    return fmax(room / messages,
                fmin(simulated_message, fmin(room_most / messages, simulated_memory / all)));
}

/* How many sizes beside those of the start, as multiples of them. */
struct effort {
    double refine, most;
};

/* What is asked in several passes, and shows its noise only then, has fewer sizes for it: with up
   to 384 launches took 37 to 45 s in place of 27 to 34 s, and were no better (doc/accuracy.md). */
static struct effort effort_of(const struct run *run)
{
    const bool quick = run->options->quick;
    if (run->passes_later)
        return (struct effort){.refine = 1.0 / 3.0, .most = quick ? 2.0 : 2.5};
    return (struct effort){.refine = 1.0, .most = quick ? 3.0 : 8.0};
}

/* How many sizes there is time to simulate. */
static size_t sizes_simulated(const struct run *run, int participants)
{
    const double sizes = simulated_messages / messages_of_all(run->utility, participants);
    return (size_t)fmax(SIZES_FEWEST, fmin(sizes, 1e6));
}

static size_t at_most(size_t count, size_t most)
{
    return count < most ? count : most;
}

/* Where they are fewer than a sweep begins with, no edge is looked for between them. */
static void limit_sizes(struct sweep_plan *plan, size_t sizes)
{
    plan->trusting = plan->trusting || sizes < plan->start_points;
    plan->start_points = at_most(plan->start_points, sizes);
    plan->refine_points = at_most(plan->refine_points, sizes - plan->start_points);
    plan->points_most = at_most(plan->points_most, sizes + ENDS_AND_EDGE);
}

struct sweep_plan first_pass_plan(const struct run *run, int participants)
{
    const struct utility *utility = run->utility;
    const struct options *options = run->options;
    const struct effort effort = effort_of(run);
    const bool sized = utility->granule_bytes > 0.0;
    const double granule = sized ? utility->granule_bytes : 1.0;
    const double least = utility->empty_is_nothing ? granule : 0.0;
    const double room = bytes_with_room(run, participants);
    const double most = utility->bytes_most > 0.0 ? fmin(room, utility->bytes_most) : room;
    struct sweep_plan plan = {
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
    if (run->simulated)
        limit_sizes(&plan, sizes_simulated(run, participants));
    return plan;
}

int first_pass_parts_tried(double bytes_most, double *bytes)
{
    int tried = 0;
    *bytes = fmin(part_probe_bytes, bytes_most);
    for (int part = (int)*bytes; part >= part_least; part /= 2)
        tried++;
    return tried;
}

/* The part size that broadcasts a long message the fastest; of nearly equal ones the largest, which
   is the fewest messages (Abandah, IBM SP2, section 3.5). */
static int choose_parts(struct run *run, int bytes, double *part_bytes, struct error *error)
{
    double best_us = INFINITY;
    *part_bytes = bytes;
    for (int part = bytes; part >= part_least; part /= 2) {
        struct point point = {0};
        const double now_s = clock_s();
        if (!has_time_for(run, bytes))
            break;
        engine_parts(run->engine, part);
        engine_size(run->engine, bytes);
        if (measure(&run->plan, engine_batch, run->engine, &point, error) != 0)
            return -1;
        note_point_time(run, bytes, clock_s() - now_s);
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

/* A library may begin another way at a size that is no edge among the most processors. */
static int measure_steps(struct task *task, struct list *points, struct error *error)
{
    const struct run *run = task->run;
    const double granule = fmax(1.0, run->utility->granule_bytes);
    for (int i = 0; i < STEP_SIZES_MOST; i++) {
        const struct ask ask = {.bytes =
                                    edge_within_step(points, granule, run->options->statistic)};
        struct point point;
        const int status = isnan(ask.bytes) ? 1 : measure_point(task, &ask, &point, error);
        if (status != 0)
            return status;
        *(struct point *)list_add(&point_record, points) = point;
    }
    return 0;
}

/* Adds the points of one of the other processor counts, if it has all spots. */
static int measure_other(struct task *task, const struct observation *swept, size_t count,
                         const struct list *edges, struct curve *curve, struct error *error)
{
    struct run *run = task->run;
    struct list points = {0};
    run->points = 0;
    run->counted = utility_counted(run->utility, task->participants);
    run_choose(run, task->utility, task->participants);
    int status = measure_spots(task, swept, count, edges, &points, error);
    if (status == 0) {
        status = measure_steps(task, &points, error) < 0 ? -1 : 0;
        curve_add_points(curve, &points);
    }
    free(points.items);
    return status;
}

/* The other processor counts, upwards; where there are regions to ask for. */
static int measure_others(struct run *run, const int *participants, size_t count,
                          struct curve *curve, struct error *error)
{
    struct list settled = curve_settled(curve), edges = {0};
    struct observation *swept = points_observe(&settled, curve->statistic);
    int status = 0;
    if (count > 1 && curve_has_times(curve))
        status = curve_fit(curve, settled, &edges, error);
    for (size_t i = 0; i + 1 < count && edges.count > 0 && status == 0; i++) {
        struct task task = {run, curve->utility, participants[i]};
        status = measure_other(&task, swept, settled.count, &edges, curve, error);
    }
    list_free(&region_record, &edges);
    free(swept);
    free(settled.items);
    return status < 0 ? -1 : 0;
}

/* ---- the whole ---- */

/* The part size first, where the utility sends in parts. */
static int measure_curve(struct run *run, const int *participants, size_t count,
                         struct curve *curve, struct error *error)
{
    struct task task = {run, curve->utility, participants[count - 1]};
    const struct sweep_plan plan = first_pass_plan(run, task.participants);
    int status = 0;
    run->points = 0;
    run_choose(run, curve->utility, task.participants);
    if (run->utility->in_parts)
        status = choose_parts(run, (int)fmin(part_probe_bytes, plan.bytes_most), &curve->part_bytes,
                              error);
    if (status == 0)
        status = sweep(&plan, measure_point, &task, curve, error);
    return status == 0 ? measure_others(run, participants, count, curve, error) : -1;
}

/* In a few words that last; NULL: nothing. */
static const char *what_disturbed(const struct run *run, const struct curve *curve)
{
    const bool by_others[PASSES_LEAST] = {run_others_ran(run)};
    if (run->crowded)
        return "ranks share cores";
    return curve_is_mixture(curve) ? "times changed while they were measured"
                                   : passes_disturbance(curve->points.items, curve->points.count,
                                                        by_others, curve->statistic);
}

static struct curve begin_curve(const struct run *run, int utility, int largest)
{
    const struct sweep_plan plan = first_pass_plan(run, largest);
    return (struct curve){
        .utility = utility,
        .bytes = {plan.bytes_least, plan.bytes_most},
        .part_bytes = NAN,
        .attempt = 1
    };
}

/* A curve more of the run, if it has any point, and the cost of it; *has_cost: there is one. */
static int add_curve(struct run *run, int utility, const int *participants, size_t count,
                     bool *has_cost, struct machine *machine, struct error *error)
{
    struct curve curve = begin_curve(run, utility, participants[count - 1]);
    if (measure_curve(run, participants, count, &curve, error) != 0) {
        curve_free(&curve);
        return -1;
    }
    const char *disturbed = what_disturbed(run, &curve);
    curve.is_spoilt = disturbed;
    *has_cost = curve_cost_add(run, &curve, disturbed, machine);
    if (*has_cost)
        *(struct curve *)list_add(&curve_record, &run->curves) = curve;
    else
        curve_free(&curve);
    return 0;
}

int first_pass_measure(struct run *run, int utility, const int *participants, size_t count,
                       struct machine *machine, struct error *error)
{
    const int largest = participants[count - 1];
    const struct cost *same = same_calls_measured(utilities[utility], largest, machine);
    int status = 0;
    run->utility = utilities[utility];
    run->exact_points = 0; /* as where an earlier calibration is gone on with */
    run->points = 0;
    run->counted = utility_counted(run->utility, largest);
    bool has_cost =
        same && same_calls_adopt(run, begin_curve(run, utility, largest).bytes, same, machine);
    if (!has_cost && !interruption_or_after(run->share_end_s))
        status = add_curve(run, utility, participants, count, &has_cost, machine, error);
    if (has_cost) {
        curve_cost_say_missing(run, participants, count, machine);
        curve_cost_report(run, machine_cost(machine, run->utility->pattern->name));
    } else if (status == 0)
        run_not_measured(machine, run->utility->pattern->name,
                         run->points > 0 ? "no time above the clock's noise"
                                         : "the budget ended before its first point");
    return status;
}
