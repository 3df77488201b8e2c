#include "model/segment/traffic/calls.h"

#include "model/segment/traffic/demand.h"

#include <math.h>
#include <stdio.h>

struct calls {
    struct analysis *analysis;
    const struct layout *layout;
    struct scope *scope;
    const struct list *instances;
    const struct nest *nest; /* of the call */
};

/* The value of a formula, if it is there. */
static int call_value(const struct calls *it, const struct formula *formula, bool whole,
                      double least, double *value, struct error *error)
{
    const struct program *program = it->nest->program;
    if (!formula->text)
        return 0;
    if (program_value(program, formula, whole, it->scope, value, error) != 0)
        return -1;
    if (*value >= least && *value <= COUNT_MOST)
        return 0;
    error_fill(error, program_place(program, formula->place), "'%.60s' is %g: expected %g to 2^53",
               formula->text, *value, least);
    return program_wrong_value(program, formula, error);
}

/* How often all loops about it make the call, and how often the innermost does. */
static int call_times(const struct nest *nest, double *times, double *innermost,
                      struct error *error)
{
    const double zero[LOOPS_MOST] = {0.0};
    *times = *innermost = 1.0;
    for (int l = 0; l < nest->depth; l++) {
        struct range range;
        if (nest_is_triangular(nest, l, NULL))
            return error_at(error, program_place(nest->program, nest->first[l].text->place),
                            "a call within loops whose bounds depend on one another: expected "
                            "numbers");
        if (nest_range(nest, l, zero, &range, error) != 0)
            return -1;
        *innermost = range_count(range);
        *times *= *innermost;
    }
    return 0;
}

/* All processors make the call, so many of them together, unless it says how many groups do. There
   may be room for them on more processors. */
static int call_groups(const struct calls *it, const struct call *call, struct use *use,
                       struct error *error)
{
    const double all = it->layout->processors;
    const bool told = call->groups.text != NULL;
    use->at_once = fmax(1.0, floor(all / use->processors));
    if (call_value(it, &call->groups, true, 1.0, &use->at_once, error) != 0)
        return -1;
    if (use->processors > all)
        return error_particular_at(error, program_place(it->nest->program, call->processors.place),
                                   "'%.60s' is %g: the run has %g processors",
                                   call->processors.text, use->processors, all);
    if (told && use->at_once * (call->processors.text ? use->processors : 1.0) > all)
        return error_particular_at(error, program_place(it->nest->program, call->groups.place),
                                   "%g groups of %g processors: the run has %g", use->at_once,
                                   call->processors.text ? use->processors : 1.0, all);
    return 0;
}

/* Whether the innermost loop about it has no other call: then it is made again and again. */
static bool is_alone_in_loop(const struct calls *it, const struct instance *instance)
{
    const struct instance *all = it->instances->items;
    const int last = instance->nest.depth - 1;
    for (size_t i = 0; i < it->instances->count; i++)
        if (&all[i] != instance && all[i].call && last >= 0 && all[i].nest.depth > last &&
            all[i].nest.first[last].text == instance->nest.first[last].text)
            return false;
    return last >= 0;
}

/* The processors of a group lie on a line, where it is told how far apart they are. */
static int call_line(const struct calls *it, const struct call *call, struct use *use,
                     struct error *error)
{
    const double all = it->layout->processors;
    double apart = 0.0;
    if (!call->apart.text)
        return 0;
    if (call_value(it, &call->apart, true, 1.0, &apart, error) != 0)
        return -1;
    if ((use->processors - 1.0) * apart >= all)
        return error_particular_at(error, program_place(it->nest->program, call->apart.place),
                                   "%g processors that are %g apart: the run has %g",
                                   use->processors, apart, all);
    use->halo = (struct halo_exchange){
        .processors = all, .directions = 1, .own = {.side = use->processors, .stride = apart}
    };
    use->halo.lines[0] = use->halo.own;
    return 0;
}

static int derive_call(const struct calls *it, const struct instance *instance, struct error *error)
{
    const struct call *call = instance->call;
    double innermost;
    struct use use = {
        .class = TRAFFIC_CLASSES, .processors = it->layout->processors, .is_call = true};
    if (call_value(it, &call->bytes, false, 0.0, &use.bytes, error) != 0 ||
        call_value(it, &call->processors, true, 1.0, &use.processors, error) != 0 ||
        call_times(&instance->nest, &use.times, &innermost, error) != 0 ||
        call_groups(it, call, &use, error) != 0 || call_line(it, call, &use, error) != 0)
        return -1;
    if (use.processors == 1.0)
        return 0;
    use.in_a_row = is_alone_in_loop(it, instance) ? innermost : 1.0;
    use.times *= instance->probability;
    use.bytes = ceil(use.bytes);
    struct demand *demand = demand_add(it->analysis, call->place);
    origins_list(it->nest->program->origins, call->place, demand->at, sizeof demand->at);
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
        struct calls it = {analysis, layout, scope, instances, &all[i].nest};
        if (all[i].call && derive_call(&it, &all[i], error) != 0)
            return -1;
    }
    return 0;
}
