#include "forecast/predict/compute.h"

#include "forecast/predict/compiled_chains.h"
#include "forecast/predict/compute_misses.h"
#include "model/cost/confidence.h"
#include "model/loops/curve_time.h"
#include "model/segment/memory/misses.h"
#include "model/segment/memory/rows.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

const char row_measured_loop[] = "measured";

/* ---- statements in a row ---- */

static bool has(const struct leaf *leaf, const struct statement *statement)
{
    size_t seen = 0;
    for (const struct step *step = leaf->first; seen < leaf->statements; step++) {
        seen += step->statement != NULL;
        if (step->statement == statement)
            return true;
    }
    return false;
}

static const struct leaf *leaf_of(const struct loop_node *node, const struct statement *statement)
{
    const struct loop_node *children = node->children.items;
    const struct leaf *leaf = node->leaf && has(node->leaf, statement) ? node->leaf : NULL;
    for (size_t i = 0; i < node->children.count && !leaf; i++)
        leaf = leaf_of(&children[i], statement);
    return leaf;
}

static bool is_same_kernel(const struct statement *a, const struct statement *b)
{
    return a->kernel && b->kernel ? strcmp(a->kernel, b->kernel) == 0 : a->kernel == b->kernel;
}

/* How many works from this one on are of the leaf and of one kind, and run as often. */
static size_t row_length(const struct leaf *leaf, const struct work *works, size_t count)
{
    size_t length = 1;
    while (length < count && has(leaf, works[length].statement) &&
           works[length].iterations_most == works->iterations_most &&
           works[length].pipeline == works->pipeline &&
           is_same_kernel(works[length].statement, works->statement))
        length++;
    return length;
}

/* ---- one pass ---- */

/* The root of the mean square of the logarithm of predicted over measured times of loops that
   nobody knows: of the 95 of 100 nearest of 440 loops and sizes of PolyBench, by gcc and clang, -O2
   and -O3 -march=native, on an AMD EPYC; of 61 of ParRes' kernels and of NPB's SP and BT it was
   0.17. The farthest are off by what is not modelled, and no width for all would be told by them.
 */
static const double loop_spread = 0.274;

/* The same of 125 for which a compiler may use wide instructions, which is its own choice, where
   the trainer's loops did. */
static const double wide_spread = 0.43;

/* The root of the mean square of the logarithm of predicted over measured times, of 47 runs of the
   sample programs on one processor and 47 on two (doc/validation.md): other lengths, other
   operands, another moment. */
static const double kernel_spread = 0.22;

struct pass {
    const struct computing *computing;
    const struct leaf *leaf;
    const struct told_misses *told;
    enum repetition kind;
    enum capacity capacity;
    bool is_without_functions; /* calls of library functions take nothing */
    bool is_in_memory;         /* what may have to be loaded from iteration to iteration is */
    double row_most;           /* iterations that tiles leave of a row; INFINITY: all */
};

static int check_told(const struct pass *pass, struct error *error)
{
    const struct memory_level *caches[MEMORY_LEVELS_MOST + 1];
    const struct machine *machine = pass->computing->machine;
    const size_t count = memory_caches(machine->memory, caches);
    const double clock_mhz = pass->computing->node->clock_mhz;
    const double load =
        count ? memory_line_cycles(machine->memory, caches[0], false, clock_mhz) : (double)NAN;
    const double store =
        count ? memory_line_cycles(machine->memory, caches[0], true, clock_mhz) : (double)NAN;
    if ((pass->told->load > 0.0 && isnan(load)) || (pass->told->store > 0.0 && isnan(store)))
        return error_set(error, "the table does not say what a line costs that the nearest cache "
                                "misses: the misses that are told cannot be priced");
    return 0;
}

