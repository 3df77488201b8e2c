#include "model/segment/traffic/calls.h"

#include "model/segment/traffic/demand.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

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

/* The demand that a call's uses go to. */
static struct demand *demand_of(const struct calls *it, const struct call *call, const char *cause)
{
    struct demand *demand = demand_add(it->analysis, call->place);
    origins_list(it->nest->program->origins, call->place, demand->at, sizeof demand->at);
    snprintf(demand->cause, sizeof demand->cause, "%s", cause);
    return demand;
}

/* An exchange of all processors with their neighbours along each side of a grid that is longer than
   one, as a halo's (shift.c). */
static int derive_grid(const struct calls *it, const struct call *call, double times,
                       struct error *error)
{
    const struct formula *sides = call->grid.items, *faces = call->faces.items;
    struct halo_exchange halo = {.processors = 1.0};
    double side[DIMENSIONS_MOST], bytes[DIMENSIONS_MOST], stride = 1.0;
    for (size_t g = 0; g < call->grid.count; g++) {
        if (call_value(it, &sides[g], true, 1.0, &side[g], error) != 0 ||
            call_value(it, &faces[g], false, 0.0, &bytes[g], error) != 0)
            return -1;
        halo.processors *= side[g];
    }
    if (halo.processors > it->layout->processors)
        return error_particular_at(error, program_place(it->nest->program, sides[0].place),
                                   "a grid of %g processors: the run has %g", halo.processors,
                                   it->layout->processors);
    for (size_t g = call->grid.count; g-- > 0; stride *= side[g])
        if (side[g] > 1.0) {
            halo.lines[halo.directions++] = (struct grid_line){
                .side = side[g], .stride = stride, .is_ring = call->around && side[g] > 2.0};
            halo.neighbours += side[g] == 2.0 && !call->around ? 1.0 : 2.0;
        }
    for (int d = 0; d < halo.directions; d++) {
        const struct grid_line *line = &halo.lines[d];
        const bool is_pair = line->side == 2.0;
        const double partners = is_pair && !call->around ? 1.0 : 2.0;
        struct use use = {.class = TRAFFIC_EXCHANGE,
                          .times = times * partners,
                          .processors = 2.0,
                          .at_once = halo.processors / line->side *
                                     (is_pair         ? 1.0
                                      : line->is_ring ? line->side / 2.0
                                                      : (line->side - 1.0) / 2.0),
                          .halo = halo};
        char cause[60];
        size_t g = call->grid.count - 1;
        for (double at = 1.0; at < line->stride || side[g] == 1.0; g--)
            at *= side[g];
        use.bytes = ceil(bytes[g]);
        use.halo.own = *line;
        snprintf(cause, sizeof cause, "call along grid dimension %zu", g);
        demand_add_use(demand_of(it, call, cause), &use);
    }
    return 0;
}

/* So many messages of each of the grid's processors to the next along each side that is longer than
   one, stage by stage (tiles.h), from the first of all to the last. */
static int derive_pipeline(const struct calls *it, const struct call *call, double times,
                           struct error *error)
{
    const struct formula *sides = call->grid.items, *faces = call->faces.items;
    const double all = it->layout->processors;
    double messages = 0.0, processors = 1.0, stride = 1.0;
    struct pipeline made = {.active = 1.0,
                            .runs = times,
                            .strip = 1.0,
                            .across = 1.0,
                            .lines = 1.0,
                            .place = call->place};
    if (call_value(it, &call->pipeline, true, 0.0, &messages, error) != 0)
        return -1;
    for (size_t g = call->grid.count; g-- > 0;) {
        double side, bytes;
        if (call_value(it, &sides[g], true, 1.0, &side, error) != 0 ||
            call_value(it, &faces[g], false, 0.0, &bytes, error) != 0)
            return -1;
        if (side > 1.0 && bytes > 0.0) {
            made.messages[made.message_count++] =
                (struct strip_message){.bytes = bytes, .apart = stride, .side = side};
            made.active += side - 1.0;
            made.apart = made.message_count == 1 ? stride : 0.0;
        } else {
            made.lines *= side;
        }
        stride *= side;
        processors *= side;
    }
    if (processors > all)
        return error_particular_at(error, program_place(it->nest->program, sides[0].place),
                                   "a grid of %g processors: the run has %g", processors, all);
    if (made.message_count == 0 || messages == 0.0)
        return 0;
    made.outer = messages;
    made.chain = made.active;
    made.fill = made.active - 1.0;
    snprintf(made.reads, sizeof made.reads, "call");
    snprintf(made.along, sizeof made.along, "of the call");
    origins_list(it->nest->program->origins, call->place, made.at, sizeof made.at);
    *(struct pipeline *)list_add(&pipeline_record, &it->analysis->pipelines) = made;
    return 0;
}

