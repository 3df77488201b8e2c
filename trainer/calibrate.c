#include "trainer/calibrate.h"

#include "model/base/memory.h"
#include "trainer/curve.h"
#include "trainer/suites.h"
#include "trainer/utilities.h"

#include <math.h>
#include <string.h>

/* A reference that moved by more says that the machine changed its mode: what was measured in
   between is measured again. */
static const double drift_most = 0.15;
static const int reference_bytes = 8;

/* Up to here the change from eager to rendezvous is looked for. */
static const double switch_bytes_most = 4.0 * 1024 * 1024;

enum { COUNTS_MOST = 64 };

void run_not_measured(struct machine *machine, const char *what, const char *because)
{
    struct not_measured *missing = list_add(&not_measured_record, &machine->not_measured);
    missing->what = memory_copy_text(what);
    missing->because = memory_copy_text(because);
}

int run_has_drifted(struct run *run, bool *drifted, struct error *error)
{
    struct point now = {0};
    crew_choose(run->crew, utilities_named("point-to-point"), 2);
    crew_size(run->crew, reference_bytes);
    if (measure(&run->plan, crew_batch, run->crew, &now, error) != 0)
        return -1;
    const double before_us = isnan(run->reference_us) ? now.median_us : run->reference_us;
    *drifted = fabs(now.median_us - before_us) > drift_most * before_us;
    run->reference_us = now.median_us;
    return 0;
}

/* ---- which processor counts ---- */

/* Steps of the square root of two, rounded: 2, 3, 4, 6, 8, 11, 16, 23, ... and all. Powers of two
   and others, and the others not all the same way between them: with 3, 6, 12 alone a function of p
   can pass for another. */
static size_t default_counts(int processors, int counts[COUNTS_MOST])
{
    size_t count = 0;
    for (double next = 2.0; round(next) < processors && count + 1 < COUNTS_MOST; next *= M_SQRT2)
        counts[count++] = (int)round(next);
    counts[count++] = processors;
    return count;
}

/* Those of --processors, or the spread. */
static size_t counts_asked(const struct options *options, int processors, int counts[COUNTS_MOST])
{
    const struct number_list *asked = &options->processors;
    size_t count = 0;
    if (asked->count == 0)
        return default_counts(processors, counts);
    for (size_t i = 0; i < asked->count && count < COUNTS_MOST; i++)
        counts[count++] = (int)asked->values[i];
    return count;
}

/* Those of them that suit the utility best; one between two processors has 2 alone. */
static size_t counts_of(const struct utility *utility, const struct options *options,
                        int processors, int counts[COUNTS_MOST])
{
    if (utility->pair) {
        counts[0] = 2;
        return 1;
    }
    const size_t asked = counts_asked(options, processors, counts);
    if (!utility->suits)
        return asked;
    enum suits best = SUITS;
    for (size_t i = 0; i < asked; i++)
        if (utility->suits(counts[i]) > best)
            best = utility->suits(counts[i]);
    size_t count = 0;
    for (size_t i = 0; i < asked; i++)
        if (utility->suits(counts[i]) == best)
            counts[count++] = counts[i];
    return count;
}

static int check_counts(const struct options *options, int processors, struct error *error)
{
    const struct number_list *asked = &options->processors;
    if (asked->count > COUNTS_MOST)
        return error_set(error, "--processors: more than %d", COUNTS_MOST);
    for (size_t i = 0; i < asked->count; i++) {
        const double p = asked->values[i];
        if (p != floor(p) || p < 2.0 || p > processors || (i > 0 && p <= asked->values[i - 1]))
            return error_set(error,
                             "--processors: %g: expected whole numbers from 2 to %d, ascending", p,
                             processors);
    }
    return 0;
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

static struct cost *cost_named(struct machine *machine, const char *utility)
{
    struct cost *costs = machine->communication.items;
    for (size_t i = 0; i < machine->communication.count; i++)
        if (strcmp(costs[i].utility, utility) == 0)
            return &costs[i];
    return NULL;
}

/* Where the library changes from eager to rendezvous: a fact of point-to-point messages. */
static void add_switch(struct machine *machine, struct run *run)
{
    struct cost *cost = cost_named(machine, "point-to-point");
    if (!cost)
        return;
    const int most = (int)fmin(run->options->bytes_most, switch_bytes_most);
    const struct protocol_switch found = crew_find_switch(run->crew, most);
    if (found.seen)
        cost->eager_upto_bytes = found.eager_upto_bytes;
    else
        run_not_measured(machine, "eager_upto_bytes",
                         found.eager_upto_bytes < 0.0
                             ? "every message waits for its receive"
                             : "no message up to the largest tried waits for its receive");
}

/* ---- the suites ---- */

/* Every utility and every other suite gets an equal share of what is left of the budget. */
static void begin_part(struct run *run)
{
    const double now_s = MPI_Wtime();
    run->share_end_s = now_s + (run->end_s - now_s) / run->parts_left--;
}

static int measure_utility(struct run *run, int index, struct machine *machine, struct error *error)
{
    int counts[COUNTS_MOST];
    const size_t count = counts_of(utilities[index], run->options, run->processors, counts);
    begin_part(run);
    if (count == 0) {
        run_not_measured(machine, utilities[index]->name, "no processor count of the run suits it");
        return 0;
    }
    return curve_measure(run, index, counts, count, machine, error);
}

static int measure_suite(struct run *run, const struct suite *suite, struct machine *machine,
                         struct error *error)
{
    if (suite->measure) {
        begin_part(run);
        return suite->measure(run, machine, error);
    }
    int status = 0;
    for (int i = 0; i < utilities_count && status == 0; i++)
        if (suite_has(suite, utilities[i]))
            status = measure_utility(run, i, machine, error);
    return status;
}

static int count_parts(const struct options *options)
{
    int parts = 0;
    for (int i = 0; i < suites_count; i++) {
        if (!suites_selected(options->suites, &suites[i]))
            continue;
        parts += suites[i].measure != NULL;
        for (int k = 0; k < utilities_count; k++)
            parts += suite_has(&suites[i], utilities[k]);
    }
    return parts;
}

int calibrate(struct machine *machine, const struct options *options, struct crew *crew,
              int processors, bool simulated, FILE *points_csv, struct error *error)
{
    const double now_s = MPI_Wtime();
    const int parts = count_parts(options);
    struct run run = {
        .options = options,
        .crew = crew,
        .processors = processors,
        .simulated = simulated,
        .plan = measure_plan_of(options, crew, simulated),
        .progress = progress_begin(options->progress, (size_t)parts, now_s, options->budget_s),
        .points_csv = points_csv,
        .end_s = now_s + options->budget_s,
        .parts_left = parts,
        .reference_us = NAN,
    };
    bool drifted;
    if (check_counts(options, processors, error) != 0)
        return -1;
    int status = run_has_drifted(&run, &drifted, error);
    for (int i = 0; i < suites_count && status == 0; i++)
        if (suites_selected(options->suites, &suites[i]))
            status = measure_suite(&run, &suites[i], machine, error);
    if (status == 0)
        add_switch(machine, &run);
    return status;
}
