#include "trainer/node/suite.h"

#include "model/base/memory.h"
#include "trainer/node/compiled.h"
#include "trainer/node/core_clock.h"
#include "trainer/node/kernels.h"
#include "trainer/node/spread.h"
#include "trainer/node/units.h"
#include "trainer/node_rate.h"

#include <gsl/gsl_sort.h>
#include <math.h>
#include <stdlib.h>

/* A sample of a kernel lasts about so long, which is short beside what disturbs it. */
static const double sample_ns = 10000.0;

enum { SAMPLES = 41 };

/* Few enough that they are all in the first cache. */
static double *numbers_begin(void)
{
    double *numbers = aligned_alloc(KERNEL_ALIGNMENT, KERNEL_NUMBERS * sizeof *numbers);
    if (!numbers)
        abort();
    for (size_t i = 0; i < KERNEL_NUMBERS; i++)
        numbers[i] = 1.0 + 1.0 / (1.7 + 0.013 * (double)i);
    return numbers;
}

/* ---- one kernel ---- */

static long choose_rounds(const struct kernel *kernel, double *numbers)
{
    long rounds = 8;
    for (double took_ns = 0.0; took_ns < sample_ns; rounds *= 2) {
        const double start_ns = core_clock_now_ns();
        kernel->run(rounds, numbers);
        took_ns = core_clock_now_ns() - start_ns;
    }
    return rounds / 2;
}

/* Cycles a round of the kernel's operations. A chain of one cycle a step is timed before each
   sample: the clock changes with what the core does. The low quartile: a disturbance only adds. */
static double cycles_of(const struct kernel *kernel, double *numbers)
{
    double samples[SAMPLES];
    const long rounds = choose_rounds(kernel, numbers);
    for (size_t i = 0; i < SAMPLES; i++) {
        const double cycle_ns = core_clock_cycle_ns();
        const double start_ns = core_clock_now_ns();
        kernel->run(rounds, numbers);
        const double took_ns = core_clock_now_ns() - start_ns;
        samples[i] = took_ns / cycle_ns / (double)rounds / kernel->instructions;
    }
    gsl_sort(samples, 1, SAMPLES);
    return samples[SAMPLES / 4];
}

/* ---- all of them ---- */

struct found {
    struct timings timings;                 /* of one element an instruction */
    struct operations latencies;            /* cycles */
    double element_cycles[OPERATION_COUNT]; /* the least over widths; NAN: none */
    double least_cycles[OPERATION_COUNT];   /* of one element */
};

static int operation_of(unsigned which)
{
    int operation = 0;
    while (!(which & 1U << operation))
        operation++;
    return operation;
}

static void take_throughput(struct found *found, const struct kernel *kernel, double cycles)
{
    const int operation = operation_of(kernel->which);
    const double element = units_round(cycles) / kernel->lanes;
    double *least = &found->element_cycles[operation];
    *least = isnan(*least) ? element : fmin(*least, element);
    if (kernel->lanes == 1)
        found->timings.items[found->timings.count++] = (struct timing){kernel->which, cycles};
}

static void take(struct found *found, const struct kernel *kernel, double cycles)
{
    switch (kernel->kind) {
    case KERNEL_THROUGHPUT:
        take_throughput(found, kernel, cycles);
        break;
    case KERNEL_LATENCY:
        found->latencies.of[operation_of(kernel->which)] = units_round(cycles);
        break;
    case KERNEL_MIX:
        found->timings.items[found->timings.count++] = (struct timing){kernel->which, cycles};
        break;
    case KERNEL_ISSUE:
        found->timings.issue_cycles = cycles;
        break;
    }
}

/* A spread_measure: the kernels of single operations, and behind them the compiled loops. */
static double measure_item(void *state, size_t item)
{
    if (item >= kernels_count)
        return compiled_cycles(item - kernels_count);
    return kernels[item].available() ? cycles_of(&kernels[item], state) : (double)NAN;
}

/* Cycles of every item; to be freed. */
static double *measure_items(void)
{
    double *numbers = numbers_begin();
    const size_t items = kernels_count + compiled_count;
    double *cycles = memory_new(items, sizeof *cycles);
    spread_over_passes(cycles, items, measure_item, numbers);
    free(numbers);
    return cycles;
}

static void take_all(struct found *found, const double *cycles)
{
    *found = (struct found){.timings.issue_cycles = NAN};
    for (int k = 0; k < OPERATION_COUNT; k++)
        found->element_cycles[k] = NAN;
    for (size_t i = 0; i < kernels_count; i++)
        if (!isnan(cycles[i]))
            take(found, &kernels[i], cycles[i]);
    /* A chain of roots adds something each time: a divider would find the root of 1 at once. */
    found->latencies.of[OPERATION_SQRT] -= found->latencies.of[OPERATION_ADD];
}

/* ---- the section ---- */

static double alone(const struct timings *timings, int operation)
{
    for (size_t i = 0; i < timings->count; i++)
        if (timings->items[i].which == 1U << operation)
            return units_round(timings->items[i].cycles);
    return NAN;
}

static void set_lanes(struct node *node, const struct found *found)
{
    for (int k = 0; k < OPERATION_COUNT; k++) {
        const double lanes = alone(&found->timings, k) / found->element_cycles[k];
        if (lanes > 1.0)
            node->lanes.of[k] = lanes;
    }
}

static void set_units(struct node *node, double ghz)
{
    struct found found;
    double *cycles = measure_items();
    take_all(&found, cycles);
    node->clock_mhz = 1e3 * ghz;
    units_derive(&found.timings, &node->units);
    node->latency_cycles = found.latencies;
    compiled_set(node, cycles + kernels_count);
    free(cycles);
    set_lanes(node, &found);
    node->note = memory_copy_text(
        "independent operations on full mantissas, alone and in turn, in cycles of a chain that "
        "takes one a step, the second least of eight passes; rounded where within 5 % of a whole "
        "or half number, or of a whole number a cycle");
}

static void set_rate(struct node *node, struct machine *machine)
{
    run_not_measured(machine, "node units",
                     kernels_count ? "the clock of the core could not be measured"
                                   : "no kernels are written for this kind of processor");
    node->rate_mflops = node_rate_mflops();
    node->note =
        memory_copy_text("one rate: a five-point relaxation within the second-level cache");
}

int node_measure(struct run *run, struct machine *machine, struct error *error)
{
    (void)error;
    if (run->simulated) {
        run_not_measured(machine, "node", "computation takes no time on a simulated machine");
        return 0;
    }
    const double ghz = spread_clock_ghz();
    machine->node = memory_new(1, sizeof *machine->node);
    record_begin(&node_record, machine->node);
    if (kernels_count > 0 && !isnan(ghz))
        set_units(machine->node, ghz);
    else
        set_rate(machine->node, machine);
    return 0;
}
