#include "model/segment/loops/sole_source.h"

/* Of the coordinates along one grid dimension: how many execute, and whether that of the source
   does. */
struct executing {
    double count;
    bool has_source;
};

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

/* The source's coordinate along the grid dimension of a dimension of the array. */
static bool find_owner(double *owner, const struct subscript *subscript,
                       const struct distribution *along)
{
    if (subscript->loop >= 0 || subscript->constant < 0.0 || subscript->constant >= along->elements)
        return false;
    *owner = distribution_owner(along, subscript->constant);
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
                  : !find_owner(&owners[g], &subscript, &lies->along[d]))
            return false;
        distributed += g >= 0;
    }
    return distributed == home->grid_dimensions;
}

static bool count_loop(struct executing *executing, const struct home_axis *axis, double owner,
                       const struct turn *turn)
{
    struct range elements;
    if (turn->ordinal[axis->subscript.loop] || !home_elements(axis, turn->ranges, &elements))
        return false;
    executing->count = distribution_owners_within(&axis->along, elements.first, elements.last);
    executing->has_source =
        distribution_count(&axis->along, owner, elements.first, elements.last) > 0.0;
    return true;
}

static bool count_executing(struct executing *executing, const struct home *home, int g,
                            double owner, const struct turn *turn)
{
    const struct home_axis *axis = &home->axes[g];
    switch (axis->kind) {
    case AXIS_ALL:
        *executing = (struct executing){home->grid[g], true};
        return true;
    case AXIS_ONE:
        *executing = (struct executing){
            1.0, distribution_owner(&axis->along, axis->subscript.constant) == owner};
        return true;
    case AXIS_LOOP:
        return count_loop(executing, axis, owner, turn);
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
    if (reads->count != 1 || reads->array->periodic || !runs(turn) ||
        !find_elements(source, owners, reads->references[0], home, lies, turn))
        return false;
    for (int g = 0; g < home->grid_dimensions; g++) {
        struct executing executing;
        if (!count_executing(&executing, home, g, owners[g], turn))
            return false;
        executing_all *= executing.count;
        executes &= executing.has_source;
    }
    source->receivers = executing_all - executes;
    return true;
}
