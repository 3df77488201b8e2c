#include "model/segment/loops/settle.h"

#include "model/base/allocation.h"
#include "model/segment/loops/home.h"

#include <string.h>

/* What speaks for an element, the strongest first. */
struct standing {
    bool has_all;  /* every iteration has one of its own, where anything moves with the loop */
    bool agrees;   /* it lies where the result does, wherever that is distributed */
    int followed;  /* grid dimensions along which loops lead it */
    int named;     /* loops that it moves with */
    bool has_last; /* so it does with the innermost that the result moves with */
};

static bool axes_agree(const struct home_axis *a, const struct home_axis *b)
{
    return a->kind == b->kind && a->subscript.loop == b->subscript.loop &&
           a->subscript.coefficient == b->subscript.coefficient &&
           a->subscript.constant == b->subscript.constant &&
           a->along.elements == b->along.elements && a->along.block == b->along.block &&
           a->along.processors == b->along.processors;
}

/* Whether the loop moves the result or anything that is read. */
static bool is_named(const struct instance *instance, int loop)
{
    bool is_named = reference_names(&instance->writes, loop);
    for (size_t k = 0; k < instance->read_count; k++)
        is_named |= reference_names(&instance->reads[k], loop);
    return is_named;
}

/* False where the element does not tell processors apart, or couples loops along them. */
static bool weigh(struct standing *standing, const struct instance *instance,
                  const struct reference *read, const struct layout *layout,
                  const struct home *owner)
{
    const bool fixed[LOOPS_MOST] = {false};
    const double zero[LOOPS_MOST] = {0.0};
    struct home home;
    int all = 0, subscripts = 0, last = -1;
    *standing = (struct standing){.agrees = owner != NULL};
    if (!home_of(&home, read, layout, instance->nest.program, fixed, zero))
        return false;
    for (int g = 0; g < home.grid_dimensions; g++) {
        standing->followed += home.axes[g].kind == AXIS_LOOP;
        standing->agrees = standing->agrees && (owner->axes[g].kind == AXIS_ALL ||
                                                axes_agree(&owner->axes[g], &home.axes[g]));
    }
    for (int l = 0; l < instance->nest.depth; l++) {
        all += is_named(instance, l);
        standing->named += reference_names(read, l);
        last = reference_names(&instance->writes, l) ? l : last;
    }
    for (int d = 0; d < read->dimensions; d++)
        subscripts += affine_loop(&read->subscripts[d], 0) >= 0;
    standing->has_all = standing->named == all && subscripts >= all;
    standing->has_last = last >= 0 && reference_names(read, last);
    return standing->followed > 0;
}

static bool is_better(const struct standing *a, const struct standing *b)
{
    if (a->has_all != b->has_all)
        return a->has_all;
    if (a->agrees != b->agrees)
        return a->agrees;
    if (a->followed != b->followed)
        return a->followed > b->followed;
    if (a->named != b->named)
        return a->named > b->named;
    return a->has_last && !b->has_last;
}

const struct reference *settled_home(const struct instance *instance, const struct layout *layout)
{
    const bool fixed[LOOPS_MOST] = {false};
    const double zero[LOOPS_MOST] = {0.0};
    const struct reference *found = NULL;
    struct standing best = {.agrees = false}, standing;
    struct home owner;
    if (!instance->chooses)
        return instance->has_home ? &instance->home : NULL;
    const bool is_clear =
        home_of(&owner, &instance->writes, layout, instance->nest.program, fixed, zero);
    for (size_t k = 0; k < instance->read_count; k++)
        if (weigh(&standing, instance, &instance->reads[k], layout, is_clear ? &owner : NULL) &&
            (standing.has_all || standing.agrees) && (!found || is_better(&standing, &best))) {
            best = standing;
            found = &instance->reads[k];
        }
    return found ? found : &instance->home;
}

void settle_instances(struct list *settled, const struct list *instances,
                      const struct layout *layout)
{
    const struct instance *all = instances->items;
    *settled = (struct list){0};
    for (size_t i = 0; i < instances->count; i++) {
        if (!all[i].chooses)
            continue;
        const struct reference *home = settled_home(&all[i], layout);
        if (home == &all[i].home)
            continue;
        if (!settled->items) {
            settled->items = memory_new(instances->count, sizeof *all);
            settled->count = instances->count;
            memcpy(settled->items, all, instances->count * sizeof *all);
        }
        ((struct instance *)settled->items)[i].home = *home;
    }
}
