#include "forecast/predict/tiles.h"

#include "forecast/price/charge.h"
#include "forecast/price/contention.h"
#include "forecast/price/distance.h"
#include "forecast/price/packing.h"
#include "model/cost/grid.h"
#include "model/cost/pattern.h"

#include <math.h>

double tiles_total_us(const struct tiles *it)
{
    double time_us, low_us, high_us;
    tiles_communicate_us(it, &time_us, &low_us, &high_us);
    return it->compute_us + time_us;
}

void tiles_communicate_us(const struct tiles *it, double *time_us, double *low_us, double *high_us)
{
    const double waited = it->messages - it->shared;
    *time_us = waited * it->message_us + it->shared * it->share_us + it->across_us + it->edge_us;
    *low_us = waited * it->message_low_us + it->shared * it->share_low_us + it->across_low_us +
              it->edge_us;
    *high_us = waited * it->message_high_us + it->shared * it->share_high_us + it->across_high_us +
               it->edge_us;
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
    const struct in_pieces how = {.pieces = pieces};
    if (packing_price(packing, machine, TRAFFIC_MESSAGES, &how, bytes, 2.0, error) != 0)
        return -1;
    if (packing->utility)
        it->packing = packing->utility;
    it->packing_unknown |= packing->unknown;
    return 0;
}

/* What a message takes of its own processor's time, by a utility with one other; false where the
   table does not say. */
static bool answer_share(const struct machine *machine, const char *utility, int measures,
                         double bytes, struct cost_answer *answer)
{
    const struct cost *cost = machine_cost(machine, utility);
    struct error error;
    return cost && cost->measures == measures &&
           cost_answer(cost, bytes, charge_counted(cost, 2.0), answer, &error) == 0 &&
           !(answer->flags & COST_EXTRAPOLATED_PROCESSORS);
}

/* Of two processors one sends and the other receives: the slower one counts. Others do both. */
static void add_own_times(struct tiles *it, const struct cost_answer own[2], double bytes,
                          bool is_pair)
{
    const int slower = own[0].time_us >= own[1].time_us ? 0 : 1;
    for (int k = 0; k < 2; k++) {
        if (is_pair && k != slower)
            continue;
        it->share_us += own[k].time_us;
        it->share_low_us += own[k].low_us;
        it->share_high_us += own[k].high_us;
        it->flags |= own[k].flags;
        add_answer(it, &own[k], bytes, it->shared);
    }
}

/* In the stages in which the partner is early; published tables are priced as their authors did,
   with whole messages. A message that its sender must wait with, or a wire
   that it fills, takes as long as it does. */
static void add_share(struct tiles *it, const struct machine *machine, double bytes,
                      const struct cost_answer *whole, double whole_us, bool is_pair)
{
    struct cost_answer own[2];
    const bool known =
        machine->machine.measured &&
        answer_share(machine, pattern_one_to_many.name, MEASURES_SENDER, bytes, &own[0]) &&
        answer_share(machine, pattern_many_to_one.name, MEASURES_RECEIVER, bytes, &own[1]);
    const double own_us = !known    ? INFINITY
                          : is_pair ? fmax(own[0].time_us, own[1].time_us)
                                    : own[0].time_us + own[1].time_us;
    if (own_us < whole_us) {
        add_own_times(it, own, bytes, is_pair);
        return;
    }
    it->share_us += whole_us;
    it->share_low_us += whole_us * whole->low_us / whole->time_us;
    it->share_high_us += whole_us * whole->high_us / whole->time_us;
    add_answer(it, whole, bytes, it->shared * whole_us / whole->time_us);
}

/* Neighbours along a pipeline share wires with others, but not what an empty message takes: of
   measured tables the factor, which farther pairs have too, is of what bytes add alone. */
static double shared_us(const struct machine *machine, const struct cost *cost,
                        const struct cost_answer *alone)
{
    struct cost_answer empty;
    struct error error;
    if (!machine->machine.measured || cost_answer(cost, 0.0, 2.0, &empty, &error) != 0)
        return alone->time_us;
    return fmax(0.0, alone->time_us - empty.time_us);
}

