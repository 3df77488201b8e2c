#include "model/segment/loops/tiling.h"

#include "model/base/allocation.h"
#include "model/segment/loops/instance.h"

#include <math.h>
#include <stdlib.h>

static bool is_constant(const struct loop_bound *bound, int depth)
{
    for (int k = 0; k < depth && bound->is_affine; k++)
        if (bound->value.by[k] != 0.0)
            return false;
    return bound->is_affine;
}

/* A loop over tiles, the one over the elements of a tile, and by how much these move from one tile
   to the next where they are counted from where the tile begins, as in a[16 * ii + i]; 0: they are
   counted from where the array does. */
struct tiles {
    int tiles, elements;
    double by;
};

/* Whether the tiles' index moves a subscript as much as so many elements of a tile do. Which loop
   these are, the first subscript says that has the tiles' index. */
static bool is_of_tiles(struct tiles *it, const struct affine *subscript)
{
    const double by = subscript->by[it->tiles];
    if (by != 0.0 && it->elements < 0) {
        it->elements = affine_loop(subscript, it->tiles + 1);
        it->by = it->elements < 0 ? 0.0 : by / subscript->by[it->elements];
    }
    return it->elements < 0 ? by == 0.0 : by == it->by * subscript->by[it->elements];
}

static bool are_all_of_tiles(struct tiles *it, const struct reference *reference)
{
    bool all = true;
    for (int d = 0; d < reference->dimensions; d++)
        all &= is_of_tiles(it, &reference->subscripts[d]);
    return all;
}

static bool refers_by_tiles(struct tiles *it, const struct instance *instance)
{
    bool all = (!instance->has_writes || are_all_of_tiles(it, &instance->writes)) &&
               (!instance->has_home || are_all_of_tiles(it, &instance->home));
    for (size_t k = 0; k < instance->read_count; k++)
        all &= are_all_of_tiles(it, &instance->reads[k]);
    return all;
}

/* Whether the bounds of the elements depend on the tiles at most, and those of no other loop do. */
static bool are_bounds_of_tiles(const struct tiles *it, const struct nest *nest)
{
    for (int l = it->tiles + 1; l < nest->depth; l++)
        if (l != it->elements && nest->outer[l][it->tiles])
            return false;
    for (int k = 0; k < it->elements; k++)
        if (k != it->tiles && nest->outer[it->elements][k])
            return false;
    return is_constant(&nest->first[it->tiles], it->tiles) &&
           is_constant(&nest->last[it->tiles], it->tiles);
}

static bool find_tiles(struct tiles *it, const struct instance *instance, int loop)
{
    const struct nest *nest = &instance->nest;
    *it = (struct tiles){.tiles = loop, .elements = -1};
    if ((instance->statement && instance->statement->gathers.count > 0) || instance->call)
        return false;
    refers_by_tiles(it, instance); /* finds the elements */
    for (int l = loop + 1; l < nest->depth && it->elements < 0; l++)
        if (nest->outer[l][loop])
            it->elements = l;
    return it->elements >= 0 && refers_by_tiles(it, instance) && are_bounds_of_tiles(it, nest);
}

/* So many tiles are gone through in a tenth of a second. */
static const double tiles_most = 1e6;

/* The elements of all tiles, counted from where the array begins; false: one tile does not begin
   where the one before ends, or nobody can tell. Where the bounds are affine, what holds of the
   first two tiles and of the last two holds of all. */
static bool find_all(const struct tiles *it, const struct nest *nest, struct range *all)
{
    const double first = nest->first[it->tiles].value.constant;
    const double last = nest->last[it->tiles].value.constant;
    const bool is_affine =
        nest->first[it->elements].is_affine && nest->last[it->elements].is_affine;
    double at[LOOPS_MOST] = {0.0};
    bool is_begun = false;
    if (!is_affine && last - first > tiles_most)
        return false;
    for (double tile = first; tile <= last; tile += 1.0) {
        struct error unnoted;
        struct range here;
        const bool leaps = is_affine && tile == first + 2.0 && tile < last - 1.0;
        if (leaps)
            tile = last - 1.0;
        at[it->tiles] = tile;
        if (nest_range(nest, it->elements, at, &here, &unnoted) != 0)
            return false;
        const double moved = it->by * tile;
        if (range_count(here) == 0.0) {
            if (is_affine && last - first > 3.0)
                return false;
            continue;
        }
        if (is_begun && !leaps && here.first + moved != all->last + 1.0)
            return false;
        if (!is_begun)
            all->first = here.first + moved;
        all->last = here.last + moved;
        is_begun = true;
    }
    return is_begun;
}

static void set_range(struct nest *nest, int l, double first, double last)
{
    nest->first[l].is_affine = nest->last[l].is_affine = true;
    nest->first[l].value = (struct affine){.constant = first};
    nest->last[l].value = (struct affine){.constant = last};
    nest->least[l] = first;
    nest->most[l] = last;
}

static void leave_tiles_out(struct reference *reference, int tiles)
{
    for (int d = 0; d < reference->dimensions; d++)
        reference->subscripts[d].by[tiles] = 0.0;
}

static void undo(struct instance *instance, const struct tiles *it)
{
    struct nest *nest = &instance->nest;
    struct range all;
    if (!find_all(it, nest, &all))
        return;
    set_range(nest, it->elements, all.first, all.last);
    set_range(nest, it->tiles, 0.0, 0.0); /* which tile it is matters no more */
    nest->outer[it->elements][it->tiles] = false;
    nest->first[it->elements].turns[it->tiles] = nest->last[it->elements].turns[it->tiles] = false;
    if (it->by == 0.0)
        return;
    leave_tiles_out(&instance->writes, it->tiles);
    leave_tiles_out(&instance->home, it->tiles);
    for (size_t k = 0; k < instance->read_count; k++)
        leave_tiles_out(&instance->reads[k], it->tiles);
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

/* Whether all that is in the loop over tiles is in the one over their elements, which is next to
   it: both are the same as one loop then, whatever is sent. */
static bool is_nothing_between(const struct list *instances, const struct instance *inside,
                               const struct tiles *it)
{
    const struct instance *all = instances->items;
    for (size_t i = 0; i < instances->count; i++) {
        struct tiles other;
        if (nest_common(&all[i].nest, &inside->nest) > it->tiles &&
            (nest_common(&all[i].nest, &inside->nest) <= it->elements ||
             !find_tiles(&other, &all[i], it->tiles) || other.elements != it->elements ||
             other.by != it->by))
            return false;
    }
    return it->elements == it->tiles + 1;
}

void tiling_undo(struct list *instances, bool are_placed)
{
    struct instance *all = instances->items;
    for (int l = 0; l < LOOPS_MOST; l++) {
        bool *is_undone = memory_new(instances->count, sizeof *is_undone);
        struct tiles *tiles = memory_new(instances->count, sizeof *tiles);
        for (size_t i = 0; i < instances->count; i++)
            is_undone[i] = l < all[i].nest.depth && find_tiles(&tiles[i], &all[i], l) &&
                           (are_placed ? !sends_within(instances, all[i].nest.loops[l])
                                       : is_nothing_between(instances, &all[i], &tiles[i]));
        for (size_t i = 0; i < instances->count; i++)
            if (is_undone[i])
                undo(&all[i], &tiles[i]);
        free(is_undone);
        free(tiles);
    }
}
