/* estimator cost: the times of utilities over a grid of message sizes and processor counts. */
#include "estimator/commands/commands.h"
#include "estimator/output/document.h"
#include "estimator/output/options.h"
#include "forecast/price/one_use.h"
#include "model/base/allocation.h"
#include "model/machine/structure.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const struct options_face face = {
    .arguments = "TABLE UTILITY",
    .example = "cost machines/sp2-mpl.yaml MPI_Alltoall -p 2-16 -n 8,1k,64k",
    .doc = "The time of one use of UTILITY, or of several between commas, for -n message bytes "
           "among -p processors that take part, and its transfer rate as the sources count it: "
           "bytes over time, both ways of an exchange, all messages where each sends to all "
           "others. What TABLE does not have is composed of what it has, as in a prediction. With "
           "--formula-p, -p is as the utility's own formula counts it (processors_mean in the "
           "table), which may be destinations or sources.",
    .takes = "npPfk",
    .least = 2,
    .most = 2,
};

/* What is printed, as it grows. */
struct rows {
    struct document *document;
    struct report *report;
    double unknown_processors; /* of the last remark; 0: none */
    bool is_grid;              /* several rows were asked for: one without an answer is remarked */
    size_t answers;
};

static const char *const columns[] = {"utility",       "bytes",     "processors", "time_us",
                                      "low_us",        "high_us",   "region",     "flags",
                                      "rate_mb_per_s", "formula_p", "composed_of"};

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
    report_text(rows->report, "");
    if (processors != rows->unknown_processors)
        document_remark(rows->document, because);
    rows->unknown_processors = processors;
}

static void add_known(struct report *report, const struct cost *cost, double bytes,
                      double processors, const struct one_use *use)
{
    char flags[COST_FLAGS_TEXT];
    report_text(report, cost->utility);
    report_number(report, bytes);
    report_number(report, processors);
    report_time(report, use->time_us, use->low_us, use->high_us);
    report_number(report, use->region > 0 ? (double)use->region : (double)NAN);
    report_text(report, cost_flags_print(use->flags | cost_interval_flag(use->time_us, use->low_us,
                                                                         use->high_us),
                                         flags));
    report_number(report, use->rate_mb_per_s);
    report_number(report, use->formula_p < processors ? use->formula_p : (double)NAN);
    report_text(report, use->composed_of);
}

static int add_row(struct rows *rows, const struct machine *machine, const struct cost *cost,
                   double bytes, double processors, struct error *error)
{
    struct one_use use;
    const int status = one_use_price(&use, machine, cost, bytes, processors, error);
    const bool is_left_open =
        status == STRUCTURE_NOT_KNOWN || (status < 0 && rows->is_grid && error->is_particular);
    if (status == 0)
        add_known(rows->report, cost, bytes, processors, &use);
    if (is_left_open)
        add_unknown(rows, cost, bytes, processors, error->text);
    rows->answers += status == 0 || status == STRUCTURE_NOT_KNOWN;
    return status < 0 && !is_left_open ? -1 : 0;
}

/* ---- a utility ---- */

/* Without -p: the least that it was trained for. */
static double participants_at(const struct cost *cost, const struct options *options, size_t number)
{
    if (options->processors.count == 0)
        return cost->processors.least >= 1.0 ? cost_processors(cost, cost->processors.least) : 2.0;
    const double asked = options->processors.values[number];
    return options->formula_p ? cost_processors(cost, asked) : asked;
}

/* Of what has no sizes, the first of those that nobody asked for: none. */
static size_t sizes_of(const struct cost *cost, const struct options *options, bool is_asked)
{
    return is_asked || !(cost->bytes.most == 0.0) ? options->bytes.count : 1;
}

static int add_utility(struct rows *rows, const struct machine *machine, const char *utility,
                       const struct options *options, bool is_size_asked, struct error *error)
{
    const size_t processor_counts = options->processors.count > 0 ? options->processors.count : 1;
    const struct cost *cost;
    struct cost composed;
    if (one_use_find(machine, utility, &cost, &composed, error) != 0)
        return -1;
    for (size_t p = 0; p < processor_counts; p++)
        for (size_t n = 0; n < sizes_of(cost, options, is_size_asked); n++)
            if (add_row(rows, machine, cost, options->bytes.values[n],
                        participants_at(cost, options, p), error) != 0)
                return -1;
    return 0;
}

/* ---- all ---- */

static int add_utilities(struct rows *rows, const struct machine *machine, struct options *options,
                         struct error *error)
{
    const bool is_size_asked = options->bytes.count > 0;
    char *names = memory_copy_text(options->arguments[1]), *rest = names;
    if (!is_size_asked)
        number_list_parse("0,1:1M:x2", &options->bytes);
    int status = options_check_grid(options, error);
    while (rest && status == 0)
        status = add_utility(rows, machine, strsep(&rest, ","), options, is_size_asked, error);
    free(names);
    return status;
}

static int print_costs(const struct machine *machine, struct options *options, struct error *error)
{
    struct rows rows = {.document = document_new("cost", options->format),
                        .report = report_new(columns, sizeof columns / sizeof *columns),
                        .is_grid = options->processors.count > 1 || options->bytes.count > 1};
    document_table(rows.document, machine);
    int status = add_utilities(&rows, machine, options, error);
    if (status == 0 && rows.answers == 0)
        status = -1; /* the last one's error says why */
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
    if (options_parse(&face, argc, argv, &options, error) != 0)
        return -1;
    int status = options_machine(&options, 0, &machine, error);
    if (status == 0) {
        status = print_costs(&machine, &options, error);
        machine_free(&machine);
    }
    options_free(&options);
    return status;
}