static int set_missed(struct essential *essential, const struct pass *pass, struct error *error)
{
    const struct computing *it = pass->computing;
    const struct leaf *leaf = pass->leaf;
    if (pass->told->kind == MISSES_TOLD) {
        essential->missed[0] = (struct lines){pass->told->load, pass->told->store, 0.0};
        return check_told(pass, error);
    }
    for (size_t i = 0; i < it->caches && leaf->executions > 0.0; i++) {
        const struct lines lines =
            misses_in(&it->misses[pass->capacity][i][leaf->number], pass->kind);
        if (misses_are_derived(it->machine, pass->told))
            essential->missed[i] =
                (struct lines){lines.load / leaf->executions, lines.store / leaf->executions,
                               lines.strided_cycles / leaf->executions};
    }
    return 0;
}

/* Whether a unit does nothing but load and store. */
static bool refers(const struct unit *unit)
{
    for (int k = 0; k < OPERATION_COUNT; k++)
        if (k != OPERATION_LOAD && k != OPERATION_STORE && unit->cycles.of[k] > 0.0)
            return false;
    return true;
}

/* Compiled loops take longer of the units than the bound says, and wait for chains as they are
   compiled.
   Lines that miss come after the loads and stores, as in the execution-cache-memory model: a core
   does not both fetch a line and use it. */
static double expected_cycles(const struct bound *bound, const struct node *node)
{
    const struct unit *units = node->units.items;
    double busiest = 0.0, references = 0.0;
    if (isnan(node->compiled.share))
        return bound->cycles;
    for (size_t i = 0; i < bound->units; i++) {
        busiest = fmax(busiest, bound->unit_cycles[i]);
        if (refers(&units[i]))
            references = fmax(references, bound->unit_cycles[i]);
    }
    references /= fmax(1.0, node->compiled.share); /* of several elements each */
    const double lines = bound->walked_cycles > 0.0 ? references + bound->walked_cycles : 0.0;
    return fmax(busiest / node->compiled.share, fmax(bound->dependence_cycles, lines));
}

/* The trainer's sum of products waits for its chain, which may be counted already. */
static bool waits_for_chain(const char *name, const struct essential *essential)
{
    return name && strcmp(name, node_sum_kernel) == 0 && essential->chain_count > 0;
}

/* What is known of one kind of loop goes before what is known of all. */
static void choose_share(struct node *node, struct row *row, const struct essential *essential,
                         const char *name)
{
    const struct compiled_kernel *kernel = node_kernel(node, name);
    if (kernel && !waits_for_chain(name, essential)) {
        node->compiled.share = kernel->compiled_share;
        row->spread = kernel_spread;
    } else if (node->compiled.share_high > node->compiled.share_low) {
        row->spread = fmin(loop_spread, log(node->compiled.share_high / node->compiled.share_low) /
                                            (2.0 * deviations_of_p95));
    }
}

/* Of several elements an instruction: of those that lie one behind the other, and in no chain. */
static bool may_be_wide(const struct essential *essential)
{
    return essential->wide_loads == 1.0 && essential->wide_stores == 1.0 &&
           essential->chain_count == 0;
}

/* Where the table knows what compiled loops reach, it is of one element an instruction. */
static int bound_us(double *time_us, struct row *row, const struct computing *it,
                    const struct essential *essential, const char *kernel, struct error *error)
{
    struct node node = *it->node;
    struct bound bound;
    choose_share(&node, row, essential, kernel);
    node_as_compiled(&node);
    if (node.compiled.share > 1.0 && !may_be_wide(essential)) /* never where it is not known */
        node.compiled.share = 1.0;
    if (node.compiled.share > 1.0 && row->spread > 0.0)
        row->spread = fmax(row->spread, wide_spread);
    if (!isnan(node.compiled.share))
        node.lanes = (struct operations){{0}};
    if (bound_make(&bound, &node, it->machine->memory, essential, CONVENTION_TEXT, error) != 0)
        return -1;
    *time_us = expected_cycles(&bound, &node) / node.clock_mhz;
    snprintf(row->limit, sizeof row->limit, "%.60s", bound.limit);
    row->flags |= bound.has_unpriced_misses ? (unsigned)COST_UNPRICED_MISSES : 0;
    bound_free(&bound);
    return 0;
}

