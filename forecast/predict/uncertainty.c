#include "forecast/predict/uncertainty.h"

#include "model/base/allocation.h"
#include "model/cost/confidence.h"

#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

const struct record uncertain_record = {
    .name = "an uncertain time", .size = sizeof(struct uncertain), .place_offset = NO_PLACE};

/* The median of the residuals at sizes that the fit never saw is the model's own error there; what
   the interval is wider than that is shared. */
static void spreads(const struct cost_answer *each, double *shared, double *own)
{
    const double all =
        each->time_us > 0.0 ? log(each->high_us / each->time_us) / confidence_deviations : 0;
    const double median = region_median_error(each->region);
    *own = isnan(median) || each->measured_at > 0.0
               ? 0.0
               : fmin(all, log1p(median) / deviations_of_median);
    *shared = sqrt(fmax(0.0, all * all - *own * *own));
}

/* What one processor count leaves open is open for all patterns at once, as where processors are
   farther from one another than those that were measured. */
static const struct region other_counts;

static bool same_errors(const struct uncertain *a, const struct uncertain *b)
{
    return a->region == b->region && a->bytes == b->bytes && a->processors == b->processors &&
           a->shared == b->shared && a->own == b->own;
}

/* ---- entries by their errors ---- */

enum { FEW = 32 }; /* that are compared one after the other */

static size_t mixed(size_t hash, double number)
{
    uint64_t bits;
    memcpy(&bits, &number, sizeof bits);
    hash = (hash ^ (size_t)(bits ^ bits >> 32)) * (size_t)UINT64_C(0x9e3779b97f4a7c15);
    return hash ^ hash >> 29;
}

/* Where the entry with these errors is, + 1, or is to be. */
static unsigned *slot_of(const struct uncertainty *of, const struct uncertain *errors)
{
    const struct uncertain *items = of->list.items;
    size_t slot = mixed(mixed((size_t)errors->region >> 4, errors->bytes), errors->processors);
    slot = mixed(mixed(slot, errors->shared), errors->own);
    while (of->slots[slot & (of->slot_count - 1)] &&
           !same_errors(&items[of->slots[slot & (of->slot_count - 1)] - 1], errors))
        slot++;
    return &of->slots[slot & (of->slot_count - 1)];
}

static void make_slots(struct uncertainty *of)
{
    const struct uncertain *items = of->list.items;
    free(of->slots);
    of->slot_count = of->slot_count ? 4 * of->slot_count : 4 * FEW;
    of->slots = memory_new(of->slot_count, sizeof *of->slots);
    for (size_t i = 0; i < of->list.count; i++)
        *slot_of(of, &items[i]) = (unsigned)i + 1;
}

/* NULL: there is none. */
static struct uncertain *find(const struct uncertainty *of, const struct uncertain *errors)
{
    struct uncertain *known = of->list.items;
    if (of->slot_count > 0) {
        const unsigned number = *slot_of(of, errors);
        return number ? &known[number - 1] : NULL;
    }
    for (size_t i = of->list.count; i-- > 0;)
        if (same_errors(&known[i], errors))
            return &known[i];
    return NULL;
}

static void add(struct uncertainty *to, const struct uncertain *more)
{
    struct uncertain *known = find(to, more);
    if (known) {
        known->time_us += more->time_us;
        return;
    }
    *(struct uncertain *)list_add(&uncertain_record, &to->list) = *more;
    if (to->list.count > FEW && 2 * to->list.count > to->slot_count)
        make_slots(to);
    else if (to->slot_count > 0)
        *slot_of(to, more) = (unsigned)to->list.count;
}

void uncertainty_free(struct uncertainty *of)
{
    list_free(&uncertain_record, &of->list);
    free(of->slots);
    *of = (struct uncertainty){0};
}

void uncertain_add(struct uncertainty *to, const struct cost_answer *each, double bytes,
                   double processors, double time_us)
{
    const struct region *region = each->measured_at > 0.0 ? &other_counts : each->region;
    struct uncertain more = {region, bytes, processors, time_us, 0.0, 0.0};
    spreads(each, &more.shared, &more.own);
    if (more.shared + more.own > 0.0)
        add(to, &more);
}

void uncertain_add_spread(struct uncertainty *to, double spread, double time_us)
{
    if (spread > 0.0)
        add(to, &(struct uncertain){.time_us = time_us, .shared = spread});
}

/* A program's processors do not begin together, as those of a measurement do, what follows one
   another overlaps, and much is made of other patterns, distances and numbers of neighbours. The
   standard deviation of the logarithm of predicted over measured times beyond what the table's own
   errors say, of greatest likelihood for 75 times of four public programs on simulated machines,
   where nothing else is uncertain: 0.095 of collectives, 0.105 of halos and pipelines
   (doc/validation.md, "Programs of others", has how it does with six others). */
static const double spread_in_program = 0.1;

const struct region uncertain_in_program;

void uncertain_add_in_program(struct uncertainty *to, double time_us)
{
    if (time_us > 0.0)
        add(to, &(struct uncertain){.region = &uncertain_in_program,
                                    .time_us = time_us,
                                    .shared = spread_in_program});
}

double uncertain_factor_of(double spread)
{
    return exp(confidence_deviations * spread);
}

void uncertain_add_all(struct uncertainty *to, const struct uncertainty *more)
{
    const struct uncertain *items = more->list.items;
    for (size_t i = 0; i < more->list.count; i++)
        add(to, &items[i]);
}

/* ---- a run that was measured ---- */

static const struct region of_a_run;

/* Entries stand in slots by their errors: they are put in anew. */
void uncertain_scale(struct uncertainty *of, double factor, double deviations, bool of_computation)
{
    const struct uncertainty before = *of;
    const struct uncertain *items = before.list.items;
    *of = (struct uncertainty){0};
    for (size_t i = 0; i < before.list.count; i++) {
        struct uncertain it = items[i];
        if ((it.region == NULL) == of_computation) {
            it.time_us *= factor;
            it.shared *= deviations;
            it.own *= deviations;
        }
        add(of, &it);
    }
    uncertainty_free(&(struct uncertainty){before.list, before.slot_count, before.slots});
}

void uncertain_add_of_run(struct uncertainty *to, double spread, double time_us)
{
    add(to, &(struct uncertain){.region = &of_a_run, .time_us = time_us, .shared = spread});
}

/* ---- the delta method ---- */

/* What shares a region's errors. */
struct shared {
    const struct region *region;
    double deviation_us;
};

static struct shared *shared_of(struct shared *regions, size_t *count, const struct region *region)
{
    for (size_t r = *count; r-- > 0;)
        if (regions[r].region == region)
            return &regions[r];
    regions[*count] = (struct shared){region, 0.0};
    return &regions[(*count)++];
}

double uncertain_factor(const struct uncertainty *of, double total_us)
{
    const struct uncertain *items = of->list.items;
    struct shared *regions = memory_new(of->list.count, sizeof *regions);
    size_t count = 0;
    double variance = 0.0;
    for (size_t i = 0; i < of->list.count; i++) {
        const double own = items[i].time_us * items[i].own;
        shared_of(regions, &count, items[i].region)->deviation_us +=
            items[i].time_us * items[i].shared;
        variance += own * own;
    }
    for (size_t r = 0; r < count; r++)
        variance += regions[r].deviation_us * regions[r].deviation_us;
    free(regions);
    return total_us > 0.0 ? exp(confidence_deviations * sqrt(variance) / total_us) : 1.0;
}
