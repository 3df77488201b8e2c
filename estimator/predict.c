#include "estimator/predict.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static const struct record item_record = {
    .name = "an item", .size = sizeof(struct item), .place_offset = NO_PLACE};
static const struct record segment_record = {
    .name = "a segment", .size = sizeof(struct segment_prediction), .place_offset = NO_PLACE};

/* ---- items ---- */

static struct item *add_item(struct segment_prediction *segment)
{
    return list_add(&item_record, &segment->items);
}

static int add_work(struct segment_prediction *segment, const struct machine *machine,
                    const struct work *work, double repeat, double *mean_us, struct error *error)
{
    double each_us;
    const struct unit *limiting;
    if (node_time_us(machine->node, &work->statement->operations, &each_us, &limiting, error) != 0)
        return -1;
    struct item *item = add_item(segment);
    snprintf(item->what, sizeof item->what, "%s",
             work->statement->name ? work->statement->name : "statement");
    snprintf(item->resource, sizeof item->resource, "%s", limiting ? limiting->name : "rate");
    item->computes = true;
    item->times = work->iterations_most * repeat;
    item->each_us = each_us;
    item->time_us = item->low_us = item->high_us = item->times * each_us;
    item->bytes = item->bytes_least = item->processors = NAN;
    *mean_us += work->iterations_mean * repeat * each_us;
    return 0;
}

/* ---- communication ---- */

/* What a charge was made of, as the breakdown names it. */
static void name_resource(struct item *item, const struct charge *charge)
{
    const char *second = charge->part_count > 1 ? charge->parts[1].cost->utility : "";
    snprintf(item->resource, sizeof item->resource, "%s%s%s", charge->parts[0].cost->utility,
             *second ? " + " : "", second);
}

static void describe(struct item *item, const struct demand *demand, const struct charge *charge)
{
    snprintf(item->what, sizeof item->what, "%s%s%s%s%s", demand->cause,
             charge->instead_of ? ", instead of " : "",
             charge->instead_of ? charge->instead_of : "",
             charge->too_low ? " (known to be too low)" : "",
             demand->enumerated ? " (element by element)" : "");
    name_resource(item, charge);
}

/* One more kind of use of the same class: the item covers them all. */
static void add_use(struct item *item, const struct charge *charge, double times)
{
    const struct charge_part *first = &charge->parts[0];
    const double each = charge->part_count == 1 ? first->uses : 1.0;
    const bool is_first = item->times == 0.0;
    item->region = is_first && charge->part_count == 1 ? first->each.region
                   : item->region == first->each.region && item->bytes == first->bytes
                       ? item->region
                       : NULL;
    item->times += times * each;
    item->time_us += times * charge->time_us;
    item->low_us += times * charge->low_us;
    item->high_us += times * charge->high_us;
    item->bytes_least = is_first ? first->bytes : fmin(item->bytes_least, first->bytes);
    item->bytes = is_first ? first->bytes : fmax(item->bytes, first->bytes);
    item->processors = is_first ? first->processors : fmax(item->processors, first->processors);
    item->flags |= charge->flags;
    item->each_us = item->time_us / item->times;
}

/* The item that this use belongs to: of the demand's, which begin at `from`, the one of the same
   resource. */
static struct item *item_for(struct segment_prediction *segment, size_t from,
                             const struct demand *demand, const struct charge *charge)
{
    struct item made = {0}, *items = segment->items.items;
    describe(&made, demand, charge);
    for (size_t i = from; i < segment->items.count; i++)
        if (strcmp(items[i].resource, made.resource) == 0)
            return &items[i];
    struct item *item = add_item(segment);
    *item = made;
    return item;
}

static int add_demand(struct segment_prediction *segment, const struct machine *machine,
                      const struct demand *demand, double repeat, struct error *error)
{
    const size_t from = segment->items.count;
    const struct use *uses = demand->uses.items;
    for (size_t i = 0; i < demand->uses.count; i++) {
        struct charge charge;
        if (uses[i].times * repeat == 0.0)
            continue;
        if (price_use(machine, demand, &uses[i], &charge, error) != 0)
            return -1;
        add_use(item_for(segment, from, demand, &charge), &charge, uses[i].times * repeat);
    }
    return 0;
}

