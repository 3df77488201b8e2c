#include "trainer/validate.h"

#include "model/machine/summary.h"
#include "trainer/counts.h"
#include "trainer/interruption.h"
#include "trainer/run.h"
#include "trainer/utilities.h"

#include <gsl/gsl_rng.h>
#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

enum { SIZES = 40, COUNTS_DRAWN = 4 };

/* What was found about one utility. */
struct verdict {
    double errors[SIZES];
    size_t count;
    double worst, worst_bytes, worst_processors;
};

/* ---- which points ---- */

/* Not a grid of a kind that the table says it was not measured on. */
static bool is_suited(const struct utility *utility, const struct cost *cost, int participants)
{
    struct cost_answer answer;
    const bool is_other =
        cost_answer(cost, 0.0, utility_counted(utility, participants), &answer, NULL) == 0 &&
        answer.flags & COST_OTHER_GRID;
    return !is_other && (!utility->suits || utility->suits(participants) != SUITS_NOT);
}

/* Participants: those of --processors, or a few of those that the table was measured between. */
static size_t draw_counts(const struct utility *utility, const struct cost *cost,
                          const struct run *run, gsl_rng *random, int counts[COUNTS_MOST])
{
    if (utility->pair || run->options->processors.count > 0)
        return counts_of(utility, run->options, run->processors, run->distances.together, counts);
    const int least = utility_participants(utility, (int)fmax(1.0, cost->processors.least));
    const int most =
        (int)fmin(run->processors,
                  utility_participants(utility, (int)fmin(cost->processors.most, INT_MAX - 1)));
    size_t count = 0;
    for (int tries = 0; tries < 10 * COUNTS_DRAWN && count < COUNTS_DRAWN && most >= least;
         tries++) {
        const int drawn =
            least + (int)gsl_rng_uniform_int(random, (unsigned long)(most - least) + 1);
        if (is_suited(utility, cost, drawn))
            counts[count++] = drawn;
    }
    return count;
}

/* Log-uniform within what the table was measured at and --min-bytes and --max-bytes allow. */
static double draw_bytes(const struct utility *utility, const struct cost *cost,
                         const struct options *options, gsl_rng *random)
{
    if (utility->granule_bytes == 0.0)
        return 0.0;
    const double least =
        fmax(options->bytes_least, isnan(cost->bytes.least) ? 0.0 : cost->bytes.least);
    const double most =
        fmin(options->bytes_most, isnan(cost->bytes.most) ? options->bytes_most : cost->bytes.most);
    const double low = log1p(fmin(least, most)), high = log1p(most);
    const double drawn = expm1(low + (high - low) * gsl_rng_uniform(random));
    const double granule = utility->granule_bytes;
    return fmax(ceil(least / granule) * granule, round(drawn / granule) * granule);
}

/* ---- one utility ---- */

static void judge(struct verdict *verdict, double predicted_us, double measured_us,
                  const struct point *point)
{
    const double error = fabs(predicted_us - measured_us) / measured_us;
    verdict->errors[verdict->count++] = error;
    if (error >= verdict->worst) {
        verdict->worst = error;
        verdict->worst_bytes = point->bytes;
        verdict->worst_processors = point->processors;
    }
}

/* Compares at a few sizes; returns 1 when the budget has ended. A size for which the table has no
   model, or the machine no time above 0, is left out. */
static int compare_at(struct run *run, const struct cost *cost, int participants, size_t sizes,
                      gsl_rng *random, struct verdict *verdict, struct error *error)
{
    run_choose(run, utilities_named(cost->utility), participants);
    for (size_t i = 0; i < sizes; i++) {
        struct cost_answer answer;
        struct point point = {.bytes = draw_bytes(run->utility, cost, run->options, random),
                              .processors = utility_counted(run->utility, participants)};
        if (interruption_or_after(run->end_s))
            return 1;
        if (cost_answer(cost, point.bytes, point.processors, &answer, error) != 0)
            continue;
        crew_size(run->crew, (int)point.bytes);
        if (measure(&run->plan, crew_batch, run->crew, &point, error) != 0)
            return -1;
        const double measured_us = point_time_us(&point, (enum statistic)cost->statistic);
        if (measured_us > 0.0)
            judge(verdict, answer.time_us, measured_us, &point);
    }
    return 0;
}

static int compare(struct run *run, const struct cost *cost, gsl_rng *random,
                   struct verdict *verdict, struct error *error)
{
    int counts[COUNTS_MOST], status = 0;
    const size_t count = draw_counts(run->utility, cost, run, random, counts);
    const size_t points = run->utility->granule_bytes == 0.0 ? count : SIZES;
    if (run->utility->in_parts)
        crew_parts(run->crew, isnan(cost->part_bytes) ? INT_MAX : (int)cost->part_bytes);
    for (size_t i = 0; i < count && status == 0; i++)
        status = compare_at(run, cost, counts[i], (i + 1) * points / count - i * points / count,
                            random, verdict, error);
    return status;
}

/* ---- the whole ---- */

static bool print_row(const char *utility, struct verdict *verdict, double tolerance)
{
    if (verdict->count == 0) {
        printf("%-20s %6d  nothing to compare\n", utility, 0);
        return true;
    }
    const struct summary summary = summary_of(verdict->errors, verdict->count, 0.95);
    const double p95 = summary_quantile(verdict->errors, verdict->count, 0.95);
    printf("%-20s %6zu %8.2f %8.2f %8.2f  n = %.0f, p = %.0f%s\n", utility, verdict->count,
           100.0 * summary.median, 100.0 * p95, 100.0 * verdict->worst, verdict->worst_bytes,
           verdict->worst_processors, p95 > tolerance ? "  beyond the tolerance" : "");
    fflush(stdout);
    return p95 <= tolerance;
}

int validate(const struct machine *machine, const struct options *options, struct crew *crew,
             int processors, bool simulated, struct error *error)
{
    struct run run;
    if (run_begin(&run, options, crew, processors, simulated, error) != 0)
        return -1;
    gsl_rng *random = gsl_rng_alloc(gsl_rng_mt19937);
    const struct cost *costs = machine->communication.items;
    bool all_within = true;
    size_t compared = 0;
    int status = counts_check(options, processors, error);
    gsl_rng_set(random, options->seed + 1);
    if (status == 0)
        printf("%-20s %6s %8s %8s %8s  %s\n", "utility", "points", "median%", "p95%", "worst%",
               "worst at");
    for (size_t i = 0; i < machine->communication.count && status >= 0; i++) {
        struct verdict verdict = {0};
        const int index = utilities_named(costs[i].utility);
        if (index < 0 || (utilities[index]->far && run.distances.far < 0))
            continue;
        run.utility = utilities[index];
        status = compare(&run, &costs[i], random, &verdict, error);
        if (status < 0)
            break;
        all_within &= print_row(costs[i].utility, &verdict, options->tolerance);
        compared += verdict.count;
    }
    gsl_rng_free(random);
    if (status < 0)
        return -1;
    return all_within && compared > 0 ? 0 : 1;
}
