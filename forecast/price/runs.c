#include "forecast/price/runs.h"

#include "forecast/price/charge.h"
#include "forecast/price/in_situ.h"
#include "forecast/price/price.h"

#include <math.h>

enum { STRAIGHT_LEAST = 4 }; /* fewer are priced one by one */

/* What must be so of all sizes: a message or a broadcast at a time, in one piece, by a utility of
   the table that is no more than functions of p. NULL: it is not so. */
static const struct cost *published_cost(const struct machine *machine, const struct demand *demand,
                                         const struct use *run)
{
    const bool is_plain = !demand->utility && run->at_once <= 1.0 && run->pieces == PIECES_ONE &&
                          run->halo.directions == 0 &&
                          (run->class == TRAFFIC_MESSAGES || run->class == TRAFFIC_BROADCAST);
    const struct cost *cost = is_plain && !machine->machine.measured
                                  ? machine_cost(machine, traffic_name(run->class))
                                  : NULL;
    const bool is_law = cost && cost->by_processors.count == 0 && cost->hops.count == 0 &&
                        isnan(cost->grid_side_least) && !in_situ_is_known(machine);
    return is_law ? cost : NULL;
}

static bool is_line(const struct region *region)
{
    return region && !region->unscalable && region->per_root_byte_us.count == 0 &&
           isnan(region->packet_bytes) && region->measured_us.count == 0 &&
           isnan(region_median_error(region));
}

/* One region between two sizes: the first that holds at both is the first that holds between. */
static bool are_on_line(const struct cost *cost, double bytes, double other_bytes, double p)
{
    const struct region *region = cost_region(cost, bytes, p);
    return is_line(region) && cost_region(cost, other_bytes, p) == region;
}

static bool was_trained(const struct cost *cost, double bytes)
{
    return isnan(cost->bytes.least) || (bytes >= cost->bytes.least && bytes <= cost->bytes.most);
}

/* Beyond the processors of the machine the longer of two laws answers (structure.h): where that is
   as long in the middle of two sizes as half of both together, one law answers at all. */
static bool are_priced_on_line(const struct machine *machine, const struct demand *demand,
                               const struct use *first, const struct use *last)
{
    struct use middle = *first;
    struct charge of_first, of_middle, of_last;
    struct error unnoted;
    middle.bytes = 0.5 * (first->bytes + last->bytes);
    if (price_use(machine, demand, first, &of_first, &unnoted) != 0 ||
        price_use(machine, demand, &middle, &of_middle, &unnoted) != 0 ||
        price_use(machine, demand, last, &of_last, &unnoted) != 0)
        return false;
    const double mean_us = 0.5 * (of_first.time_us + of_last.time_us);
    return of_first.part_count == 1 && of_middle.part_count == 1 && of_last.part_count == 1 &&
           of_first.flags == of_middle.flags && of_last.flags == of_middle.flags &&
           !(of_middle.flags & COST_CLAMPED) &&
           fabs(of_middle.time_us - mean_us) <= 1e-12 * mean_us;
}

static bool is_straight(const struct machine *machine, const struct demand *demand,
                        const struct cost *cost, const struct use *first, const struct use *last)
{
    return was_trained(cost, first->bytes) && was_trained(cost, last->bytes) &&
           are_on_line(cost, first->bytes, last->bytes, charge_counted(cost, first->processors)) &&
           (isnan(cost->processors.most) ||
            are_on_line(cost, first->bytes, last->bytes, cost->processors.most)) &&
           are_priced_on_line(machine, demand, first, last);
}

double run_straight(const struct machine *machine, const struct demand *demand,
                    const struct use *run, double number)
{
    const struct cost *cost = published_cost(machine, demand, run);
    const struct use first = use_in_run(run, number);
    double count = run->further + 1.0 - number;
    for (; cost && count >= STRAIGHT_LEAST; count = floor(count / 2.0)) {
        const struct use last = use_in_run(run, number + count - 1.0);
        if (is_straight(machine, demand, cost, &first, &last))
            return count;
    }
    return 1.0;
}
