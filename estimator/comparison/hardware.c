/* LogP parameters, nodes and memories side by side, number by number. */
#include "estimator/comparison/comparison.h"
#include "model/base/allocation.h"

#include <math.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define COUNT(array) (sizeof(array) / sizeof *(array))

/* What of a machine is compared; NULL: its table does not say it. which: of those that are alike.
 */
typedef const void *part_of(const struct machine *machine, size_t which);

/* A number that is not in the table as it is; NAN: it cannot be told. */
typedef double number_of(const void *part, size_t which);

/* One number of a part. */
struct row {
    const char *name;
    size_t offset; /* of a double in the part; */
    number_of *of; /* or, where not NULL, what it is made of */
    bool most_is_best;
};

#define OF(type, member) .name = #member, .offset = offsetof(struct type, member)

static double value_of(const struct row *row, const void *part, size_t which)
{
    double value;
    if (!part)
        return NAN;
    if (row->of)
        return row->of(part, which);
    memcpy(&value, (const char *)part + row->offset, sizeof value);
    return value;
}

static struct report *begin(const struct comparison *comparison, const char *what)
{
    const char *const front[] = {what};
    static const char *const back[] = {"ratio", "winner"};
    return comparison_begin(comparison, front, COUNT(front), "", back, COUNT(back));
}

/* of: what stands before the name of the row, such as "L1 ". */
static void add(const struct comparison *comparison, const char *of, const struct row *row,
                part_of *part, size_t which, struct report *report)
{
    char whole[60];
    double *values = memory_new(comparison->count, sizeof *values);
    for (size_t i = 0; i < comparison->count; i++)
        values[i] = value_of(row, part(&comparison->machines[i], which), which);
    if (comparison_said(comparison, values)) {
        snprintf(whole, sizeof whole, "%s%s", of, row->name);
        report_text(report, whole);
        comparison_values(comparison, report, values, !row->most_is_best);
    }
    free(values);
}

/* ---- LogP ---- */

static const void *logp_of(const struct machine *machine, size_t which)
{
    (void)which;
    return machine->logp;
}

static double one_way_us(const void *logp, size_t which)
{
    (void)which;
    return logp_round_trip_us(logp) / 2.0;
}

struct report *comparison_logp(const struct comparison *comparison, const char *utility)
{
    static const struct row rows[] = {
        {OF(logp,              send_overhead_us)   },
        {OF(logp,              receive_overhead_us)},
        {OF(logp,              gap_us)             },
        {OF(logp,              latency_us)         },
        {.name = "one_way_us", .of = one_way_us    },
    };
    struct report *report = begin(comparison, "logp");
    (void)utility;
    for (size_t k = 0; k < COUNT(rows); k++)
        add(comparison, "", &rows[k], logp_of, 0, report);
    return report;
}

/* ---- nodes ---- */

static const void *node_of(const struct machine *machine, size_t which)
{
    (void)which;
    return machine->node;
}

static double ns_of(const struct node *node, double cycles)
{
    return cycles > 0.0 ? 1000.0 * cycles / node->clock_mhz : (double)NAN;
}

/* The time of one of many operations of that class, by the busiest unit. */
static double operation_ns(const void *node, size_t which)
{
    struct operations one = {0};
    one.of[which] = 1.0;
    return ns_of(node, node_bound_cycles(node, &one, NULL));
}

static double latency_ns(const void *part, size_t which)
{
    const struct node *node = part;
    return ns_of(node, node->latency_cycles.of[which]);
}

struct report *comparison_node(const struct comparison *comparison, const char *utility)
{
    static const struct row rows[] = {
        {OF(node, clock_mhz),   .most_is_best = true},
        {OF(node, rate_mflops), .most_is_best = true},
    };
    static const struct row operation_rows[] = {
        {.name = "_ns",                   .of = operation_ns},
        {.name = "_operation_latency_ns", .of = latency_ns  },
    };
    struct report *report = begin(comparison, "node");
    (void)utility;
    for (size_t k = 0; k < COUNT(rows); k++)
        add(comparison, "", &rows[k], node_of, 0, report);
    for (size_t k = 0; k < COUNT(operation_rows); k++)
        for (size_t i = 0; i < OPERATION_COUNT; i++)
            add(comparison, operation_name((enum operation)i), &operation_rows[k], node_of, i,
                report);
    return report;
}

/* ---- memories ---- */

/* The caches are numbered from 0; main memory comes behind them. */
static const void *level_of(const struct machine *machine, size_t which)
{
    return memory_level(machine->memory,
                        which < MEMORY_LEVELS_MOST ? (double)which + 1.0 : (double)INFINITY);
}

static double capacity_bytes(const void *level, size_t which)
{
    (void)which;
    return memory_level_capacity(level);
}

struct report *comparison_memory(const struct comparison *comparison, const char *utility)
{
    static const struct row rows[] = {
        {.name = "capacity_bytes", .of = capacity_bytes, .most_is_best = true},
        {OF(memory_level,          load_ns)            },
        {OF(memory_level,          load_mb_per_s), .most_is_best = true                    },
        {OF(memory_level,         store_mb_per_s), .most_is_best = true},
    };
    struct report *report = begin(comparison, "memory");
    char name[20];
    (void)utility;
    for (size_t level = 0; level <= MEMORY_LEVELS_MOST; level++) {
        if (level < MEMORY_LEVELS_MOST)
            snprintf(name, sizeof name, "L%zu ", level + 1);
        else
            snprintf(name, sizeof name, "memory ");
        for (size_t k = 0; k < COUNT(rows); k++)
            add(comparison, name, &rows[k], level_of, level, report);
    }
    return report;
}
