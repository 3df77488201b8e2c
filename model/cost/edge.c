#include "model/cost/edge.h"

#include "model/cost/across.h"
#include "model/cost/leaving.h"
#include "model/cost/pattern.h"

#include <math.h>

/* By how much what is measured may differ from this. With it 984 of 1000 times of twenty patterns
   among 10 and 12 processors of a simulated fat tree and of nodes, told by those among 8 and 16,
   are within their intervals. */
static const double differs = 0.1;

/* What of a pattern leaves a node, and how many messages it takes one after the other. */
struct extent {
    double stages, messages, steps;
};

static struct extent extent_of(const struct cost *cost, double processors)
{
    const struct pattern *pattern = pattern_of_form(cost->utility);
    const double participants = cost_processors(cost, processors);
    const double near = cost_processors(cost, cost->processors_near);
    return (struct extent){
        leaving_stages(pattern, participants, near), leaving_messages(pattern, participants, near),
        pattern->interval && pattern->interval->most ? pattern->interval->most(participants)
                                                     : (double)NAN};
}

double edge_measured_us(const struct cost *cost, const struct at_processors *at, double bytes)
{
    const struct region *own = cost_region_among(&at->regions, bytes, at->processors);
    return own ? cost_measured_us(cost, own, bytes, at->processors) : (double)NAN;
}

/* What the count above takes of its own for leaving nodes. */
static double more_us(const struct cost *cost, double bytes, const struct at_processors *below,
                      const struct at_processors *above, double steps_more)
{
    return edge_measured_us(cost, above, bytes) - steps_more * edge_measured_us(cost, below, bytes);
}

static double share_of(double from, double upto, double at)
{
    return (at - from) / (upto - from);
}

double edge_relative_error(const struct at_processors *at, double bytes)
{
    const struct region *own = cost_region_among(&at->regions, bytes, at->processors);
    return own ? region_relative_error(own) + differs : differs;
}

/* As many messages leave a node as at a measured count. */
static bool answer_alike(const struct cost *cost, double bytes, double processors,
                         const struct at_processors *at, struct edge *edge)
{
    const struct extent here = extent_of(cost, processors), there = extent_of(cost, at->processors);
    const double time_us = here.steps / there.steps * edge_measured_us(cost, at, bytes);
    *edge = (struct edge){time_us, time_us, time_us, edge_relative_error(at, bytes)};
    return here.messages >= there.messages && here.messages <= there.messages && time_us > 0.0;
}

/* Shares of what the count above takes of its own: by the stages and by the messages that leave. */
struct shares {
    double stages, messages;
};

static struct shares shares_of(const struct extent *before, const struct extent *after,
                               const struct extent *here)
{
    const double messages = share_of(before->messages, after->messages, here->messages);
    return (struct shares){before->stages < after->stages
                               ? share_of(before->stages, after->stages, here->stages)
                               : messages,
                           messages};
}

static double smallest_bytes(const struct cost *cost)
{
    return isnan(cost->bytes.least) ? 0.0 : cost->bytes.least;
}

static bool answer_between(const struct cost *cost, double bytes, double processors,
                           const struct at_processors *below, const struct at_processors *above,
                           struct edge *edge)
{
    const struct extent before = extent_of(cost, below->processors);
    const struct extent after = extent_of(cost, above->processors);
    const struct extent here = extent_of(cost, processors);
    const double steps_more = after.steps / before.steps;
    const double all_us = more_us(cost, bytes, below, above, steps_more);
    if (!(before.messages < after.messages) || !(all_us > 0.0))
        return false;
    const double of_smallest_us = more_us(cost, smallest_bytes(cost), below, above, steps_more);
    const double least_us = fmin(all_us, fmax(0.0, of_smallest_us));
    const double inside_us = here.steps / before.steps * edge_measured_us(cost, below, bytes);
    const struct shares by = shares_of(&before, &after, &here);
    *edge =
        (struct edge){inside_us + least_us * by.stages + (all_us - least_us) * by.messages,
                      inside_us + all_us * fmin(by.stages, by.messages),
                      inside_us + all_us * fmax(by.stages, by.messages),
                      fmax(edge_relative_error(below, bytes), edge_relative_error(above, bytes))};
    if (before.messages > 0.0) { /* of several nodes the power of p may say it as well */
        const double power_us = across_power_us(cost, bytes, processors, below, above);
        edge->low_us = fmin(edge->low_us, power_us);
        edge->high_us = fmax(edge->high_us, power_us);
    }
    return edge->time_us > 0.0 && edge->low_us > 0.0;
}

bool edge_answer(const struct cost *cost, double bytes, double processors, struct edge *edge)
{
    const struct at_processors *below = across_below(cost, processors);
    const struct at_processors *above = across_above(cost, processors);
    if (cost_regions_at(cost, processors) != &cost->regions || !above || !cost->utility ||
        !(cost->processors_near > 0.0))
        return false;
    return below ? answer_between(cost, bytes, processors, below, above, edge)
                 : answer_alike(cost, bytes, processors, above, edge);
}
