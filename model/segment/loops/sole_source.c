#include "model/segment/loops/sole_source.h"

#include <math.h>

/* Where the read's dimension is not distributed: how many elements the turn makes of it. Not those
   of a loop that the home follows, of which processors need different ones, nor of one loop twice.
 */
static bool count_whole(double *elements, const struct subscript *subscript,
                        const struct home *home, const struct turn *turn, bool used[LOOPS_MOST])
{
    *elements = 1.0;
    if (subscript->loop < 0)
        return true;
    if (used[subscript->loop] || home_following(home, subscript->loop) >= 0)
        return false;
    used[subscript->loop] = true;
    *elements = range_count(turn->ranges[subscript->loop]);
    return true;
}

/* The source's coordinate along the grid dimension of a dimension of the array, and its block. */
static bool find_owner(double *owner, double *block, const struct subscript *subscript,
                       const struct distribution *along)
{
    if (subscript->loop >= 0 || subscript->constant < 0.0 || subscript->constant >= along->elements)
        return false;
    *owner = distribution_owner(along, subscript->constant);
    *block = floor(subscript->constant / along->block);
    return true;
}

/* owners: of the source, by grid dimensions, each set. */
static bool find_elements(struct sole_source *source, double owners[DIMENSIONS_MOST],
                          const struct reference *read, const struct home *home,
                          const struct array_layout *lies, const struct turn *turn)
{
    bool used[LOOPS_MOST] = {false};
    struct subscript subscript;
    int distributed = 0;
    for (int d = 0; d < lies->dimensions; d++) {
        const int g = lies->along[d].grid_dimension;
        if (!reference_subscript(read, d, lies, turn->fixed, turn->at, &subscript))
            return false;
        source->elements[d] = 1.0;
        if (g < 0 ? !count_whole(&source->elements[d], &subscript, home, turn, used)
                  : !find_owner(&owners[g], &source->along[g].block, &subscript, &lies->along[d]))
            return false;
        distributed += g >= 0;
    }
    return distributed == home->grid_dimensions;
}

static bool count_loop(struct sole_source_along *along, const struct home_axis *axis, double owner,
                       const struct turn *turn)
{
    if (turn->ordinal[axis->subscript.loop] || !home_elements(axis, turn->ranges, &along->ran))
        return false;
    along->executing = distribution_owners_within(&axis->along, along->ran.first, along->ran.last);
    along->has_source =
        distribution_count(&axis->along, owner, along->ran.first, along->ran.last) > 0.0;
    along->are_all = along->executing == axis->along.processors;
    return true;
}

static bool count_executing(struct sole_source_along *along, const struct home *home, int g,
                            double owner, const struct turn *turn)
{
    const struct home_axis *axis = &home->axes[g];
    const double block = floor(axis->subscript.constant / axis->along.block);
    switch (axis->kind) {
    case AXIS_ALL:
        along->executing = home->grid[g];
        along->has_source = along->are_all = true;
        return true;
    case AXIS_ONE:
        along->executing = 1.0;
        along->has_source = distribution_owner(&axis->along, axis->subscript.constant) == owner;
        along->ran = (struct range){block, block};
        return true;
    case AXIS_LOOP:
        return count_loop(along, axis, owner, turn);
    }
    return false;
}

static bool runs(const struct turn *turn)
{
    for (int l = 0; l < turn->depth; l++)
        if (!turn->fixed[l] && range_count(turn->ranges[l]) == 0.0)
            return false;
    return true;
}

bool sole_source_find(struct sole_source *source, const struct reads *reads,
                      const struct home *home, const struct array_layout *lies,
                      const struct turn *turn)
{
    double owners[DIMENSIONS_MOST] = {0.0}, executing_all = 1.0;
    bool executes = true;
    *source = (struct sole_source){0};
    if (reads->count != 1 || reads->array->periodic || !runs(turn) ||
        !find_elements(source, owners, reads->references[0], home, lies, turn))
        return false;
    for (int g = 0; g < home->grid_dimensions; g++) {
        if (!count_executing(&source->along[g], home, g, owners[g], turn))
            return false;
        executing_all *= source->along[g].executing;
        executes &= source->along[g].has_source;
    }
    source->receivers = executing_all - executes;
    source->dimensions = lies->dimensions;
    source->grid_dimensions = home->grid_dimensions;
    return true;
}

/* ---- turns between two turns ---- */

static bool is_within(struct range inner, struct range outer)
{
    return inner.first >= outer.first && inner.last <= outer.last;
}

/* What is executed moves evenly, so that where it shrinks or grows it does all the way: fewer or
   more coordinates execute then, or as many. The block that the source has moves one way, too: the
   same block has the same owner, and whether that one executes changes once at most. */
static bool are_receivers_even(const struct sole_source_along *first,
                               const struct sole_source_along *last)
{
    if (first->executing != last->executing || first->has_source != last->has_source ||
        !(is_within(last->ran, first->ran) || is_within(first->ran, last->ran)))
        return false;
    return (first->are_all && last->are_all) || first->block == last->block;
}

/* A message of several elements, but fewer than a processor has, stays in one piece or in several
   (pieces_of): none of them is the first or the last of which there is another one. */
static bool are_elements_even(double first, double last, double extent)
{
    return first == last || (fmin(first, last) > 1.0 && fmax(first, last) < extent);
}

bool sole_source_is_even(const struct sole_source *first, const struct sole_source *last,
                         const struct array_layout *lies)
{
    int changing = 0;
    for (int g = 0; g < first->grid_dimensions; g++)
        if (!are_receivers_even(&first->along[g], &last->along[g]))
            return false;
    for (int d = 0; d < first->dimensions; d++) {
        if (!are_elements_even(first->elements[d], last->elements[d], lies->extent[d]))
            return false;
        changing += first->elements[d] != last->elements[d];
    }
    return changing <= 1; /* of two the product would not go evenly */
}
