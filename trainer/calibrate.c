#include "trainer/calibrate.h"

#include "model/base/allocation.h"
#include "trainer/base/checkpoint.h"
#include "trainer/base/interruption.h"
#include "trainer/curve/curve.h"
#include "trainer/curve/first_pass.h"
#include "trainer/curve/later_passes.h"
#include "trainer/curve/resumed.h"
#include "trainer/engine/cores.h"
#include "trainer/engine/counts.h"
#include "trainer/suites.h"
#include "trainer/utilities/utilities.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Up to here the change from eager to rendezvous is looked for. */
static const double switch_bytes_most = 4.0 * 1024 * 1024;

static struct cost *cost_named(struct machine *machine, const char *utility)
{
    struct cost *costs = machine->communication.items;
    for (size_t i = 0; i < machine->communication.count; i++)
        if (strcmp(costs[i].utility, utility) == 0)
            return &costs[i];
    return NULL;
}

/* Where the library changes from eager to rendezvous: before all else, as every sweep asks at both
   sides of it. */
static void find_switch(struct run *run)
{
    if (!run->crowded)
        run->protocol =
            engine_find_switch(run->engine, (int)fmin(run->options->bytes_most, switch_bytes_most));
}

/* The library's own memory for messages grows with the first of them, which would make the first
   point that is measured the slowest: these are not noted. By a utility in which all take part and
   that needs room for one message alone, as the limit may be long. */
static int warm_up(struct run *run, struct error *error)
{
    const int among_all = utilities_named(pattern_vSR.name);
    struct point unnoted = {0};
    if (run->simulated || !run->protocol.seen)
        return 0;
    run_choose(run, among_all, run->processors);
    for (int past = 0; past <= 1; past++) {
        engine_size(run->engine, (int)run->protocol.eager_upto_bytes + past);
        if (run_measure(run, false, &unnoted, error) != 0)
            return -1;
    }
    return 0;
}

/* It is a fact of point-to-point messages. */
static void add_switch(struct machine *machine, const struct run *run)
{
    struct cost *cost = cost_named(machine, pattern_point_to_point.name);
    if (!cost || run->crowded)
        return;
    if (run->protocol.seen)
        cost->eager_upto_bytes = run->protocol.eager_upto_bytes;
    else
        run_not_measured(machine, "eager_upto_bytes",
                         run->protocol.eager_upto_bytes < 0.0
                             ? "every message waits for its receive"
                             : "no message up to the largest tried waits for its receive");
}

/* ---- the suites ---- */

/* Every utility and every other suite gets an equal share of what is left of the budget. */
static void begin_part(struct run *run)
{
    run_watch_noise(run);
    const double now_s = MPI_Wtime();
    run->share_end_s = now_s + (run->end_s - now_s) / run->parts_left--;
}

/* A distance that the run does not have is no part of it, and nothing that is missing. */
static bool has_part(const struct run *run, int index)
{
    int counts[COUNTS_MOST];
    return suites_selected_utility(run->options->suites, utilities[index]) &&
           (utilities[index]->pattern->distance == 0 ||
            counts_of(utilities[index], run->options, run->processors, run->distances.together,
                      counts) > 0);
}

/* The next part; whether an earlier calibration has done it. */
static bool is_done(struct run *run)
{
    return run->part++ < run->parts_before;
}

static void note_duration(const struct run *run, struct machine *machine)
{
    const double before_s = isnan(run->before_s) ? 0.0 : run->before_s;
    if (!run->simulated)
        machine->machine.measured->duration_s = before_s + MPI_Wtime() - run->begin_s;
}

/* A part during which a signal came is not done, nor one whose points went to stderr. That it
   cannot be saved is no reason to stop: the table will not be writable either, and then it is an
   error. */
static void end_part(struct run *run, struct machine *machine, int status)
{
    struct error error;
    char line[800];
    if (interruption_signal() || status != 0 || run->points_csv == stderr)
        return;
    note_duration(run, machine);
    if (checkpoint_save(machine, run->options->output, run->part, run->points_csv, &error) != 0)
        fprintf(stderr, "trainer: remark: %s\n", error_line(&error, line, sizeof line));
}

static int measure_utility(struct run *run, int index, struct machine *machine, struct error *error)
{
    int counts[COUNTS_MOST];
    const size_t count =
        counts_of(utilities[index], run->options, run->processors, run->distances.together, counts);
    begin_part(run);
    if (count == 0)
        run_not_measured(machine, utilities[index]->pattern->name,
                         "no processor count of the run suits it");
    else if (utilities[index]->pattern->near && run->distances.far < 0)
        run_not_measured(machine, utilities[index]->pattern->name,
                         "no processor is clearly farther than the near one");
    else
        return first_pass_measure(run, index, counts, count, machine, error);
    return 0;
}