static int derive_utility(const struct calls *it, const struct call *call, double times,
                          double in_a_row, struct error *error)
{
    struct use use = {.class = TRAFFIC_CLASSES,
                      .times = times,
                      .processors = it->layout->processors,
                      .in_a_row = in_a_row,
                      .is_call = true};
    if (call_value(it, &call->bytes, false, 0.0, &use.bytes, error) != 0 ||
        call_value(it, &call->processors, true, 1.0, &use.processors, error) != 0 ||
        call_groups(it, call, &use, error) != 0 || call_line(it, call, &use, error) != 0)
        return -1;
    if (use.processors == 1.0)
        return 0;
    use.bytes = ceil(use.bytes);
    struct demand *demand = demand_of(it, call, "call");
    demand->utility = call->utility;
    demand_add_use(demand, &use);
    return 0;
}

static int derive_times(const struct calls *it, const struct call *call, double times,
                        double in_a_row, struct error *error)
{
    return call->utility         ? derive_utility(it, call, times, in_a_row, error)
           : call->pipeline.text ? derive_pipeline(it, call, times, error)
                                 : derive_grid(it, call, times, error);
}

/* Whether what the call says depends on an index of the loops about it, or their bounds on one
   another: then iterations differ. */
static bool is_index(const void *of_nest, const char *name)
{
    const struct nest *nest = of_nest;
    for (int l = 0; l < nest->depth; l++)
        if (strcmp(nest->index[l], name) == 0)
            return true;
    return false;
}

static bool names_index(const struct nest *nest, const struct call *call)
{
    const struct formula *const formulas[] = {&call->bytes, &call->processors, &call->groups,
                                              &call->apart, &call->pipeline};
    bool names = false;
    for (size_t i = 0; i < sizeof formulas / sizeof *formulas; i++)
        names |= formula_any_name(formulas[i], is_index, nest);
    for (size_t g = 0; g < call->grid.count; g++)
        names |= formula_any_name((const struct formula *)call->grid.items + g, is_index, nest) ||
                 formula_any_name((const struct formula *)call->faces.items + g, is_index, nest);
    for (int l = 0; l < nest->depth; l++)
        names |= nest_is_triangular(nest, l, NULL);
    return names;
}

/* Each iteration of loop l and of those within. */
static int derive_each(const struct calls *it, const struct instance *instance, int l, double *at,
                       struct error *error)
{
    const struct nest *nest = &instance->nest;
    struct range range;
    if (l == nest->depth)
        return derive_times(it, instance->call, instance->probability, 1.0, error);
    if (nest_range(nest, l, at, &range, error) != 0)
        return -1;
    const size_t names = scope_count(it->scope);
    int status = 0;
    for (at[l] = range.first; at[l] <= range.last && status == 0; at[l]++) {
        if (!effort_take(nest->program->effort, 1000.0)) /* pricing it takes some more */
            return program_check_effort(nest->program, instance->call->place, error);
        status = scope_set(it->scope, nest->index[l], at[l], instance->call->place, error);
        if (status == 0)
            status = derive_each(it, instance, l + 1, at, error);
    }
    scope_cut(it->scope, names);
    return status;
}

static int derive_call(const struct calls *it, const struct instance *instance, struct error *error)
{
    double times, innermost, at[LOOPS_MOST] = {0.0};
    if (names_index(&instance->nest, instance->call))
        return derive_each(it, instance, 0, at, error);
    if (call_times(&instance->nest, &times, &innermost, error) != 0)
        return -1;
    return derive_times(it, instance->call, times * instance->probability,
                        is_alone_in_loop(it, instance) ? innermost : 1.0, error);
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
