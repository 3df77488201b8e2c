/* A machine's processors, and its utilities by their names. */
#include "model/base/allocation.h"
#include "model/cost/pattern.h"
#include "model/machine/machine.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

double machine_all_processors(const struct machine *machine)
{
    return isnan(machine->machine.processors) ? 2.0 : machine->machine.processors;
}

const struct cost *machine_cost(const struct machine *machine, const char *utility)
{
    const struct cost *costs = machine->communication.items;
    for (size_t i = 0; i < machine->communication.count; i++)
        if (strcmp(costs[i].utility, utility) == 0)
            return &costs[i];
    return NULL;
}

int machine_require(const struct machine *machine, const char *utility, const struct cost **cost,
                    struct error *error)
{
    *cost = machine_cost(machine, pattern_name(utility));
    if (*cost)
        return 0;
    const size_t count = machine->communication.count;
    const struct cost *costs = machine->communication.items;
    const char **names = memory_new(count + 1, sizeof *names);
    char all[NAMES_TEXT];
    for (size_t i = 0; i < count; i++)
        names[i] = costs[i].utility;
    const char *near = nearest_name(utility, names);
    names_listed(all, names);
    free(names);
    return error_at(error, place_at(machine->path, 0, 0), "no utility '%.60s'%s%s%s; there are: %s",
                    utility, near ? ": did you mean '" : "", near ? near : "", near ? "'?" : "",
                    count ? all : "none");
}
