#include "trainer/calibrate.h"

#include "model/base/memory.h"
#include "model/machine/fit.h"
#include "trainer/measure.h"
#include "trainer/node_rate.h"
#include "trainer/progress.h"
#include "trainer/sweep.h"
#include "trainer/utilities.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* A reference that moved by more says that the machine changed its mode (measuring by clocks that
   turbo, neighbours that wake up): what was measured in between is measured again, once. */
static const double drift_most = 0.15;
static const int reference_bytes = 8;

/* A rank's buffer for all messages of one use, bytes. */
static const double room_most = 16.0 * 1024 * 1024;

enum { RECHECKS = 9, ATTEMPTS = 3 };

struct run {
    const struct options *options;
    struct crew *crew;
    struct measure_plan plan;
    struct progress progress;
    FILE *points_csv;
    double end_s;       /* when the budget ends */
    double share_end_s; /* when the present utility's share of it ends */
    const struct utility *utility;
    int counted;         /* p of the points */
    size_t points;       /* so far, of this utility */
    int attempt;         /* at this utility's sweep, from 1 */
    double reference_us; /* the reference ping-pong; NAN: not measured yet */
};

static void not_measured(struct machine *machine, const char *what, const char *because)
{
    struct not_measured *missing = list_add(&not_measured_record, &machine->not_measured);
    missing->what = memory_copy_text(what);
    missing->because = memory_copy_text(because);
}

/* ---- points ---- */

/* A sweep_measure: one point by the crew, kept in the file at once. */
static int measure_point(void *state, double bytes, bool held_out, struct point *point,
                         struct error *error)
{
    struct run *run = state;
    const double now_s = MPI_Wtime();
    if (now_s > run->share_end_s)
        return 1;
    *point = (struct point){
        .bytes = bytes, .processors = run->counted, .attempt = run->attempt, .held_out = held_out};
    strncpy(point->utility, run->utility->name, POINT_NAME - 1);
    crew_size(run->crew, (int)bytes);
    if (measure(&run->plan, crew_batch, run->crew, point, error) != 0)
        return -1;
    points_write(run->points_csv, point);
    fflush(run->points_csv);
    progress_point(&run->progress, run->utility->name, ++run->points, now_s);
    return 0;
}

/* ---- the reference ---- */

static int measure_reference(struct run *run, double *median_us, struct error *error)
{
    struct point point = {0};
    crew_choose(run->crew, utilities_named("point-to-point"), 2);
    crew_size(run->crew, reference_bytes);
    const int status = measure(&run->plan, crew_batch, run->crew, &point, error);
    *median_us = point.median_us;
    return status;
}

/* Whether the reference moved since the last time; remembers where it is now. */
static int has_drifted(struct run *run, bool *drifted, struct error *error)
{
    double now_us;
    if (measure_reference(run, &now_us, error) != 0)
        return -1;
    const double before_us = isnan(run->reference_us) ? now_us : run->reference_us;
    *drifted = fabs(now_us - before_us) > drift_most * before_us;
    run->reference_us = now_us;
    return 0;
}

/* Whether points of this sweep, the oldest first, come out otherwise now: two of a few that moved
   are no accident of one point, and the curve is a mixture of two machines. */
static int has_changed(struct run *run, const struct list *points, bool *changed,
                       struct error *error)
{
    const size_t rechecks = points->count < RECHECKS ? points->count : RECHECKS;
    size_t moved = 0;
    for (size_t i = 0; i < rechecks; i++) {
        const struct point *before =
            (const struct point *)points->items + i * points->count / rechecks;
        struct point now = {0};
        crew_size(run->crew, (int)before->bytes);
        if (measure(&run->plan, crew_batch, run->crew, &now, error) != 0)
            return -1;
        moved += fabs(now.median_us - before->median_us) > 1.5 * drift_most * before->median_us;
    }
    *changed = moved >= 2;
    return 0;
}

/* ---- one utility ---- */

static int participants_of(const struct utility *utility, int processors)
{
    return utility->pair ? 2 : processors;
}

static struct sweep_plan sweep_plan_of(const struct run *run, const struct utility *utility,
                                       int participants)
{
    const struct options *options = run->options;
    const bool sized = utility->granule_bytes > 0.0;
    const double granule = sized ? utility->granule_bytes : 1.0;
    const double least = utility->empty_is_nothing ? granule : 0.0;
    const double room = room_most / (utility->messages ? utility->messages(participants) : 1);
    return (struct sweep_plan){
        .bytes_least = sized ? granule * ceil(fmax(least, options->bytes_least) / granule) : 0.0,
        .bytes_most = sized ? granule * floor(fmin(room, options->bytes_most) / granule) : 0.0,
        .granule = granule,
        .start_points = (size_t)options->points,
        .points_most = 8 * (size_t)options->points,
        .seed = options->seed,
    };
}

