#include "model/segment/loops/visit.h"

#include "model/base/allocation.h"
#include "model/base/keyed.h"

#include <stdlib.h>
#include <string.h>

/* Where home does not lie along the grid it does not decide who runs. */
static bool is_in_home(const struct visit *visit, int loop)
{
    for (int d = 0; visit->home && d < visit->home->dimensions; d++)
        if (visit->home_lies->along[d].grid_dimension >= 0 &&
            visit->home->subscripts[d].by[loop] != 0.0)
            return true;
    return false;
}

static bool is_read(const struct visit *visit, int loop)
{
    const struct reference *read = visit->reads->references[0];
    for (int d = 0; d < read->dimensions; d++)
        if (read->subscripts[d].by[loop] != 0.0)
            return true;
    return false;
}

static void find_what_matters(struct visit *visit)
{
    for (int l = 0; l < visit->nest->depth; l++) {
        visit->matters[l] = is_in_home(visit, l) || is_read(visit, l);
        for (int inner = l + 1; inner < visit->nest->depth; inner++)
            visit->matters[l] |= visit->nest->outer[inner][l];
    }
}

static int find_box(struct visit *visit, struct error *error)
{
    for (int l = 0; l < visit->nest->depth; l++) {
        visit->ranges[l] = (struct range){visit->turn->at[l], visit->turn->at[l]};
        if (!visit->turn->fixed[l] && nest_hull(visit->nest, l, visit->turn->fixed, visit->turn->at,
                                                visit->ranges, &visit->ranges[l], error) != 0)
            return -1;
    }
    return 0;
}

/* Whether bounds tell the loop apart from all others. */
static bool is_coupled_by_bounds(const struct visit *visit, int loop)
{
    bool coupled = nest_is_triangular(visit->nest, loop, visit->turn->fixed);
    for (int inner = loop + 1; inner < visit->nest->depth; inner++)
        coupled |= visit->nest->outer[inner][loop];
    return coupled;
}

enum { NOWHERE = -1, COUPLED = -2 };

/* The one dimension of a reference that the loop moves along, no other running loop with it;
   NOWHERE, or COUPLED with others. lies: its dimensions along the grid alone are looked at; NULL:
   all are. */
static int dimension_of(const struct visit *visit, const struct reference *reference, int loop,
                        const struct array_layout *lies)
{
    int dimension = NOWHERE;
    for (int d = 0; reference && d < reference->dimensions; d++) {
        const struct affine *subscript = &reference->subscripts[d];
        if (subscript->by[loop] == 0.0 || (lies && lies->along[d].grid_dimension < 0))
            continue;
        if (dimension != NOWHERE)
            return COUPLED;
        for (int l = 0; l < visit->nest->depth; l++)
            if (l != loop && !visit->turn->fixed[l] && subscript->by[l] != 0.0)
                return COUPLED;
        dimension = d;
    }
    return dimension;
}

/* Whether all reads have the same constant in a dimension. */
static bool begins_alike(const struct reads *reads, int dimension)
{
    for (size_t k = 1; k < reads->count; k++)
        if (reads->references[k]->subscripts[dimension].constant !=
            reads->references[0]->subscripts[dimension].constant)
            return false;
    return true;
}

/* The owner of what a dimension has where loops are at `at`; 0 where it is not along the grid.
   False: that is outside. */
static bool owner_at(const struct reference *reference, const struct array_layout *lies, int d,
                     const double *at, double *owner)
{
    *owner = 0.0;
    if (d == NOWHERE)
        return true;
    const struct distribution *along = &lies->along[d];
    const double element = affine_value(&reference->subscripts[d], at) + along->offset;
    if (along->grid_dimension >= 0)
        *owner = distribution_owner(along, element);
    return element >= 0.0 && element < along->elements;
}

/* One value for all that have the same owners. */
static struct stops stops_of(const struct visit *visit, int loop, int home_dimension,
                             int data_dimension)
{
    const struct range range = visit->ranges[loop];
    struct stops stops = {0};
    struct keyed owners = {0};
    double at[LOOPS_MOST], home = 0.0, data = 0.0;
    bool is_inside = true;
    memcpy(at, visit->turn->at, sizeof at);
    for (at[loop] = range.first; at[loop] <= range.last && is_inside; at[loop] += 1.0) {
        is_inside =
            owner_at(visit->home, visit->home_lies, home_dimension, at, &home) &&
            owner_at(visit->reads->references[0], visit->data_lies, data_dimension, at, &data) &&
            owners.count < KEYED_MOST && effort_take(visit->nest->program->effort, 1.0);
        if (!keyed_add(&owners, ((uint64_t)home << 32) + (uint64_t)data, 1.0))
            continue;
        stops.items = memory_grow(stops.items, owners.count, sizeof *stops.items);
        stops.items[stops.count++].value = at[loop];
    }
    for (size_t i = 0; i < stops.count; i++)
        stops.items[i].weight = data_dimension == NOWHERE ? 1.0 : owners.sums[i].sum;
    stops.count = is_inside ? stops.count : 0; /* what is wrong is found out otherwise */
    keyed_free(&owners);
    return stops;
}

/* Whether bounds of inner loops, as the loop goes on, leave them fewer values, or more. */
static void find_trend(const struct visit *visit, int loop, bool *fewer, bool *more)
{
    const struct nest *nest = visit->nest;
    *fewer = *more = true;
    for (int inner = loop + 1; inner < nest->depth; inner++) {
        if (!nest->outer[inner][loop])
            continue;
        const struct loop_bound *first = &nest->first[inner], *last = &nest->last[inner];
        const bool known = first->is_affine && last->is_affine;
        *fewer &= known && first->value.by[loop] >= 0.0 && last->value.by[loop] <= 0.0;
        *more &= known && first->value.by[loop] <= 0.0 && last->value.by[loop] >= 0.0;
    }
}

static void find_lead(struct visit *visit, int loop, int home_dimension)
{
    bool fewer, more;
    find_trend(visit, loop, &fewer, &more);
    visit->leads[loop] = (struct lead){fewer  ? LEAD_FIRST
                                       : more ? LEAD_LAST
                                              : LEAD_NONE,
                                       home_dimension};
}

static void find_stops(struct visit *visit)
{
    for (int l = 0; l < visit->nest->depth; l++) {
        if (visit->turn->fixed[l] || !visit->matters[l])
            continue;
        const int home = dimension_of(visit, visit->home, l, visit->home_lies);
        const int data = dimension_of(visit, visit->reads->references[0], l, NULL);
        if (home == COUPLED || data == COUPLED)
            continue;
        if (data == NOWHERE)
            find_lead(visit, l, home);
        if (!is_coupled_by_bounds(visit, l) &&
            (data == NOWHERE || begins_alike(visit->reads, data)))
            visit->stops[l] = stops_of(visit, l, home, data);
    }
}

int visit_prepare(struct visit *visit, struct error *error)
{
    find_what_matters(visit);
    if (find_box(visit, error) != 0)
        return -1;
    find_stops(visit);
    return 0;
}

double visit_iterations(const struct visit *visit)
{
    double iterations = 1.0;
    for (int l = 0; l < visit->nest->depth; l++)
        if (visit->matters[l] && !visit->turn->fixed[l])
            iterations *= visit->stops[l].count > 0 ? (double)visit->stops[l].count
                                                    : range_count(visit->ranges[l]);
    return iterations;
}

void visit_free(struct visit *visit)
{
    for (int l = 0; l < LOOPS_MOST; l++)
        free(visit->stops[l].items);
}
