#include "model/machine/swap_best.h"

#include "model/base/allocation.h"
#include "model/cost/pattern.h"
#include "model/micro/swap.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* The fastest swap of a volume. */
struct best {
    double bytes, time_us;
    const struct swap *swap;
};

static bool counts(const struct swap *swap, const char *pair)
{
    return swap->order == SWAP_UNORDERED && swap->way == SWAP_WARM && !isnan(swap->b_us_per_byte) &&
           swap->pair && strcmp(swap->pair, pair) == 0;
}

static void take(struct best *best, size_t *count, const struct swap *swap)
{
    const double time_us = swap->b_us_per_byte * swap->volume_bytes;
    size_t i = 0;
    while (i < *count && best[i].bytes != swap->volume_bytes)
        i++;
    if (i == *count)
        best[(*count)++] = (struct best){swap->volume_bytes, INFINITY, NULL};
    if (time_us < best[i].time_us) {
        best[i].time_us = time_us;
        best[i].swap = swap;
    }
}

static int by_bytes(const void *a, const void *b)
{
    const double x = ((const struct best *)a)->bytes, y = ((const struct best *)b)->bytes;
    return (x > y) - (x < y);
}

static void add_line(struct cost *cost, const struct best *from, bool last)
{
    const double per_byte_us =
        fmax(0.0, (from[1].time_us - from[0].time_us) / (from[1].bytes - from[0].bytes));
    const double t0_us = from[0].time_us - per_byte_us * from[0].bytes;
    *(struct region *)list_add(&region_record, &cost->regions) =
        region_hockney(last ? INFINITY : from[1].bytes, t0_us, 1.0 / per_byte_us);
}

static char *note_of(const struct best *best, size_t count)
{
    char *note = memory_copy_text("the best protocol");
    for (size_t i = 0; i < count; i++) {
        const struct swap *swap = best[i].swap;
        char *longer = memory_format(
            "%s%s %.0f bytes: %s%s, %.0f messages", note, i ? ";" : ",", best[i].bytes,
            swap_protocol_name(SWAP_UNORDERED, (int)swap->protocol),
            swap->set == SWAP_REORGANIZED ? " (reorganized)" : "", swap->best_messages);
        free(note);
        note = longer;
    }
    return note;
}

void swap_add_best(struct machine *machine)
{
    const struct swap *swaps = machine->swap.items;
    struct best *best = memory_new(machine->swap.count + 1, sizeof *best);
    size_t count = 0;
    for (size_t i = 0; i < machine->swap.count; i++)
        if (swaps[0].pair && counts(&swaps[i], swaps[0].pair))
            take(best, &count, &swaps[i]);
    qsort(best, count, sizeof *best, by_bytes);
    if (count >= 2) {
        struct cost *cost = list_add(&cost_record, &machine->communication);
        cost->utility = memory_copy_text(pattern_exchange_best.name);
        cost->statistic = STATISTIC_MEDIAN;
        cost->measures = MEASURES_COMPLETION;
        cost->bytes = (struct span){best[0].bytes, best[count - 1].bytes};
        cost->processors = (struct span){2.0, 2.0};
        cost->note = note_of(best, count);
        for (size_t i = 0; i + 1 < count; i++)
            add_line(cost, &best[i], i + 2 == count);
    }
    free(best);
}
