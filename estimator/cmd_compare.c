/* estimator compare: machine tables side by side, utility by utility, and their LogP parameters. */
#include "estimator/commands.h"
#include "estimator/options.h"
#include "model/base/memory.h"
#include "model/machine/machine.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const struct options_face face = {
    .arguments = "TABLE TABLE...",
    .doc = "The utilities that at least two of the tables have, for -n message bytes among -p "
           "processors that take part, and the LogP parameters: a column a table, the ratio of the "
           "slowest to the fastest, and which that is. Without -p, what no table was trained for "
           "is left out. --section takes one utility, or logp.",
    .takes = "npsf",
    .least = 2,
    .most = OPTIONS_ARGUMENTS,
};

static const char *const front[] = {"utility", "bytes", "processors"};
static const char *const back[] = {"ratio", "winner", "flags"};

enum { FRONT = 3, BACK = 3 };

/* The tables, and what one row says of each; NAN: the table does not say it. */
struct comparison {
    struct machine *machines;
    char **names; /* of columns and winners: the machines', or the files' where two are the same */
    double *time_us;
    size_t count;
    struct report *report;
};

/* ---- rows ---- */

static void add_row(struct comparison *comparison, const char *what, double bytes, double p,
                    unsigned flags)
{
    char text[COST_FLAGS_TEXT];
    double least_us = INFINITY, most_us = 0.0;
    size_t said = 0, winner = 0;
    for (size_t i = 0; i < comparison->count; i++) {
        const double time_us = comparison->time_us[i];
        if (isnan(time_us))
            continue;
        said++;
        most_us = fmax(most_us, time_us);
        if (time_us < least_us) {
            least_us = time_us;
            winner = i;
        }
    }
    if (said < 2)
        return;
    report_text(comparison->report, what);
    report_number(comparison->report, bytes);
    report_number(comparison->report, p);
    for (size_t i = 0; i < comparison->count; i++)
        report_number(comparison->report, comparison->time_us[i]);
    report_number(comparison->report, least_us > 0.0 ? most_us / least_us : (double)NAN);
    report_text(comparison->report, most_us > least_us ? comparison->names[winner] : "");
    report_text(comparison->report, cost_flags_print(flags, text));
}

/* The time by one table, with p as participants; NAN where it has none. */
static double ask(const struct machine *machine, const char *utility, double bytes, double p,
                  unsigned *flags)
{
    const struct cost *cost = machine_cost(machine, utility);
    struct cost_answer answer;
    if (!cost)
        return NAN;
    const double counted = p - (cost->processors_mean == MEAN_PARTICIPANTS ? 0.0 : 1.0);
    if (cost_answer(cost, bytes, counted, &answer, NULL) != 0)
        return NAN;
    *flags |= answer.flags;
    return answer.time_us;
}

/* trained: leave out what any of the tables was not trained for. */
static void compare_at(struct comparison *comparison, const char *utility, double bytes, double p,
                       bool trained)
{
    unsigned flags = 0;
    for (size_t i = 0; i < comparison->count; i++)
        comparison->time_us[i] = ask(&comparison->machines[i], utility, bytes, p, &flags);
    if (!trained || !(flags & COST_EXTRAPOLATED_PROCESSORS))
        add_row(comparison, utility, bytes, p, flags);
}

static void compare_utility(struct comparison *comparison, const char *utility,
                            const struct options *options, bool trained)
{
    for (size_t k = 0; k < options->processors.count; k++)
        for (size_t n = 0; n < options->bytes.count; n++)
            compare_at(comparison, utility, options->bytes.values[n], options->processors.values[k],
                       trained);
}

static bool seen_before(const struct comparison *comparison, size_t table, const char *utility)
{
    for (size_t i = 0; i < table; i++)
        if (machine_cost(&comparison->machines[i], utility))
            return true;
    return false;
}

static bool is_asked(const struct options *options, const char *section)
{
    return !options->section || strcmp(options->section, section) == 0;
}

static void compare_utilities(struct comparison *comparison, const struct options *options,
                              bool trained)
{
    for (size_t i = 0; i < comparison->count; i++) {
        const struct cost *costs = comparison->machines[i].communication.items;
        for (size_t k = 0; k < comparison->machines[i].communication.count; k++)
            if (is_asked(options, costs[k].utility) &&
                !seen_before(comparison, i, costs[k].utility))
                compare_utility(comparison, costs[k].utility, options, trained);
    }
}

static double one_way_us(const struct logp *logp)
{
    return logp_round_trip_us(logp) / 2.0;
}

static double send_overhead_us(const struct logp *logp)
{
    return logp->send_overhead_us;
}

static double receive_overhead_us(const struct logp *logp)
{
    return logp->receive_overhead_us;
}

static double gap_us(const struct logp *logp)
{
    return logp->gap_us;
}

static double latency_us(const struct logp *logp)
{
    return logp->latency_us;
}

