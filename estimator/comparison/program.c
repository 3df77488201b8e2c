#include "estimator/comparison/program.h"

#include "estimator/output/item_line.h"
#include "estimator/output/output.h"
#include "model/base/allocation.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#define COUNT(array) (sizeof(array) / sizeof *(array))

/* ---- making ---- */

static void find_ends(struct program_comparison *it)
{
    for (size_t i = 0; i < it->count; i++) {
        const double total_us = it->predictions[i].whole.total_us;
        if (total_us < it->predictions[it->fastest].whole.total_us)
            it->fastest = i;
        if (total_us > it->predictions[it->slowest].whole.total_us)
            it->slowest = i;
    }
}

/* On success the study and the prediction of the machine of that number are there. */
static int predict_on(struct program_comparison *it, size_t machine, const struct program *program,
                      const char *const *definitions, size_t definition_count, struct error *error)
{
    struct study *study = &it->studies[machine];
    if (study_make(study, &it->machines->machines[machine], program, it->processors, definitions,
                   definition_count, error) != 0)
        return -1;
    if (study_predict(study, it->candidate, &it->predictions[machine], error) == 0)
        return 0;
    study_free(study);
    return -1;
}

int program_comparison_make(struct program_comparison *it, const struct comparison *machines,
                            const struct program *program, const struct candidate *candidate,
                            double processors, const char *const *definitions,
                            size_t definition_count, struct error *error)
{
    *it = (struct program_comparison){.machines = machines,
                                      .candidate = candidate,
                                      .processors = processors,
                                      .studies = memory_new(machines->count, sizeof *it->studies),
                                      .predictions =
                                          memory_new(machines->count, sizeof *it->predictions)};
    for (; it->count < machines->count; it->count++)
        if (predict_on(it, it->count, program, definitions, definition_count, error) != 0)
            return -1;
    find_ends(it);
    return 0;
}

void program_comparison_free(struct program_comparison *it)
{
    for (size_t i = 0; i < it->count; i++) {
        prediction_free(&it->predictions[i]);
        study_free(&it->studies[i]);
    }
    free(it->studies);
    free(it->predictions);
}

/* ---- parts ---- */

/* What a segment is made of; communication without what is hidden behind computation. */
enum part { PART_COMPUTATION, PART_COMMUNICATION, PARTS };

static const char *const part_names[] = {"computation", "communication"};

static const struct segment_prediction *segment_on(const struct program_comparison *it,
                                                   size_t machine, size_t segment)
{
    const struct segment_prediction *segments = it->predictions[machine].segments.items;
    return &segments[segment];
}

/* The segments are the program's and its candidate's: the same on each machine. */
static size_t segments_of(const struct program_comparison *it)
{
    return it->predictions[0].segments.count;
}

static double part_us(const struct segment_prediction *segment, enum part part)
{
    return part == PART_COMPUTATION ? segment->compute_us : segment->communicate_us;
}

static bool is_there(const struct program_comparison *it, size_t segment, enum part part)
{
    bool any = false;
    for (size_t i = 0; i < it->count; i++)
        any |= part_us(segment_on(it, i, segment), part) != 0.0;
    return any;
}

/* Sums of the same times differ by as much. */
static const double last_digits = 1e-12;

/* What a part adds to the difference of two machines' totals, as a share of that. */
static double share_of(const struct program_comparison *it, size_t segment, enum part part,
                       size_t slower)
{
    const double all_us =
        it->predictions[slower].whole.total_us - it->predictions[it->fastest].whole.total_us;
    const double more_us = part_us(segment_on(it, slower, segment), part) -
                           part_us(segment_on(it, it->fastest, segment), part);
    if (!(all_us > 0.0))
        return NAN;
    return fabs(more_us) > last_digits * all_us ? more_us / all_us : 0.0;
}

/* ---- rows ---- */

struct report *program_comparison_report(const struct comparison *machines)
{
    static const char *const front[] = {"processors", "segment", "part"};
    static const char *const back[] = {"ratio",     "winner",     "difference_percent",
                                       "low_ratio", "high_ratio", "flags"};
    return comparison_begin(machines, front, COUNT(front), "_us", back, COUNT(back));
}

static void add_part(const struct program_comparison *it, size_t segment, enum part part,
                     double *values, struct report *report)
{
    for (size_t i = 0; i < it->count; i++)
        values[i] = part_us(segment_on(it, i, segment), part);
    report_number(report, it->processors);
    report_text(report, segment_on(it, 0, segment)->name);
    report_text(report, part_names[part]);
    comparison_values(it->machines, report, values, true);
    report_number(report, 100.0 * share_of(it, segment, part, it->slowest));
    report_number(report, NAN);
    report_number(report, NAN);
    report_text(report, "");
}

/* The interval of how many times longer a machine takes than the fastest: two tables have errors of
   their own, which add up as variances do. False where nothing says how far one of the two is off.
 */
static bool ratio_bounds(const struct program_comparison *it, size_t slower, double *low,
                         double *high)
{
    const struct segment_prediction *best = &it->predictions[it->fastest].whole,
                                    *other = &it->predictions[slower].whole;
    const double ratio = other->total_us / best->total_us;
    const double wide =
        exp(hypot(log(best->high_us / best->total_us), log(other->high_us / other->total_us)));
    *low = ratio / wide;
    *high = ratio * wide;
    return !best->no_error && !other->no_error && best->low_us > 0.0;
}

