#include "model/tables/merge.h"

#include "model/base/allocation.h"
#include "model/fit/fit.h"
#include "model/fit/hops.h"
#include "model/fit/learn.h"
#include "model/fit/measured.h"
#include "model/tables/launched.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Edges of single launches that differ by less are one: regions are not made of the difference. */
static const double noise_floor = 0.01;
enum { REGIONS_MOST = 10 };

/* ---- one utility at one processor count ---- */

static void set_all_errors(struct list *regions, const struct launched *launched,
                           const struct observation *seen, size_t count)
{
    struct region *items = regions->items;
    for (size_t r = 0, from = 0, upto; r < regions->count; r++, from = upto) {
        for (upto = from; upto < count && seen[upto].bytes <= items[r].bytes_upto;)
            upto++;
        launched_errors(launched, seen + from, upto - from, &items[r]);
    }
}

static int find_regions(const struct launched *launched, const struct observation *seen,
                        size_t count, struct list *regions, struct error *error)
{
    const struct fit_plan plan = {
        .regions_most = REGIONS_MOST, .points_least = 2, .noise_floor = noise_floor};
    struct packets packets;
    return launched_packets(launched, &packets)
               ? packets_fit(&packets, seen, count, &plan, regions, error)
               : fit_regions(seen, count, &plan, regions, error);
}

/* edges: NULL where the regions are still to be found. */
static int merge_at(const struct launched *launched, const struct list *edges, struct list *regions,
                    struct error *error)
{
    size_t count;
    struct observation *seen = launched_observe(launched, &count);
    const int status = edges ? fit_regions_at(edges, seen, count, regions, error)
                             : find_regions(launched, seen, count, regions, error);
    if (status == 0) {
        const struct cost without_hops = {.tree = TREE_UNKNOWN};
        measured_keep(&without_hops, regions, launched->processors, seen, count);
        set_all_errors(regions, launched, seen, count);
    }
    free(seen);
    return status;
}

/* ---- one utility ---- */

/* The worst of what the processor counts' own regions say. */
static void set_learned_errors(struct cost *cost)
{
    struct region *regions = cost->regions.items;
    for (size_t r = 0; r < cost->regions.count; r++) {
        const struct at_processors *at = cost->by_processors.items;
        const size_t own_count = at[0].regions.count;
        const double other_processors = regions[r].error.other_processors;
        regions[r].error = ((const struct region *)at[0].regions.items)[r % own_count].error;
        regions[r].error.other_processors = other_processors;
        regions[r].error.between_median = regions[r].error.between_p95 = NAN;
        for (size_t i = 0; i < cost->by_processors.count; i++) {
            const struct region *own = learned_from(cost, r, &at[i]);
            if (!own)
                continue;
            struct region_error *error = &regions[r].error;
            error->held_out_p95 = fmax(error->held_out_p95, own->error.held_out_p95);
            error->fitted_p95 = fmax(error->fitted_p95, own->error.fitted_p95);
            error->launches_p95 = fmax(error->launches_p95, own->error.launches_p95);
        }
    }
}

static double worst_between_launches(const struct list *regions)
{
    const struct region *items = regions->items;
    double worst = NAN;
    for (size_t k = 0; k < regions->count; k++)
        worst = fmax(worst, items[k].error.launches_p95);
    return worst;
}

/* The same broadcast in one part, merged before; NULL: none. */
static const struct cost *whole_of(const struct launched *launched, const struct cost *in_parts)
{
    const struct cost *costs = launched->merged->items;
    for (size_t i = 0; i < launched->merged->count && &costs[i] != in_parts; i++)
        if (costs[i].tree == in_parts->tree && costs[i].hops.count > 0 &&
            isnan(costs[i].part_bytes))
            return &costs[i];
    return NULL;
}

/* The medians over launches, at all processor counts; to be freed. */
static struct observation *observe_all(struct launched *launched, const struct cost *merged,
                                       size_t *count)
{
    const struct at_processors *at = merged->by_processors.items;
    struct observation *all = NULL;
    *count = 0;
    for (size_t i = 0; i < merged->by_processors.count; i++) {
        size_t more;
        launched->processors = at[i].processors;
        struct observation *seen = launched_observe(launched, &more);
        all = memory_grow(all, *count + more, sizeof *all);
        memcpy(all + *count, seen, more * sizeof *all);
        *count += more;
        free(seen);
    }
    return all;
}

/* What one message along the tree of the launches takes, from the medians over them. The errors of
   the hops then have between launches what the regions have, so that the two compare. A broadcast
   in parts has those of the same broadcast in one, where all launches chose the same parts. */
