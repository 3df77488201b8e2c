#include "estimator/price.h"

#include "estimator/composition.h"

#include <string.h>

/* ---- messages of several pieces ---- */

/* What is measured of messages of one piece, and of the same in pieces by one way or the other.
   Runs of elements are packed like single ones where nothing nearer is measured: they come first.
 */
static const struct packing {
    enum pieces pieces;
    enum traffic_class class; /* TRAFFIC_CLASSES: any */
    const char *whole, *strided[2];
} packings[] = {
    {PIECES_RUNS,     TRAFFIC_CLASSES,  "many-to-many", {"many-to-many-packed"}         },
    {PIECES_ELEMENTS, TRAFFIC_EXCHANGE, "EXCH1",        {"EXCH1-vector", "EXCH1-packed"}},
    {PIECES_ELEMENTS, TRAFFIC_MESSAGES, "vSR",          {"vSR-vector", "vSR-packed"}    },
};

static bool serves(const struct packing *packing, const struct machine *machine,
                   const struct use *use)
{
    bool measured = false;
    for (size_t k = 0; k < 2 && packing->strided[k]; k++)
        measured |= machine_cost(machine, packing->strided[k]) != NULL;
    return measured && machine_cost(machine, packing->whole) && packing->pieces <= use->pieces &&
           (packing->class == use->class || packing->class == TRAFFIC_CLASSES);
}

/* What the cheaper way takes more than a message of one piece, of the same measurement. */
static int add_packing(struct charge *charge, const struct packing *packing,
                       const struct machine *machine, const struct use *use, struct error *error)
{
    const struct cost *whole = machine_cost(machine, packing->whole);
    const double processors = use->class == TRAFFIC_MANY_TO_MANY ? use->processors : 2.0;
    struct cost_answer base, answer, best = {0};
    for (size_t k = 0; k < 2 && packing->strided[k]; k++) {
        const struct cost *strided = machine_cost(machine, packing->strided[k]);
        if (!strided)
            continue;
        if (cost_answer(strided, use->bytes, charge_counted(strided, processors), &answer, error) !=
            0)
            return -1;
        if (!charge->packing || answer.time_us < best.time_us) {
            best = answer;
            charge->packing = packing->strided[k];
        }
    }
    if (cost_answer(whole, use->bytes, charge_counted(whole, processors), &base, error) != 0)
        return -1;
    const double more_us = best.time_us - base.time_us;
    if (!(more_us > 0.0))
        return 0;
    charge->time_us += more_us;
    charge->alone_us += more_us;
    charge->low_us += more_us * best.low_us / best.time_us;
    charge->high_us += more_us * best.high_us / best.time_us;
    return 0;
}

static int price_packing(struct charge *charge, const struct machine *machine,
                         const struct use *use, struct error *error)
{
    if (use->pieces == PIECES_ONE)
        return 0;
    for (size_t i = 0; i < sizeof packings / sizeof *packings; i++)
        if (serves(&packings[i], machine, use))
            return add_packing(charge, &packings[i], machine, use, error);
    charge->packing_unknown = true;
    return 0;
}

/* Pairs that exchange at once are measured as such. */
static const struct cost *cost_for(const struct machine *machine, const char *wanted,
                                   const struct use *use)
{
    const struct cost *pairs =
        strcmp(wanted, "exchange") == 0 && use->at_once > 1.0 ? contention_pairs(machine) : NULL;
    return pairs ? pairs : machine_cost(machine, wanted);
}

static int price_wanted(struct charge *charge, const char *wanted, const struct machine *machine,
                        const struct use *use, struct error *error)
{
    const struct cost *cost = cost_for(machine, wanted, use);
    struct charged all = {1.0, use->bytes, use->processors, use->at_once, NULL};
    *charge = (struct charge){0};
    if (!cost)
        return composition_charge(charge, machine, wanted, &all, error);
    if (cost == contention_pairs(machine) && strcmp(wanted, "exchange") == 0) {
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

static bool is(const char *name, const char *utility)
{
    return name && strcmp(name, utility) == 0;
}

bool price_may_ask(const char *utility)
{
    bool may = is(contention_utility, utility) || composition_may_ask(utility);
    for (int class = 0; class < TRAFFIC_CLASSES; class ++)
        may |= is(traffic_name((enum traffic_class) class), utility);
    for (size_t i = 0; i < sizeof packings / sizeof *packings; i++)
        may |= is(packings[i].whole, utility) || is(packings[i].strided[0], utility) ||
               is(packings[i].strided[1], utility);
    return may;
}