static int measure_alone(struct run *run, const struct suite *suite, struct machine *machine,
                         struct error *error)
{
    engine_rest(run->engine);
    const int status = suite->measure(run, machine, error);
    engine_wake(run->engine);
    return status;
}

/* Nothing more is begun after a signal. */
static bool is_interrupted(struct machine *machine, const char *what)
{
    if (!interruption_signal())
        return false;
    run_not_measured(machine, what, interruption_because);
    return true;
}

/* What asks for many messages has no end where each of them waits for the scheduler. */
static int measure_by_other_means(struct run *run, const struct suite *suite,
                                  struct machine *machine, struct error *error)
{
    if (suite->alone && !run->simulated)
        return measure_alone(run, suite, machine, error);
    if (!run->crowded)
        return suite->measure(run, machine, error);
    run_not_measured(machine, suite->name, "ranks share cores");
    return 0;
}

static int measure_suite(struct run *run, const struct suite *suite, struct machine *machine,
                         struct error *error)
{
    const char *list = run->options->suites;
    if (suite->measure) {
        if (!suites_selected(list, suite) || is_done(run) || is_interrupted(machine, suite->name))
            return 0;
        begin_part(run);
        const int status = measure_by_other_means(run, suite, machine, error);
        end_part(run, machine, status);
        return status;
    }
    int status = 0;
    for (int i = 0; i < utilities_count && status == 0; i++)
        if (suite_has(suite, utilities[i]) && has_part(run, i) && !is_done(run) &&
            !is_interrupted(machine, utilities[i]->pattern->name)) {
            status = measure_utility(run, i, machine, error);
            end_part(run, machine, status);
        }
    return status;
}

/* Later passes are a part like others: the last one. */
static int measure_later_passes(struct run *run, struct machine *machine, struct error *error)
{
    if (!run->passes_later || is_done(run) || is_interrupted(machine, later_passes_name))
        return 0;
    begin_part(run);
    const int status = later_passes_make(run, machine, error);
    end_part(run, machine, status);
    return status;
}

static int count_utilities(const struct run *run)
{
    int parts = 0;
    for (int i = 0; i < utilities_count; i++)
        parts += has_part(run, i);
    return parts;
}

static int count_parts(const struct run *run)
{
    const char *list = run->options->suites;
    int parts = count_utilities(run);
    for (int i = 0; i < suites_count; i++)
        parts += suites[i].measure && suites_selected(list, &suites[i]);
    return parts;
}

static void keep_noise(struct run *run, struct machine *machine)
{
    run_watch_noise(run);
    if (run->noise.moments == 0)
        return;
    if (!machine->noise)
        machine->noise = memory_new(1, sizeof *machine->noise);
    *machine->noise = noise_of(&run->noise);
}

static void begin(struct run *run, const struct machine *machine, FILE *points_csv,
                  int parts_before)
{
    const struct options *options = run->options;
    run->points_csv = points_csv;
    run->crowded = cores_are_shared(machine->machine.measured->binding);
    run->begin_s = MPI_Wtime();
    run->before_s = machine->machine.measured->duration_s;
    run->parts_before = parts_before;
    run->passes_later = run_passes(run) > 1 && count_utilities(run) > 0;
    run->parts_left = count_parts(run) + run->passes_later - parts_before;
    run->progress =
        progress_begin(options->progress, (size_t)run->parts_left, MPI_Wtime(), options->budget_s);
    if (parts_before > 0)
        resumed_curves(run, machine);
}

static int measure_all(struct run *run, struct machine *machine, struct error *error)
{
    find_switch(run);
    int status = warm_up(run, error);
    run_others_ran(run);
    for (int i = 0; i < suites_count && status == 0; i++)
        status = measure_suite(run, &suites[i], machine, error);
    if (status == 0)
        status = measure_later_passes(run, machine, error);
    if (status == 0 && !interruption_signal())
        add_switch(machine, run);
    if (status == 0)
        keep_noise(run, machine);
    note_duration(run, machine);
    return status;
}

int calibrate(struct machine *machine, const struct options *options, struct engine *engine,
              int processors, bool simulated, FILE *points_csv, int parts_before,
              struct error *error)
{
    struct run run;
    if (run_begin(&run, options, engine, processors, simulated, error) != 0)
        return -1;
    if (!simulated)
        machine->machine.measured->clock_tick_us = engine_clock(engine)->tick_us;
    begin(&run, machine, points_csv, parts_before);
    const int status = measure_all(&run, machine, error);
    struct curve *curves = run.curves.items;
    for (size_t i = 0; i < run.curves.count; i++)
        curve_free(&curves[i]);
    free(curves);
    return status;
}
