#include "forecast/predict/pipelines.h"

#include "forecast/predict/communication.h"
#include "forecast/predict/tiles.h"
#include "forecast/predict/waiting.h"
#include "model/cost/pattern.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static void scale_rows(struct segment_prediction *segment, int pipeline, double factor)
{
    struct item *items = segment->items.items;
    for (size_t i = 0; i < segment->items.count; i++)
        if (items[i].computes && items[i].pipeline == pipeline) {
            items[i].times *= factor;
            items[i].time_us *= factor;
            items[i].low_us *= factor;
            items[i].high_us *= factor;
        }
}

static double rows_us(const struct segment_prediction *segment, int pipeline)
{
    const struct item *items = segment->items.items;
    double sum_us = 0.0;
    for (size_t i = 0; i < segment->items.count; i++)
        if (items[i].computes && items[i].pipeline == pipeline)
            sum_us += items[i].time_us;
    return sum_us;
}

static void add_tiles(struct segment_prediction *segment, const struct pipeline *pipeline,
                      const struct tiles *tiles, double runs, bool is_measured)
{
    struct item *item = segment_add_item(segment);
    const bool whole = tiles->width >= pipeline->outer;
    char cause[160];
    snprintf(item->what, sizeof item->what, "%s: %s %.0f%s, %.0f stages%s%s%s",
             pipeline_print(pipeline, cause, sizeof cause), whole ? "not cut," : "strips of",
             whole ? pipeline->outer : tiles->width,
             whole || pipeline->strip > 0.0 ? "" : " (the best)", tiles->stages,
             tiles->packing_unknown ? " (strided: packing not priced)" : "",
             tiles->packing ? " with the packing of " : "", tiles->packing ? tiles->packing : "");
    memcpy(item->at, pipeline->at, sizeof item->at);
    snprintf(item->resource, sizeof item->resource, "%s", pattern_point_to_point.name);
    item->times = runs * tiles->messages * (double)pipeline->message_count;
    tiles_communicate_us(tiles, &item->time_us, &item->low_us, &item->high_us);
    item->time_us *= runs;
    item->low_us *= runs;
    item->high_us *= runs;
    item->each_us = item->times > 0.0 ? item->time_us / item->times : 0.0;
    item->alone_us =
        fmin(item->time_us, runs * (tiles->messages * tiles->alone_us + tiles->across_us));
    item->at_once = tiles->at_once;
    item->bytes = item->bytes_least = tiles->bytes;
    for (size_t k = 0; k < pipeline->message_count; k++)
        item->bytes_least =
            fmin(item->bytes_least, ceil(pipeline->messages[k].bytes * tiles->width));
    item->processors = 2.0;
    item->flags = tiles->flags;
    segment->contention_unknown |= tiles->contention_unknown;
    segment->no_error |= tiles->contention_unknown || tiles->packing_unknown;
    communication_say_contention(segment, segment->items.count - 1);
    if (is_measured)
        uncertain_add_in_program(&segment->uncertain, item->time_us);
    for (size_t k = 0; k < tiles->answer_count; k++) {
        const struct tiles_answer *answer = &tiles->answers[k];
        segment->no_error |= !answer->each.has_error;
        uncertain_add(&segment->uncertain, &answer->each, answer->bytes, 2.0,
                      runs * answer->times * answer->each.time_us);
    }
}

int pipelines_add(struct segment_prediction *segment, const struct machine *machine,
                  const struct analysis *analysis, struct error *error)
{
    const struct pipeline *pipelines = analysis->pipelines.items;
    for (size_t i = 0; i < analysis->pipelines.count; i++) {
        struct tiles tiles;
        const double runs = pipelines[i].runs * analysis->repeat;
        if (runs == 0.0)
            continue;
        const double work_us = rows_us(segment, (int)i) / runs;
        if (tiles_choose(&tiles, machine, &pipelines[i], work_us, error) != 0)
            return -1;
        if (work_us > 0.0)
            scale_rows(segment, (int)i, tiles.compute_us / work_us);
        segment->rounds.count[ROUND_OF_ONE] =
            fmax(segment->rounds.count[ROUND_OF_ONE], pipelines[i].runs * tiles.messages);
        segment->rounds.whom[ROUND_OF_ONE] = waiting_for_one(pipelines[i].active);
        add_tiles(segment, &pipelines[i], &tiles, runs, machine->machine.measured != NULL);
    }
    return 0;
}