static void add_whole(const struct program_comparison *it, double *values, struct report *report)
{
    char text[COST_FLAGS_TEXT];
    unsigned flags = 0;
    double low, high;
    for (size_t i = 0; i < it->count; i++) {
        values[i] = it->predictions[i].whole.total_us;
        flags |= it->predictions[i].whole.flags;
    }
    const bool known = ratio_bounds(it, it->slowest, &low, &high);
    report_number(report, it->processors);
    report_text(report, it->predictions[0].whole.name);
    report_text(report, "");
    comparison_values(it->machines, report, values, true);
    report_number(report, it->slowest != it->fastest ? 100.0 : (double)NAN);
    report_number(report, known ? low : (double)NAN);
    report_number(report, known ? high : (double)NAN);
    report_text(report, cost_flags_print(flags, text));
}

void program_comparison_add(const struct program_comparison *it, struct report *report)
{
    double *values = memory_new(it->count, sizeof *values);
    for (size_t k = 0; k < segments_of(it); k++)
        for (enum part part = 0; part < PARTS; part++)
            if (is_there(it, k, part))
                add_part(it, k, part, values, report);
    add_whole(it, values, report);
    free(values);
}

/* ---- sentences ---- */

enum { CAUSES_MOST = 3 };

struct cause {
    size_t segment;
    enum part part;
    double share;
};

static int largest_first(const void *a, const void *b)
{
    const double left = ((const struct cause *)a)->share, right = ((const struct cause *)b)->share;
    return (left < right) - (left > right);
}

static const struct item *longest_item(const struct segment_prediction *segment, enum part part)
{
    const struct item *items = segment->items.items, *longest = NULL;
    for (size_t i = 0; i < segment->items.count; i++)
        if (items[i].computes == (part == PART_COMPUTATION) && items[i].time_us > 0.0 &&
            (!longest || items[i].time_us > longest->time_us))
            longest = &items[i];
    return longest;
}

/* What takes longest in a part on one machine. */
static void explain_on(const struct program_comparison *it, const struct cause *cause,
                       size_t machine)
{
    const struct item *item = longest_item(segment_on(it, machine, cause->segment), cause->part);
    if (!item)
        return;
    printf("      ");
    output_named(it->machines->names[machine]);
    printf(": ");
    item_line_print(item);
}

static void explain_cause(const struct program_comparison *it, const struct cause *cause,
                          size_t slower)
{
    printf("  %.0f %% of the difference: %s of ", 100.0 * cause->share, part_names[cause->part]);
    output_named(segment_on(it, slower, cause->segment)->name);
    putchar('\n');
    explain_on(it, cause, it->fastest);
    explain_on(it, cause, slower);
}

/* The parts that make nine tenths of the difference, at most three of them. */
static void explain_difference(const struct program_comparison *it, size_t slower)
{
    struct cause *causes = memory_new(segments_of(it) * PARTS, sizeof *causes);
    size_t count = 0;
    double covered = 0.0;
    for (size_t k = 0; k < segments_of(it); k++)
        for (enum part part = 0; part < PARTS; part++)
            causes[count++] = (struct cause){k, part, share_of(it, k, part, slower)};
    qsort(causes, count, sizeof *causes, largest_first);
    for (size_t i = 0; i < count && i < CAUSES_MOST && covered < 0.9; i++) {
        if (!(causes[i].share > 0.0))
            break;
        explain_cause(it, &causes[i], slower);
        covered += causes[i].share;
    }
    free(causes);
}

/* How far the ratio may be off. */
static void explain_bounds(const struct program_comparison *it, size_t slower)
{
    double low, high;
    if (!ratio_bounds(it, slower, &low, &high))
        printf("; no error estimate available");
    else
        printf(" (%.4g to %.4g%s)", low, high,
               low > 1.0 ? "" : ": within the errors either may be the faster");
}

/* "p = 4, blocks: b takes 5.8 times as long as a (5.4 to 6.2)", and why. What is the same to the
   digits that are printed has no why. */
static void explain_pair(const struct program_comparison *it, size_t slower)
{
    const double most_us = it->predictions[slower].whole.total_us,
                 least_us = it->predictions[it->fastest].whole.total_us;
    const bool differ = most_us > 1.0005 * least_us;
    printf("p = %.0f, ", it->processors);
    output_named(it->candidate->name);
    printf(": ");
    output_named(it->machines->names[slower]);
    if (!differ)
        printf(" takes as long as ");
    else if (least_us > 0.0)
        printf(" takes %.4g times as long as ", most_us / least_us);
    else
        printf(" takes %.4g us, with nothing to do on ", most_us);
    output_named(it->machines->names[it->fastest]);
    if (least_us > 0.0)
        explain_bounds(it, slower);
    putchar('\n');
    if (differ)
        explain_difference(it, slower);
}

void program_comparison_explain(const struct program_comparison *it)
{
    for (size_t i = 0; i < it->count; i++)
        if (i != it->fastest)
            explain_pair(it, i);
}
