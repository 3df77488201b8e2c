#include "model/micro/swap_summary.h"

#include "model/base/allocation.h"
#include "model/base/number.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* More than any experiment repeats; the experiments themselves have all. */
enum { FIT_DIGITS = 6 };

static bool is_same_text(const char *a, const char *b)
{
    return strcmp(a ? a : "", b ? b : "") == 0;
}

static bool is_of(const struct swap_summary *summary, const struct swap *swap)
{
    return summary->way == swap->way && is_same_text(summary->pair, swap->pair) &&
           (summary->volume_bytes == swap->volume_bytes ||
            (isnan(summary->volume_bytes) && isnan(swap->volume_bytes)));
}

static char *copy_text(const char *text)
{
    return text ? memory_copy_text(text) : NULL;
}

/* ---- from experiments ---- */

static struct swap_summary *summary_of(struct list *summaries, const struct swap *swap)
{
    struct swap_summary *items = summaries->items;
    for (size_t i = 0; i < summaries->count; i++)
        if (is_of(&items[i], swap))
            return &items[i];
    struct swap_summary *summary = list_add(&swap_summary_record, summaries);
    summary->way = swap->way;
    summary->volume_bytes = swap->volume_bytes;
    summary->pair = copy_text(swap->pair);
    summary->experiments = 0.0;
    return summary;
}

static bool is_fastest(const struct list *experiments, const struct swap_summary *summary,
                       const struct swap *swap)
{
    const struct swap *all = experiments->items;
    for (size_t i = 0; i < experiments->count; i++)
        if (is_of(summary, &all[i]) && all[i].order == swap->order &&
            (all[i].swap_mb_per_s > swap->swap_mb_per_s ||
             (all[i].swap_mb_per_s == swap->swap_mb_per_s && &all[i] < swap)))
            return false;
    return swap->swap_mb_per_s > 0.0;
}

static void add_best(struct list *best, const struct swap *swap)
{
    struct swap *copy = list_add(&swap_best_record, best);
    *copy = *swap;
    copy->way = SWAP_COLD;
    copy->volume_bytes = NAN;
    copy->pair = NULL;
    copy->not_available = NULL;
}

static void add_fit(struct list *basic, const struct swap *swap)
{
    struct swap_fit *fit = list_add(&swap_fit_record, basic);
    *fit = (struct swap_fit){.order = swap->order,
                             .protocol = swap->protocol,
                             .a_us = number_rounded(swap->a_us, FIT_DIGITS),
                             .b_us_per_byte = number_rounded(swap->b_us_per_byte, FIT_DIGITS)};
}

static int upwards(const void *a, const void *b)
{
    const double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

static void take_spread(struct swap_summary *summary, double *rates, size_t count)
{
    if (count == 0)
        return;
    qsort(rates, count, sizeof *rates, upwards);
    summary->least_mb_per_s = rates[0];
    summary->median_mb_per_s = 0.5 * (rates[(count - 1) / 2] + rates[count / 2]);
    summary->most_mb_per_s = rates[count - 1];
}

static void conclude(struct swap_summary *summary, const struct list *experiments)
{
    const struct swap *all = experiments->items;
    double *rates = memory_new(experiments->count, sizeof *rates);
    size_t count = 0;
    for (size_t i = 0; i < experiments->count; i++) {
        if (!is_of(summary, &all[i]) || all[i].not_available)
            continue;
        if (all[i].swap_mb_per_s > 0.0)
            rates[count++] = all[i].swap_mb_per_s;
        if (is_fastest(experiments, summary, &all[i]))
            add_best(&summary->best, &all[i]);
        if (all[i].set == SWAP_BASIC)
            add_fit(&summary->basic, &all[i]);
    }
    take_spread(summary, rates, count);
    free(rates);
}

void swap_summarise(const struct list *experiments, struct list *summaries)
{
    const struct swap *all = experiments->items;
    const size_t before = summaries->count;
    for (size_t i = 0; i < experiments->count; i++)
        summary_of(summaries, &all[i])->experiments++;
    for (size_t i = before; i < summaries->count; i++)
        conclude((struct swap_summary *)summaries->items + i, experiments);
}

/* ---- and back ---- */

static void add_known(struct list *experiments, const struct swap_summary *summary,
                      const struct swap *swap)
{
    struct swap *known = list_add(&swap_record, experiments);
    *known = *swap;
    known->way = summary->way;
    known->volume_bytes = summary->volume_bytes;
    known->pair = copy_text(summary->pair);
}

static bool is_among(const struct list *best, const struct swap_fit *fit)
{
    const struct swap *items = best->items;
    for (size_t i = 0; i < best->count; i++)
        if (items[i].set == SWAP_BASIC && items[i].order == fit->order &&
            items[i].protocol == fit->protocol)
            return true;
    return false;
}

static void add_fitted(struct list *experiments, const struct swap_summary *summary,
                       const struct swap_fit *fit)
{
    struct swap swap;
    record_begin(&swap_record, &swap);
    swap.order = fit->order;
    swap.protocol = fit->protocol;
    swap.a_us = fit->a_us;
    swap.a_not_visible = fit->a_us == 0.0;
    swap.b_us_per_byte = fit->b_us_per_byte;
    swap_take_rates(&swap);
    add_known(experiments, summary, &swap);
}

void swap_best_known(const struct list *summaries, struct list *experiments)
{
    const struct swap_summary *summary = summaries->items;
    for (size_t i = 0; i < summaries->count; i++, summary++) {
        const struct swap *best = summary->best.items;
        for (size_t k = 0; k < summary->best.count; k++)
            add_known(experiments, summary, &best[k]);
    }
}

void swap_fits_known(const struct list *summaries, struct list *experiments)
{
    const struct swap_summary *summary = summaries->items;
    for (size_t i = 0; i < summaries->count; i++, summary++) {
        const struct swap_fit *basic = summary->basic.items;
        for (size_t k = 0; k < summary->basic.count; k++)
            if (!is_among(&summary->best, &basic[k]))
                add_fitted(experiments, summary, &basic[k]);
    }
}

double swap_experiments_count(const struct list *summaries)
{
    const struct swap_summary *items = summaries->items;
    double count = 0.0;
    for (size_t i = 0; i < summaries->count; i++)
        count += items[i].experiments;
    return count;
}
