#include "trainer/validate.h"

#include "model/base/memory.h"
#include "model/machine/points.h"
#include "model/machine/summary.h"
#include "trainer/counts.h"
#include "trainer/fresh.h"
#include "trainer/utilities.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* What was found about one utility. */
struct verdict {
    double *errors;
    size_t count, inside;
    double worst, worst_bytes, worst_processors;
};

/* ---- one utility ---- */

static void judge(struct verdict *verdict, const struct cost_answer *answer, double measured_us,
                  const struct point *point)
{
    const double error = fabs(answer->time_us - measured_us) / measured_us;
    verdict->errors[verdict->count++] = error;
    verdict->inside += measured_us >= answer->low_us && measured_us <= answer->high_us;
    if (error >= verdict->worst) {
        verdict->worst = error;
        verdict->worst_bytes = point->bytes;
        verdict->worst_processors = point->processors;
    }
}

static bool print_row(const char *utility, const struct verdict *verdict, double tolerance)
{
    if (verdict->count == 0) {
        printf("%-20s %6d  nothing to compare\n", utility, 0);
        return true;
    }
    const struct summary summary = summary_of(verdict->errors, verdict->count, 0.95);
    const double p95 = summary_quantile(verdict->errors, verdict->count, 0.95);
    printf("%-20s %6zu %8.2f %8.2f %8.2f %8.0f  n = %.0f, p = %.0f%s\n", utility, verdict->count,
           100.0 * summary.median, 100.0 * p95, 100.0 * verdict->worst,
           100.0 * (double)verdict->inside / (double)verdict->count, verdict->worst_bytes,
           verdict->worst_processors, p95 > tolerance ? "  beyond the tolerance" : "");
    fflush(stdout);
    return p95 <= tolerance;
}

/* Prints the utility's row; whether it is within the tolerance. */
static bool judge_utility(const struct cost *cost, const struct list *points, double tolerance,
                          size_t *compared)
{
    const struct point *items = points->items;
    struct verdict verdict = {.errors = memory_new(points->count + 1, sizeof *verdict.errors)};
    for (size_t i = 0; i < points->count; i++) {
        struct cost_answer answer;
        const double measured_us = point_time_us(&items[i], (enum statistic)cost->statistic);
        if (strcmp(items[i].utility, cost->utility) == 0 && measured_us > 0.0 &&
            cost_answer(cost, items[i].bytes, items[i].processors, &answer, NULL) == 0)
            judge(&verdict, &answer, measured_us, &items[i]);
    }
    const bool is_within = print_row(cost->utility, &verdict, tolerance);
    *compared += verdict.count;
    free(verdict.errors);
    return is_within;
}

/* ---- the whole ---- */

int validate_points(const struct machine *machine, const struct list *points, double tolerance)
{
    const struct cost *costs = machine->communication.items;
    bool all_within = true;
    size_t compared = 0;
    printf("%-20s %6s %8s %8s %8s %8s  %s\n", "utility", "points", "median%", "p95%", "worst%",
           "inside%", "worst at");
    for (size_t i = 0; i < machine->communication.count; i++)
        if (utilities_named(costs[i].utility) >= 0)
            all_within &= judge_utility(&costs[i], points, tolerance, &compared);
    return all_within && compared > 0 ? 0 : 1;
}

int validate(const struct machine *machine, const struct options *options, struct crew *crew,
             int processors, bool simulated, struct error *error)
{
    struct run run;
    struct list points = {0};
    if (counts_check(options, processors, error) != 0 ||
        run_begin(&run, options, crew, processors, simulated, error) != 0)
        return -1;
    int status = fresh_measure(&run, machine, &points, error);
    if (status == 0 && options->output_given)
        status = points_save(options->output_given, &points, error);
    if (status == 0)
        status = validate_points(machine, &points, options->tolerance);
    free(points.items);
    return status;
}
