/* estimator cost: the time of one utility over a grid of message sizes and processor counts. */
#include "estimator/commands/commands.h"
#include "estimator/output/document.h"
#include "estimator/output/options.h"
#include "model/machine/one_use.h"
#include "model/machine/structure.h"

#include <math.h>

static const struct options_face face = {
    .arguments = "TABLE UTILITY",
    .doc = "The time of one use of UTILITY for -n message bytes among -p processors that take "
           "part, and its transfer rate as the sources count it: bytes over time, both ways of an "
           "exchange, all messages where each sends to all others. With --formula-p, -p is as the "
           "utility's own formula counts it (processors_mean in the table), which may be "
           "destinations or sources.",
    .takes = "npPf",
    .least = 2,
    .most = 2,
};

/* What is printed, as it grows. */
struct rows {
    struct document *document;
    struct report *report;
    double unknown_processors; /* of the last remark; 0: none */
};

static const char *const columns[] = {"utility",       "bytes",    "processors", "time_us",
                                      "low_us",        "high_us",  "region",     "flags",
                                      "rate_mb_per_s", "formula_p"};

/* A row without a time: the remark says why. */
static void add_unknown(struct rows *rows, const struct cost *cost, double bytes, double processors,
                        const char *because)
{
    report_text(rows->report, cost->utility);
    report_number(rows->report, bytes);
    report_number(rows->report, processors);
    for (int i = 0; i < 4; i++)
        report_number(rows->report, NAN);
    report_text(rows->report, "");
    for (int i = 0; i < 2; i++)
        report_number(rows->report, NAN);
    if (processors != rows->unknown_processors)
        document_remark(rows->document, because);
    rows->unknown_processors = processors;
}

static void add_known(struct report *report, const struct cost *cost, double bytes,
                      double processors, const struct one_use *use)
{
    char flags[COST_FLAGS_TEXT];
    const struct cost_answer *answer = &use->answer;
    report_text(report, cost->utility);
    report_number(report, bytes);
    report_number(report, processors);
    report_number(report, answer->time_us);
    report_number(report, answer->low_us);
    report_number(report, answer->high_us);
    report_number(report, (double)answer->region_number);
    report_text(report, cost_flags_print(answer->flags, flags));
    report_number(report, use->rate_mb_per_s);
    report_number(report, use->formula_p < processors ? use->formula_p : (double)NAN);
}

static int add_row(struct rows *rows, const struct machine *machine, const struct cost *cost,
                   double bytes, double processors, struct error *error)
{
    struct one_use use;
    const int status = one_use_price(&use, machine, cost, bytes, processors, error);
    if (status == 0)
        add_known(rows->report, cost, bytes, processors, &use);
    if (status == STRUCTURE_NOT_KNOWN)
        add_unknown(rows, cost, bytes, processors, error->text);
    return status < 0 ? -1 : 0;
}

/* Without -n: powers of two over the trained range; without -p: its least processor count. From
   here on p is who takes part. */
static void set_defaults(const struct cost *cost, struct options *options)
{
    const bool sized = !(cost->bytes.most == 0.0);
    if (options->bytes.count == 0)
        number_list_parse(sized ? "0,1:1M:x2" : "0", &options->bytes);
    if (options->processors.count == 0) {
        number_list_parse("2", &options->processors);
        if (cost->processors.least >= 1.0)
            options->processors.values[0] = cost_processors(cost, cost->processors.least);
    } else if (options->formula_p) {
        for (size_t i = 0; i < options->processors.count; i++)
            options->processors.values[i] = cost_processors(cost, options->processors.values[i]);
    }
}

static int print_costs(const struct machine *machine, const struct cost *cost,
                       const struct options *options, struct error *error)
{
    struct rows rows = {.document = document_new("cost", options->format),
                        .report = report_new(columns, sizeof columns / sizeof *columns)};
    int status = 0;
    document_table(rows.document, machine);
    for (size_t p = 0; p < options->processors.count && status == 0; p++)
        for (size_t n = 0; n < options->bytes.count && status == 0; n++)
            status = add_row(&rows, machine, cost, options->bytes.values[n],
                             options->processors.values[p], error);
    if (status == 0)
        document_print(rows.document, rows.report);
    report_free(rows.report);
    document_free(rows.document);
    return status;
}

int cmd_cost(int argc, char **argv, struct error *error)
{
    struct options options;
    struct machine machine;
    const struct cost *cost;
    if (options_parse(&face, argc, argv, &options, error) != 0)
        return -1;
    int status = options_machine(&options, 0, &machine, error);
    if (status == 0) {
        status = machine_require(&machine, options.arguments[1], &cost, error);
        if (status == 0) {
            set_defaults(cost, &options);
            status = options_check_grid(&options, error);
        }
        if (status == 0)
            status = print_costs(&machine, cost, &options, error);
        machine_free(&machine);
    }
    options_free(&options);
    return status;
}