static double mean_rejected(const struct list *points)
{
    double sum = 0.0;
    for (size_t i = 0; i < points->count; i++)
        sum += ((const struct point *)points->items)[i].rejected;
    return points->count ? sum / (double)points->count : NAN;
}

/* Fills the cost from its sweep. */
static void describe(struct cost *cost, const struct run *run, const struct sweep_plan *plan,
                     const struct list *points, bool disturbed)
{
    size_t held_out = 0;
    for (size_t i = 0; i < points->count; i++)
        held_out += ((const struct point *)points->items)[i].held_out;
    cost->utility = memory_copy_text(run->utility->name);
    cost->statistic = STATISTIC_MEDIAN;
    cost->processors_mean = (int)run->utility->counted;
    cost->measures = (int)run->utility->measures;
    cost->bytes = (struct span){plan->bytes_least, plan->bytes_most};
    cost->processors = (struct span){run->counted, run->counted};
    cost->points = (double)(points->count - held_out);
    cost->held_out_points = (double)held_out;
    cost->rejected = mean_rejected(points);
    cost->disturbed = disturbed;
}

/* Sweeps until the machine held still for the length of a sweep, three times at most. */
static int sweep_undisturbed(struct run *run, int index, int participants,
                             const struct sweep_plan *plan, struct list *points,
                             struct list *regions, bool *disturbed, struct error *error)
{
    for (run->attempt = 1; run->attempt <= ATTEMPTS; run->attempt++) {
        bool changed, drifted;
        points->count = 0;
        list_free(&region_record, regions);
        run->points = 0;
        crew_choose(run->crew, index, participants);
        if (sweep(plan, measure_point, run, points, regions, error) != 0 ||
            has_changed(run, points, &changed, error) != 0 ||
            has_drifted(run, &drifted, error) != 0)
            return -1;
        *disturbed = changed || drifted;
        if (!*disturbed || MPI_Wtime() > run->share_end_s)
            break;
    }
    return 0;
}

static void report_part(struct run *run, const struct list *points, const struct list *regions)
{
    char line[160];
    snprintf(line, sizeof line, "%-16s p = %-3d %4zu points, %zu region%s", run->utility->name,
             run->counted, points->count, regions->count, regions->count == 1 ? "" : "s");
    progress_part(&run->progress, line);
}

static int measure_utility(struct run *run, int index, int processors, struct machine *machine,
                           struct error *error)
{
    run->utility = utilities[index];
    const int participants = participants_of(run->utility, processors);
    const struct sweep_plan plan = sweep_plan_of(run, run->utility, participants);
    run->counted = utility_counted(run->utility, participants);
    const double left = (double)(utilities_count - index);
    run->share_end_s = MPI_Wtime() + (run->end_s - MPI_Wtime()) / left;
    struct list points = {0}, regions = {0};
    bool disturbed = false;
    int status =
        sweep_undisturbed(run, index, participants, &plan, &points, &regions, &disturbed, error);
    if (status == 0 && regions.count == 0)
        not_measured(machine, run->utility->name, "the budget ended before its first point");
    if (status == 0 && regions.count > 0) {
        struct cost *cost = list_add(&cost_record, &machine->communication);
        describe(cost, run, &plan, &points, disturbed);
        cost->regions = regions;
        report_part(run, &points, &regions);
    }
    free(points.items);
    return status;
}

/* ---- the whole ---- */

static struct measure_plan measure_plan_of(const struct options *options, const struct crew *crew,
                                           bool simulated)
{
    const double ticks_us = 1000.0 * crew_clock(crew)->tick_us;
    return (struct measure_plan){
        .accuracy = options->accuracy,
        .confidence = options->confidence,
        .batch_us = simulated ? 0.0 : fmax(50.0, fmin(ticks_us, 1e5)),
        .batches_least = 30,
        .batches_most = 120,
        .point_us_most = 1e5,
    };
}

static void add_node(struct machine *machine, bool simulated)
{
    if (simulated) {
        not_measured(machine, "node", "computation takes no time on a simulated machine");
        return;
    }
    machine->node = memory_new(1, sizeof *machine->node);
    record_begin(&node_record, machine->node);
    machine->node->rate_mflops = node_rate_mflops();
    machine->node->note =
        memory_copy_text("one rate: a five-point relaxation within the second-level cache");
}

int calibrate(struct machine *machine, const struct options *options, struct crew *crew,
              int processors, bool simulated, FILE *points_csv, struct error *error)
{
    const double now_s = MPI_Wtime();
    struct run run = {
        .options = options,
        .crew = crew,
        .plan = measure_plan_of(options, crew, simulated),
        .progress =
            progress_begin(options->progress, (size_t)utilities_count, now_s, options->budget_s),
        .points_csv = points_csv,
        .end_s = now_s + options->budget_s,
        .reference_us = NAN,
    };
    bool drifted;
    add_node(machine, simulated);
    int status = has_drifted(&run, &drifted, error);
    for (int i = 0; i < utilities_count && status == 0; i++)
        status = measure_utility(&run, i, processors, machine, error);
    return status;
}