static void merge_hops(struct launched *launched, struct cost *merged)
{
    const struct cost *first = launched->costs[0];
    const bool in_parts = !isnan(first->part_bytes);
    const struct cost *whole = in_parts ? whole_of(launched, first) : NULL;
    size_t count;
    if (first->tree == TREE_UNKNOWN || (in_parts && !(whole && launched_parts_alike(launched))))
        return;
    struct observation *all = observe_all(launched, merged, &count);
    merged->processors = first->processors;
    merged->processors_near = first->processors_near;
    merged->processors_mean = first->processors_mean;
    merged->part_bytes = first->part_bytes;
    if (in_parts ? hops_adopt(merged, whole, all, count)
                 : hops_learn(merged, first->tree, &first->hops, all, count)) {
        struct region *hops = merged->hops.items;
        for (size_t k = 0; k < merged->hops.count; k++)
            hops[k].error.launches_p95 = worst_between_launches(&merged->regions);
    }
    free(all);
}

/* How far the law is from counts between others. */
static void judge_between(struct launched *launched, struct cost *merged)
{
    size_t count;
    struct observation *all = observe_all(launched, merged, &count);
    measured_between(merged, all, count);
    free(all);
}

/* The largest processor count decides on the regions, as in a launch. */
static int merge_by_processors(struct launched *launched, struct cost *merged, struct error *error)
{
    const struct at_processors *at = launched->costs[0]->by_processors.items;
    const struct list *edges = NULL;
    struct list found = {0};
    int status = 0;
    for (size_t i = launched->costs[0]->by_processors.count; i > 0 && status == 0; i--) {
        struct at_processors now = {.processors = at[i - 1].processors,
                                    .mean_over_maximum =
                                        launched_mean_over_maximum(launched, at[i - 1].processors)};
        launched->processors = now.processors;
        if (!launched_have(launched, now.processors))
            continue;
        status = merge_at(launched, edges, &now.regions, error);
        *(struct at_processors *)list_add(&at_processors_record, &found) = now;
        edges = &((struct at_processors *)found.items)[0].regions;
    }
    for (size_t i = found.count; i > 0; i--)
        *(struct at_processors *)list_add(&at_processors_record, &merged->by_processors) =
            ((struct at_processors *)found.items)[i - 1];
    free(found.items);
    if (status == 0 && merged->by_processors.count > 0) {
        learn_regions(merged, NULL);
        set_learned_errors(merged);
        merge_hops(launched, merged);
        judge_between(launched, merged);
    }
    return status;
}

/* Regions and by_processors alone of *merged are filled. */
static int merge_cost(struct launched *launched, struct cost *merged, struct error *error)
{
    if (launched->costs[0]->by_processors.count > 0)
        return merge_by_processors(launched, merged, error);
    launched->processors =
        isnan(launched->costs[0]->processors.most) ? 2.0 : launched->costs[0]->processors.most;
    return merge_at(launched, NULL, &merged->regions, error);
}

static void take_over(struct cost *cost, struct cost *merged, const struct launched *launched)
{
    cost->mean_over_maximum = launched_mean_over_maximum(launched, cost->processors.most);
    list_free(&region_record, &cost->regions);
    list_free(&at_processors_record, &cost->by_processors);
    hops_forget(cost); /* one launch's alone */
    cost->tree = merged->tree;
    cost->hops = merged->hops;
    cost->hops_far = merged->hops_far;
    cost->regions = merged->regions;
    cost->by_processors = merged->by_processors;
    cost->launches = (double)launched->count;
    cost->passes_p95 = NAN;
    list_free(&state_factor_record, &cost->states);
    for (size_t k = 1; k < launched->count; k++) {
        cost->points += launched->costs[k]->points;
        cost->held_out_points += launched->costs[k]->held_out_points;
        cost->disturbed |= launched->costs[k]->disturbed;
        cost->rejected = fmax(cost->rejected, launched->costs[k]->rejected);
    }
}

/* ---- the table ---- */

static bool find_all(const struct machine *launches, struct launched *launched, const char *utility)
{
    for (size_t k = 0; k < launched->count; k++) {
        launched->costs[k] = machine_cost(&launches[k], utility);
        if (!launched->costs[k])
            return false;
    }
    return true;
}

static void take_out(struct machine *machine, size_t index)
{
    struct cost *costs = machine->communication.items;
    struct not_measured *missing = list_add(&not_measured_record, &machine->not_measured);
    missing->what = memory_copy_text(costs[index].utility);
    missing->because =
        memory_copy_text("not every launch measured it, at one processor count at least");
    record_free(&cost_record, &costs[index]);
    machine->communication.count--;
    memmove(&costs[index], &costs[index + 1],
            (machine->communication.count - index) * sizeof *costs);
}

int machine_merge(struct machine *launches, size_t count, struct error *error)
{
    struct launched launched = {.costs = memory_new(count, sizeof(struct cost *)),
                                .count = count,
                                .merged = &launches[0].communication};
    int status = 0;
    for (size_t i = 0; i < launches[0].communication.count && status == 0;) {
        struct cost *cost = (struct cost *)launches[0].communication.items + i;
        struct cost merged = {0};
        if (find_all(launches, &launched, cost->utility))
            status = merge_cost(&launched, &merged, error);
        if (merged.regions.count > 0) {
            take_over(cost, &merged, &launched);
            i++;
        } else if (status == 0) {
            take_out(&launches[0], i);
        }
    }
    free(launched.costs);
    list_free(&machine_state_record, &launches[0].states); /* one launch's alone */
    return status;
}
