#include "estimator/comparison/comparison.h"

#include "model/base/allocation.h"
#include "model/base/input.h"
#include "model/machine/structure.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

const struct comparison_section comparison_sections[] = {
    {"times",   "Times",                     comparison_times,   true },
    {"changes", "Where the fastest changes", comparison_changes, true },
    {"laws",    "Setup and rate",            comparison_laws,    true },
    {"logp",    "LogP parameters",           comparison_logp,    false},
    {"node",    "Nodes",                     comparison_node,    false},
    {"memory",  "Memory",                    comparison_memory,  false},
    {NULL,      NULL,                        NULL,               false},
};

/* ---- the tables ---- */

static bool names_differ(const struct comparison *comparison)
{
    for (size_t i = 0; i < comparison->count; i++)
        for (size_t k = 0; k < i; k++)
            if (strcmp(comparison->machines[i].machine.name,
                       comparison->machines[k].machine.name) == 0)
                return false;
    return true;
}

typedef int read_table(const struct options *options, size_t number,
                       const struct comparison_text *last, struct machine *machine,
                       struct error *error);

static int read_alone(const struct options *options, size_t number,
                      const struct comparison_text *last, struct machine *machine,
                      struct error *error)
{
    const char *name = options->arguments[number];
    if (last && number + 1 == options->count)
        return machine_read_text(machine, input_name(name), last->text, last->bytes, error);
    return machine_read(machine, name, error);
}

static int read_for_predictions(const struct options *options, size_t number,
                                const struct comparison_text *last, struct machine *machine,
                                struct error *error)
{
    (void)last;
    return options_machine(options, number, machine, error);
}

static int read_tables(struct comparison *comparison, const struct options *options, size_t count,
                       read_table *read, const struct comparison_text *last, struct error *error)
{
    *comparison = (struct comparison){.machines = memory_new(count, sizeof(struct machine)),
                                      .names = memory_new(count, sizeof(char *))};
    for (; comparison->count < count; comparison->count++)
        if (read(options, comparison->count, last, &comparison->machines[comparison->count],
                 error) != 0)
            return -1;
    const bool differ = names_differ(comparison);
    for (size_t i = 0; i < count; i++)
        comparison->names[i] = memory_copy_text(differ ? comparison->machines[i].machine.name
                                                       : comparison->machines[i].path);
    return 0;
}

int comparison_read_for_program(struct comparison *comparison, const struct options *options,
                                size_t count, struct error *error)
{
    return read_tables(comparison, options, count, read_for_predictions, NULL, error);
}

/* Sizes, and as many processors as the smallest machine has, in powers of two; then what a table
   was not trained for is left out. */
static void set_defaults(struct comparison *comparison)
{
    double most = 1024.0;
    for (size_t i = 0; i < comparison->count; i++)
        most = fmin(most, comparison->machines[i].machine.processors); /* fmin passes a NAN over */
    if (comparison->bytes.count == 0) {
        comparison->forbidden |= COST_EXTRAPOLATED_BYTES;
        number_list_parse("0,8,64,512,4k,32k,256k,1M", &comparison->bytes);
    }
    if (comparison->processors.count == 0) {
        comparison->forbidden |= COST_EXTRAPOLATED_PROCESSORS;
        char *list = memory_format("2:%.0f:x2", fmax(most, 2.0));
        number_list_parse(list, &comparison->processors);
        free(list);
    }
}

int comparison_read(struct comparison *comparison, struct options *options,
                    const struct comparison_text *last, struct error *error)
{
    if (read_tables(comparison, options, options->count, read_alone, last, error) != 0)
        return -1;
    comparison->bytes = options->bytes;
    comparison->processors = options->processors;
    options->bytes = options->processors = (struct number_list){0};
    set_defaults(comparison);
    return 0;
}

void comparison_free(struct comparison *comparison)
{
    for (size_t i = 0; i < comparison->count; i++) {
        machine_free(&comparison->machines[i]);
        free(comparison->names[i]);
    }
    free(comparison->machines);
    free(comparison->names);
    number_list_free(&comparison->bytes);
    number_list_free(&comparison->processors);
}

/* ---- asking ---- */

bool comparison_ask(const struct comparison *comparison, size_t machine, const char *utility,
                    double bytes, double p, struct cost_answer *answer)
{
    const struct cost *cost = machine_cost(&comparison->machines[machine], utility);
    if (!cost)
        return false;
    return structure_answer(&comparison->machines[machine], cost, bytes, cost_formula_p(cost, p),
                            answer, NULL) == 0 &&
           !(answer->flags & comparison->forbidden);
}

static size_t having(const struct comparison *comparison, const char *utility, size_t upto)
{
    size_t count = 0;
    for (size_t i = 0; i < upto; i++)
        count += machine_cost(&comparison->machines[i], utility) ? 1 : 0;
    return count;
}

void comparison_utilities(const struct comparison *comparison, const char *utility,
                          comparison_each *each, void *state)
{
    for (size_t i = 0; i < comparison->count; i++) {
        const struct cost *costs = comparison->machines[i].communication.items;
        for (size_t k = 0; k < comparison->machines[i].communication.count; k++)
            if ((!utility || strcmp(utility, costs[k].utility) == 0) &&
                having(comparison, costs[k].utility, i) == 0 &&
                having(comparison, costs[k].utility, comparison->count) > 1)
                each(comparison, costs[k].utility, state);
    }
}

/* ---- rows ---- */

struct report *comparison_begin(const struct comparison *comparison, const char *const *front,
                                size_t front_count, const char *suffix, const char *const *back,
                                size_t back_count)
{
    const size_t machines = comparison->count, width = front_count + machines + back_count;
    const char **columns = memory_new(width, sizeof *columns);
    char **own = memory_new(machines, sizeof *own);
    memcpy(columns, front, front_count * sizeof *front);
    memcpy(columns + front_count + machines, back, back_count * sizeof *back);
    for (size_t i = 0; i < machines; i++)
        columns[front_count + i] = own[i] = memory_format("%s%s", comparison->names[i], suffix);
    struct report *report = report_new(columns, width);
    for (size_t i = 0; i < machines; i++)
        free(own[i]);
    free(own);
    free(columns);
    return report;
}

bool comparison_said(const struct comparison *comparison, const double *values)
{
    size_t said = 0;
    for (size_t i = 0; i < comparison->count; i++)
        said += isnan(values[i]) ? 0 : 1;
    return said > 1;
}

/* Nobody is the best by the last digits of a sum. */
void comparison_values(const struct comparison *comparison, struct report *report,
                       const double *values, bool least_is_best)
{
    size_t least = 0, most = 0;
    bool all = true;
    for (size_t i = 0; i < comparison->count; i++) {
        report_number(report, values[i]);
        least = isnan(values[least]) || values[i] < values[least] ? i : least;
        most = isnan(values[most]) || values[i] > values[most] ? i : most;
        all = all && !isnan(values[i]);
    }
    report_number(report, values[least] > 0.0 ? values[most] / values[least] : (double)NAN);
    report_text(report, all && values[most] > values[least] * (1.0 + 1e-12)
                            ? comparison->names[least_is_best ? least : most]
                            : "");
}
