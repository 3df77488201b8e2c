#include "model/cost/across.h"

#include "model/cost/pattern.h"

#include <math.h>

/* A law that is nearly 0 at a measured count, where terms cancel, is no shape to scale. */
static const double apart_most = 2.0;

double across_law_us(const struct cost *cost, bool by_hops, double bytes, double processors)
{
    if (by_hops)
        return cost_hops_time_us(cost, bytes, processors, 0);
    const struct region *region = cost_region_among(&cost->regions, bytes, processors);
    return region && !region->unscalable ? region_time_us(region, bytes, processors) : (double)NAN;
}

/* What answers at a measured count, and by what the law has to be multiplied to say so; 0: it
   cannot be. */
struct end {
    double processors, time_us, factor;
};

static struct end end_at(const struct cost *cost, bool by_hops, double bytes,
                         const struct at_processors *at)
{
    const struct region *own = cost_region_among(&at->regions, bytes, at->processors);
    const double time_us = own ? cost_measured_us(cost, own, bytes, at->processors) : (double)NAN;
    const double law_us = across_law_us(cost, by_hops, bytes, at->processors);
    return (struct end){at->processors, time_us,
                        time_us > 0.0 && law_us > 0.0 ? time_us / law_us : 0.0};
}

static double share_of(const struct end *below, const struct end *above, double processors)
{
    return log(processors / below->processors) / log(above->processors / below->processors);
}

static double between(const struct end *below, const struct end *above, double law_us,
                      double processors)
{
    const double share = share_of(below, above, processors);
    if (!(below->time_us > 0.0 && above->time_us > 0.0))
        return below->time_us + share * (above->time_us - below->time_us);
    if (!(law_us > 0.0 && below->factor > 0.0 && above->factor > 0.0))
        return below->time_us * pow(above->time_us / below->time_us, share);
    const double time_us = law_us * below->factor * pow(above->factor / below->factor, share);
    return fmin(fmax(time_us, fmin(below->time_us, above->time_us) / apart_most),
                fmax(below->time_us, above->time_us) * apart_most);
}

double across_us(const struct cost *cost, bool by_hops, double bytes, double processors,
                 const struct at_processors *below, const struct at_processors *above)
{
    const double law_us = across_law_us(cost, by_hops, bytes, processors);
    if (!below && !above)
        return law_us;
    const struct end one = end_at(cost, by_hops, bytes, below ? below : above);
    if (below && above) {
        const struct end other = end_at(cost, by_hops, bytes, above);
        return between(&one, &other, law_us, processors);
    }
    return one.factor > 0.0 ? law_us * one.factor : law_us;
}

double across_power_us(const struct cost *cost, double bytes, double processors,
                       const struct at_processors *below, const struct at_processors *above)
{
    if (!below || !above)
        return NAN;
    const struct end one = end_at(cost, false, bytes, below);
    const struct end other = end_at(cost, false, bytes, above);
    return between(&one, &other, NAN, processors);
}

struct span across_ends_us(const struct cost *cost, double bytes, const struct at_processors *below,
                           const struct at_processors *above)
{
    if (!below || !above)
        return (struct span){NAN, NAN};
    const double one_us = end_at(cost, false, bytes, below).time_us;
    const double other_us = end_at(cost, false, bytes, above).time_us;
    return (struct span){fmin(one_us, other_us), fmax(one_us, other_us)};
}

/* As many messages as it has at most one after the other, and what they wait for. */
static double messages(const struct cost *cost, double processors)
{
    const struct interval_law *law = pattern_of_form(cost->utility)->interval;
    const double participants = fmax(2.0, cost_processors(cost, processors));
    return law && law->most ? law->most(participants) + law->more_volume(participants)
                            : participants;
}

bool across_outgrows(const struct cost *cost, double bytes, const struct at_processors *below,
                     const struct at_processors *above)
{
    const double one_us = end_at(cost, false, bytes, below).time_us;
    const double other_us = end_at(cost, false, bytes, above).time_us;
    return cost->utility && one_us > 0.0 &&
           other_us / one_us >
               apart_most * messages(cost, above->processors) / messages(cost, below->processors);
}

const struct at_processors *across_below(const struct cost *cost, double processors)
{
    const struct at_processors *items = cost->by_processors.items, *found = NULL;
    for (size_t i = 0; i < cost->by_processors.count; i++)
        if (items[i].processors < processors && (!found || items[i].processors > found->processors))
            found = &items[i];
    return found;
}

const struct at_processors *across_above(const struct cost *cost, double processors)
{
    const struct at_processors *items = cost->by_processors.items, *found = NULL;
    for (size_t i = 0; i < cost->by_processors.count; i++)
        if (items[i].processors > processors && (!found || items[i].processors < found->processors))
            found = &items[i];
    return found;
}
