#include "forecast/predict/first_messages.h"

#include "model/base/allocation.h"
#include "model/cost/confidence.h"
#include "model/micro/start_up.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

/* From one launch to another it is up to twice as long: the standard deviation of the logarithm
   that has as much in its interval. */
static const double spread_of_launches = 0.4214;

static size_t count_items(const struct list *segments)
{
    const struct segment_prediction *all = segments->items;
    size_t count = 0;
    for (size_t s = 0; s < segments->count; s++)
        count += all[s].items.count;
    return count;
}

static size_t collect(const struct list *segments, struct first_messages *kinds)
{
    const struct segment_prediction *all = segments->items;
    size_t count = 0;
    for (size_t s = 0; s < segments->count; s++) {
        const struct item *items = all[s].items.items;
        for (size_t i = 0; i < all[s].items.count; i++)
            if (!items[i].computes && items[i].bytes >= 0.0 && items[i].times > 0.0)
                kinds[count++] = (struct first_messages){items[i].bytes, items[i].times};
    }
    return count;
}

void first_messages_fill(struct segment_prediction *segment, const struct prediction *prediction,
                         const struct machine *machine)
{
    struct first_messages *kinds =
        memory_new(count_items(&prediction->segments) + 1, sizeof *kinds);
    const size_t count = collect(&prediction->segments, kinds);
    const double us = start_up_us(&machine->start_up, kinds, count);
    double longest = 0.0;
    for (size_t i = 0; i < count; i++)
        longest = fmax(longest, kinds[i].bytes);
    free(kinds);
    if (!(us > 0.0))
        return;
    const double factor = uncertain_factor_of(spread_of_launches);
    struct item *item = segment_add_item(segment);
    snprintf(item->what, sizeof item->what, "messages that are the first of the program");
    snprintf(item->resource, sizeof item->resource, "start-up");
    item->times = 1.0;
    item->each_us = item->time_us = item->alone_us = us;
    item->low_us = us / factor;
    item->high_us = us * factor;
    item->bytes = item->bytes_least = longest;
    item->processors = 2.0;
    uncertain_add_spread(&segment->uncertain, spread_of_launches, us);
}

void first_touch_fill(struct segment_prediction *segment, double bytes,
                      const struct machine *machine)
{
    const struct first_touch *row = machine->first_touch.items;
    const double mib = bytes / 0x1p20;
    if (!(mib * row->mib_us > 0.0))
        return;
    const double low_us = fmax(row->mib_us_low, 0.1 * row->mib_us);
    const double spread =
        log(fmax(row->mib_us_high, row->mib_us) / low_us) / (2.0 * confidence_deviations);
    struct item *item = segment_add_item(segment);
    snprintf(item->what, sizeof item->what, "MiB of memory that is written for the first time");
    snprintf(item->resource, sizeof item->resource, "first touch");
    item->computes = true;
    item->pipeline = -1;
    item->times = mib;
    item->each_us = row->mib_us;
    item->time_us = mib * row->mib_us;
    item->low_us = item->time_us / uncertain_factor_of(spread);
    item->high_us = item->time_us * uncertain_factor_of(spread);
    item->bytes = item->bytes_least = item->processors = NAN;
    segment->mean_us += item->time_us;
    uncertain_add_spread(&segment->uncertain, spread, item->time_us);
}
