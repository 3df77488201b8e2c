#include "forecast/predict/tiles.h"

#include "forecast/predict/contention.h"
#include "forecast/predict/packing.h"
#include "model/cost/pattern.h"

#include <math.h>

double tiles_total_us(const struct tiles *it)
{
    return it->compute_us + it->messages * it->message_us + it->across_us;
}

/* ---- one width ---- */

static void add_answer(struct tiles *it, const struct cost_answer *answer, double bytes,
                       double times)
{
    it->answers[it->answer_count++] = (struct tiles_answer){*answer, bytes, times};
}

static int price_packing(struct tiles *it, struct packing *packing, const struct machine *machine,
                         enum pieces pieces, double bytes, struct error *error)
{
    if (packing_price(packing, machine, TRAFFIC_MESSAGES, pieces, bytes, 2.0, error) != 0)
        return -1;
    if (packing->utility)
        it->packing = packing->utility;
    it->packing_unknown |= packing->unknown;
    return 0;
}

static int add_message(struct tiles *it, const struct machine *machine, const struct cost *cost,
                       enum pieces pieces, double bytes, struct error *error)
{
    struct packing packing;
    struct cost_answer answer;
    if (cost_answer(cost, bytes, 2.0, &answer, error) != 0 ||
        price_packing(it, &packing, machine, pieces, bytes, error) != 0)
        return -1;
    const struct contention others =
        contention_of(machine, pattern_point_to_point.name, 2.0, it->at_once, bytes);
    const double us = others.factor * answer.time_us;
    const double wider = contention_widening(&others);
    add_answer(it, &answer, bytes, it->messages * others.factor);
    if (others.factor > 1.0)
        add_answer(it, &others.answer, bytes, it->messages * us / others.answer.time_us);
    it->alone_us += answer.time_us + packing.more_us;
    it->message_us += us + packing.more_us;
    it->message_low_us += others.factor * answer.low_us / wider + packing.low_us;
    it->message_high_us += others.factor * answer.high_us * wider + packing.high_us;
    it->bytes = fmax(it->bytes, bytes);
    it->flags |= answer.flags | others.answer.flags;
    it->contention_unknown |= others.unknown;
    return 0;
}

static int add_across(struct tiles *it, const struct machine *machine, const struct cost *cost,
                      const struct pipeline *pipeline, struct error *error)
{
    struct cost_answer answer;
    struct packing packing;
    const double times = pipeline->across - 1.0, bytes = ceil(pipeline->across_bytes);
    if (times == 0.0)
        return 0;
    if (cost_answer(cost, bytes, 2.0, &answer, error) != 0 ||
        price_packing(it, &packing, machine, pipeline->across_pieces, bytes, error) != 0)
        return -1;
    add_answer(it, &answer, bytes, times);
    it->across_us = times * (answer.time_us + packing.more_us);
    it->across_low_us = times * (answer.low_us + packing.low_us);
    it->across_high_us = times * (answer.high_us + packing.high_us);
    it->flags |= answer.flags;
    return 0;
}

/* While the tiles go through, all but the last of the active send; fewer at both ends. */
static double mean_messages(double tiles, const struct pipeline *pipeline)
{
    return tiles * (pipeline->active - 1.0) / (tiles + pipeline->active - 1.0);
}

/* A wavefront's tiles follow one another along the other dimension too: S tiles on each of its
   processors. */
static int try_width(struct tiles *it, const struct machine *machine, const struct cost *cost,
                     const struct pipeline *pipeline, double work_us, double width,
                     struct error *error)
{
    const double tiles = ceil(pipeline->outer / width);
    const bool whole = tiles <= 1.0 && pipeline->across == 1.0;
    *it = (struct tiles){.width = fmin(width, pipeline->outer)};
    it->stages = tiles * pipeline->across + pipeline->active - 1.0;
    it->messages = whole ? pipeline->active - 1.0 : it->stages;
    it->compute_us = whole ? pipeline->chain * work_us
                           : it->stages * work_us * it->width / fmax(1.0, pipeline->outer);
    it->at_once =
        pipeline->lines * (whole ? 1.0 : mean_messages(tiles * pipeline->across, pipeline));
    for (size_t k = 0; k < pipeline->message_count; k++) {
        const struct strip_message *message = &pipeline->messages[k];
        const enum pieces pieces = pipeline_pieces(pipeline, message, it->width);
        const double bytes = ceil(message->bytes * it->width);
        if (add_message(it, machine, cost, pieces, bytes, error) != 0)
            return -1;
    }
    return add_across(it, machine, cost, pipeline, error);
}

/* ---- all widths ---- */

/* Widths that cut outer into the same number of tiles differ in the last one alone: only the
   least of them can be the best. */
static double next_width(double outer, double width)
{
    const double tiles = ceil(outer / width);
    return tiles <= 1.0 ? outer + 1.0 : fmax(width + 1.0, ceil(outer / (tiles - 1.0)));
}

int tiles_choose(struct tiles *best, const struct machine *machine, const struct pipeline *pipeline,
                 double work_us, struct error *error)
{
    const struct cost *cost;
    if (machine_require(machine, pattern_point_to_point.name, &cost, error) != 0)
        return -1;
    if (pipeline->strip > 0.0)
        return try_width(best, machine, cost, pipeline, work_us, pipeline->strip, error);
    if (try_width(best, machine, cost, pipeline, work_us, fmax(1.0, pipeline->outer), error) != 0)
        return -1;
    for (double width = 1.0; width < pipeline->outer; width = next_width(pipeline->outer, width)) {
        struct tiles tiles;
        if (try_width(&tiles, machine, cost, pipeline, work_us, width, error) != 0)
            return -1;
        if (tiles_total_us(&tiles) < tiles_total_us(best))
            *best = tiles;
    }
    return 0;
}
