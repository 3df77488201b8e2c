#include "model/segment/loops/tiling.h"

#include "model/segment/loops/instance.h"

#include <math.h>

static bool is_constant(const struct loop_bound *bound, int depth)
{
    for (int k = 0; k < depth && bound->is_affine; k++)
        if (bound->value.by[k] != 0.0)
            return false;
    return bound->is_affine;
}

/* Whether the bound follows that loop alone. */
static bool follows(const struct loop_bound *bound, int depth, int loop)
{
    for (int k = 0; k < depth && bound->is_affine; k++)
        if ((bound->value.by[k] != 0.0) != (k == loop))
            return false;
    return bound->is_affine;
}

static bool is_named(const struct instance *it, int loop)
{
    bool named = (it->has_writes && reference_names(&it->writes, loop)) ||
                 (it->has_home && reference_names(&it->home, loop));
    for (size_t k = 0; k < it->read_count; k++)
        named |= reference_names(&it->reads[k], loop);
    return named || (it->statement && it->statement->gathers.count > 0) || it->call;
}

/* The only loop whose bounds depend on that one; -1: there is none, or several. */
static int only_within(const struct nest *nest, int loop)
{
    int found = -1;
    for (int l = loop + 1; l < nest->depth; l++) {
        if (!nest->outer[l][loop])
            continue;
        if (found >= 0)
            return -1;
        found = l;
    }
    return found;
}

/* Whether a message is sent, or may wait, within a loop. */
static bool sends_within(const struct list *instances, const struct loop *loop)
{
    const struct instance *all = instances->items;
    for (size_t i = 0; i < instances->count; i++)
        for (int l = 0; l < all[i].nest.depth; l++) {
            if (all[i].nest.loops[l] != loop)
                continue;
            if (all[i].call || all[i].needed_within > l || instance_sends_result(&all[i]))
                return true;
            for (size_t k = 0; k < all[i].read_count; k++)
                if (all[i].placements[k].depth > l)
                    return true;
        }
    return false;
}

static void set_range(struct nest *nest, int l, double first, double last)
{
    nest->first[l].value = (struct affine){.constant = first};
    nest->last[l].value = (struct affine){.constant = last};
    nest->least[l] = first;
    nest->most[l] = last;
}

/* Tiles of as many elements as they are apart, or one tile of any. */
static void undo(struct instance *it, int tiles)
{
    struct nest *nest = &it->nest;
    const int elements = only_within(nest, tiles);
    if (elements < 0 || !is_constant(&nest->first[tiles], tiles) ||
        !is_constant(&nest->last[tiles], tiles) || is_named(it, tiles))
        return;
    const double first = nest->first[tiles].value.constant, last = nest->last[tiles].value.constant;
    const struct loop_bound *from = &nest->first[elements], *to = &nest->last[elements];
    const bool from_moves = follows(from, elements, tiles), to_moves = follows(to, elements, tiles);
    if (first > last || !(from_moves || is_constant(from, elements)) ||
        !(to_moves || is_constant(to, elements)))
        return;
    const double by = from->value.by[tiles];
    const bool is_tiled = from_moves && to_moves && by > 0.0 && to->value.by[tiles] == by &&
                          to->value.constant - from->value.constant + 1.0 == by;
    if (first != last && !is_tiled)
        return;
    set_range(nest, elements, from->value.constant + from->value.by[tiles] * first,
              to->value.constant + to->value.by[tiles] * last);
    set_range(nest, tiles, first, first);
    nest->outer[elements][tiles] = false;
}

void tiling_undo(struct list *instances)
{
    struct instance *all = instances->items;
    for (size_t i = 0; i < instances->count; i++)
        for (int l = 0; l < all[i].nest.depth; l++)
            if (!sends_within(instances, all[i].nest.loops[l]))
                undo(&all[i], l);
}
