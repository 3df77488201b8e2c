#include "model/node/node.h"

#include "model/code/code_flags.h"

#include <math.h>
#include <string.h>

const char *const kernel_names[] = {"stencil-5", "stencil-7", "triad", "axpy",       "scale",
                                    "divide",    "add-three", "hydro", "difference", "dot",
                                    "transpose", "butterfly", "clear", NULL};

const char node_sum_kernel[] = "dot";

const struct compiled_kernel *node_kernel(const struct node *node, const char *name)
{
    const struct compiled_kernel *kernels = node->compiled.kernels.items;
    for (size_t i = 0; name && i < node->compiled.kernels.count; i++)
        if (strcmp(kernels[i].name, name) == 0)
            return &kernels[i];
    return NULL;
}

/* ---- as compiled ---- */

const struct compilation *node_compilation(const struct node *node, const char *flags)
{
    const struct compilation *others = node->compilations.items;
    if (code_flags_spread(flags, node->compiled.flags) == 0.0)
        return &node->compiled;
    for (size_t i = 0; i < node->compilations.count; i++)
        if (code_flags_spread(flags, others[i].flags) == 0.0)
            return &others[i];
    return &node->compiled;
}

void node_as_compiled(struct node *node)
{
    for (int k = 0; k < OPERATION_COUNT; k++) {
        const double compiled = node->compiled.latency_cycles.of[k];
        const double more = compiled - node->latency_cycles.of[k];
        double *to = node->pair_latency_cycles.from[k].of;
        if (compiled <= 0.0)
            continue;
        node->latency_cycles.of[k] = compiled;
        for (int other = 0; other < OPERATION_COUNT; other++)
            to[other] += to[other] > 0.0 ? more : 0.0;
    }
}

/* Two latencies of the same instruction differ by less. */
static const double split_least = 1.1;

bool node_splits_madd(const struct node *node)
{
    return node->compiled.latency_cycles.of[OPERATION_MADD] >
           split_least * node->latency_cycles.of[OPERATION_MADD];
}

/* Of the trainer's sum of products, an iteration: a product, its sum and two loads. */
static double sum_cycles(const struct node *node)
{
    const struct operations operations = {
        .of = {[OPERATION_MADD] = 1.0, [OPERATION_LOAD] = 2.0}
    };
    const struct compiled_kernel *kernel = node_kernel(node, node_sum_kernel);
    return kernel ? node_bound_cycles(node, &operations, NULL) / kernel->compiled_share : INFINITY;
}

/* The sum of products waits for additions, or for multiply-adds: it is nearer to one of them. */
bool node_sums_apart(const struct node *node)
{
    const double *latency = node->latency_cycles.of;
    return node_splits_madd(node) ||
           sum_cycles(node) < sqrt(latency[OPERATION_ADD] * latency[OPERATION_MADD]);
}

/* ---- the bound ---- */

double unit_busy_cycles(const struct unit *unit, const struct operations *operations)
{
    double busy = 0.0;
    for (int k = 0; k < OPERATION_COUNT; k++)
        busy += operations->of[k] * unit->cycles.of[k];
    return busy;
}

double node_bound_cycles(const struct node *node, const struct operations *operations,
                         const struct unit **limiting)
{
    const struct unit *units = node->units.items, *busiest = NULL;
    double most = 0.0;
    for (size_t i = 0; i < node->units.count; i++) {
        const double busy = unit_busy_cycles(&units[i], operations);
        if (!busiest || busy > most) {
            most = busy;
            busiest = &units[i];
        }
    }
    if (limiting)
        *limiting = busiest;
    return most;
}

double node_peak_mflops(const struct node *node)
{
    static const struct operations mixes[] = {
        {.of = {[OPERATION_ADD] = 1.0}},
        {.of = {[OPERATION_MUL] = 1.0}},
        {.of = {[OPERATION_MADD] = 1.0}},
        {.of = {[OPERATION_ADD] = 1.0, [OPERATION_MUL] = 1.0}},
    };
    double most = NAN;
    for (size_t i = 0; i < sizeof mixes / sizeof *mixes; i++) {
        struct operations instructions = mixes[i];
        for (int k = 0; k < OPERATION_COUNT; k++)
            if (node->lanes.of[k] > 0.0)
                instructions.of[k] /= node->lanes.of[k];
        const double cycles = node_bound_cycles(node, &instructions, NULL);
        if (cycles > 0.0)
            most = fmax(most, node_flops(node, &mixes[i]) / cycles * node->clock_mhz);
    }
    return most;
}

double node_flops(const struct node *node, const struct operations *operations)
{
    static const struct operations published = {
        .of = {[OPERATION_ADD] = 1.0,
               [OPERATION_MUL] = 1.0,
               [OPERATION_MADD] = 2.0,
               [OPERATION_DIV] = 4.0,
               [OPERATION_SQRT] = 4.0}
    };
    const struct operations *weights =
        operations_absent(&node->flop_weights) ? &published : &node->flop_weights;
    double flops = 0.0;
    for (int k = 0; k < OPERATION_COUNT; k++)
        flops += operations->of[k] * weights->of[k];
    return flops;
}

double operations_flops(const struct operations *operations)
{
    const double *of = operations->of;
    return of[OPERATION_ADD] + of[OPERATION_MUL] + 2.0 * of[OPERATION_MADD] + of[OPERATION_DIV] +
           of[OPERATION_SQRT];
}

int node_time_us(const struct node *node, const struct operations *operations, double *time_us,
                 const struct unit **limiting, struct error *error)
{
    if (limiting)
        *limiting = NULL;
    if (node && node->units.count > 0 && !isnan(node->clock_mhz)) {
        *time_us = node_bound_cycles(node, operations, limiting) / node->clock_mhz;
        return 0;
    }
    if (node && !isnan(node->rate_mflops)) {
        *time_us = operations_flops(operations) / node->rate_mflops;
        return 0;
    }
    return error_set(error, "the table's node has neither units with a clock nor rate_mflops: "
                            "its computation cannot be predicted: use --communication-only, or "
                            "another table's processor with --node");
}
