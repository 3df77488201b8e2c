#include "trainer/engine/run.h"

#include "model/base/allocation.h"
#include "model/fit/points.h"
#include "model/micro/states.h"
#include "trainer/base/clock.h"
#include "trainer/engine/passes.h"
#include "trainer/utilities/utilities.h"

#include <errno.h>
#include <math.h>
#include <string.h>

/* Others may use so much of a core's time. */
static const double others_most = 0.25;

/* The clock of a simulation needs two batches to show that it is exact, and then a machine that
   repeats itself is asked twice only now and then. */
enum { BATCHES_ALIKE = 3, BATCHES_ALIKE_EXACT = 2, EXACT_IN_A_ROW = 4, EXACT_CHECK_EVERY = 16 };

/* How much one pass over a point is at most. */
struct effort {
    size_t batches_least, batches_most;
    double point_us_most;
};

/* Where there is one pass alone; of several each needs less: at each for longer, launches took 47
   to 60 s and errors were twice as large (doc/accuracy.md). Eight seconds for thirty utilities of
   forty points are 7 ms each: by a quick launch what takes long is a few batches of one. */
static const struct effort alone = {20, 120, 3e4}, one_of_several = {10, 60, 7.5e3},
                           quickly = {10, 30, 5e3};

static struct measure_plan measure_plan_of(const struct options *options,
                                           const struct engine *engine, bool simulated)
{
    const double ticks_us = 1000.0 * engine_clock(engine)->tick_us;
    return (struct measure_plan){
        .accuracy = options->accuracy,
        .confidence = options->confidence,
        .batch_us = simulated ? 0.0 : fmax(50.0, fmin(ticks_us, 1e5)),
        .batches_least = alone.batches_least,
        .batches_most = alone.batches_most,
        .batches_alike = simulated ? BATCHES_ALIKE_EXACT : BATCHES_ALIKE,
        .point_us_most = alone.point_us_most,
    };
}

int run_begin(struct run *run, const struct options *options, struct engine *engine, int processors,
              bool simulated, struct error *error)
{
    *run = (struct run){
        .options = options,
        .engine = engine,
        .processors = processors,
        .simulated = simulated,
        .plan = measure_plan_of(options, engine, simulated),
        .end_s = clock_s() + options->budget_s,
    };
    return distances_measure(&run->plan, engine, processors, &run->distances, error);
}

void run_choose(const struct run *run, int utility, int participants)
{
    if (utilities[utility]->pattern->among != AMONG_TWO)
        engine_choose(run->engine, utility, participants);
    else
        engine_choose_pair(run->engine, utility,
                           utilities[utility]->pattern->near ? run->distances.far
                                                             : run->distances.near);
}

static struct measure_plan measure_plan_now(const struct run *run, bool shortly)
{
    const struct effort *effort = run->options->quick ? &quickly
                                  : run->passes_later ? &one_of_several
                                                      : &alone;
    struct measure_plan plan = run->plan;
    const bool is_checked = run->exact_points % EXACT_CHECK_EVERY == 0;
    if (run->simulated && run->exact_points >= EXACT_IN_A_ROW && !is_checked)
        plan.batches_alike = 1;
    plan.batches_least = effort->batches_least;
    plan.batches_most = effort->batches_most;
    plan.point_us_most = effort->point_us_most;
    return shortly ? measure_shortly(&plan) : plan;
}

/* 0: it is not known. */
static double gauge_us(const struct run *run)
{
    double results[PROBE_RESULTS] = {0};
    if (!run->simulated && !run->crowded)
        engine_probe(run->engine, PROBE_GAUGE, "", 1, results);
    return results[0];
}

int run_measure_by(struct run *run, const struct measure_plan *plan, struct point *point,
                   struct error *error)
{
    const double before_us = gauge_us(run);
    if (measure(plan, engine_batch, run->engine, point, error) != 0)
        return -1;
    point->gauge_us = states_gauge(before_us, gauge_us(run));
    return 0;
}

int run_measure(struct run *run, bool shortly, struct point *point, struct error *error)
{
    const struct measure_plan plan = measure_plan_now(run, shortly);
    if (run_measure_by(run, &plan, point, error) != 0)
        return -1;
    run->exact_points =
        point->repetitions == (double)plan.batches_alike ? run->exact_points + 1 : 0;
    return 0;
}

void run_watch_noise(struct run *run)
{
    double results[PROBE_RESULTS] = {0};
    if (run->simulated)
        return;
    engine_probe(run->engine, PROBE_NOISE, "", 1, results);
    const struct noise_moment moment = {.quantum_us = results[0],
                                        .longest_us = results[1],
                                        .time_us = results[2],
                                        .lost_us = results[3],
                                        .interruptions = results[4]};
    noise_add(&run->noise, &moment);
}

void run_not_measured(struct machine *machine, const char *what, const char *because)
{
    struct not_measured *missing = list_add(&not_measured_record, &machine->not_measured);
    missing->what = memory_copy_text(what);
    missing->because = memory_copy_text(because);
}

void run_keep_point(struct run *run, const struct point *point)
{
    points_write(run->points_csv, point);
    if (fflush(run->points_csv) == 0 || run->points_csv == stderr)
        return;
    fprintf(stderr, "trainer: remark: the file of points takes no more (%s): they follow here\n",
            strerror(errno));
    run->points_csv = stderr;
    points_write_header(stderr);
    points_write(stderr, point);
}

size_t run_passes(const struct run *run)
{
    if (run->simulated || run->crowded)
        return 1;
    return run->options->quick ? PASSES_FEWEST : PASSES_LEAST;
}

bool run_others_ran(const struct run *run)
{
    double results[PROBE_RESULTS] = {0};
    if (!run->simulated)
        engine_probe(run->engine, PROBE_BYSTANDERS, "", 1, results);
    return results[0] > others_most;
}
