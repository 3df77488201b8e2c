/* estimator best-broadcast: which broadcast algorithm is the fastest, and all their times. */
#include "estimator/commands/commands.h"
#include "estimator/output/document.h"
#include "estimator/output/options.h"
#include "model/base/allocation.h"
#include "model/machine/broadcast.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const struct options_face face = {
    .arguments = "TABLE",
    .example = "best-broadcast machines/sp2-mpl.yaml -p 16 -n 8k",
    .doc = "Which of six broadcast algorithms is the fastest for -n bytes among -p processors: 1m "
           "(one after the other), rd (recursive doubling), bt (binary tree), prd and pbt (the "
           "same in parts) and, where the table has it, the library's own (bc). Times are until "
           "the last processor has the message; that of bt-sender is until the root of bt may go "
           "on. A library's broadcast is for all processors: where only some take part, "
           "best_for_some is the fastest of 1m, rd and pbt. Where the processors' own time matters "
           "more than when the last "
           "one has the message, use bt, which lets each send at most twice.",
    .takes = "npdf",
    .least = 1,
    .most = 1,
};

static const char *const columns[] = {"bytes",
                                      "processors",
                                      "best",
                                      "broadcast-1m_us",
                                      "broadcast-rd_us",
                                      "broadcast-prd_us",
                                      "broadcast-bt_us",
                                      "broadcast-pbt_us",
                                      "broadcast-bc_us",
                                      "broadcast-bt-sender_us",
                                      "best_for_some",
                                      "flags"};

static int add_row(struct report *report, const struct machine *machine, double bytes, double p,
                   enum broadcast_depth depth, struct error *error)
{
    if (bytes < 0.0 || p < 1.0 || p != floor(p))
        return error_set(error, "n = %.17g, p = %.17g: expected n at least 0 and p from 1", bytes,
                         p);
    const struct broadcast_times times = broadcast_times_of_depth(machine, bytes, p, depth);
    unsigned flags = times.flags;
    const double sender_us = broadcast_bt_sender_us(machine, bytes, p, &flags);
    char text[COST_FLAGS_TEXT];
    /* Between one and the same processor nothing takes time, and the first is as good as any. */
    const size_t best = times.fastest == BROADCAST_COUNT ? times.best : times.fastest;
    if (best == BROADCAST_COUNT)
        return error_at(error, place_at(machine->path, 0, 0),
                        "no broadcast can be priced for %.17g bytes and p = %.17g: expected "
                        "point-to-point and one-to-many, or broadcast-NAME",
                        bytes, p);
    report_number(report, bytes);
    report_number(report, p);
    report_text(report, broadcast_name(best));
    for (size_t i = 0; i < BROADCAST_COUNT; i++)
        report_number(report, times.time_us[i]);
    report_number(report, sender_us);
    report_text(report, times.best == BROADCAST_COUNT ? "" : broadcast_name(times.best));
    report_text(report, cost_flags_print(flags, text));
    return 0;
}

/* Those of the report's figures 3.7 to 3.9, and the processors that the machine has. */
static void set_defaults(const struct machine *machine, struct options *options)
{
    if (options->bytes.count == 0)
        number_list_parse("16,8k,1M", &options->bytes);
    if (options->processors.count == 0) {
        const double most = isnan(machine->machine.processors) ? 32.0 : machine->machine.processors;
        char *list = memory_format("2:%.0f:x2", fmax(most, 2.0));
        number_list_parse(list, &options->processors);
        free(list);
    }
}

static int read_depth(const char *word, enum broadcast_depth *depth, struct error *error)
{
    *depth = word && strcmp(word, "floor") == 0 ? BROADCAST_DEPTH_FLOOR : BROADCAST_DEPTH_PRINTED;
    if (word && strcmp(word, "ceil") != 0 && strcmp(word, "floor") != 0)
        return error_set(error, "--bt-depth is '%.60s': expected ceil or floor", word);
    return 0;
}

static void print(const struct machine *machine, const struct report *report,
                  enum report_format format)
{
    struct document *document = document_new("best-broadcast", format);
    document_table(document, machine);
    document_print(document, report);
    document_free(document);
}

static int print_times(const struct machine *machine, const struct options *options,
                       struct error *error)
{
    struct report *report = report_new(columns, sizeof columns / sizeof *columns);
    enum broadcast_depth depth;
    int status = read_depth(options->bt_depth, &depth, error);
    for (size_t n = 0; n < options->bytes.count && status == 0; n++)
        for (size_t p = 0; p < options->processors.count && status == 0; p++)
            status = add_row(report, machine, options->bytes.values[n],
                             options->processors.values[p], depth, error);
    if (status == 0)
        print(machine, report, options->format);
    report_free(report);
    return status;
}

int cmd_best_broadcast(int argc, char **argv, struct error *error)
{
    struct options options;
    struct machine machine;
    if (options_parse(&face, argc, argv, &options, error) != 0)
        return -1;
    int status = machine_read(&machine, options.arguments[0], error);
    if (status == 0) {
        set_defaults(&machine, &options);
        status = options_check_grid(&options, error);
        if (status == 0)
            status = print_times(&machine, &options, error);
        machine_free(&machine);
    }
    options_free(&options);
    return status;
}
