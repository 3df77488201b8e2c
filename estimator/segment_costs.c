#include "estimator/segment_costs.h"

#include "model/base/memory.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ---- pricing ---- */

static double fail(struct pricing *pricing, const struct error *error)
{
    if (pricing->failures == 0.0)
        pricing->first = *error;
    pricing->failures += 1.0;
    return INFINITY;
}

struct price {
    double us, compute_us;
    double mean_us; /* of computation, over processors */
};

/* What a segment takes as the space is laid out now. */
static struct price price(struct pricing *pricing, size_t segment)
{
    struct study *study = pricing->study;
    struct segment_prediction prediction;
    struct error error;
    pricing->predictions += 1.0;
    if ((computing_depends_on_layout(study->machine, study->program) &&
         study_derive(study, pricing->space->schedule, &error) != 0) ||
        segment_predict(&prediction, study->machine, &study->computing, &study->subject, segment,
                        &pricing->space->layout, &error) != 0) {
        const double us = fail(pricing, &error);
        return (struct price){us, us, us};
    }
    const struct price found = {prediction.total_us, prediction.compute_us, prediction.mean_us};
    segment_prediction_free(&prediction);
    return found;
}

double move_us(struct pricing *pricing, size_t leader, size_t from, size_t to)
{
    struct space *space = pricing->space;
    struct segment_prediction prediction;
    struct error error;
    if (from == to)
        return 0.0;
    struct layout after = space->layout;
    after.arrays = memory_new(after.array_count, sizeof *after.arrays);
    space_choose(space, leader, to);
    memcpy(after.arrays, space->layout.arrays, after.array_count * sizeof *after.arrays);
    space_choose(space, leader, from);
    pricing->predictions += 1.0;
    double us = INFINITY;
    if (change_predict(&prediction, pricing->study->machine, space->program, &space->layout, &after,
                       program_place(space->program, space->leaders[leader].array->place),
                       &error) != 0) {
        fail(pricing, &error);
    } else {
        us = prediction.total_us;
        segment_prediction_free(&prediction);
    }
    free(after.arrays);
    return us;
}

/* ---- the arrays of a segment ---- */

static void note(bool *marks, const struct space *space, const struct reference *reference)
{
    const size_t leader = space_leader(space, reference->array);
    if (leader < space->leader_count)
        marks[leader] = true;
}

/* What decides where statements run, what else is written, what is read. */
static void mark(const struct pricing *pricing, size_t segment, bool *decides, bool *writes,
                 bool *reads)
{
    const struct list *instances = &pricing->study->subject.instances[segment];
    const struct instance *items = instances->items;
    for (size_t i = 0; i < instances->count; i++) {
        if (items[i].has_writes)
            note(writes, pricing->space, &items[i].writes);
        if (items[i].has_home)
            note(decides, pricing->space, &items[i].home);
        for (size_t k = 0; k < items[i].read_count; k++)
            note(reads, pricing->space, &items[i].reads[k]);
    }
}

static void add_leader(struct segment_costs *costs, const struct space *space, size_t leader)
{
    costs->leaders[costs->count] = leader;
    costs->stride[costs->count++] = costs->size;
    costs->size *= space->leaders[leader].option_count;
}

static void find_leaders(struct segment_costs *costs, const struct pricing *pricing)
{
    bool decides[LEADERS_MOST] = {false}, writes[LEADERS_MOST] = {false};
    bool reads[LEADERS_MOST] = {false};
    mark(pricing, costs->segment, decides, writes, reads);
    costs->size = 1;
    for (size_t i = 0; i < pricing->space->leader_count; i++)
        if (decides[i])
            add_leader(costs, pricing->space, i);
    costs->deciding = costs->count;
    for (size_t i = 0; i < pricing->space->leader_count; i++)
        if ((writes[i] || reads[i]) && !decides[i]) {
            add_leader(costs, pricing->space, i);
            costs->writes_others |= writes[i];
        }
}

double segment_costs_size(const struct pricing *pricing, size_t segment)
{
    bool used[LEADERS_MOST] = {false};
    double size = 1.0;
    mark(pricing, segment, used, used, used);
    for (size_t i = 0; i < pricing->space->leader_count; i++)
        size *= used[i] ? (double)pricing->space->leaders[i].option_count : 1.0;
    return size;
}

size_t segment_costs_at(const struct segment_costs *costs, const size_t *choice)
{
    size_t at = 0;
    for (size_t i = 0; i < costs->count; i++)
        at += choice[costs->leaders[i]] * costs->stride[i];
    return at;
}

/* ---- bounds ---- */

/* Sums bound from below where nothing but messages depends on what does not decide: what hides
   behind computation depends on all messages together, and what misses the cache on all arrays. */
static bool sums_are_bounds(const struct pricing *pricing, size_t number)
{
    const struct segment *segments = pricing->space->program->segments.items;
    return !segments[number].overlap &&
           !computing_depends_on_layout(pricing->study->machine, pricing->space->program);
}

