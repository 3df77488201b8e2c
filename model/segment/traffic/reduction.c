#include "model/segment/traffic/reduction.h"

#include "model/base/allocation.h"
#include "model/segment/loops/work.h"

#include <math.h>
#include <stdlib.h>

/* How many values of the loop the busiest coordinate has, and how many coordinates have any. */
static void count_axis(const struct home *home, int g, const struct range *ranges, double *most,
                       double *active)
{
    double *counts = memory_new((size_t)home->grid[g], sizeof *counts);
    home_counts(&home->axes[g], ranges, home->grid[g], counts);
    *most = *active = 0.0;
    for (size_t q = 0; q < (size_t)home->grid[g]; q++) {
        *most = fmax(*most, counts[q]);
        *active += counts[q] > 0.0;
    }
    free(counts);
}

struct combining {
    const struct instance *instance;
    const struct layout *layout;
    const struct turn_taker *taker;
    int within;
    struct turn turn;
    double times;
    struct error *error;
};

static const struct nest *nest_of(const struct combining *it)
{
    return &it->instance->nest;
}

/* Whether the bounds of a named loop depend on other named ones, and of none on any other loop. */
static bool results_are_triangular(const struct combining *it)
{
    const struct nest *nest = nest_of(it);
    bool any = false;
    for (int l = it->within; l < nest->depth; l++)
        for (int k = it->within; k < l && reference_names(&it->instance->writes, l); k++) {
            if (nest->outer[l][k] && !reference_names(&it->instance->writes, k))
                return false;
            any |= nest->outer[l][k];
        }
    return any;
}

static void stay_at(struct nest *nest, int l, double value)
{
    nest->first[l].is_affine = true;
    nest->first[l].value = (struct affine){.constant = value};
    nest->last[l] = nest->first[l];
    for (int k = 0; k < LOOPS_MOST; k++)
        nest->outer[l][k] = false;
}

/* How many results the busiest processor contributes to, where they are no box: the iterations of
   the named loops alone, once for all values of the others. */
static int count_results(const struct combining *it, double *elements)
{
    struct instance named = *it->instance;
    struct shares shares;
    const struct waits none = {0, 1.0};
    for (int l = 0; l < named.nest.depth; l++) {
        if (l < it->within) {
            stay_at(&named.nest, l, it->turn.at[l]);
            continue;
        }
        if (reference_names(&named.writes, l))
            continue;
        stay_at(&named.nest, l, 0.0);
        for (int d = 0; d < named.home.dimensions; d++)
            if (named.home.subscripts[d].by[l] != 0.0)
                named.home.subscripts[d] = (struct affine){.constant = 0.0};
    }
    if (work_shares(&shares, &named, it->layout, &none, it->error) != 0)
        return -1;
    *elements = shares.most;
    return 0;
}

/* Whether groups have different values of that loop. */
static bool is_split(const struct combining *it, const struct home *home, int loop)
{
    const int g = home_following(home, loop);
    double most, active = 1.0;
    if (g >= 0)
        count_axis(home, g, it->turn.ranges, &most, &active);
    return active > 1.0;
}

/* Whether there are more results for one value of that loop than for another. */
static bool is_uneven(const struct combining *it, int loop)
{
    const struct nest *nest = nest_of(it);
    for (int k = it->within; k < nest->depth; k++)
        if (reference_names(&it->instance->writes, k) &&
            (nest->outer[k][loop] || nest->outer[loop][k]))
            return true;
    return false;
}

/* Who wants the results of a group along a grid dimension along which it lies: all of it, one, or
   each a part of them, the largest of which is a share of all. */
static enum traffic_class wanted_along(const struct combining *it, const struct home *home,
                                       const struct home *owner, int g, double *share)
{
    const struct home_axis *axis = &owner->axes[g];
    const size_t count = (size_t)home->grid[g];
    if (axis->kind == AXIS_ALL ||
        (axis->kind == AXIS_LOOP &&
         (is_split(it, home, axis->subscript.loop) || is_uneven(it, axis->subscript.loop))))
        return TRAFFIC_COMBINE;
    double *has = memory_new(count, sizeof *has), *owns = memory_new(count, sizeof *owns);
    double owners = 0.0, most = 0.0, all = 0.0;
    bool are_there = true;
    home_counts(&home->axes[g], it->turn.ranges, home->grid[g], has);
    home_counts(axis, it->turn.ranges, home->grid[g], owns);
    for (size_t q = 0; q < count; q++) {
        owners += owns[q] > 0.0;
        most = fmax(most, owns[q]);
        all += owns[q];
        are_there &= owns[q] == 0.0 || has[q] > 0.0;
    }
    free(has);
    free(owns);
    *share = all > 0.0 ? most / all : 1.0;
    if (owners == 1.0)
        return TRAFFIC_REDUCE;
    return owners > 0.0 && are_there ? TRAFFIC_REDUCE_SCATTER : TRAFFIC_COMBINE;
}

/* Whether processors that contribute to the same result lie along that grid dimension. */
static bool is_spanned(const struct combining *it, const struct home *home, int g)
{
    const struct home_axis *axis = &home->axes[g];
    return axis->kind == AXIS_LOOP &&
           !reference_names(&it->instance->writes, axis->subscript.loop) &&
           is_split(it, home, axis->subscript.loop);
}

