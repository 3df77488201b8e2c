#include "forecast/predict/price.h"

#include "forecast/predict/composition.h"
#include "forecast/predict/packing.h"
#include "model/cost/pattern.h"

static int price_packing(struct charge *charge, const struct machine *machine,
                         const struct use *use, struct error *error)
{
    const double participants = use->class == TRAFFIC_MANY_TO_MANY ? use->processors : 2.0;
    struct packing packing;
    if (packing_price(&packing, machine, use->class, use->pieces, use->bytes, participants,
                      error) != 0)
        return -1;
    charge->packing = packing.utility;
    charge->packing_unknown = packing.unknown;
    charge->time_us += packing.more_us;
    charge->alone_us += packing.more_us;
    charge->low_us += packing.low_us;
    charge->high_us += packing.high_us;
    return 0;
}

/* Pairs that exchange at once are measured as such; NULL: no such pairs, or not measured. */
static const struct cost *pairs_for(const struct machine *machine, const char *wanted,
                                    const struct use *use)
{
    const bool are_pairs = use->at_once > 1.0 && pattern_named(wanted) == &pattern_exchange;
    return are_pairs ? contention_pairs(machine) : NULL;
}

static int price_wanted(struct charge *charge, const char *wanted, const struct machine *machine,
                        const struct use *use, struct error *error)
{
    const struct cost *pairs = pairs_for(machine, wanted, use);
    const struct cost *cost = pairs ? pairs : machine_cost(machine, wanted);
    struct charged all = {1.0, use->bytes, use->processors, use->at_once, NULL};
    *charge = (struct charge){0};
    if (!cost)
        return composition_charge(charge, machine, wanted, &all, error);
    if (pairs) {
        all.participants = 2.0 * use->at_once;
        all.at_once = 1.0;
    }
    return charge_add(charge, machine, cost, &all, error);
}

/* Those that have nothing to contribute can take part in a combination, with nothing: where that is
   cheaper, because of their number, a program does so. */
static void try_more(struct charge *charge, const char *wanted, const struct machine *machine,
                     const struct use *use)
{
    struct charge with_all;
    struct error error;
    struct use all = *use;
    all.processors = use->processors_most;
    if (use->processors_most <= use->processors ||
        price_wanted(&with_all, wanted, machine, &all, &error) != 0 ||
        with_all.time_us >= charge->time_us)
        return;
    *charge = with_all;
    charge->contribute = use->processors;
}

int price_use(const struct machine *machine, const struct demand *demand, const struct use *use,
              struct charge *charge, struct error *error)
{
    const char *wanted = demand->utility ? demand->utility : traffic_name(use->class);
    if (price_wanted(charge, wanted, machine, use, error) != 0)
        return -1;
    try_more(charge, wanted, machine, use);
    return price_packing(charge, machine, use, error);
}