/* The entries for one choice of those that decide. Messages are of one array each, between where
   statements run and where it lies, so that what arrays add, one at a time, adds up. The exception
   are loops that wait for messages, which they do once for all arrays: where that shows in the
   computation, the bound is what the most expensive array alone adds, which waits no longer than
   all of them; with arrays that are written too, which the base has replicated and waits for
   perhaps in vain, it is what computation takes on average. */
struct row_filling {
    struct segment_costs *costs;
    const double *additions_us; /* all options of one leader after the other */
    struct price base;
    bool varies; /* the computation does */
    bool exact;
};

static void fill_entry(const struct row_filling *row, size_t entry, double sum_us, double most_us)
{
    struct segment_costs *costs = row->costs;
    double us = row->base.us + sum_us;
    if (row->varies && !row->exact && !isinf(us))
        us = costs->writes_others ? fmin(row->base.mean_us, us) : row->base.us + most_us;
    costs->us[entry] = us;
    costs->exact[entry] = row->exact || isinf(us);
}

static void fill_row(const struct row_filling *row, const struct space *space, size_t at,
                     size_t entry, size_t offset, double sum_us, double most_us)
{
    const struct segment_costs *costs = row->costs;
    if (at == costs->count) {
        fill_entry(row, entry, sum_us, most_us);
        return;
    }
    const size_t options = space->leaders[costs->leaders[at]].option_count;
    for (size_t k = 0; k < options; k++) {
        const double more_us = row->additions_us[offset + k];
        fill_row(row, space, at + 1, entry + k * costs->stride[at], offset + options,
                 sum_us + more_us, fmax(most_us, more_us));
    }
}

/* What one option of an array adds to the base. */
static double price_addition(struct row_filling *row, struct pricing *pricing, size_t leader,
                             size_t option)
{
    space_choose(pricing->space, leader, option);
    const struct price with = price(pricing, row->costs->segment);
    space_choose(pricing->space, leader, 0);
    row->varies |= with.compute_us != row->base.compute_us;
    return isinf(with.us) ? INFINITY : with.us - row->base.us;
}

static void price_row(struct segment_costs *costs, struct pricing *pricing, double *additions_us,
                      size_t first)
{
    const struct space *space = pricing->space;
    struct row_filling row = {.costs = costs,
                              .additions_us = additions_us,
                              .base = price(pricing, costs->segment),
                              .exact = costs->count - costs->deciding <= 1};
    size_t offset = 0;
    for (size_t i = costs->deciding; i < costs->count; i++) {
        const size_t options = space->leaders[costs->leaders[i]].option_count;
        additions_us[offset] = 0.0;
        for (size_t k = 1; k < options; k++)
            additions_us[offset + k] =
                isinf(row.base.us) ? 0.0 : price_addition(&row, pricing, costs->leaders[i], k);
        offset += options;
    }
    fill_row(&row, space, costs->deciding, first, 0, 0.0, 0.0);
}

/* All choices of those that decide, or of all. */
static void for_choices(struct segment_costs *costs, struct pricing *pricing, double *additions,
                        size_t at, size_t end, size_t first)
{
    if (at < end) {
        const size_t options = pricing->space->leaders[costs->leaders[at]].option_count;
        for (size_t k = 0; k < options; k++) {
            space_choose(pricing->space, costs->leaders[at], k);
            for_choices(costs, pricing, additions, at + 1, end, first + k * costs->stride[at]);
        }
        return;
    }
    if (additions) {
        for (size_t i = costs->deciding; i < costs->count; i++)
            space_choose(pricing->space, costs->leaders[i], 0);
        price_row(costs, pricing, additions, first);
        return;
    }
    costs->us[first] = price(pricing, costs->segment).us;
    costs->exact[first] = true;
}

void segment_costs_make(struct segment_costs *costs, struct pricing *pricing, size_t segment)
{
    *costs = (struct segment_costs){.segment = segment};
    find_leaders(costs, pricing);
    costs->us = memory_new(costs->size, sizeof *costs->us);
    costs->exact = memory_new(costs->size, sizeof *costs->exact);
    size_t options = 1;
    for (size_t i = costs->deciding; i < costs->count; i++)
        options += pricing->space->leaders[costs->leaders[i]].option_count;
    const bool bounds = sums_are_bounds(pricing, segment);
    double *additions = bounds ? memory_new(options, sizeof *additions) : NULL;
    for_choices(costs, pricing, additions, 0, bounds ? costs->deciding : costs->count, 0);
    free(additions);
}

void segment_costs_free(struct segment_costs *costs)
{
    free(costs->us);
    free(costs->exact);
}

double segment_costs_exact(struct segment_costs *costs, struct pricing *pricing,
                           const size_t *choice)
{
    const size_t at = segment_costs_at(costs, choice);
    if (costs->exact[at])
        return costs->us[at];
    for (size_t i = 0; i < costs->count; i++)
        space_choose(pricing->space, costs->leaders[i], choice[costs->leaders[i]]);
    costs->us[at] = price(pricing, costs->segment).us;
    costs->exact[at] = true;
    return costs->us[at];
}