/* A row that is the whole leaf has its dependences and lanes too. */
static struct essential essential_of(const struct leaf *leaf, const struct work *works,
                                     size_t length)
{
    struct essential essential = leaf->essential;
    if (length == leaf->statements)
        return essential;
    for (int k = 0; k < OPERATION_COUNT; k++) {
        essential.operations.of[k] = 0.0;
        for (size_t i = 0; i < length; i++)
            essential.operations.of[k] += works[i].statement->operations.of[k];
    }
    return essential;
}

/* ---- loops that were measured ---- */

/* Where nothing tells how far a curve is off: as a loop's price is. Outside what was measured more
   is not known. */
static const double curve_spread = 0.22, beyond_spread = 0.5;

static const struct loop_node *node_of(const struct loop_node *node, const struct leaf *leaf)
{
    const struct loop_node *children = node->children.items, *found = NULL;
    if (node->leaf == leaf)
        return node;
    for (size_t i = 0; i < node->children.count && !found; i++)
        found = node_of(&children[i], leaf);
    return found;
}

/* The row by the curve of the loop that it stands in; false: there is none. The loop's time is that
   of its first statement. */
static bool measured_row(struct row *row, const struct pass *pass, const struct work *works)
{
    const struct computing *it = pass->computing;
    const struct loop_curve *curve = loop_curves_find(it->curves, works->statement->source_hash);
    if (!curve)
        return false;
    const struct loop_shape shape =
        loop_shape_of(node_of(&it->root, pass->leaf), (int)curve->nest, it->arrays);
    const struct loop_time time = loop_curve_time(curve, &shape, it->is_together);
    const bool is_first = works->statement == pass->leaf->first->statement;
    row->each_us = is_first ? time.each_ns * 1e-3 : 0.0;
    row->spread = isnan(curve->error_p95) ? curve_spread : curve->error_p95 / deviations_of_p95;
    row->spread = fmax(row->spread, time.is_beyond ? beyond_spread : 0.0);
    row->flags |= time.is_beyond ? (unsigned)COST_LOOP_BEYOND : 0;
    snprintf(row->limit, sizeof row->limit, "%s", row_measured_loop);
    return true;
}

/* The misses are those of the leaf's first statement. */
static int row_us(double *time_us, struct row *row, const struct pass *pass,
                  const struct work *works, struct error *error)
{
    struct essential essential = essential_of(pass->leaf, works, row->count);
    for (size_t i = 0; i < row->count && pass->is_without_functions; i++)
        for (int k = 0; k < OPERATION_COUNT; k++)
            essential.operations.of[k] =
                fmax(0.0, essential.operations.of[k] - works[i].statement->functions.of[k]);
    compiled_chains(&essential, pass->leaf, pass->is_in_memory, pass->computing->node);
    rows_overlap(&essential, pass->leaf, pass->row_most, pass->computing->node);
    if (works[0].statement == pass->leaf->first->statement &&
        set_missed(&essential, pass, error) != 0)
        return -1;
    return bound_us(time_us, row, pass->computing, &essential, works->statement->kernel, error);
}

/* Tiles cut the rows of what stands in their loop, where it is told how wide they are. */
static double tile_width_of(const struct analysis *analysis, const struct work *work,
                            const struct leaf *leaf)
{
    const struct pipeline *pipeline = analysis->pipelines.items;
    const struct loop *tiles = work->pipeline >= 0 ? pipeline[work->pipeline].strips : NULL;
    const struct step *steps = tiles ? tiles->body.items : NULL;
    const bool cut = steps && leaf->first >= steps && leaf->first < steps + tiles->body.count;
    return cut && pipeline[work->pipeline].strip > 0.0 ? pipeline[work->pipeline].strip
                                                       : (double)INFINITY;
}

/* The node of machine_leave_out_computation. */
static bool is_left_out(const struct node *node)
{
    return node && isinf(node->rate_mflops);
}