static int add_message(struct tiles *it, const struct machine *machine, const struct cost *cost,
                       enum pieces pieces, double bytes, bool is_pair, struct error *error)
{
    struct packing packing;
    struct cost_answer answer;
    if (cost_answer(cost, bytes, 2.0, &answer, error) != 0 ||
        price_packing(it, &packing, machine, pieces, bytes, error) != 0)
        return -1;
    const struct contention others =
        contention_of(machine, pattern_point_to_point.name, 2.0, it->at_once, bytes, it->apart);
    const double alone_us = answer.time_us, waited = it->messages - it->shared;
    const double shares_us = shared_us(machine, cost, &answer);
    const double us = alone_us + (others.factor - 1.0) * shares_us;
    const double wider = contention_widening(&others);
    const double least_us = alone_us + fmax(0.0, others.factor / wider - 1.0) * shares_us;
    const double most_us = alone_us + (others.factor * wider - 1.0) * shares_us;
    add_answer(it, &answer, bytes, waited * us / alone_us);
    if (others.factor > 1.0)
        add_answer(it, &others.answer, bytes,
                   waited * others.factor * shares_us / others.answer.time_us);
    add_share(it, machine, bytes, &answer, us, is_pair);
    it->alone_us += alone_us + packing.more_us;
    it->message_us += us + packing.more_us;
    it->message_low_us += least_us * answer.low_us / alone_us + packing.low_us;
    it->message_high_us += most_us * answer.high_us / alone_us + packing.high_us;
    it->share_us += packing.more_us;
    it->share_low_us += packing.low_us;
    it->share_high_us += packing.high_us;
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

/* The lines of a pipeline's processors, each of them with messages both ways, as an exchange. False
   where they are not known, or a processor does not both receive and send along each. */
static bool as_exchange(const struct pipeline *pipeline, struct halo_exchange *halo)
{
    const size_t count = pipeline->message_count;
    *halo = (struct halo_exchange){.processors = pipeline->lines, .directions = (int)count};
    if (count == 0 || count > GRID_DIRECTIONS_MOST || pipeline->across > 1.0)
        return false;
    for (size_t k = 0; k < count; k++) {
        const struct strip_message *message = &pipeline->messages[k];
        if (!(message->apart > 0.0 && message->side > 2.0))
            return false;
        for (size_t i = 0; i < k; i++)
            if (pipeline->messages[i].apart == message->apart)
                return false;
        halo->lines[k] = (struct grid_line){.side = message->side, .stride = message->apart};
        halo->processors *= message->side;
    }
    return true;
}

/* What bytes add to a stage's own times is no more than they add to an exchange with the same
   neighbours, both ways at once: a message that comes by another wire is on its way meanwhile. And
   where messages leave a node, that exchange has filled its wire. */
static void compare_with(struct tiles *it, const struct machine *machine,
                         const struct halo_exchange *halo)
{
    const double bytes_us = distance_bytes_us(machine, it->bytes, halo);
    const double messages = halo->directions;
    struct cost_answer own[2];
    if (isnan(bytes_us))
        return;
    if (it->wire_us > 0.0)
        it->wire_us = bytes_us;
    if (!answer_share(machine, pattern_one_to_many.name, MEASURES_SENDER, 0.0, &own[0]) ||
        !answer_share(machine, pattern_many_to_one.name, MEASURES_RECEIVER, 0.0, &own[1]))
        return;
    const double most_us = messages * (own[0].time_us + own[1].time_us) + bytes_us;
    if (!(it->share_us > most_us))
        return;
    it->share_low_us *= most_us / it->share_us;
    it->share_us = most_us; /* its interval has what it was */
}

/* ---- where a node ends ---- */

/* Of processors so far apart in number, the next one of how many in a node is outside; and how many
   of the steps from the first to the last leave one. */
static double leaving_together(double near, const struct strip_message *message)
{
    return fmin(near, message->apart);
}

static double leaving_steps(double near, const struct strip_message *message)
{
    return fmin(message->side - 1.0, floor((message->side - 1.0) * message->apart / near));
}

/* A message to another node takes longer than one within, once for each edge that it passes on its
   way through the pipeline, but not more than neighbours as far apart do; and all that leave a node
   in one stage share its wire. That the farthest message takes longer says nothing where
   neighbours' do not: there are no nodes. */
static void add_edges(struct tiles *it, const struct machine *machine, const struct cost *cost,
                      const struct strip_message *message, double bytes, double at_most_us)
{
    const struct cost *far = machine_cost(machine, pattern_point_to_point_far.name);
    const struct cost *halo = machine_cost(machine, pattern_halo_1.name);
    struct cost_answer near_by, away, empty;
    struct error error;
    if (!far || !halo || !(halo->processors_near > 0.0) || message->apart <= 0.0)
        return;
    const double steps = leaving_steps(halo->processors_near, message);
    if (!(steps > 0.0) || cost_answer(cost, bytes, 2.0, &near_by, &error) != 0 ||
        cost_answer(far, bytes, 2.0, &away, &error) != 0 ||
        cost_answer(far, 0.0, 2.0, &empty, &error) != 0)
        return;
    const double farther_us = away.time_us - near_by.time_us;
    if (!distance_leaves(machine, message->side * message->apart, bytes, farther_us))
        return;
    it->edge_us += steps * fmin(farther_us, at_most_us);
    it->wire_us +=
        leaving_together(halo->processors_near, message) * fmax(0.0, away.time_us - empty.time_us);
}

/* No stage is shorter than what it fills a wire for, and what edges add is waited for as often as
   the pipeline is filled. */
static void charge_edges(struct tiles *it, const struct pipeline *pipeline)
{
    const double longer = it->share_us > 0.0 ? fmax(1.0, it->wire_us / it->share_us) : 1.0;
    it->share_us *= longer;
    it->share_high_us *= longer;
    it->edge_us *= pipeline->fill / fmax(1.0, pipeline->active - 1.0);
}

/* While the tiles go through, all but the last of the active send; fewer at both ends. */
static double mean_messages(double tiles, const struct pipeline *pipeline)
{
    return tiles * (pipeline->active - 1.0) / (tiles + pipeline->active - 1.0);
}

/* Messages in a row: the last stage sends none. Published tables are priced as their authors did,
   with one in each. */
static double messages_in(const struct machine *machine, double stages)
{
    return machine->machine.measured ? stages - 1.0 : stages;
}

/* A wavefront's tiles follow one another along the other dimension too: S tiles on each of its
   processors. The last one of them may be narrower than the others: a processor waits for the tiles
   before its first, and then does what it has. */
static int try_width(struct tiles *it, const struct machine *machine, const struct cost *cost,
                     const struct pipeline *pipeline, double work_us, double width,
                     struct error *error)
{
    const double tiles = ceil(pipeline->outer / width);
    const bool whole = tiles <= 1.0 && pipeline->across == 1.0;
    struct halo_exchange halo;
    *it = (struct tiles){.width = fmin(width, pipeline->outer)};
    it->stages = tiles * pipeline->across + pipeline->fill;
    it->messages = whole ? pipeline->fill : messages_in(machine, it->stages);
    it->shared = whole ? 0.0 : it->messages - pipeline->fill;
    it->compute_us = whole ? pipeline->chain * work_us
                           : work_us * (pipeline->across + (pipeline->active - 1.0) * it->width /
                                                               fmax(1.0, pipeline->outer));
    it->at_once =
        pipeline->lines * (whole ? 1.0 : mean_messages(tiles * pipeline->across, pipeline));
    it->apart = pipeline->apart;
    const bool is_exchange = machine->machine.measured && as_exchange(pipeline, &halo);
    for (size_t k = 0; k < pipeline->message_count; k++) {
        const struct strip_message *message = &pipeline->messages[k];
        const enum pieces pieces = pipeline_pieces(pipeline, message, it->width);
        const double bytes = ceil(message->bytes * it->width);
        if (add_message(it, machine, cost, pieces, bytes, message->side <= 2.0, error) != 0)
            return -1;
        add_edges(it, machine, cost, message, bytes,
                  is_exchange ? distance_farther_us(machine, bytes, &halo, (int)k)
                              : (double)INFINITY);
    }
    if (is_exchange)
        compare_with(it, machine, &halo);
    charge_edges(it, pipeline);
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
