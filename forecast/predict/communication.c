#include "forecast/predict/communication.h"

#include "forecast/price/in_situ.h"
#include "forecast/price/runs.h"
#include "model/cost/pattern.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

void communication_say_contention(struct segment_prediction *segment, size_t from)
{
    struct item *items = segment->items.items;
    for (size_t i = from; i < segment->items.count; i++) {
        struct item *it = &items[i];
        const size_t used = strlen(it->what);
        if (it->alone_us > 0.0 && it->time_us > 1.005 * it->alone_us)
            snprintf(it->what + used, sizeof it->what - used,
                     ", %.3g at once: %.3g times one alone", it->at_once,
                     it->time_us / it->alone_us);
    }
}

static bool is_of_resource(const struct item *item, const struct charge *charge)
{
    char resource[CHARGE_NAME];
    if (strcmp(item->as, charge->as) != 0)
        return false;
    if (charge->part_count == 1)
        return strncmp(item->resource, charge->parts[0].cost->utility, sizeof item->resource - 1) ==
               0;
    charge_name(charge, resource);
    return strcmp(item->resource, resource) == 0;
}

static void describe(struct item *item, const struct demand *demand, const struct charge *charge)
{
    snprintf(
        item->what, sizeof item->what, "%s%s%s%s%s%s%s%s%s%s", demand->cause,
        charge->instead_of ? ", instead of " : "", charge->instead_of ? charge->instead_of : "",
        charge->as[0] ? ", as " : "", charge->as, charge->too_low ? " (known to be too low)" : "",
        demand->enumerated ? " (element by element)" : "",
        charge->packing_unknown ? " (strided: packing not priced)" : "",
        charge->packing ? " with the packing of " : "", charge->packing ? charge->packing : "");
    if (fabs(charge->distance - 1.0) > 0.005 && charge->distance > 0.0) {
        const size_t used = strlen(item->what);
        snprintf(item->what + used, sizeof item->what - used,
                 ", at its distance %.3g times as measured", charge->distance);
    }
    if (charge->in_situ > 1.005) {
        const size_t used = strlen(item->what);
        snprintf(item->what + used, sizeof item->what - used,
                 ", between computations %.3g times as repeated", charge->in_situ);
    }
    if (charge->contribute > 0.0) {
        const size_t used = strlen(item->what);
        snprintf(item->what + used, sizeof item->what - used, " (%.0f have something)",
                 charge->contribute);
    }
    memcpy(item->at, demand->at, sizeof item->at);
    memcpy(item->as, charge->as, sizeof item->as);
    charge_name(charge, item->resource);
}

/* A program waits for everybody, but where a description calls for what one side alone takes. */
static unsigned side_flag(const struct demand *demand, const struct cost *cost)
{
    const bool is_meant = demand->utility && strcmp(demand->utility, cost->utility) == 0 &&
                          pattern_named(cost->utility)->one_sided;
    return is_meant ? 0 : cost_side_flag(cost);
}

/* One more kind of use of the same class: the item covers them all. */
static void add_use(struct item *item, const struct demand *demand, const struct charge *charge,
                    double times, double at_once)
{
    const struct charge_part *first = &charge->parts[0];
    const double each = charge->part_count == 1 ? first->uses : 1.0;
    const bool is_first = item->times == 0.0;
    item->region = is_first && charge->part_count == 1 ? first->each.region
                   : item->region == first->each.region && item->bytes == first->bytes
                       ? item->region
                       : NULL;
    item->hops = item->region ? first->each.hops : NULL;
    item->cost = item->region ? first->cost : NULL;
    item->distance = charge->distance;
    item->in_situ = charge->in_situ;
    for (size_t k = 0; k < charge->part_count; k++)
        item->measured_at = fmax(item->measured_at, charge->parts[k].each.measured_at);
    item->times += times * each;
    item->time_us += times * charge->time_us;
    item->alone_us += times * charge->alone_us;
    item->at_once = fmax(item->at_once, at_once);
    item->low_us += times * charge->low_us;
    item->high_us += times * charge->high_us;
    item->bytes_least = is_first ? first->bytes : fmin(item->bytes_least, first->bytes);
    item->bytes = is_first ? first->bytes : fmax(item->bytes, first->bytes);
    item->processors = is_first ? first->processors : fmax(item->processors, first->processors);
    item->flags |= charge->flags;
    for (size_t k = 0; k < charge->part_count; k++)
        item->flags |= side_flag(demand, charge->parts[k].cost);
    item->each_us = item->time_us / item->times;
}

