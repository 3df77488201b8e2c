#include "model/segment/memory/walk.h"

#include "model/node/strided.h"
#include "model/segment/memory/footprint.h"

#include <math.h>

/* Bytes from the element of one iteration of the innermost loop that runs to that of the next. */
static double stride_bytes(const struct leaf *leaf, const struct touch *touch)
{
    const struct reference *reference = &touch->reference;
    int loop = leaf->nest.depth - 1;
    double bytes = 0.0;
    while (loop >= 0 && mean_trips(&leaf->nest, loop) <= 1.0)
        loop--;
    for (int d = 0; d < reference->dimensions && loop >= 0; d++) {
        const int dimension = array_dimension(reference->array, reference->dimensions, d);
        const double step = reference->subscripts[dimension].by[loop];
        bytes += step == 0.0 ? 0.0 : step * touch_step_bytes(touch, d);
    }
    return fabs(bytes);
}

/* Whether the leaf stores to another array as well, whose lines it fills element by element: most
   of these stores find theirs in the cache. */
static bool stores_in_turn(const struct leaf *leaf, size_t array, double line_bytes)
{
    const struct touch *touches = leaf->touches.items;
    for (size_t i = 0; i < leaf->touches.count; i++) {
        const double bytes = stride_bytes(leaf, &touches[i]);
        if (touches[i].array != array && touches[i].modified && bytes > 0.0 && bytes < line_bytes)
            return true;
    }
    return false;
}

double walk_more_cycles(const struct leaf *leaf, size_t array, bool store,
                        const struct cache *cache)
{
    const struct touch *touches = leaf->touches.items;
    struct walk walk = {.stores = store,
                        .in_turn = store && stores_in_turn(leaf, array, cache->line_bytes)};
    double least = INFINITY;
    for (size_t i = 0; i < leaf->touches.count; i++) {
        if (touches[i].array != array)
            continue;
        walk.stride_bytes = stride_bytes(leaf, &touches[i]);
        least = fmin(least, strided_more_cycles(cache, &walk));
    }
    return isfinite(least) ? least : 0.0;
}
