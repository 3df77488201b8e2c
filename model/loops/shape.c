#include "model/loops/shape.h"

#include "model/segment/memory/footprint.h"

#include <math.h>
#include <string.h>

/* Of nearly all processors; on others the same unit serves as well. */
static const double line_bytes = 64.0, page_bytes = 4096.0;

static const double crowding_most = 7.0;

/* Pieces of so many bytes that are touched while the innermost `running` loops run. */
static double touched(const struct loop_node *leaf, int running, size_t array_count,
                      double piece_bytes)
{
    const int depth = leaf->leaf->nest.depth - running;
    struct footprint footprint = {.depth = depth > 0 ? depth : 0};
    footprint_add(&footprint, leaf);
    const double pieces = footprint_all_lines(&footprint, array_count, piece_bytes, NULL);
    footprint_free(&footprint);
    return fmax(pieces, 1.0);
}

/* The powers of two in a step, above a line. */
static double crowding_of(double step_bytes)
{
    double digits = 0.0;
    for (double lines = step_bytes / line_bytes;
         lines >= 2.0 && fmod(lines, 2.0) == 0.0 && digits < crowding_most; lines *= 0.5)
        digits += 1.0;
    return digits;
}

/* Of the walk of one reference along the innermost loop. */
static double walk_crowding(const struct touch *touch, int innermost)
{
    const struct reference *reference = &touch->reference;
    double step_bytes = 0.0;
    for (int d = 0; d < reference->dimensions; d++) {
        const int dimension = array_dimension(reference->array, reference->dimensions, d);
        const double by = reference->subscripts[dimension].by[innermost];
        const double bytes = touch_step_bytes(touch, d);
        if (by != 0.0 && !isnan(bytes))
            step_bytes += fabs(by) * bytes;
    }
    return crowding_of(step_bytes);
}

struct loop_shape loop_shape_of(const struct loop_node *leaf, int nest, size_t array_count)
{
    const struct mean_nest *mean = &leaf->leaf->nest;
    const struct touch *touches = leaf->leaf->touches.items;
    struct loop_shape shape = {
        .row = mean->depth > 0 ? mean_trips(mean, mean->depth - 1) : 1.0,
        .plane_bytes = line_bytes * touched(leaf, nest < 2 ? nest : 2, array_count, line_bytes),
        .nest_bytes = line_bytes * touched(leaf, nest, array_count, line_bytes),
        .row_pages = touched(leaf, 1, array_count, page_bytes),
    };
    for (size_t i = 0; i < leaf->leaf->touches.count && mean->depth > 0; i++)
        shape.crowding = fmax(shape.crowding, walk_crowding(&touches[i], mean->depth - 1));
    return shape;
}

const struct loop_node *loop_shape_leaf(const struct loop_node *node, const char *hash)
{
    const struct loop_node *children = node->children.items, *found = NULL;
    const struct statement *first = node->leaf ? node->leaf->first->statement : NULL;
    if (first && first->source_hash && strcmp(first->source_hash, hash) == 0)
        return node;
    for (size_t i = 0; i < node->children.count && !found; i++)
        found = loop_shape_leaf(&children[i], hash);
    return found;
}