/* ---- sums ---- */

/* No overlap (R263): total = compute + communicate. Errors of the same utility and region are the
   same error, so that lows and highs add up; of different ones this is the cautious sum. */
static void sum_up(struct segment_prediction *segment, double mean_us)
{
    const struct item *items = segment->items.items;
    double longest_us = -1.0;
    for (size_t i = 0; i < segment->items.count; i++) {
        *(items[i].computes ? &segment->compute_us : &segment->communicate_us) += items[i].time_us;
        segment->low_us += items[i].low_us;
        segment->high_us += items[i].high_us;
        segment->flags |= items[i].flags;
        if (items[i].time_us > longest_us) {
            longest_us = items[i].time_us;
            memcpy(segment->limit, items[i].resource, sizeof segment->limit);
        }
    }
    segment->total_us = segment->compute_us + segment->communicate_us;
    segment->imbalance = mean_us > 0.0 ? segment->compute_us / mean_us : 1.0;
}

static void add_to_whole(struct prediction *prediction, const struct segment_prediction *segment,
                         double *longest_us)
{
    struct segment_prediction *whole = &prediction->whole;
    whole->compute_us += segment->compute_us;
    whole->communicate_us += segment->communicate_us;
    whole->total_us += segment->total_us;
    whole->low_us += segment->low_us;
    whole->high_us += segment->high_us;
    whole->flags |= segment->flags;
    if (segment->total_us > *longest_us) {
        *longest_us = segment->total_us;
        memcpy(whole->limit, segment->limit, sizeof whole->limit);
    }
}

/* ---- the whole ---- */

static int predict_segment(struct segment_prediction *predicted, const struct machine *machine,
                           const struct analysis *analysis, struct error *error)
{
    const struct work *work = analysis->work.items;
    const struct demand *demands = analysis->demands.items;
    double mean_us = 0.0;
    int status = 0;
    for (size_t i = 0; i < analysis->work.count && status == 0; i++)
        status = add_work(predicted, machine, &work[i], analysis->repeat, &mean_us, error);
    for (size_t i = 0; i < analysis->demands.count && status == 0; i++)
        status = add_demand(predicted, machine, &demands[i], analysis->repeat, error);
    if (status == 0)
        sum_up(predicted, mean_us);
    return status;
}

static int predict_segments(struct prediction *prediction, const struct machine *machine,
                            const struct program *program, const struct layout *layout,
                            struct scope *scope, struct error *error)
{
    const struct segment *segments = program->segments.items;
    double longest_us = -1.0;
    for (size_t i = 0; i < program->segments.count; i++) {
        struct analysis analysis;
        struct segment_prediction *predicted = list_add(&segment_record, &prediction->segments);
        predicted->name = segments[i].name;
        if (analysis_make(&analysis, program, &segments[i], layout, scope, error) != 0)
            return -1;
        const int status = predict_segment(predicted, machine, &analysis, error);
        analysis_free(&analysis);
        if (status != 0)
            return -1;
        add_to_whole(prediction, predicted, &longest_us);
    }
    return 0;
}

int prediction_make(struct prediction *prediction, const struct machine *machine,
                    const struct program *program, const struct candidate *candidate,
                    double processors, const char *const *definitions, size_t definition_count,
                    struct error *error)
{
    struct layout layout;
    *prediction = (struct prediction){.whole = {.name = "all"}};
    struct scope *scope = program_scope(program, definitions, definition_count, processors, error);
    if (!scope)
        return -1;
    int status = layout_make(&layout, program, candidate, scope, error);
    if (status == 0) {
        status = predict_segments(prediction, machine, program, &layout, scope, error);
        layout_free(&layout);
    }
    scope_free(scope);
    if (status != 0)
        prediction_free(prediction);
    return status;
}

void prediction_free(struct prediction *prediction)
{
    struct segment_prediction *segments = prediction->segments.items;
    for (size_t i = 0; i < prediction->segments.count; i++)
        list_free(&item_record, &segments[i].items);
    list_free(&segment_record, &prediction->segments);
}
