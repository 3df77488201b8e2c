/* The node: a row a unit. */
#include "estimator/sections/sections.h"

#include "model/base/allocation.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#define COUNT(array) (sizeof(array) / sizeof *(array))

static void add_operations(struct report *report, const char *name,
                           const struct operations *operations)
{
    if (operations_absent(operations))
        return;
    report_text(report, name);
    for (int k = 0; k < OPERATION_COUNT; k++)
        report_number(report, operations->of[k] == 0.0 ? (double)NAN : operations->of[k]);
    report_number(report, NAN);
}

/* Rows are producers, columns what uses their results. */
static void add_pairs(struct report *report, const struct operation_pairs *pairs)
{
    for (int k = 0; k < OPERATION_COUNT; k++) {
        char name[32];
        snprintf(name, sizeof name, "latency from %s to", operation_name((enum operation)k));
        add_operations(report, name, &pairs->from[k]);
    }
}

/* Chains, and the middle share of the bound. */
static void add_compilations(struct report *report, const struct list *compilations)
{
    const struct compilation *items = compilations->items;
    for (size_t i = 0; i < compilations->count; i++) {
        char *name = memory_format("latency compiled %s", items[i].flags);
        add_operations(report, name, &items[i].latency_cycles);
        free(name);
    }
}

static void add_numbers(struct report *report, const struct node *node)
{
    const struct {
        const char *name;
        double value;
    } numbers[] = {
        {"clock MHz",              node->clock_mhz           },
        {"waiting operations",     node->scheduler_operations},
        {"instructions under way", node->window_instructions },
        {"rate MFLOPS",            node->rate_mflops         }
    };
    for (size_t i = 0; i < COUNT(numbers); i++) {
        if (isnan(numbers[i].value))
            continue;
        report_text(report, numbers[i].name);
        for (int k = 0; k < OPERATION_COUNT; k++)
            report_number(report, NAN);
        report_number(report, numbers[i].value);
    }
}

struct report *node_report(const struct machine *machine, const char *section)
{
    const char *columns[OPERATION_COUNT + 2] = {"cycles"};
    (void)section;
    for (int k = 0; k < OPERATION_COUNT; k++)
        columns[k + 1] = operation_name((enum operation)k);
    columns[OPERATION_COUNT + 1] = "value";
    struct report *report = report_new(columns, COUNT(columns));
    const struct node *node = machine->node;
    if (!node)
        return report;
    const struct unit *units = node->units.items;
    for (size_t i = 0; i < node->units.count; i++)
        add_operations(report, units[i].name, &units[i].cycles);
    add_operations(report, "measured", &node->measured_throughput_cycles);
    add_operations(report, "easy", &node->easy_throughput_cycles);
    add_operations(report, "latency", &node->latency_cycles);
    add_operations(report, "latency measured", &node->measured_latency_cycles);
    add_operations(report, "latency easy", &node->easy_latency_cycles);
    add_operations(report, "latency compiled", &node->compiled.latency_cycles);
    add_compilations(report, &node->compilations);
    add_pairs(report, &node->pair_latency_cycles);
    add_operations(report, "flop weight", &node->flop_weights);
    add_numbers(report, node);
    return report;
}
