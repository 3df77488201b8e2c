/* estimator predict: the cost of each segment of a candidate and of the whole, and what it is made
   of. */
#include "estimator/commands/commands.h"
#include "estimator/commands/with_inputs.h"
#include "estimator/output/breakdown.h"
#include "estimator/output/document.h"
#include "estimator/output/formula.h"
#include "estimator/output/item_line.h"
#include "estimator/output/output.h"
#include "forecast/predict/study.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static const struct options_face face = {
    .arguments = "TABLE SEGMENT",
    .example = "predict machines/sp2-mpl.yaml samples/jacobi/jacobi.yaml -c blocks -p 16",
    .doc = "Predicts the segments of SEGMENT on the machine of TABLE with -p processors (default: "
           "all that the machine has), for one candidate (-c; default: the first). Text and JSON "
           "show what each prediction is made of; CSV with --breakdown.",
    .takes = "pcDOiefaNMykFEA",
    .least = 2,
    .most = 2,
    .has_sources = true,
};

static const char *const columns[] = {"segment",  "processors", "compute_us", "communicate_us",
                                      "total_us", "low_us",     "high_us",    "limit",
                                      "flags",    "items"};

/* The last column is for JSON alone. */
static size_t columns_in(enum report_format format)
{
    return sizeof columns / sizeof *columns - (format != REPORT_JSON);
}

static void add_row(struct report *report, const struct segment_prediction *segment,
                    double processors, enum report_format format)
{
    char flags[COST_FLAGS_TEXT];
    report_text(report, segment->name);
    report_number(report, processors);
    report_number(report, segment->compute_us);
    report_number(report, segment->communicate_us);
    report_time(report, segment->total_us, segment->low_us, segment->high_us);
    report_text(report, segment->limit);
    report_text(report, cost_flags_print(segment_flags(segment), flags));
    if (format == REPORT_JSON)
        report_rows_within(report, breakdown_of_segment(segment));
}

/* The rows, and what they were made from. */
static void print_rows(const struct study *study, const struct report *report,
                       enum report_format format)
{
    struct document *document = document_new("predict", format);
    document_table(document, study->machine);
    document_segment(document, study->program->path);
    document_print(document, report);
    document_free(document);
}

static void print_segments(const struct prediction *prediction, const struct study *study,
                           enum report_format format)
{
    const struct segment_prediction *segments = prediction->segments.items;
    struct report *report = report_new(columns, columns_in(format));
    for (size_t i = 0; i < prediction->segments.count; i++)
        add_row(report, &segments[i], study->processors, format);
    add_row(report, &prediction->whole, study->processors, format);
    print_rows(study, report, format);
    report_free(report);
}

static void print_items(const struct prediction *prediction, const struct study *study,
                        enum report_format format)
{
    const bool has_origins = format == REPORT_JSON || study->program->origins;
    struct report *report = breakdown_of_all(prediction, has_origins);
    print_rows(study, report, format);
    report_free(report);
}

/* ---- the formulas ---- */

/* Iterations times the bound of one over the clock, or the table's rate. */
static void explain_computing(const struct item *item, double clock_mhz)
{
    if (isnan(clock_mhz))
        printf("        T_comp = iterations x t = %.6g x %.6g = %.6g us\n", item->times,
               item->each_us, item->time_us);
    else
        printf("        T_comp = iterations x t_l / clock = %.6g x %.6g / %.6g MHz = %.6g us\n",
               item->times, item->each_us * clock_mhz, clock_mhz, item->time_us);
}

/* Smaller differences are the rounding of what is printed. */
static const double same_factor = 1e-6;

/* What makes the time differ from the law: the measured times that answer, or other counts. */
static void print_cause(const struct item *item)
{
    const struct marks *marks = &item->region->measured_us;
    size_t above = 0;
    while (above < marks->count && marks->of[above].bytes < item->bytes)
        above++;
    if (item->measured_at > 0.0)
        printf("what was measured at p = %g bounds it", item->measured_at);
    else if (marks->count == 0)
        printf("measured processor counts below and above");
    else if (above < marks->count && marks->of[above].bytes == item->bytes)
        printf("this size was measured");
    else if (above == 0 || above == marks->count)
        printf("%.0f bytes were measured: %.6g us", marks->of[above == 0 ? 0 : above - 1].bytes,
               marks->of[above == 0 ? 0 : above - 1].time_us);
    else
        printf("between %.0f and %.0f bytes, measured: %.6g and %.6g us",
               marks->of[above - 1].bytes, marks->of[above].bytes, marks->of[above - 1].time_us,
               marks->of[above].time_us);
}