static const struct {
    const char *name;
    double (*of)(const struct logp *logp);
} parameters[] = {
    {"logp send overhead",    send_overhead_us   },
    {"logp receive overhead", receive_overhead_us},
    {"logp gap",              gap_us             },
    {"logp latency",          latency_us         },
    {"logp one way",          one_way_us         },
};

static void compare_logp(struct comparison *comparison)
{
    for (size_t k = 0; k < sizeof parameters / sizeof *parameters; k++) {
        for (size_t i = 0; i < comparison->count; i++) {
            const struct logp *logp = comparison->machines[i].logp;
            comparison->time_us[i] = logp ? parameters[k].of(logp) : (double)NAN;
        }
        add_row(comparison, parameters[k].name, NAN, NAN, 0);
    }
}

/* ---- what to compare at ---- */

/* As many processors as the smallest machine has, in powers of two. */
static void set_defaults(const struct comparison *comparison, struct options *options)
{
    double most = 1024.0;
    for (size_t i = 0; i < comparison->count; i++)
        most = fmin(most, comparison->machines[i].machine.processors); /* fmin passes a NAN over */
    if (options->bytes.count == 0)
        number_list_parse("0,8,64,512,4k,32k,256k,1M", &options->bytes);
    if (options->processors.count == 0) {
        char *list = memory_format("2:%.0f:x2", fmax(most, 2.0));
        number_list_parse(list, &options->processors);
        free(list);
    }
}

static int check_grid(const struct options *options, struct error *error)
{
    for (size_t n = 0; n < options->bytes.count; n++)
        for (size_t k = 0; k < options->processors.count; k++) {
            const double bytes = options->bytes.values[n], p = options->processors.values[k];
            if (bytes < 0.0 || p < 2.0 || p != floor(p))
                return error_set(error,
                                 "n = %.17g, p = %.17g: expected n at least 0 and p a whole number "
                                 "from 2",
                                 bytes, p);
        }
    return options_check_grid(options, error);
}

static int compare(struct comparison *comparison, struct options *options, struct error *error)
{
    const bool trained = options->processors.count == 0;
    set_defaults(comparison, options);
    if (check_grid(options, error) != 0)
        return -1;
    compare_utilities(comparison, options, trained);
    if (is_asked(options, "logp"))
        compare_logp(comparison);
    if (report_rows(comparison->report) == 0)
        return error_set(error, "no two of the tables have %s%s in common",
                         options->section ? options->section : "a utility",
                         options->section ? "" : " or LogP parameters");
    report_print(comparison->report, options->format);
    return 0;
}

/* ---- the tables ---- */

static int read_tables(struct comparison *comparison, const struct options *options,
                       struct error *error)
{
    comparison->machines = memory_new(options->count, sizeof *comparison->machines);
    comparison->names = memory_new(options->count, sizeof *comparison->names);
    comparison->time_us = memory_new(options->count, sizeof *comparison->time_us);
    for (; comparison->count < options->count; comparison->count++)
        if (machine_read(&comparison->machines[comparison->count],
                         options->arguments[comparison->count], error) != 0)
            return -1;
    return 0;
}

static bool names_differ(const struct comparison *comparison)
{
    for (size_t i = 0; i < comparison->count; i++)
        for (size_t k = 0; k < i; k++)
            if (strcmp(comparison->machines[i].machine.name,
                       comparison->machines[k].machine.name) == 0)
                return false;
    return true;
}

static void name_columns(struct comparison *comparison)
{
    const size_t width = FRONT + comparison->count + BACK;
    const char **columns = memory_new(width, sizeof *columns);
    const bool differ = names_differ(comparison);
    memcpy(columns, front, sizeof front);
    memcpy(columns + FRONT + comparison->count, back, sizeof back);
    for (size_t i = 0; i < comparison->count; i++) {
        const struct machine *machine = &comparison->machines[i];
        comparison->names[i] = memory_copy_text(differ ? machine->machine.name : machine->path);
        columns[FRONT + i] = memory_format("%s_us", comparison->names[i]);
    }
    comparison->report = report_new(columns, width);
    for (size_t i = 0; i < comparison->count; i++)
        free((char *)columns[FRONT + i]);
    free(columns);
}

static void release(struct comparison *comparison)
{
    for (size_t i = 0; i < comparison->count; i++) {
        machine_free(&comparison->machines[i]);
        free(comparison->names[i]);
    }
    if (comparison->report)
        report_free(comparison->report);
    free(comparison->machines);
    free(comparison->names);
    free(comparison->time_us);
}

int cmd_compare(int argc, char **argv, struct error *error)
{
    struct options options;
    struct comparison comparison = {0};
    if (options_parse(&face, argc, argv, &options, error) != 0)
        return -1;
    int status = read_tables(&comparison, &options, error);
    if (status == 0) {
        name_columns(&comparison);
        status = compare(&comparison, &options, error);
    }
    release(&comparison);
    options_free(&options);
    return status;
}
