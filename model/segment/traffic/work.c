#include "model/segment/traffic/work.h"

#include "model/base/allocation.h"

#include <math.h>
#include <stdlib.h>

struct sum {
    const struct instance *instance;
    const struct layout *layout;
    int synchronous;
    bool coupled[LOOPS_MOST], fixed[LOOPS_MOST];
    double at[LOOPS_MOST];
    double *mine; /* iterations of each processor since the synchronous loops went on */
    double turns;
    struct shares *shares;
    struct error *error;
};

static const struct nest *nest_of(const struct sum *sum)
{
    return &sum->instance->nest;
}

static struct place place_of(const struct sum *sum)
{
    return program_place(nest_of(sum)->program, sum->instance->statement->place);
}

/* ---- values of the loops that matter, counts of the others ---- */

/* How many iterations along each grid dimension each coordinate has. */
struct axes {
    int count;
    size_t sizes[DIMENSIONS_MOST];
    double *counts[DIMENSIONS_MOST];
};

static struct axes axes_of(const struct home *home, const struct range *ranges)
{
    struct axes axes = {.count = home->grid_dimensions};
    for (int g = 0; g < axes.count; g++) {
        axes.sizes[g] = (size_t)home->grid[g];
        axes.counts[g] = memory_new(axes.sizes[g], sizeof *axes.counts[g]);
        home_counts(&home->axes[g], ranges, home->grid[g], axes.counts[g]);
    }
    return axes;
}

static void next(const struct axes *axes, size_t *at)
{
    for (int g = axes->count - 1; g >= 0; g--) {
        if (++at[g] < axes->sizes[g])
            return;
        at[g] = 0;
    }
}

/* Adds times the product of the axes' counts to every processor; releases the axes. */
static void add_product(struct sum *sum, struct axes *axes, double times)
{
    size_t at[DIMENSIONS_MOST] = {0};
    for (size_t c = 0; c < (size_t)sum->layout->processors; c++, next(axes, at)) {
        double product = times;
        for (int g = 0; g < axes->count; g++)
            product *= axes->counts[g][at[g]];
        sum->mine[c] += product;
    }
    for (int g = 0; g < axes->count; g++)
        free(axes->counts[g]);
}

/* All loops that are not fixed run freely now. */
static int add_free_loops(struct sum *sum)
{
    struct home home;
    double times = 1.0;
    struct range ranges[LOOPS_MOST];
    const struct instance *instance = sum->instance;
    if (++sum->turns > WORK_TURNS_MOST ||
        !effort_take(nest_of(sum)->program->effort, sum->layout->processors))
        return error_particular_at(sum->error, place_of(sum),
                                   "more than %d values of the loops that bounds depend on",
                                   WORK_TURNS_MOST);
    if (!home_of(&home, instance->has_home ? &instance->home : NULL, sum->layout,
                 nest_of(sum)->program, sum->fixed, sum->at))
        return error_particular_at(
            sum->error, place_of(sum),
            "where this runs couples loops along a distributed dimension: expected one "
            "index in a subscript, and each in one");
    for (int l = 0; l < nest_of(sum)->depth; l++) {
        if (sum->fixed[l])
            continue;
        if (nest_range(nest_of(sum), l, sum->at, &ranges[l], sum->error) != 0)
            return -1;
        if (home_following(&home, l) < 0)
            times *= range_count(ranges[l]);
    }
    struct axes axes = axes_of(&home, ranges);
    add_product(sum, &axes, times);
    return 0;
}

/* ---- loops ---- */

static bool is_named(const struct sum *sum, int loop)
{
    const struct instance *instance = sum->instance;
    for (int d = 0; instance->has_home && d < instance->home.dimensions; d++)
        if (instance->home.subscripts[d].by[loop] != 0.0)
            return true;
    return false;
}

static bool bounds_depend_on(const struct nest *nest, int loop)
{
    for (int l = loop + 1; l < nest->depth; l++)
        if (nest->outer[l][loop])
            return true;
    return false;
}

/* Loops that stand in a subscript along the grid beside one further in, or in two such subscripts:
   where they have values, every grid dimension follows one loop at most. */
static void find_coupled(struct sum *sum)
{
    const struct instance *instance = sum->instance;
    const struct array_layout *lies =
        instance->has_home ? layout_of(sum->layout, nest_of(sum)->program, instance->home.array)
                           : NULL;
    bool seen[LOOPS_MOST] = {false};
    for (int d = 0; lies && d < lies->dimensions; d++) {
        bool within = false;
        for (int l = nest_of(sum)->depth - 1; l >= 0 && lies->along[d].grid_dimension >= 0; l--) {
            if (instance->home.subscripts[d].by[l] == 0.0)
                continue;
            sum->coupled[l] |= within || seen[l];
            within = seen[l] = true;
        }
    }
}

static void settle(struct sum *sum)
{
    double most = 0.0;
    for (size_t q = 0; q < (size_t)sum->layout->processors; q++) {
        most = fmax(most, sum->mine[q]);
        sum->shares->total += sum->mine[q];
        sum->mine[q] = 0.0;
    }
    sum->shares->most += most;
}

static int add_loop(struct sum *sum, int l);

/* One value after the other; or, where the value makes no difference, one for all. */
static int add_values(struct sum *sum, int l, struct range range, bool alike)
{
    const double count = range_count(range);
    const struct shares before = *sum->shares;
    const double last = alike ? fmin(range.first, range.last) : range.last;
    for (sum->at[l] = range.first; sum->at[l] <= last; sum->at[l] += 1.0)
        if (add_loop(sum, l + 1) != 0)
            return -1;
    if (alike) {
        sum->shares->most = before.most + count * (sum->shares->most - before.most);
        sum->shares->total = before.total + count * (sum->shares->total - before.total);
    }
    return 0;
}

static int add_inner(struct sum *sum, int l)
{
    const struct nest *nest = nest_of(sum);
    struct range range;
    if (l == nest->depth)
        return add_free_loops(sum);
    const bool depended = bounds_depend_on(nest, l) || sum->coupled[l];
    if (l >= sum->synchronous && !depended)
        return add_loop(sum, l + 1);
    if (nest_range(nest, l, sum->at, &range, sum->error) != 0)
        return -1;
    sum->fixed[l] = true;
    const bool alike = l < sum->synchronous && !depended && !is_named(sum, l);
    const int status = add_values(sum, l, range, alike);
    sum->fixed[l] = false;
    return status;
}

/* Beyond the last synchronous loop everything is added up; then the busiest is told. */
static int add_loop(struct sum *sum, int l)
{
    const int status = add_inner(sum, l);
    if (status == 0 && l == sum->synchronous)
        settle(sum);
    return status;
}

int work_shares(struct shares *shares, const struct instance *instance, const struct layout *layout,
                int synchronous, struct error *error)
{
    struct sum sum = {.instance = instance,
                      .layout = layout,
                      .synchronous = synchronous,
                      .mine = memory_new((size_t)layout->processors, sizeof(double)),
                      .shares = shares,
                      .error = error};
    *shares = (struct shares){0};
    find_coupled(&sum);
    const int status = add_loop(&sum, 0);
    free(sum.mine);
    return status;
}