/* The law and its numbers, times the factors that made the time of it. */
static void explain_utility(const struct item *item)
{
    char name[FORMULA_TEXT], general[FORMULA_TEXT], special[FORMULA_TEXT];
    if (!item->region) {
        printf("        T_comm = the sum over sizes, parts or stages, each by its own formula: "
               "%.6g us\n",
               item->time_us);
        return;
    }
    formula_name(item->resource, item->hops || formula_is_in_p(item->region), name);
    double law_us = region_time_us(item->region, item->bytes, item->processors);
    if (item->hops) {
        formula_print_messages(item->hops, item->bytes, item->processors, general, special);
        law_us = cost_hops_time_us(item->hops, item->bytes, item->processors, 0);
    } else {
        formula_print(item->region, NAN, NAN, general);
        formula_print(item->region, item->bytes, item->processors, special);
    }
    printf("        ");
    output_named(name);
    const double longer = item->alone_us > 0.0 ? item->time_us / item->alone_us : 1.0;
    const double value_us = item->each_us / longer;
    const double distance = item->distance > 0.0 ? item->distance : 1.0;
    const double in_situ = item->in_situ > 0.0 ? item->in_situ : 1.0;
    const double measured = law_us > 0.0 ? value_us / (law_us * distance * in_situ) : (double)NAN;
    const bool is_measured = !(fabs(measured - 1.0) <= same_factor);
    const bool has_factors = is_measured || distance != 1.0 || in_situ != 1.0;
    if (item->flags & COST_CLAMPED && value_us == 0.0)
        printf(" = %s = max(0, %s) = 0 us", general, special);
    else if (!(law_us > 0.0))
        printf(" = %.6g us, measured", value_us);
    else if (!has_factors)
        printf(" = %s = %s = %.6g us", general, special, value_us);
    else {
        if (strcmp(general, special) != 0) /* a constant is not what the time is equal to */
            printf(" = %s", general);
        printf(" = (%s)", special);
        if (is_measured)
            printf(" x %.7g", measured);
        if (distance != 1.0)
            printf(" x %.7g", distance);
        if (in_situ != 1.0)
            printf(" x %.7g", in_situ);
        printf(" = %.6g us", value_us);
    }
    if (longer > 1.0)
        printf("; %.6g at once: x %.6g = %.6g us", item->at_once, longer, item->each_us);
    printf("; %.6g x %.6g = %.6g us", item->times, item->each_us, item->time_us);
    if (is_measured && law_us > 0.0) {
        printf(" (x %.5g: ", measured);
        print_cause(item);
        putchar(')');
    }
    if (distance != 1.0)
        printf(" (x %.5g: at this distance)", distance);
    if (in_situ != 1.0)
        printf(" (x %.5g: between computations)", in_situ);
    putchar('\n');
}

static void explain_item(const struct item *item, const struct machine *machine)
{
    if (item->computes)
        explain_computing(item, machine->node ? machine->node->clock_mhz : (double)NAN);
    else if (strcmp(item->resource, "waiting") == 0)
        printf(
            "        T_wait = %.6g us (%.6g to %.6g) = what the latest of %.0f computations takes "
            "beyond\n        their mean; %.6g x %.6g = %.6g us\n",
            item->each_us, item->low_us / item->times, item->high_us / item->times,
            item->processors, item->times, item->each_us, item->time_us);
    else if (strcmp(item->resource, "overlap") != 0)
        explain_utility(item);
}

/* No overlap unless the segment says so. */
static void explain_segment(const struct segment_prediction *segment)
{
    const double overlap_us = segment->compute_us + segment->communicate_us - segment->total_us;
    if (fabs(overlap_us) <= same_factor * segment->total_us)
        printf("    T_exec = T_comp + T_comm = %.6g + %.6g = %.6g us\n", segment->compute_us,
               segment->communicate_us, segment->total_us);
    else
        printf("    T_exec = T_comp + T_comm - overlap = %.6g + %.6g - %.6g = %.6g us\n",
               segment->compute_us, segment->communicate_us, overlap_us, segment->total_us);
}

static void print_breakdown(const struct prediction *prediction, const struct machine *machine,
                            bool explain)
{
    const struct segment_prediction *segments = prediction->segments.items;
    for (size_t i = 0; i < prediction->segments.count; i++) {
        const struct item *items = segments[i].items.items;
        putchar('\n');
        output_named(segments[i].name);
        putchar('\n');
        for (size_t k = 0; k < segments[i].items.count; k++) {
            printf("    ");
            item_line_print(&items[k]);
            if (explain)
                explain_item(&items[k], machine);
        }
        if (explain)
            explain_segment(&segments[i]);
        if (segments[i].imbalance > 1.0 + 1e-9)
            printf("    load imbalance: the busiest processor computes %.3g times the mean\n",
                   segments[i].imbalance);
    }
}

/* Whether loops are priced by the units' bound alone, as nothing tells what compiled ones reach. */
static bool is_at_bound(const struct machine *machine)
{
    return machine->node && machine->node->units.count > 0 && isnan(machine->node->compiled.share);
}

