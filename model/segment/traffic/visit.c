#include "model/segment/traffic/visit.h"

#include "model/base/allocation.h"

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

/* Of the data, the one dimension that the loop moves along, alone, all reads from the same element;
   -1: it is not so. */
static int dimension_of(const struct visit *visit, int loop)
{
    const struct reads *reads = visit->reads;
    int dimension = -1;
    for (int d = 0; d < reads->references[0]->dimensions; d++) {
        const struct affine *subscript = &reads->references[0]->subscripts[d];
        if (subscript->by[loop] == 0.0)
            continue;
        bool alone = dimension < 0;
        for (int l = 0; l < visit->nest->depth; l++)
            alone &= l == loop || visit->turn->fixed[l] || subscript->by[l] == 0.0;
        for (size_t k = 1; k < reads->count; k++)
            alone &= reads->references[k]->subscripts[d].constant == subscript->constant;
        if (!alone)
            return -1;
        dimension = d;
    }
    return dimension;
}

static void add_stop(struct stops *stops, size_t *stop_of_owner, double value)
{
    if (*stop_of_owner == 0) {
        stops->items[stops->count++].value = value;
        *stop_of_owner = stops->count;
    }
    stops->items[*stop_of_owner - 1].weight += 1.0;
}

/* Of values in the range whose elements are read of a dimension that lies so. */
static struct stops stops_of(const struct visit *visit, const struct affine *subscript, int loop,
                             const struct distribution *along)
{
    const size_t owners = along->grid_dimension < 0 ? 1 : (size_t)along->processors;
    const struct range range = visit->ranges[loop];
    struct stops stops = {0, memory_new(owners, sizeof *stops.items)};
    size_t *stop_of_owner = memory_new(owners, sizeof *stop_of_owner);
    double at[LOOPS_MOST];
    memcpy(at, visit->turn->at, sizeof at);
    for (at[loop] = range.first; at[loop] <= range.last; at[loop] += 1.0) {
        const double element = affine_value(subscript, at) + along->offset;
        if (element < 0.0 || element >= along->elements ||
            !effort_take(visit->nest->program->effort, 1.0)) {
            stops.count = 0; /* what is wrong is found out otherwise */
            break;
        }
        add_stop(&stops,
                 &stop_of_owner[owners == 1 ? 0 : (size_t)distribution_owner(along, element)],
                 at[loop]);
    }
    free(stop_of_owner);
    return stops;
}

static void find_stops(struct visit *visit)
{
    for (int l = 0; l < visit->nest->depth; l++) {
        if (visit->turn->fixed[l] || !visit->matters[l] || is_in_home(visit, l) ||
            is_coupled_by_bounds(visit, l))
            continue;
        const int d = dimension_of(visit, l);
        if (d >= 0)
            visit->stops[l] = stops_of(visit, &visit->reads->references[0]->subscripts[d], l,
                                       &visit->data_lies->along[d]);
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
