#include "model/cost/chosen.h"

#include "model/cost/across.h"
#include "model/cost/pattern.h"

#include <math.h>

/* Of what grows evenly with the processors: with it 957 of 1000 times of six collectives, among 10
   and 12 processors of a simulated fat tree and of nodes, told by those among 8 and 16, are within
   their spans and a tenth; with the half 978, and with all 926. */
static const double share_least = 0.75;

static bool is_power_of_two(double p)
{
    return p == exp2(round(log2(p)));
}

static const struct at_processors *at_two(const struct cost *cost)
{
    const struct at_processors *items = cost->by_processors.items;
    for (size_t i = 0; i < cost->by_processors.count; i++)
        if (cost_processors(cost, items[i].processors) == 2.0)
            return &items[i];
    return NULL;
}

/* One stage: of two, or of those that the smallest messages have more of among more. */
static double stage_us(const struct cost *cost, double bytes, const struct at_processors *below,
                       const struct at_processors *above)
{
    const double smallest_bytes = isnan(cost->bytes.least) ? 0.0 : cost->bytes.least;
    const struct at_processors *two = at_two(cost);
    const double stages =
        log2(cost_processors(cost, above->processors) / cost_processors(cost, below->processors));
    const double more_us = edge_measured_us(cost, above, smallest_bytes) -
                           edge_measured_us(cost, below, smallest_bytes);
    return fmax(two ? edge_measured_us(cost, two, bytes) : 0.0, more_us / fmax(1.0, stages));
}

/* Those beyond a power of two send what they have to others first, and get the result last: one
   stage more than at the next power of two. */
static double folded_us(const struct cost *cost, double bytes, double processors,
                        const struct at_processors *below, const struct at_processors *above)
{
    return pattern_of_form(cost->utility)->folds &&
                   !is_power_of_two(cost_processors(cost, processors))
               ? stage_us(cost, bytes, below, above)
               : 0.0;
}

bool chosen_span(const struct cost *cost, double bytes, double processors, struct span *us)
{
    const struct at_processors *below = across_below(cost, processors);
    const struct at_processors *above = across_above(cost, processors);
    if (cost_regions_at(cost, processors) != &cost->regions || !below || !above || !cost->utility ||
        !pattern_of_form(cost->utility)->by_library)
        return false;
    const double below_us = edge_measured_us(cost, below, bytes);
    const double above_us = edge_measured_us(cost, above, bytes);
    const double share =
        share_least * (processors - below->processors) / (above->processors - below->processors);
    *us = (struct span){below_us + share * fmax(0.0, above_us - below_us),
                        above_us + folded_us(cost, bytes, processors, below, above)};
    if (us->least > us->most) /* it takes less among more */
        *us = (struct span){us->most, us->least};
    return us->least > 0.0 && isfinite(us->most);
}

static bool node_ends(const struct cost *cost, double processors)
{
    const double near = cost_processors(cost, cost->processors_near);
    const double below = cost_processors(cost, across_below(cost, processors)->processors);
    const double above = cost_processors(cost, across_above(cost, processors)->processors);
    return cost->processors_near > 0.0 && ceil(below / near) < ceil(above / near);
}

double chosen_relative_error(const struct cost *cost, double bytes, double processors)
{
    return fmax(edge_relative_error(across_below(cost, processors), bytes),
                edge_relative_error(across_above(cost, processors), bytes));
}

bool chosen_answer(const struct cost *cost, double bytes, double processors, struct edge *edge)
{
    struct span us;
    if (!chosen_span(cost, bytes, processors, &us) || !node_ends(cost, processors))
        return false;
    *edge = (struct edge){sqrt(us.least * us.most), us.least, us.most,
                          chosen_relative_error(cost, bytes, processors)};
    return true;
}
