#include "model/segment/memory/local.h"

#include "model/base/allocation.h"
#include "model/segment/loops/home.h"
#include "model/segment/loops/settle.h"

#include <math.h>
#include <stdlib.h>

/* What of a loop's values one processor runs. */
struct loop_share {
    const struct loop *loop;
    double share;
};

struct localising {
    const struct program *program;
    const struct layout *layout;
    struct list shares; /* of struct loop_share */
    const struct loop *path[LOOPS_MOST];
    int depth;
};

static const struct record share_list = {
    .name = "a share", .size = sizeof(struct loop_share), .place_offset = NO_PLACE};

/* ---- shares of loops ---- */

static double share_of(const struct localising *it, const struct loop *loop)
{
    const struct loop_share *shares = it->shares.items;
    for (size_t i = 0; i < it->shares.count; i++)
        if (shares[i].loop == loop)
            return shares[i].share;
    return 1.0;
}

/* Of several statements in a loop, the one that runs the most of it counts. */
static void note_share(struct localising *it, const struct loop *loop, double share)
{
    struct loop_share *shares = it->shares.items;
    for (size_t i = 0; i < it->shares.count; i++)
        if (shares[i].loop == loop) {
            shares[i].share = fmax(shares[i].share, share);
            return;
        }
    *(struct loop_share *)list_add(&share_list, &it->shares) = (struct loop_share){loop, share};
}

static double most_of(const struct home *home, int g, const struct range *ranges)
{
    double *counts = memory_new((size_t)home->grid[g], sizeof *counts), most = 0.0;
    home_counts(&home->axes[g], ranges, home->grid[g], counts);
    for (size_t q = 0; q < (size_t)home->grid[g]; q++)
        most = fmax(most, counts[q]);
    free(counts);
    return most;
}

int loops_trips(const struct instance *instance, const struct program *program,
                const struct layout *layout, double *all, double *mine, struct error *error)
{
    const struct nest *nest = &instance->nest;
    const bool fixed[LOOPS_MOST] = {false};
    const double zero[LOOPS_MOST] = {0.0};
    struct range ranges[LOOPS_MOST] = {
        {0.0, 0.0}
    };
    struct home home;
    const bool follows =
        home_of(&home, settled_home(instance, layout), layout, program, fixed, zero);
    for (int l = 0; l < nest->depth; l++) {
        if (nest_hull(nest, l, fixed, zero, ranges, &ranges[l], error) != 0)
            return -1;
        const int g = follows ? home_following(&home, l) : -1;
        all[l] = range_count(ranges[l]);
        mine[l] = g < 0 ? all[l] : most_of(&home, g, ranges);
    }
    return 0;
}

static int note_instance(struct localising *it, const struct instance *instance,
                         struct error *error)
{
    double all[LOOPS_MOST], mine[LOOPS_MOST];
    if (loops_trips(instance, it->program, it->layout, all, mine, error) != 0)
        return -1;
    for (int l = 0; l < instance->nest.depth; l++)
        note_share(it, instance->nest.loops[l], all[l] == 0.0 ? 1.0 : mine[l] / all[l]);
    return 0;
}

static int note_shares(struct localising *it, const struct list *instances, struct error *error)
{
    const struct instance *all = instances->items;
    for (size_t i = 0; i < instances->count; i++)
        if (all[i].statement && note_instance(it, &all[i], error) != 0)
            return -1;
    return 0;
}

/* ---- arrays ---- */

struct array_share array_share(const struct array_layout *array)
{
    struct array_share share = {1.0, 1.0, 1.0};
    for (int d = 0; d < array->dimensions; d++) {
        const struct distribution *along = &array->along[d];
        if (along->grid_dimension < 0)
            continue;
        const double part =
            distribution_count(along, 0.0, 0.0, along->elements - 1.0) / along->elements;
        share.all *= part;
        if (d == 0)
            share.first = part;
        if (d + 1 == array->dimensions)
            share.last = part;
    }
    return share;
}

static void shrink_touch(const struct localising *it, struct touch *touch)
{
    const struct array_share share = array_share(&it->layout->arrays[touch->array]);
    const bool by_columns = touch->reference.array->order == ORDER_FORTRAN;
    touch->bytes *= share.all;
    touch->row_bytes *= by_columns ? share.first : share.last;
    touch->slab_bytes *= share.all / (by_columns ? share.last : share.first);
}

/* ---- the tree ---- */

static void shrink_leaf(const struct localising *it, struct leaf *leaf)
{
    struct touch *touches = leaf->touches.items;
    for (int l = 0; l < it->depth; l++) {
        const double share = share_of(it, it->path[l]);
        const double trips = mean_trips(&leaf->nest, l) * share;
        leaf->nest.last[l] = leaf->nest.first[l] + trips - 1.0;
        leaf->executions *= share;
    }
    for (size_t i = 0; i < leaf->touches.count; i++)
        shrink_touch(it, &touches[i]);
}

static void shrink_node(struct localising *it, struct loop_node *node)
{
    struct loop_node *children = node->children.items;
    if (node->leaf) {
        shrink_leaf(it, node->leaf);
        return;
    }
    if (node->loop) {
        node->trips *= share_of(it, node->loop);
        it->path[it->depth++] = node->loop;
    }
    for (size_t i = 0; i < node->children.count; i++)
        shrink_node(it, &children[i]);
    it->depth -= node->loop != NULL;
}

int loops_localise(struct loop_node *segment, const struct list *instances,
                   const struct program *program, const struct layout *layout, struct error *error)
{
    struct localising it = {.program = program, .layout = layout};
    const int status = note_shares(&it, instances, error);
    if (status == 0)
        shrink_node(&it, segment);
    list_free(&share_list, &it.shares);
    return status;
}
