#include "forecast/price/in_situ.h"

#include "model/cost/pattern.h"

#include <math.h>

bool in_situ_is_known(const struct machine *machine)
{
    const struct cost *costs = machine->communication.items;
    for (size_t i = 0; i < machine->communication.count; i++)
        if (costs[i].in_situ.count > 0)
            return true;
    return false;
}

double in_situ_touched_bytes(const struct use *use, double segment_bytes)
{
    const double together = fmax(use->halo.neighbours, 1.0);
    const double buffers_bytes = 2.0 * use->bytes;
    return fmax(segment_bytes * fmin(1.0, together / fmax(use->times, 1.0)), buffers_bytes);
}

static const struct list *rows_for(const struct machine *machine, const struct cost *cost)
{
    const struct cost *exchange = machine_cost(machine, pattern_exchange.name);
    if (cost->in_situ.count == 0 && exchange && pattern_is_between_two(cost->utility))
        return &exchange->in_situ;
    return &cost->in_situ;
}

static void make_longer(struct charge *charge, struct charge_part *part,
                        const struct in_situ_ratio *ratio)
{
    const double times = part->uses * part->contention.factor;
    charge->alone_us += part->uses * part->each.time_us * (ratio->ratio - 1.0);
    charge->time_us += times * part->each.time_us * (ratio->ratio - 1.0);
    charge->low_us += times * part->each.low_us * (ratio->low - 1.0);
    charge->high_us += times * part->each.high_us * (ratio->high - 1.0);
    part->each.time_us *= ratio->ratio;
    part->each.low_us *= ratio->low;
    part->each.high_us *= ratio->high;
}

void in_situ_charge(struct charge *charge, const struct machine *machine, double touched_bytes)
{
    const double warm_us = charge->time_us;
    for (size_t i = 0; i < charge->part_count; i++) {
        struct charge_part *part = &charge->parts[i];
        const struct in_situ_ratio ratio =
            in_situ_ratio(rows_for(machine, part->cost), part->bytes, touched_bytes);
        make_longer(charge, part, &ratio);
        charge->flags |= ratio.is_beyond ? (unsigned)COST_TOUCHED_BEYOND : 0;
    }
    charge->in_situ = warm_us > 0.0 ? charge->time_us / warm_us : 0.0;
}