/* By where the array of the results lies. */
static enum traffic_class wanted(const struct combining *it, const struct home *home, double *share)
{
    struct home owner;
    enum traffic_class class = TRAFFIC_REDUCE;
    int spanned = 0;
    if (!home_of(&owner, &it->instance->writes, it->layout, nest_of(it)->program, it->turn.fixed,
                 it->turn.at))
        return TRAFFIC_COMBINE;
    for (int g = 0; g < home->grid_dimensions; g++) {
        if (!is_spanned(it, home, g))
            continue;
        const enum traffic_class along = wanted_along(it, home, &owner, g, share);
        if (along == TRAFFIC_COMBINE || (along == TRAFFIC_REDUCE_SCATTER && spanned > 0))
            return TRAFFIC_COMBINE;
        class = spanned > 0 && class == TRAFFIC_REDUCE_SCATTER ? TRAFFIC_COMBINE : along;
        spanned++;
    }
    return class;
}

/* What the values of a loop make of it. */
static int add_loop(struct combining *it, const struct home *home, int l, struct traffic *traffic)
{
    const int g = home_following(home, l);
    const bool named = reference_names(&it->instance->writes, l);
    double most, active = 1.0;
    if (nest_hull(nest_of(it), l, it->turn.fixed, it->turn.at, it->turn.ranges, &it->turn.ranges[l],
                  it->error) != 0)
        return -1;
    most = range_count(it->turn.ranges[l]);
    if (g >= 0)
        count_axis(home, g, it->turn.ranges, &most, &active);
    traffic->elements *= named ? most : most > 0.0;
    *(named ? &traffic->at_once : &traffic->group) *= active;
    traffic->group_most *= named || g < 0 ? 1.0 : home->grid[g];
    return 0;
}

/* The class and the number of elements of a reduction whose group is known. */
static int classify(const struct combining *it, const struct home *home, struct traffic *traffic)
{
    double share = 1.0;
    if (results_are_triangular(it) && count_results(it, &traffic->elements) != 0)
        return -1;
    traffic->class = wanted(it, home, &share);
    if (traffic->class == TRAFFIC_REDUCE_SCATTER)
        traffic->elements = ceil(traffic->elements * share - 1e-9);
    return 0;
}

/* n: what one processor contributes to, of a shared sum what one gets; the group: those that differ
   along the loops that the result does not name. */
static int combine(struct combining *it)
{
    const struct instance *instance = it->instance;
    const struct program *program = nest_of(it)->program;
    struct traffic traffic = {.class = TRAFFIC_COMBINE,
                              .partners = 1.0,
                              .elements = 1.0,
                              .group = 1.0,
                              .group_most = 1.0};
    struct home home;
    traffic.at_once = 1.0;
    if (!home_of(&home, instance->has_home ? &instance->home : NULL, it->layout, program,
                 it->turn.fixed, it->turn.at))
        return error_particular_at(it->error, program_place(program, instance->statement->place),
                                   "where this reduction runs couples loops: write it as a call");
    for (int l = it->within; l < nest_of(it)->depth; l++)
        if (add_loop(it, &home, l, &traffic) != 0)
            return -1;
    for (int g = 0; g < home.grid_dimensions; g++)
        traffic.at_once *= home.axes[g].kind == AXIS_ALL ? home.grid[g] : 1.0;
    if (traffic.group <= 1.0 || traffic.elements == 0.0)
        return 0;
    if (classify(it, &home, &traffic) != 0)
        return -1;
    const struct reads none = {.array = instance->writes.array};
    return it->taker->take(it->taker->taker, &traffic, &none, -1, it->times, it->error);
}

static bool bounds_depend_on(const struct nest *nest, int loop)
{
    for (int l = loop + 1; l < nest->depth; l++)
        if (nest->outer[l][loop])
            return true;
    return false;
}

/* Whether results of one value of the loop lie otherwise than of another. */
static bool results_shift(const struct reference *result, int loop)
{
    for (int d = 0; d < result->dimensions; d++)
        for (int l = loop + 1; l < LOOPS_MOST; l++)
            if (result->subscripts[d].by[loop] != 0.0 && result->subscripts[d].by[l] != 0.0)
                return true;
    return false;
}

static int combine_loop(struct combining *it, int l)
{
    struct range range;
    if (l == it->within)
        return combine(it);
    if (nest_range(nest_of(it), l, it->turn.at, &range, it->error) != 0)
        return -1;
    const double before = it->times, count = range_count(range);
    const bool alike =
        !bounds_depend_on(nest_of(it), l) && !results_shift(&it->instance->writes, l);
    const double last = alike ? fmin(range.first, range.last) : range.last;
    it->times *= alike ? count : 1.0;
    it->turn.fixed[l] = true;
    int status = 0;
    for (it->turn.at[l] = range.first; it->turn.at[l] <= last && status == 0; it->turn.at[l] += 1.0)
        status = combine_loop(it, l + 1);
    it->times = before;
    return status;
}

int reduction_take(const struct instance *instance, const struct layout *layout,
                   const struct turn_taker *taker, struct error *error)
{
    struct combining it = {.instance = instance,
                           .layout = layout,
                           .taker = taker,
                           .within = instance->needed_within,
                           .times = 1.0,
                           .error = error};
    return combine_loop(&it, 0);
}
