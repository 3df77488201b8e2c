/* LogP parameters, nodes and memories side by side, number by number. */
#include "estimator/comparison/comparison.h"
#include "model/base/memory.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#define COUNT(array) (sizeof(array) / sizeof *(array))

/* One number of a table; NAN: the table does not say it. which: of those that are alike. */
typedef double number_of(const struct machine *machine, size_t which);

static struct report *begin(const struct comparison *comparison, const char *what)
{
    const char *const front[] = {what};
    static const char *const back[] = {"ratio", "winner"};
    return comparison_begin(comparison, front, COUNT(front), "", back, COUNT(back));
}

static void add(const struct comparison *comparison, const char *name, number_of *of, size_t which,
                bool least_is_best, struct report *report)
{
    double *values = memory_new(comparison->count, sizeof *values);
    for (size_t i = 0; i < comparison->count; i++)
        values[i] = of(&comparison->machines[i], which);
    if (comparison_said(comparison, values)) {
        report_text(report, name);
        comparison_values(comparison, report, values, least_is_best);
    }
    free(values);
}

/* ---- LogP ---- */

static double send_overhead_us(const struct machine *machine, size_t which)
{
    (void)which;
    return machine->logp ? machine->logp->send_overhead_us : (double)NAN;
}

static double receive_overhead_us(const struct machine *machine, size_t which)
{
    (void)which;
    return machine->logp ? machine->logp->receive_overhead_us : (double)NAN;
}

static double gap_us(const struct machine *machine, size_t which)
{
    (void)which;
    return machine->logp ? machine->logp->gap_us : (double)NAN;
}

static double latency_us(const struct machine *machine, size_t which)
{
    (void)which;
    return machine->logp ? machine->logp->latency_us : (double)NAN;
}

static double one_way_us(const struct machine *machine, size_t which)
{
    (void)which;
    return machine->logp ? logp_round_trip_us(machine->logp) / 2.0 : (double)NAN;
}

struct report *comparison_logp(const struct comparison *comparison, const char *utility)
{
    static const struct {
        const char *name;
        number_of *of;
    } rows[] = {
        {"send_overhead_us",    send_overhead_us   },
        {"receive_overhead_us", receive_overhead_us},
        {"gap_us",              gap_us             },
        {"latency_us",          latency_us         },
        {"one_way_us",          one_way_us         },
    };
    struct report *report = begin(comparison, "logp");
    (void)utility;
    for (size_t k = 0; k < COUNT(rows); k++)
        add(comparison, rows[k].name, rows[k].of, 0, true, report);
    return report;
}

/* ---- nodes ---- */

static double clock_mhz(const struct machine *machine, size_t which)
{
    (void)which;
    return machine->node ? machine->node->clock_mhz : (double)NAN;
}

static double rate_mflops(const struct machine *machine, size_t which)
{
    (void)which;
    return machine->node ? machine->node->rate_mflops : (double)NAN;
}

/* The time of one of many operations of that class, by the busiest unit. */
static double operation_ns(const struct machine *machine, size_t which)
{
    struct operations one = {0};
    one.of[which] = 1.0;
    const struct node *node = machine->node;
    if (!node)
        return NAN;
    const double cycles = node_bound_cycles(node, &one, NULL);
    return cycles > 0.0 ? 1000.0 * cycles / node->clock_mhz : (double)NAN;
}

static double latency_ns(const struct machine *machine, size_t which)
{
    const struct node *node = machine->node;
    if (!node)
        return NAN;
    const double cycles = node->latency_cycles.of[which];
    return cycles > 0.0 ? 1000.0 * cycles / node->clock_mhz : (double)NAN;
}

struct report *comparison_node(const struct comparison *comparison, const char *utility)
{
    struct report *report = begin(comparison, "node");
    char name[60];
    (void)utility;
    add(comparison, "clock_mhz", clock_mhz, 0, false, report);
    add(comparison, "rate_mflops", rate_mflops, 0, false, report);
    for (size_t k = 0; k < OPERATION_COUNT; k++) {
        snprintf(name, sizeof name, "%s_ns", operation_name((enum operation)k));
        add(comparison, name, operation_ns, k, true, report);
    }
    for (size_t k = 0; k < OPERATION_COUNT; k++) {
        snprintf(name, sizeof name, "%s_operation_latency_ns", operation_name((enum operation)k));
        add(comparison, name, latency_ns, k, true, report);
    }
    return report;
}

/* ---- memories ---- */

/* The caches are numbered from 0; main memory comes behind them. */
static const struct memory_level *level_of(const struct machine *machine, size_t which)
{
    return memory_level(machine->memory,
                        which < MEMORY_LEVELS_MOST ? (double)which + 1.0 : (double)INFINITY);
}

static double capacity_bytes(const struct machine *machine, size_t which)
{
    const struct memory_level *level = level_of(machine, which);
    if (!level)
        return NAN;
    return isnan(level->capacity_bytes)
               ? sqrt(level->capacity_bytes_low * level->capacity_bytes_high)
               : level->capacity_bytes;
}

static double load_ns(const struct machine *machine, size_t which)
{
    const struct memory_level *level = level_of(machine, which);
    return level ? level->load_ns : (double)NAN;
}

static double load_mb_per_s(const struct machine *machine, size_t which)
{
    const struct memory_level *level = level_of(machine, which);
    return level ? level->load_mb_per_s : (double)NAN;
}

static double store_mb_per_s(const struct machine *machine, size_t which)
{
    const struct memory_level *level = level_of(machine, which);
    return level ? level->store_mb_per_s : (double)NAN;
}

struct report *comparison_memory(const struct comparison *comparison, const char *utility)
{
    static const struct {
        const char *name;
        number_of *of;
        bool least_is_best;
    } rows[] = {
        {"capacity_bytes", capacity_bytes, false},
        {"load_ns",        load_ns,        true },
        {"load_mb_per_s",  load_mb_per_s,  false},
        {"store_mb_per_s", store_mb_per_s, false},
    };
    struct report *report = begin(comparison, "memory");
    (void)utility;
    for (size_t level = 0; level <= MEMORY_LEVELS_MOST; level++)
        for (size_t k = 0; k < COUNT(rows); k++) {
            char name[60];
            if (level < MEMORY_LEVELS_MOST)
                snprintf(name, sizeof name, "L%zu %s", level + 1, rows[k].name);
            else
                snprintf(name, sizeof name, "memory %s", rows[k].name);
            add(comparison, name, rows[k].of, level, rows[k].least_is_best, report);
        }
    return report;
}
