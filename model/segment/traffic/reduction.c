#include "model/segment/traffic/reduction.h"

#include "model/base/allocation.h"
#include "model/segment/traffic/work.h"

#include <math.h>
#include <stdlib.h>

static bool is_named(const struct reference *result, int loop)
{
    for (int d = 0; d < result->dimensions; d++)
        if (result->subscripts[d].by[loop] != 0.0)
            return true;
    return false;
}

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
        for (int k = it->within; k < l && is_named(&it->instance->writes, l); k++) {
            if (nest->outer[l][k] && !is_named(&it->instance->writes, k))
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
    for (int l = 0; l < named.nest.depth; l++) {
        if (l < it->within) {
            stay_at(&named.nest, l, it->turn.at[l]);
            continue;
        }
        if (is_named(&named.writes, l))
            continue;
        stay_at(&named.nest, l, 0.0);
        for (int d = 0; d < named.home.dimensions; d++)
            if (named.home.subscripts[d].by[l] != 0.0)
                named.home.subscripts[d] = (struct affine){.constant = 0.0};
    }
    if (work_shares(&shares, &named, it->layout, 0, it->error) != 0)
        return -1;
    *elements = shares.most;
    return 0;
}

/* n: what one processor contributes to; the group: those that differ along the loops that the
   result does not name. */
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
    for (int l = it->within; l < nest_of(it)->depth; l++) {
        const int g = home_following(&home, l);
        double most, active = 1.0;
        if (nest_hull(nest_of(it), l, it->turn.fixed, it->turn.at, it->turn.ranges,
                      &it->turn.ranges[l], it->error) != 0)
            return -1;
        most = range_count(it->turn.ranges[l]);
        if (g >= 0)
            count_axis(&home, g, it->turn.ranges, &most, &active);
        traffic.elements *= is_named(&instance->writes, l) ? most : most > 0.0;
        *(is_named(&instance->writes, l) ? &traffic.at_once : &traffic.group) *= active;
        traffic.group_most *= is_named(&instance->writes, l) || g < 0 ? 1.0 : home.grid[g];
    }
    for (int g = 0; g < home.grid_dimensions; g++)
        traffic.at_once *= home.axes[g].kind == AXIS_ALL ? home.grid[g] : 1.0;
    if (traffic.group <= 1.0 || traffic.elements == 0.0)
        return 0;
    if (results_are_triangular(it) && count_results(it, &traffic.elements) != 0)
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

static int combine_loop(struct combining *it, int l)
{
    struct range range;
    if (l == it->within)
        return combine(it);
    if (nest_range(nest_of(it), l, it->turn.at, &range, it->error) != 0)
        return -1;
    const double before = it->times, count = range_count(range);
    const bool alike = !bounds_depend_on(nest_of(it), l);
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
