#include "trainer/node/node_suite.h"

#include "model/base/allocation.h"
#include "trainer/base/clock.h"
#include "trainer/node/compilations.h"
#include "trainer/node/compiled.h"
#include "trainer/node/core_clock.h"
#include "trainer/node/node_kernels.h"
#include "trainer/node/node_rate.h"
#include "trainer/node/pairs.h"
#include "trainer/node/rows.h"
#include "trainer/node/sampler.h"
#include "trainer/node/units.h"

#include <math.h>
#include <stdlib.h>

/* A sample of a kernel lasts about so long, which is short beside what disturbs it. */
static const double sample_ns = 10000.0;

/* About how long all takes on a core of one's own. */
static const double usual_s = 3.0;

/* A core takes some of it to switch its widest units on, which are slow until then. */
static const double warming_ns = 1e6;

/* Few enough that they are all in the first cache. */
struct operands {
    double *hard, *easy; /* full mantissas; 1 */
};

static double *numbers_begin(void)
{
    double *numbers = aligned_alloc(KERNEL_ALIGNMENT, KERNEL_NUMBERS * sizeof *numbers);
    if (!numbers)
        abort();
    return numbers;
}

static struct operands operands_begin(void)
{
    const struct operands operands = {numbers_begin(), numbers_begin()};
    for (size_t i = 0; i < KERNEL_NUMBERS; i++) {
        operands.hard[i] = 1.0 + 1.0 / (1.7 + 0.013 * (double)i);
        operands.easy[i] = 1.0;
    }
    return operands;
}

static double *operands_of(const struct operands *operands, const struct kernel *kernel)
{
    const bool easy = kernel->kind == KERNEL_EASY_THROUGHPUT || kernel->kind == KERNEL_EASY_LATENCY;
    return easy ? operands->easy : operands->hard;
}

/* ---- one kernel ---- */

/* A kernel, a compiled loop, or rows, that are being measured. */
struct bench {
    const struct compilations *compilations;
    struct operands operands;
    struct sampler sampler;
    const struct kernel *kernel;
    double *numbers; /* its own */
    long rounds;
    double count; /* operations of a sample, or iterations */
};

static void run_kernel(void *state)
{
    const struct bench *bench = state;
    bench->kernel->run(bench->rounds, bench->numbers);
}

static void choose_rounds(struct bench *bench)
{
    long rounds = 4;
    for (double took_ns = 0.0; took_ns < sample_ns;) {
        bench->rounds = rounds *= 2;
        const double start_ns = core_clock_now_ns();
        run_kernel(bench);
        took_ns = core_clock_now_ns() - start_ns;
    }
}

static void warm_up(struct bench *bench)
{
    const double until_ns = core_clock_now_ns() + warming_ns;
    while (core_clock_now_ns() < until_ns)
        run_kernel(bench);
}

/* ---- all of them ---- */

struct found {
    struct timings timings;                 /* of one element an instruction */
    struct operations easy, easy_latencies; /* cycles */
    struct chains chains;                   /* cycles, as measured */
    double element_cycles[OPERATION_COUNT]; /* the least over widths; NAN: none */
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
    const int first = operation_of(kernel->which | 1U << OPERATION_COUNT);
    const unsigned others = kernel->which & ~(1U << first);
    switch (kernel->kind) {
    case KERNEL_THROUGHPUT:
        take_throughput(found, kernel, cycles);
        break;
    case KERNEL_LATENCY:
        found->chains.alone.of[first] = cycles;
        break;
    case KERNEL_EASY_THROUGHPUT:
        found->easy.of[first] = cycles;
        break;
    case KERNEL_EASY_LATENCY:
        found->easy_latencies.of[first] = cycles;
        break;
    case KERNEL_PAIR:
        found->chains.in_turn.from[first].of[operation_of(others)] = cycles;
        break;
    case KERNEL_LOAD_USE:
        found->chains.load_use.of[first] = cycles;
        break;
    case KERNEL_MIX:
        found->timings.items[found->timings.count++] = (struct timing){kernel->which, cycles};
        break;
    case KERNEL_ISSUE:
        found->timings.issue_cycles = cycles;
        break;
    }
}

