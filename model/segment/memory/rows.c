#include "model/segment/memory/rows.h"

#include "model/node/window.h"

#include <math.h>

/* The counter of a loop, and the branch back. */
static const double loop_instructions = 2.0;

/* ---- which loops a chain runs through ---- */

static bool names(const struct reference *written, int loop)
{
    for (int d = 0; d < written->dimensions; d++)
        if (written->subscripts[d].by[loop] != 0.0)
            return true;
    return false;
}

/* Whether one more of the loop, all within it from their beginning, reads in a dimension what was
   written at their end. */
static bool goes_on_along(const struct mean_nest *nest, const struct affine *written,
                          const struct affine *read, int loop)
{
    double distance = read->constant + read->by[loop] - written->constant;
    for (int l = 0; l <= loop; l++)
        if (written->by[l] != read->by[l])
            return false;
    for (int l = loop + 1; l < nest->depth; l++)
        distance += read->by[l] * nest->first[l] - written->by[l] * nest->last[l];
    return distance == 0.0;
}

static bool goes_on(const struct mean_nest *nest, const struct reference *written,
                    const struct reference *read, int loop)
{
    if (read->array != written->array)
        return false;
    for (int d = 0; d < read->dimensions; d++)
        if (!goes_on_along(nest, &written->subscripts[d], &read->subscripts[d], loop))
            return false;
    return true;
}

static bool any_goes_on(const struct leaf *leaf, const struct reference *written,
                        const struct touch *reads, size_t read_count, int loop)
{
    for (size_t i = 0; i < read_count; i++)
        if (goes_on(&leaf->nest, written, &reads[i].reference, loop))
            return true;
    return false;
}

unsigned rows_of_reduction(const struct leaf *leaf, const struct reference *written)
{
    unsigned loops = 0;
    for (int l = 0; l < leaf->nest.depth; l++)
        if (written ? !names(written, l) : l == leaf->nest.depth - 1)
            loops |= 1U << l;
    return loops;
}

unsigned rows_of_recurrence(const struct leaf *leaf, const struct reference *written,
                            const struct touch *reads, size_t read_count)
{
    const int innermost = leaf->nest.depth - 1;
    if (innermost < 0)
        return 0;
    if (written && !names(written, innermost))
        return rows_of_reduction(leaf, written);
    unsigned loops = 1U << innermost;
    for (int l = innermost - 1; l >= 0 && written; l--) {
        if (!any_goes_on(leaf, written, reads, read_count, l))
            break;
        loops |= 1U << l;
    }
    return loops;
}

/* ---- how much of a chain counts ---- */

/* Iterations of a row that follow one another, and how many rows there are. */
static void measure_rows(const struct mean_nest *nest, unsigned loops, double *iterations,
                         double *rows)
{
    bool is_together = true;
    *iterations = *rows = 1.0;
    for (int l = nest->depth - 1; l >= 0; l--) {
        const double trips = fmax(1.0, mean_trips(nest, l));
        is_together = is_together && loops & 1U << l;
        if (is_together)
            *iterations *= trips;
        if (!(loops & 1U << l))
            *rows *= trips;
    }
}

static double operations_in(const struct operations *operations)
{
    double sum = 0.0;
    for (int k = 0; k < OPERATION_COUNT; k++)
        sum += operations->of[k];
    return sum;
}

/* As many as the compiler makes of them. */
static double compiled_operations(const struct operations *operations, const struct node *node)
{
    const double split = node && node_splits_madd(node) ? operations->of[OPERATION_MADD] : 0.0;
    return operations_in(operations) + split;
}

/* Operations of an iteration that wait, of all its chains: of one with a latency as told, one; and
   a store of the result, as far as the iteration stores. */
static double waiting(const struct essential *essential, const struct leaf *leaf,
                      const struct node *node)
{
    double sum = 0.0, stored = 0.0;
    for (size_t i = 0; i < essential->chain_count; i++) {
        sum += fmax(1.0, compiled_operations(&essential->chains[i].operations, node));
        stored += essential->chains[i].is_stored;
    }
    const double stores = leaf->essential.operations.of[OPERATION_STORE];
    return sum + stored + fmin((double)essential->chain_count - stored, stores);
}

/* The first row takes its time, and each of the others what is between the ends of two. */
void rows_overlap(struct essential *essential, const struct leaf *leaf, double row_most,
                  const struct node *node)
{
    struct window_row row = {
        .waiting = waiting(essential, leaf, node),
        .instructions = compiled_operations(&leaf->essential.operations, node) + loop_instructions};
    for (size_t i = 0; i < essential->chain_count; i++) {
        double rows;
        measure_rows(&leaf->nest, leaf->row_loops[i], &row.iterations, &rows);
        if (row.iterations > row_most) {
            rows *= row.iterations / row_most;
            row.iterations = row_most;
        }
        const double between = node ? window_share(node, &row) : 0.0;
        essential->chains[i].share = between + (1.0 - between) / rows;
    }
}