static void add_uncertain(struct segment_prediction *segment, const struct machine *machine,
                          const struct charge *charge, double times)
{
    if (machine->machine.measured)
        uncertain_add_in_program(&segment->uncertain, times * charge->time_us);
    for (size_t k = 0; k < charge->part_count; k++) {
        const struct charge_part *part = &charge->parts[k];
        const double time_us = times * part->uses * part->contention.factor * part->each.time_us;
        uncertain_add(&segment->uncertain, &part->each, part->bytes, part->processors, time_us);
        if (part->contention.factor > 1.0)
            uncertain_add(&segment->uncertain, &part->contention.answer, part->bytes,
                          part->contention.messages, time_us);
    }
}

/* The item that this use belongs to: of the demand's, which begin at `from`, the one of the same
   resource. */
static struct item *item_for(struct segment_prediction *segment, size_t from,
                             const struct demand *demand, const struct charge *charge)
{
    struct item *items = segment->items.items;
    for (size_t i = from; i < segment->items.count; i++)
        if (is_of_resource(&items[i], charge))
            return &items[i];
    struct item *item = segment_add_item(segment);
    describe(item, demand, charge);
    return item;
}

/* Where the uses of a demand go, and what decides what they cost there. */
struct adding {
    struct segment_prediction *segment;
    const struct machine *machine;
    const struct demand *demand;
    double repeat, touched_bytes;
    size_t from; /* the first item of the demand */
};

static int price_sized(void *state, const struct use *use, struct charge *charge,
                       struct error *error)
{
    const struct adding *to = state;
    if (price_use(to->machine, to->demand, use, charge, error) != 0)
        return -1;
    in_situ_charge(charge, to->machine, in_situ_touched_bytes(use, to->touched_bytes));
    return 0;
}

static void add_sized(void *state, const struct use *use, const struct charge *charge, double sizes)
{
    const struct adding *to = state;
    struct segment_prediction *segment = to->segment;
    const double times = use->times * to->repeat * sizes;
    add_use(item_for(segment, to->from, to->demand, charge), to->demand, charge, times,
            use->at_once);
    add_uncertain(segment, to->machine, charge, times);
    segment->contention_unknown |= charge->contention_unknown;
    segment->no_error |= charge->no_error || charge->too_low || charge->packing_unknown ||
                         charge->contention_unknown;
}

static int add_demand(struct segment_prediction *segment, const struct machine *machine,
                      const struct demand *demand, double repeat, double touched_bytes,
                      struct error *error)
{
    struct adding to = {segment, machine, demand, repeat, touched_bytes, segment->items.count};
    const struct run_pricing pricing = {price_sized, add_sized, &to};
    const struct use *uses = demand->uses.items;
    for (size_t i = 0; i < demand->uses.count; i++)
        if (uses[i].times * repeat != 0.0 && run_price(&pricing, &uses[i], error) != 0)
            return -1;
    communication_say_contention(segment, to.from);
    return 0;
}

int communication_add(struct segment_prediction *segment, const struct machine *machine,
                      const struct analysis *analysis, double touched_bytes, struct error *error)
{
    const struct demand *demands = analysis->demands.items;
    for (size_t i = 0; i < analysis->demands.count; i++)
        if (add_demand(segment, machine, &demands[i], analysis->repeat, touched_bytes, error) != 0)
            return -1;
    return 0;
}