/* Of a spread_bench: the kernels of single operations, behind them the loops of each compilation,
   and then rows. */
static size_t first_rows(const struct compilations *compilations)
{
    return kernels_count + compilations->count * compiled_count;
}

/* Which compiled loop an item is. */
static struct compiled_item compiled_item_of(const struct compilations *compilations, size_t item)
{
    const size_t loop = item - kernels_count;
    return (struct compiled_item){compilations->items[loop / compiled_count].code,
                                  loop % compiled_count};
}

static bool begin_item(void *state, size_t item)
{
    struct bench *bench = state;
    const size_t rows = first_rows(bench->compilations);
    if (item >= rows) {
        bench->count = rows_iterations(item - rows);
    } else if (item >= kernels_count) {
        const struct compiled_item loop = compiled_item_of(bench->compilations, item);
        bench->count = compiled_begin(loop.code, loop.loop);
    } else {
        bench->kernel = &kernels[item];
        if (!bench->kernel->available())
            return false;
        bench->numbers = operands_of(&bench->operands, bench->kernel);
        choose_rounds(bench);
        if (bench->kernel->lanes > 1)
            warm_up(bench);
        bench->count = (double)bench->rounds * bench->kernel->instructions;
    }
    sampler_begin(&bench->sampler);
    return true;
}

static struct spread_sample sample_item(void *state, size_t item)
{
    struct bench *bench = state;
    if (item < kernels_count)
        return sampler_take(&bench->sampler, run_kernel, bench, bench->count);
    const size_t rows = first_rows(bench->compilations);
    if (item >= rows) {
        size_t row = item - rows;
        return sampler_take(&bench->sampler, rows_run, &row, bench->count);
    }
    struct compiled_item loop = compiled_item_of(bench->compilations, item);
    return sampler_take(&bench->sampler, compiled_run, &loop, bench->count);
}

static enum spread_choice choice_of(const struct compilations *compilations, size_t item)
{
    if (item >= first_rows(compilations))
        return SPREAD_LEAST;
    if (item >= kernels_count)
        return compiled_is_chain((item - kernels_count) % compiled_count) ? SPREAD_MIDDLE
                                                                          : SPREAD_LEAST;
    switch (kernels[item].kind) {
    case KERNEL_LATENCY:
    case KERNEL_EASY_LATENCY:
    case KERNEL_PAIR:
    case KERNEL_LOAD_USE:
        return SPREAD_MIDDLE;
    case KERNEL_THROUGHPUT:
    case KERNEL_EASY_THROUGHPUT:
    case KERNEL_MIX:
    case KERNEL_ISSUE:
        break;
    }
    /* Some wide operations take one of several times, by how they come to lie. */
    return kernels[item].lanes == 1 ? SPREAD_AGREED : SPREAD_LEAST;
}

/* Cycles of every item; to be freed. lacking: of how many they may be too many. */
static double *measure_items(const struct compilations *compilations, double end_ns,
                             size_t *lacking)
{
    struct bench bench = {.compilations = compilations, .operands = operands_begin()};
    const size_t items = first_rows(compilations) + rows_count;
    double *cycles = memory_new(items, sizeof *cycles);
    enum spread_choice *choices = memory_new(items, sizeof *choices);
    for (size_t i = 0; i < items; i++)
        choices[i] = choice_of(compilations, i);
    *lacking = spread_over_passes(cycles, choices, items,
                                  &(struct spread_bench){&bench, begin_item, sample_item, end_ns});
    free(choices);
    free(bench.operands.hard);
    free(bench.operands.easy);
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
    /* A chain of roots would come to 1, of which a divider finds the root at once. */
    found->chains.alone.of[OPERATION_SQRT] -=
        found->chains.alone.of[OPERATION_ADD] / KERNEL_ROOTS_AN_ADDITION;
}

/* ---- the section ---- */

