#include "trainer/calibrate.h"

#include "model/base/allocation.h"
#include "trainer/base/checkpoint.h"
#include "trainer/base/clock.h"
#include "trainer/base/interruption.h"
#include "trainer/curve/curve.h"
#include "trainer/curve/first_pass.h"
#include "trainer/curve/later_passes.h"
#include "trainer/curve/resumed.h"
#include "trainer/effort/effort.h"
#include "trainer/engine/cores.h"
#include "trainer/engine/counts.h"
#include "trainer/foresee.h"
#include "trainer/parts.h"
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

/* Every utility and every other suite gets its share of what is left of the budget. */
static void begin_part(struct run *run, const struct part *part)
{
    run_watch_noise(run);
    const double now_s = clock_s();
    const bool is_large = part->suite && part->suite->is_large;
    run->share_end_s = now_s + effort_share_s(run->end_s - now_s, run->parts_left--, is_large);
}

static void note_duration(const struct run *run, struct machine *machine)
{
    const double before_s = isnan(run->before_s) ? 0.0 : run->before_s;
    if (!run->simulated)
        machine->machine.measured->duration_s = before_s + clock_s() - run->begin_s;
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

static int measure_part(struct run *run, const struct part *part, struct machine *machine,
                        struct error *error)
{
    begin_part(run, part);
    if (!part->suite)
        return later_passes_make(run, machine, error);
    return part->utility >= 0 ? measure_utility(run, part->utility, machine, error)
                              : measure_by_other_means(run, part->suite, machine, error);
}

/* But those that an earlier calibration has done. */
static int measure_parts(struct run *run, const struct parts *parts, struct machine *machine,
                         struct error *error)
{
    int status = 0;
    for (size_t i = (size_t)run->part; i < parts->count && status == 0; i++) {
        run->part = (int)i + 1;
        if (is_interrupted(machine, part_name(&parts->items[i])))
            continue;
        status = measure_part(run, &parts->items[i], machine, error);
        end_part(run, machine, status);
    }
    return status;
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

static void begin(struct run *run, const struct machine *machine, const struct parts *parts,
                  FILE *points_csv)
{
    const struct options *options = run->options;
    run->points_csv = points_csv;
    run->before_s = machine->machine.measured->duration_s;
    run->parts_left = (int)parts->count - run->part;
    run->progress =
        progress_begin(options->progress, (size_t)run->parts_left, clock_s(), options->budget_s);
    if (run->part > 0)
        resumed_curves(run, machine);
}

/* How long it will take, for who looks on. */
static int say_effort(struct run *run, const struct parts *parts, struct error *error)
{
    struct effort effort;
    if (!run->options->progress || run->parts_left == 0)
        return 0;
    const int status = effort_foresee(run, parts, &effort, error);
    char *line = status == 0 ? effort_line(&effort) : NULL;
    if (line)
        fprintf(stderr, "trainer: %s\n", line);
    free(line);
    effort_free(&effort);
    return status;
}

static int measure_all(struct run *run, const struct parts *parts, struct machine *machine,
                       struct error *error)
{
    find_switch(run);
    int status = warm_up(run, error);
    if (status == 0)
        status = say_effort(run, parts, error);
    run_others_ran(run);
    if (status == 0)
        status = measure_parts(run, parts, machine, error);
    if (status == 0 && !interruption_signal())
        add_switch(machine, run);
    if (status == 0)
        keep_noise(run, machine);
    note_duration(run, machine);
    return status;
}

/* What it took, from the first message to the last, for who looks on. */
static void say_took(const struct run *run)
{
    const double took_s = clock_s() - (run->end_s - run->options->budget_s);
    if (run->options->progress)
        fprintf(stderr, "trainer: took %.4g s of %d ranks, %.2g core-hours\n", took_s,
                run->processors, took_s * run->processors / 3600.0);
}

static void end(struct run *run, struct parts *parts)
{
    free(run->has);
    struct curve *curves = run->curves.items;
    for (size_t i = 0; i < run->curves.count; i++)
        curve_free(&curves[i]);
    free(curves);
    parts_free(parts);
}

/* What it is all about, and its parts but the first `done`. */
static int begin_parts(struct run *run, const struct options *options, struct engine *engine,
                       int processors, bool simulated, bool crowded, int done, struct parts *parts,
                       struct error *error)
{
    if (run_begin(run, options, engine, processors, simulated, error) != 0)
        return -1;
    run->crowded = crowded;
    run->begin_s = clock_s();
    run->part = done;
    *parts = parts_of(run);
    run->has = parts_utilities(parts);
    run->passes_later = run_passes(run) > 1 && parts_have_utility(parts);
    return 0;
}

int calibrate(struct machine *machine, const struct options *options, struct engine *engine,
              int processors, bool simulated, FILE *points_csv, int parts_before,
              struct error *error)
{
    struct run run;
    struct parts parts;
    const bool crowded = cores_are_shared(machine->machine.measured->binding);
    if (begin_parts(&run, options, engine, processors, simulated, crowded, parts_before, &parts,
                    error) != 0)
        return -1;
    if (!simulated)
        machine->machine.measured->clock_tick_us = engine_clock(engine)->tick_us;
    begin(&run, machine, &parts, points_csv);
    const int status = measure_all(&run, &parts, machine, error);
    say_took(&run);
    end(&run, &parts);
    return status;
}

int calibrate_foresee(const struct options *options, struct engine *engine, int processors,
                      bool simulated, bool crowded, struct error *error)
{
    struct run run;
    struct parts parts;
    struct effort effort = {0};
    if (begin_parts(&run, options, engine, processors, simulated, crowded, 0, &parts, error) != 0)
        return -1;
    find_switch(&run);
    int status = warm_up(&run, error);
    if (status == 0)
        status = effort_foresee(&run, &parts, &effort, error);
    char *line = status == 0 ? effort_line(&effort) : NULL;
    if (line) {
        fprintf(stderr, "trainer: %s\n", line);
        effort_write(&effort, stdout);
    }
    free(line);
    effort_free(&effort);
    end(&run, &parts);
    return status;
}
