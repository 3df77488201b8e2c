#include "model/segment/traffic/gathers.h"

#include "model/segment/loops/needs.h"
#include "model/segment/traffic/demand.h"
#include "model/segment/traffic/shift.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

struct gathering {
    struct analysis *analysis;
    const struct list *instances;
    const struct layout *layout;
    struct scope *scope;
    const struct instance *instance;
    const struct gather *gather;
    const struct array *array;
    const struct array_layout *lies;
    double reach; /* INFINITY: anywhere */
    double times;
};

static struct place place_of(const struct gathering *it)
{
    return program_place(it->instance->nest.program, it->gather->place);
}

static int read_value(const struct gathering *it, const struct formula *formula, bool whole,
                      double *value, struct error *error)
{
    const struct program *program = it->instance->nest.program;
    if (!formula->text)
        return 0;
    if (program_value(program, formula, whole, it->scope, value, error) != 0)
        return -1;
    if (*value >= 0.0)
        return 0;
    error_fill(error, program_place(program, formula->place), "'%.60s' is %g: expected at least 0",
               formula->text, *value);
    return program_wrong_value(program, formula, error);
}

/* ---- how often ---- */

/* Within so many of the loops the array is written by something. */
static int written_within(const struct gathering *it)
{
    const struct instance *all = it->instances->items;
    int depth = 0;
    for (size_t i = 0; i < it->instances->count; i++)
        if (all[i].has_writes && all[i].writes.array == it->array) {
            const int common = nest_common(&all[i].nest, &it->instance->nest);
            depth = common > depth ? common : depth;
        }
    return depth;
}

static int find_times(struct gathering *it, struct error *error)
{
    const struct nest *nest = &it->instance->nest;
    const int depth = written_within(it);
    struct range ranges[LOOPS_MOST] = {
        {0.0, 0.0}
    };
    const bool fixed[LOOPS_MOST] = {false};
    const double zero[LOOPS_MOST] = {0.0};
    it->times = 1.0;
    if (depth > 0 && depth == nest->depth)
        return error_particular_at(error, place_of(it),
                                   "%.60s is written by the loops that gather from it: write the "
                                   "communication as a call",
                                   it->gather->array);
    for (int l = 0; l < depth; l++) {
        if (nest_hull(nest, l, fixed, zero, ranges, &ranges[l], error) != 0)
            return -1;
        it->times *= range_count(ranges[l]);
    }
    return 0;
}

/* ---- what moves ---- */

/* Whether the statement runs where the array's element of the same index lies. */
static bool runs_beside(const struct gathering *it, const struct distribution *along)
{
    const struct instance *instance = it->instance;
    if (!instance->has_home)
        return false;
    const struct array_layout *runs =
        layout_of(it->layout, instance->nest.program, instance->home.array);
    const int h = array_layout_along(runs, along->grid_dimension);
    return h >= 0 && runs->along[h].block == along->block &&
           runs->along[h].elements == along->elements && runs->along[h].offset == along->offset;
}

static bool is_near(const struct gathering *it)
{
    for (int d = 0; d < it->lies->dimensions; d++) {
        const struct distribution *along = &it->lies->along[d];
        if (along->grid_dimension >= 0 &&
            (!distribution_is_contiguous(along) || it->reach > along->block ||
             2.0 * it->reach >= it->lies->extent[d] || !runs_beside(it, along)))
            return false;
    }
    return true;
}

/* As a statement that runs where a[i] lies would read a[i - reach] and a[i + reach], or one that
   runs everywhere a[i]. */
struct stand_in {
    struct turn turn;
    struct home home;
    struct reference own, shifted[2 * DIMENSIONS_MOST];
    struct reads reads;
};

