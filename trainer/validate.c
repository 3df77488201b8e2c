#include "trainer/validate.h"

#include "model/base/allocation.h"
#include "model/fit/points.h"
#include "model/fit/summary.h"
#include "trainer/base/interruption.h"
#include "trainer/base/target.h"
#include "trainer/engine/counts.h"
#include "trainer/fresh.h"
#include "trainer/utilities/utilities.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* What was found about one utility. */
struct verdict {
    double *errors, *ratios; /* abs(predicted - measured) / measured; measured / predicted */
    size_t count, inside;
    double worst, worst_bytes, worst_processors;
};

/* ---- one utility ---- */

static void judge(struct verdict *verdict, const struct cost_answer *answer, double measured_us,
                  const struct point *point)
{
    const double error = fabs(answer->time_us - measured_us) / measured_us;
    verdict->ratios[verdict->count] = measured_us / fmax(answer->time_us, 1e-9 * measured_us);
    verdict->errors[verdict->count++] = error;
    verdict->inside += measured_us >= answer->low_us && measured_us <= answer->high_us;
    if (error >= verdict->worst) {
        verdict->worst = error;
        verdict->worst_bytes = point->bytes;
        verdict->worst_processors = point->processors;
    }
}

/* In which direction, in words: by how much of what was measured. */
static void print_direction(double ratio)
{
    const double off = 100.0 * fabs(1.0 / ratio - 1.0);
    if (off < 0.5)
        printf("  %.3f  table is right", ratio);
    else
        printf("  %.3f  table is %.0f %% too %s", ratio, off, ratio > 1.0 ? "low" : "high");
}

static bool print_row(const char *utility, const struct verdict *verdict, double tolerance)
{
    if (verdict->count == 0) {
        printf("%-20s %6d  nothing to compare\n", utility, 0);
        return true;
    }
    const struct summary summary = summary_of(verdict->errors, verdict->count, 0.95);
    const double p95 = summary_quantile(verdict->errors, verdict->count, 0.95);
    char worst_at[64];
    snprintf(worst_at, sizeof worst_at, "n = %.0f, p = %.0f", verdict->worst_bytes,
             verdict->worst_processors);
    printf("%-20s %6zu %8.2f %8.2f %8.2f %8.0f  %-22s", utility, verdict->count,
           100.0 * summary.median, 100.0 * p95, 100.0 * verdict->worst,
           100.0 * (double)verdict->inside / (double)verdict->count, worst_at);
    print_direction(summary_of(verdict->ratios, verdict->count, 0.95).median);
    printf("%s\n", p95 > tolerance ? "  beyond the tolerance" : "");
    fflush(stdout);
    return p95 <= tolerance;
}

static struct verdict verdict_begin(size_t points)
{
    return (struct verdict){.errors = memory_new(points + 1, sizeof(double)),
                            .ratios = memory_new(points + 1, sizeof(double))};
}

static void verdict_free(struct verdict *verdict)
{
    free(verdict->errors);
    free(verdict->ratios);
}

/* Prints the utility's row, and adds it to that of all; whether it is within the tolerance. */
static bool judge_utility(const struct cost *cost, const struct list *points, double tolerance,
                          struct verdict *all)
{
    const struct point *items = points->items;
    struct verdict verdict = verdict_begin(points->count);
    for (size_t i = 0; i < points->count; i++) {
        struct cost_answer answer;
        const double measured_us = point_time_us(&items[i], (enum statistic)cost->statistic);
        if (strcmp(items[i].utility, cost->utility) == 0 && measured_us > 0.0 &&
            cost_answer(cost, items[i].bytes, items[i].processors, &answer, NULL) == 0) {
            judge(&verdict, &answer, measured_us, &items[i]);
            judge(all, &answer, measured_us, &items[i]);
        }
    }
    const bool is_within = print_row(cost->utility, &verdict, tolerance);
    verdict_free(&verdict);
    return is_within;
}

/* ---- all of them ---- */

/* A hundredth is what nobody would call a direction. */
static void say_direction(struct verdict *all)
{
    if (all->count == 0) {
        fprintf(stderr, "trainer: nothing could be compared\n");
        return;
    }
    const double ratio = summary_of(all->ratios, all->count, 0.95).median;
    const double times = fmax(ratio, 1.0 / ratio);
    const char *is = times < 1.005 ? "as quick as" : ratio > 1.0 ? "slower than" : "quicker than";
    fprintf(stderr,
            "trainer: the machine is %s the table says: median %.2f times; %zu of %zu points "
            "inside their intervals\n",
            is, times, all->inside, all->count);
}

/* ---- the whole ---- */

int validate_points(const struct machine *machine, const struct list *points, double tolerance)
{
    const struct cost *costs = machine->communication.items;
    struct verdict all = verdict_begin(points->count);
    bool all_within = true;
    printf("%-20s %6s %8s %8s %8s %8s  %-22s  %s\n", "utility", "points", "median%", "p95%",
           "worst%", "inside%", "worst at", "measured_over_predicted");
    for (size_t i = 0; i < machine->communication.count; i++)
        if (utilities_named(costs[i].utility) >= 0)
            all_within &= judge_utility(&costs[i], points, tolerance, &all);
    fflush(stdout);
    say_direction(&all);
    const bool is_within = all_within && all.count > 0;
    verdict_free(&all);
    return is_within ? 0 : 1;
}

/* Fewer than were drawn: why. */
static void say_missing(size_t measured, size_t drawn)
{
    if (measured < drawn)
        fprintf(stderr, "trainer: %zu of %zu points were measured: %s\n", measured, drawn,
                interruption_signal()
                    ? "a signal came"
                    : "the budget ended, or the machine was in another state than the "
                      "table's whenever they were tried");
}

int validate_check_output(const char *path, struct error *error)
{
    return target_check(path, "utility,processors,bytes,", "measured points", error);
}

int validate(const struct machine *machine, const struct options *options, struct engine *engine,
             int processors, bool simulated, struct error *error)
{
    struct run run;
    struct list points = {0};
    size_t drawn = 0;
    if ((options->output_given && validate_check_output(options->output_given, error) != 0) ||
        counts_check(options, processors, error) != 0 ||
        run_begin(&run, options, engine, processors, simulated, error) != 0)
        return -1;
    int status = fresh_measure(&run, machine, &points, &drawn, error);
    if (status == 0 && options->output_given && points.count > 0)
        status = points_save(options->output_given, &points, error);
    if (status == 0) {
        say_missing(points.count, drawn);
        status = validate_points(machine, &points, options->tolerance);
    }
    free(points.items);
    return status >= 0 && interruption_signal() ? 128 + interruption_signal() : status;
}
