#include "forecast/predict/overlapping.h"
#include "model/cost/pattern.h"

#include <math.h>
#include <stdio.h>

/* ---- the table's availability ---- */

/* Of one side; NAN: the table has none of it. Beyond its sizes it is that of the nearest. */
static double side_availability(const struct machine *machine, int side, double bytes,
                                unsigned *flags)
{
    const struct overlap *all = machine->overlap.items, *below = NULL, *above = NULL;
    for (size_t i = 0; i < machine->overlap.count; i++) {
        if (all[i].side != side || isnan(all[i].availability))
            continue;
        if (all[i].bytes <= bytes && (!below || all[i].bytes > below->bytes))
            below = &all[i];
        if (all[i].bytes >= bytes && (!above || all[i].bytes < above->bytes))
            above = &all[i];
    }
    if (!below != !above)
        *flags |= COST_EXTRAPOLATED_BYTES;
    if (!below || !above)
        return below ? below->availability : above ? above->availability : (double)NAN;
    if (above->bytes == below->bytes)
        return below->availability;
    const double share = log((bytes + 1.0) / (below->bytes + 1.0)) /
                         log((above->bytes + 1.0) / (below->bytes + 1.0));
    return below->availability + share * (above->availability - below->availability);
}

double availability(const struct machine *machine, double bytes, unsigned *flags)
{
    return fmin(side_availability(machine, OVERLAP_SEND, bytes, flags),
                side_availability(machine, OVERLAP_RECEIVE, bytes, flags));
}

/* ---- a segment ---- */

static bool may_overlap(const struct item *item)
{
    return !item->computes && pattern_is_of_pairs(item->resource);
}

static double computing_us(const struct segment_prediction *segment)
{
    const struct item *items = segment->items.items;
    double sum_us = 0.0;
    for (size_t i = 0; i < segment->items.count; i++)
        sum_us += items[i].computes ? items[i].time_us : 0.0;
    return sum_us;
}

void overlap_communication(struct segment_prediction *segment, const struct machine *machine)
{
    const struct item *items = segment->items.items;
    double hidden_us = 0.0;
    unsigned flags = 0;
    bool known = true;
    for (size_t i = 0; i < segment->items.count; i++) {
        if (!may_overlap(&items[i]))
            continue;
        const double share = availability(machine, items[i].bytes, &flags);
        known &= !isnan(share);
        hidden_us += isnan(share) ? 0.0 : share * items[i].time_us;
    }
    hidden_us = fmin(hidden_us, computing_us(segment));
    if (hidden_us == 0.0 && known)
        return;
    struct item *item = segment_add_item(segment);
    snprintf(item->what, sizeof item->what,
             known ? "hidden behind computation"
                   : "hidden behind computation (the table does not say what can be)");
    snprintf(item->resource, sizeof item->resource, "overlap");
    item->times = 1.0;
    item->time_us = item->low_us = item->high_us = item->each_us = -hidden_us;
    item->bytes = item->bytes_least = 0.0;
    item->processors = 2.0;
    item->flags = flags;
}