/* The causes that the sources name for the difference, whatever prices the loops. */
static void print_causes(bool is_at_bound)
{
    puts(is_at_bound
             ? "\nComputation is at the node's bound. Programs are slower: what compilers leave, "
               "misses that are not described, imbalance (1.25 to 4 times as long: Abandah 1995, "
               "chapter 6)."
             : "\nPrograms can differ from this by what their compiler leaves, by misses and by "
               "imbalance that are not described (Abandah 1995, chapter 6).");
}

/* By which of the table's loops: those that are compiled as the program, or the trainer's. */
static void print_flags(const struct node *node, const struct program *program)
{
    const char *flags = node ? node_compilation(node, program->code_flags)->flags : NULL;
    if (flags) {
        printf("\nComputation is priced by loops compiled with ");
        output_named(flags);
        puts(".");
    }
}

static void print_caveats(const struct prediction *prediction, const struct study *study)
{
    const struct machine *machine = study->machine;
    const struct segment_prediction *segments = prediction->segments.items;
    bool unknown = false, computes = false, communicates = false;
    for (size_t i = 0; i < prediction->segments.count; i++) {
        unknown |= segments[i].contention_unknown;
        computes |= segments[i].compute_us > 0.0;
        communicates |= segments[i].communicate_us > 0.0;
    }
    if (prediction->whole.flags & COST_COMMUNICATION_ONLY)
        puts("\nCommunication alone: what the program computes is left out.");
    if (computes)
        print_causes(is_at_bound(machine));
    if (computes && !is_at_bound(machine))
        print_flags(machine->node, study->program);
    if (unknown)
        puts("\nAs if pairs and groups that communicate at the same time did not disturb one "
             "another: this table does not say what that costs (exchange-pairs; the trainer's "
             "suite distance).");
    if (computes && communicates && machine->machine.measured && machine->waiting.count == 0)
        puts("\nwaiting not measured: as if all processors ended their computation at the same "
             "time (the trainer's suite waiting).");
}

static double processors_of(const struct options *options, const struct machine *machine)
{
    if (options->processors.count > 0)
        return options->processors.values[0];
    return machine_all_processors(machine);
}

static void print_heading(const struct study *study, const struct candidate *candidate)
{
    const struct program *program = study->program;
    output_named(program->title ? program->title : program->path);
    printf(" on ");
    output_named(study->machine->machine.name);
    printf(", candidate ");
    output_named(candidate->name);
    printf(", p = %.0f\n\n", study->processors);
}

static void print(const struct options *options, const struct study *study,
                  const struct candidate *candidate, const struct prediction *prediction)
{
    if (report_is_text(options->format))
        print_heading(study, candidate);
    if (options->breakdown && !report_is_text(options->format)) {
        print_items(prediction, study, options->format);
        return;
    }
    print_segments(prediction, study, options->format);
    if (report_is_text(options->format)) {
        print_breakdown(prediction, study->machine, options->explain);
        print_caveats(prediction, study);
    }
}

/* A table that ends before the processors that were asked for is no error: what it does not know is
   left open, and said. */
static void print_unknown(const struct options *options, const struct study *study,
                          const struct candidate *candidate, const char *because)
{
    const struct segment_prediction whole = {.name = "all",
                                             .compute_us = NAN,
                                             .communicate_us = NAN,
                                             .total_us = NAN,
                                             .low_us = NAN,
                                             .high_us = NAN};
    const enum report_format format = options->format;
    struct document *document = document_new("predict", format);
    struct report *report = report_new(columns, columns_in(format));
    if (report_is_text(format))
        print_heading(study, candidate);
    document_table(document, study->machine);
    document_segment(document, study->program->path);
    document_remark(document, because);
    add_row(report, &whole, study->processors, format);
    document_print(document, report);
    report_free(report);
    document_free(document);
}

static void overlap_all(struct program *program)
{
    struct segment *segments = program->segments.items;
    for (size_t i = 0; i < program->segments.count; i++)
        segments[i].overlap = true;
}

static int predict(const struct options *options, const struct machine *machine,
                   struct program *program, struct error *error)
{
    const struct candidate *candidate = program_choose(program, options->candidate, error);
    struct study study;
    if (options->overlap)
        overlap_all(program);
    struct prediction prediction;
    if (options->processors.count > 1)
        return error_set(error, "-p takes one number here; see estimator rank");
    if (!candidate || study_make(&study, machine, program, processors_of(options, machine),
                                 options->definitions, options->definition_count, error) != 0)
        return -1;
    const int status = study_predict(&study, candidate, &prediction, error);
    if (status == 0) {
        print(options, &study, candidate, &prediction);
        prediction_free(&prediction);
    }
    const bool is_unknown = status != 0 && error->is_not_known;
    if (is_unknown)
        print_unknown(options, &study, candidate, error->text);
    study_free(&study);
    return status == 0 || is_unknown ? 0 : -1;
}

int cmd_predict(int argc, char **argv, struct error *error)
{
    return with_inputs(&face, argc, argv, predict, error);
}
