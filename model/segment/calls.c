#include "model/segment/calls.h"

#include "model/segment/demand.h"

#include <math.h>
#include <stdio.h>

struct calls {
    struct analysis *analysis;
    const struct layout *layout;
    struct scope *scope;
    const struct nest *nest; /* of the call */
};

static int call_value(struct calls *it, const struct formula *text, bool whole, double *value,
                      struct error *error)
{
    if (!text->text)
        return 0;
    const struct place place = program_place(it->nest->program, text->place);
    return whole ? expression_whole(it->scope, text->text, place, value, error)
                 : expression_value(it->scope, text->text, place, value, error);
}

static int call_times(const struct nest *nest, double *times, struct error *error)
{
    const double zero[LOOPS_MOST] = {0.0};
    *times = 1.0;
    for (int l = 0; l < nest->depth; l++) {
        struct range range;
        if (nest_is_triangular(nest, l, NULL))
            return error_at(error, program_place(nest->program, nest->first[l].text->place),
                            "a call within loops whose bounds depend on one another: expected "
                            "numbers");
        if (nest_range(nest, l, zero, &range, error) != 0)
            return -1;
        *times *= range_count(range);
    }
    return 0;
}

/* All processors make the call, so many of them together, unless it says how many groups do. */
static int call_groups(struct calls *it, const struct call *call, struct use *use,
                       struct error *error)
{
    use->at_once = fmax(1.0, floor(it->layout->processors / use->processors));
    if (call_value(it, &call->groups, true, &use->at_once, error) != 0)
        return -1;
    return use->at_once >= 1.0
               ? 0
               : error_at(error, program_place(it->nest->program, call->groups.place),
                          "%g groups: expected at least 1", use->at_once);
}

static int derive_call(struct calls *it, const struct instance *instance, struct error *error)
{
    const struct call *call = instance->call;
    struct use use = {.class = TRAFFIC_CLASSES, .processors = it->layout->processors};
    if (call_value(it, &call->bytes, false, &use.bytes, error) != 0 ||
        call_value(it, &call->processors, true, &use.processors, error) != 0 ||
        call_times(&instance->nest, &use.times, error) != 0)
        return -1;
    if (use.bytes < 0.0 || use.processors < 1.0)
        return error_at(error, program_place(it->nest->program, call->place),
                        "%g bytes among %g processors", use.bytes, use.processors);
    if (call_groups(it, call, &use, error) != 0)
        return -1;
    if (use.processors == 1.0)
        return 0;
    use.times *= instance->probability;
    use.bytes = ceil(use.bytes);
    struct demand *demand = demand_add(it->analysis, call->place);
    demand->utility = call->utility;
    snprintf(demand->cause, sizeof demand->cause, "call");
    demand_add_use(demand, &use);
    return 0;
}

int calls_derive(struct analysis *analysis, const struct list *instances,
                 const struct layout *layout, struct scope *scope, struct error *error)
{
    const struct instance *all = instances->items;
    for (size_t i = 0; i < instances->count; i++) {
        struct calls it = {analysis, layout, scope, &all[i].nest};
        if (all[i].call && derive_call(&it, &all[i], error) != 0)
            return -1;
    }
    return 0;
}