static double alone(const struct timings *timings, int operation)
{
    for (size_t i = 0; i < timings->count; i++)
        if (timings->items[i].which == 1U << operation)
            return timings->items[i].cycles;
    return NAN;
}

static struct operations rounded(const struct operations *cycles)
{
    struct operations result = {{0}};
    for (int k = 0; k < OPERATION_COUNT; k++)
        result.of[k] = cycles->of[k] > 0.0 ? units_round(cycles->of[k]) : 0.0;
    return result;
}

/* An addition or a product may be computed as a multiply-add, with 1 or 0: chains of wide additions
   alternate between an adder and a multiplier-adder, which get in each other's way. */
static double element_cycles(const struct found *found, int operation)
{
    const bool sum = operation == OPERATION_ADD || operation == OPERATION_MUL;
    const double *cycles = found->element_cycles;
    return sum ? fmin(cycles[operation], cycles[OPERATION_MADD]) : cycles[operation];
}

static void set_throughputs(struct node *node, const struct found *found)
{
    units_derive(&found->timings, &node->units);
    node->easy_throughput_cycles = rounded(&found->easy);
    for (int k = 0; k < OPERATION_COUNT; k++) {
        const double cycles = alone(&found->timings, k);
        const double lanes = units_round(cycles) / element_cycles(found, k);
        if (lanes > 1.0)
            node->lanes.of[k] = lanes;
        if (!isnan(cycles))
            node->measured_throughput_cycles.of[k] = cycles;
    }
}

static void set_latencies(struct node *node, const struct found *found)
{
    struct chains chains = found->chains;
    chains.alone = rounded(&chains.alone);
    chains.load_use = rounded(&chains.load_use);
    for (int k = 0; k < OPERATION_COUNT; k++)
        chains.in_turn.from[k] = rounded(&chains.in_turn.from[k]);
    pairs_derive(&chains, &node->pair_latency_cycles);
    node->measured_latency_cycles = found->chains.alone;
    node->latency_cycles = chains.alone;
    /* The chain of an array's element through memory is not one of loads of addresses. */
    node->latency_cycles.of[OPERATION_LOAD] = 0.0;
    node->easy_latency_cycles = rounded(&found->easy_latencies);
}

static void say_lacking(struct machine *machine, size_t lacking)
{
    if (lacking == 0)
        return;
    char *because =
        memory_format("of %zu kernels or loops there are no measurements that agree, taken while "
                      "nobody else had a share of the core and its clock stood still: they may be "
                      "too dear",
                      lacking);
    run_not_measured(machine, "node units on a core of one's own", because);
    free(because);
}

static void set_units(const struct options *options, double ghz, double end_ns,
                      struct machine *machine)
{
    struct node *node = machine->node;
    struct compilations compilations;
    struct found found;
    size_t lacking;
    compilations_make(&compilations, options, machine);
    double *cycles = measure_items(&compilations, end_ns, &lacking);
    say_lacking(machine, lacking);
    take_all(&found, cycles);
    node->clock_mhz = 1e3 * ghz;
    set_throughputs(node, &found);
    set_latencies(node, &found);
    compilations_set(&compilations, node, cycles + kernels_count);
    rows_set(node, cycles + first_rows(&compilations));
    compilations_free(&compilations);
    free(cycles);
    node->note = memory_copy_text(
        "independent operations on full mantissas, alone and in turn, in cycles of a chain that "
        "takes one a step, the second least of two to 24 measurements, of chains the middle; "
        "rounded where 5 % above to 1 % below a whole or half number, or a whole number a cycle");
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
    const double left_s = fmax(0.0, run->share_end_s - clock_s());
    const double end_ns = core_clock_now_ns() + 1e9 * left_s, ghz = spread_clock_ghz();
    machine->node = memory_new(1, sizeof *machine->node);
    record_begin(&node_record, machine->node);
    if (kernels_count > 0 && !isnan(ghz))
        set_units(run->options, ghz, end_ns, machine);
    else
        set_rate(machine->node, machine);
    return 0;
}

double node_foresee_s(struct run *run)
{
    return run->simulated ? 0.0 : usual_s;
}