static bool make_stand_in(struct stand_in *made, const struct gathering *it, bool near)
{
    const struct program *program = it->instance->nest.program;
    made->turn = (struct turn){.depth = it->lies->dimensions, .effort = program->effort};
    made->own = (struct reference){.array = it->array, .dimensions = it->lies->dimensions};
    made->reads = (struct reads){.array = it->array};
    for (int d = 0; d < it->lies->dimensions; d++) {
        const double least = near && it->lies->along[d].grid_dimension >= 0 ? it->reach : 0.0;
        made->turn.ranges[d] = (struct range){least, it->lies->extent[d] - 1.0 - least};
        made->own.subscripts[d].by[d] = 1.0;
    }
    if (!near)
        made->reads.references[made->reads.count++] = &made->own;
    for (int d = 0; d < it->lies->dimensions && near; d++)
        for (int side = -1; side <= 1 && it->lies->along[d].grid_dimension >= 0; side += 2) {
            struct reference *shifted = &made->shifted[made->reads.count];
            *shifted = made->own;
            shifted->subscripts[d].constant = side * it->reach;
            made->reads.references[made->reads.count++] = shifted;
        }
    return home_of(&made->home, near ? &made->own : NULL, it->layout, program, made->turn.fixed,
                   made->turn.at);
}

static void add_traffic(const struct gathering *it, const struct traffic *traffic,
                        int grid_dimension)
{
    if (traffic->class == TRAFFIC_LOCAL)
        return;
    const struct use use = {.class = traffic->class,
                            .times = it->times * traffic->partners,
                            .bytes = traffic->elements * it->array->element_bytes,
                            .processors = traffic->group,
                            .at_once = traffic->at_once,
                            .pieces = traffic->pieces};
    struct demand *demand = demand_add(it->analysis, it->gather->place);
    if (grid_dimension < 0)
        snprintf(demand->cause, sizeof demand->cause, "gather of %.80s", it->array->name);
    else
        snprintf(demand->cause, sizeof demand->cause, "gather of %.60s along grid dimension %d",
                 it->array->name, grid_dimension);
    demand_add_use(demand, &use);
}

/* Rows of a block at a time, or the whole. */
static int derive_traffic(const struct gathering *it, bool corners_direct, struct error *error)
{
    struct stand_in made;
    struct needs needs;
    struct shift shift;
    const bool near = is_near(it);
    if (near && it->reach == 0.0)
        return 0;
    if (!make_stand_in(&made, it, near) ||
        needs_make(&needs, &made.reads, &made.home, it->lies, &made.turn) != NEEDS_MADE)
        return error_particular_at(error, place_of(it),
                                   "what is gathered cannot be derived: write "
                                   "its communication as a call");
    if (near && !corners_direct &&
        shift_derive(&shift, &made.reads, &made.home, it->lies, &made.turn, false)) {
        for (size_t i = 0; i < shift.count; i++)
            add_traffic(it, &shift.phases[i].traffic, shift.phases[i].grid_dimension);
    } else {
        const struct traffic traffic = traffic_of(&needs, it->array, it->lies);
        add_traffic(it, &traffic, -1);
    }
    needs_free(&needs);
    return 0;
}

/* ---- all gathers ---- */

static int derive(struct gathering *it, bool corners_direct, struct error *error)
{
    double loads = 1.0;
    const struct program *program = it->instance->nest.program;
    it->reach = INFINITY;
    it->array = program_array(program, it->gather->array);
    if (!it->array)
        return error_at(error, place_of(it), "'%.60s' is no array", it->gather->array);
    it->lies = layout_of(it->layout, program, it->array);
    if (read_value(it, &it->gather->reach, true, &it->reach, error) != 0 ||
        read_value(it, &it->gather->loads, false, &loads, error) != 0 || find_times(it, error) != 0)
        return -1;
    return loads > 0.0 && it->times > 0.0 ? derive_traffic(it, corners_direct, error) : 0;
}

int gathers_derive(struct analysis *analysis, const struct list *instances,
                   const struct layout *layout, struct scope *scope, bool corners_direct,
                   struct error *error)
{
    const struct instance *all = instances->items;
    for (size_t i = 0; i < instances->count; i++) {
        const struct statement *statement = all[i].statement;
        for (size_t k = 0; statement && k < statement->gathers.count; k++) {
            struct gathering it = {.analysis = analysis,
                                   .instances = instances,
                                   .layout = layout,
                                   .scope = scope,
                                   .instance = &all[i],
                                   .gather = (const struct gather *)statement->gathers.items + k};
            if (derive(&it, corners_direct, error) != 0)
                return -1;
        }
    }
    return 0;
}
