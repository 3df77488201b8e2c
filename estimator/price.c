#include "estimator/price.h"

#include <string.h>

/* A utility that can serve, and how many uses of it one use of what is wanted takes. */
struct choice {
    const char *wanted, *utility;
    double uses;
};

/* Tried in order for what is wanted; the first that the table has is taken. An exchange is at most
   two messages one after the other. Nothing stands in for a collective: composed from messages it
   would be 17 to 40 % low on the SP2 (D11). */
static const struct choice choices[] = {
    {"exchange",       "exchange",       1.0},
    {"exchange",       "point-to-point", 2.0},
    {"point-to-point", "point-to-point", 1.0},
    {"combine",        "combine",        1.0},
};

enum { CHOICE_COUNT = sizeof choices / sizeof *choices };

static const char *wanted_by(const struct demand *demand)
{
    switch (demand->kind) {
    case DEMAND_SHIFT:
        return demand->both_ways ? "exchange" : "point-to-point";
    case DEMAND_COMBINE:
        return "combine";
    case DEMAND_CALL:
        break;
    }
    return demand->utility;
}

/* p as the utility's own formula counts it, for a group of participants (D16). */
static double counted(const struct cost *cost, double participants)
{
    return cost->processors_mean == MEAN_PARTICIPANTS ? participants : participants - 1.0;
}

static bool is_pair(const char *utility)
{
    return strcmp(utility, "point-to-point") == 0 || strcmp(utility, "exchange") == 0;
}

int price_demand(const struct machine *machine, const struct demand *demand, struct charge *charge,
                 struct error *error)
{
    const char *wanted = wanted_by(demand);
    *charge = (struct charge){.uses = demand->times};
    for (size_t i = 0; i < CHOICE_COUNT && !charge->cost; i++)
        if (strcmp(choices[i].wanted, wanted) == 0) {
            charge->cost = machine_cost(machine, choices[i].utility);
            charge->uses = demand->times * choices[i].uses;
        }
    if (!charge->cost && machine_require(machine, wanted, &charge->cost, error) != 0)
        return -1;
    if (strcmp(charge->cost->utility, wanted) != 0)
        charge->instead_of = wanted;
    else
        charge->uses = demand->times;
    charge->bytes = demand->bytes;
    charge->processors =
        is_pair(charge->cost->utility) ? 2.0 : counted(charge->cost, demand->processors);
    return cost_answer(charge->cost, charge->bytes, charge->processors, &charge->each, error);
}