/* The mean over the repetitions, for caches of one capacity. */
static int mean_us(double *time_us, struct row *row, struct pass *pass, const struct work *works,
                   const struct analysis *analysis, struct error *error)
{
    const struct computing *it = pass->computing;
    double times[REPETITIONS], kind_us, sum_us = 0.0;
    repetitions_of(times, analysis->repeat / it->root.trips, it->root.trips);
    for (pass->kind = REPETITION_FIRST; pass->kind < REPETITIONS; pass->kind++) {
        if (times[pass->kind] <= 0.0 && pass->kind != REPETITION_FIRST)
            continue;
        if (row_us(&kind_us, row, pass, works, error) != 0)
            return -1;
        if (pass->kind == REPETITION_FIRST)
            *time_us = kind_us;
        sum_us += times[pass->kind] * kind_us;
    }
    if (analysis->repeat > 0.0)
        *time_us = sum_us / analysis->repeat;
    return 0;
}

/* Where a capacity is an interval, or it is the compiler's whether a sum waits for memory: the
   middle of what the ends make, and a spread that reaches them. */
static int modelled_row(struct row *row, struct pass *pass, const struct work *works,
                        const struct analysis *analysis, struct error *error)
{
    double least_us, most_us;
    const bool is_capacity_open = pass->computing->is_capacity_open;
    pass->capacity = CAPACITY_MOST;
    if (mean_us(&least_us, row, pass, works, analysis, error) != 0)
        return -1;
    row->each_us = least_us;
    pass->is_in_memory = compiled_chains_in_memory(pass->leaf, pass->computing->node);
    if (!is_capacity_open && !pass->is_in_memory)
        return 0;
    pass->capacity = is_capacity_open ? CAPACITY_LEAST : CAPACITY_MOST;
    if (mean_us(&most_us, row, pass, works, analysis, error) != 0)
        return -1;
    row->each_us = sqrt(least_us * most_us);
    if (least_us > 0.0)
        row->spread = hypot(row->spread, log(most_us / least_us) / (2.0 * confidence_deviations));
    return 0;
}

/* A library function takes between half and twice what stands for it in the description: of 36
   functions of glibc 2.36 on an Intel Xeon, in divisions, no other table of costs was farther off
   (McMahon's weights of the Livermore kernels, 8 additions each). */
static const double functions_most = 2.0;

/* What is uncertain of the row because library functions are called in it. */
static int add_functions(struct row *row, struct pass *pass, const struct work *works,
                         const struct analysis *analysis, struct error *error)
{
    struct row without = *row;
    bool has_functions = false;
    for (size_t i = 0; i < row->count; i++)
        has_functions = has_functions || !operations_absent(&works[i].statement->functions);
    if (!has_functions || row->each_us <= 0.0)
        return 0;
    pass->is_without_functions = true;
    if (modelled_row(&without, pass, works, analysis, error) != 0)
        return -1;
    const double share = fmax(0.0, 1.0 - without.each_us / row->each_us);
    row->spread = hypot(row->spread, log1p((functions_most - 1.0) * share) / confidence_deviations);
    return 0;
}

int computing_row(struct row *row, const struct computing *it, const struct segment *segment,
                  const struct analysis *analysis, size_t from, struct error *error)
{
    const struct work *works = (const struct work *)analysis->work.items + from;
    const struct leaf *leaf = it->has_units ? leaf_of(&it->root, works->statement) : NULL;
    *row = (struct row){.count = 1, .limit = "rate"};
    row->flags = is_left_out(it->machine->node) ? (unsigned)COST_COMMUNICATION_ONLY : 0;
    if (!leaf)
        return node_time_us(it->machine->node, &works->statement->operations, &row->each_us, NULL,
                            error);
    struct pass pass = {.computing = it,
                        .leaf = leaf,
                        .told = &segment->misses,
                        .row_most = tile_width_of(analysis, works, leaf)};
    row->count = row_length(leaf, works, analysis->work.count - from);
    if (measured_row(row, &pass, works))
        return 0;
    row->flags |= it->machine->loops ? (unsigned)COST_LOOP_NOT_MEASURED : 0;
    if (modelled_row(row, &pass, works, analysis, error) != 0 ||
        add_functions(row, &pass, works, analysis, error) != 0)
        return -1;
    row->spread = hypot(row->spread, it->flags_spread);
    row->flags |= it->flags_spread > 0.0 ? (unsigned)COST_OTHER_FLAGS : 0;
    return 0;
}
