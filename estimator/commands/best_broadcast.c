/* estimator best-broadcast: which broadcast algorithm is the fastest, and all their times. */
#include "estimator/commands/commands.h"
#include "estimator/options.h"
#include "model/base/memory.h"
#include "model/machine/broadcast.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

static const struct options_face face = {
    .arguments = "TABLE",
    .doc = "Which of the broadcast algorithms 1m (one after the other), rd (recursive doubling) "
           "and pbt (binary tree, in parts) is the fastest for -n bytes among -p processors, with "
           "the times of prd, bt and, where the table has it, the library's own (bc) beside. Times "
           "are until the last processor has the message.",
    .takes = "npf",
    .least = 1,
    .most = 1,
};

static const char *const columns[] = {"bytes",           "processors",       "best",
                                      "broadcast-1m_us", "broadcast-rd_us",  "broadcast-prd_us",
                                      "broadcast-bt_us", "broadcast-pbt_us", "broadcast-bc_us"};

static int add_row(struct report *report, const struct machine *machine, double bytes, double p,
                   unsigned *flags, struct error *error)
{
    if (bytes < 0.0 || p < 1.0 || p != floor(p))
        return error_set(error, "n = %.17g, p = %.17g: expected n at least 0 and p from 1", bytes,
                         p);
    const struct broadcast_times times = broadcast_times(machine, bytes, p);
    if (times.best == BROADCAST_COUNT)
        return error_at(error, place_at(machine->path, 0, 0),
                        "no broadcast can be priced for %.17g bytes and p = %.17g: expected "
                        "point-to-point and one-to-many, or broadcast-NAME",
                        bytes, p);
    report_number(report, bytes);
    report_number(report, p);
    report_text(report, broadcast_name(times.best));
    for (size_t i = 0; i < BROADCAST_COUNT; i++)
        report_number(report, times.time_us[i]);
    *flags |= times.flags;
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

static int print_times(const struct machine *machine, const struct options *options,
                       struct error *error)
{
    struct report *report = report_new(columns, sizeof columns / sizeof *columns);
    int status = 0;
    unsigned flags = 0;
    for (size_t n = 0; n < options->bytes.count && status == 0; n++)
        for (size_t p = 0; p < options->processors.count && status == 0; p++)
            status = add_row(report, machine, options->bytes.values[n],
                             options->processors.values[p], &flags, error);
    char text[COST_FLAGS_TEXT];
    if (status == 0)
        report_print(report, options->format);
    if (status == 0 && flags)
        fprintf(stderr, "estimator: remark: some times are %s\n", cost_flags_print(flags, text));
    report_free(report);
    return status;
}

int cmd_best_broadcast(int argc, char **argv, struct error *error)
{
    struct options options;
    struct machine machine;
    if (options_parse(&face, argc, argv, &options, error) != 0)
        return -1;
    int status = machine_read_for_costs(&machine, options.arguments[0], false, NULL, error);
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
