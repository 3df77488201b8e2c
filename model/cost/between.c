#include "model/cost/between.h"

#include "model/cost/across.h"
#include "model/cost/chosen.h"
#include "model/cost/pattern.h"

#include <math.h>

/* ---- as many neighbours ---- */

static double neighbours(const struct cost *cost, double processors)
{
    return pattern_of_form(cost->utility)->interval->most(cost_processors(cost, processors));
}

/* On a grid time goes with the most neighbours of a processor, not with the processors: as at the
   measured count that has as many. False: both have, or neither. */
static bool answer_alike(const struct cost *cost, double bytes, double processors,
                         struct edge *edge)
{
    const struct at_processors *below = across_below(cost, processors);
    const struct at_processors *above = across_above(cost, processors);
    if (cost_regions_at(cost, processors) != &cost->regions || !below || !above || !cost->utility ||
        pattern_of_form(cost->utility)->partners != PARTNERS_GRID)
        return false;
    const double here = neighbours(cost, processors);
    const bool as_below = here == neighbours(cost, below->processors);
    if (as_below == (here == neighbours(cost, above->processors)))
        return false;
    const struct span us = across_ends_us(cost, bytes, below, above);
    *edge =
        (struct edge){edge_measured_us(cost, as_below ? below : above, bytes), us.least, us.most,
                      fmax(edge_relative_error(below, bytes), edge_relative_error(above, bytes))};
    return us.least > 0.0;
}

/* A law that other measured counts bear out so well is the library's own there: it chooses nothing
   else. */
static const double law_is_known = 0.01;

static bool is_known(const struct cost *cost, bool by_hops, double bytes, double processors)
{
    const struct region *told =
        by_hops ? cost_hop_region(cost, bytes) : cost_region(cost, bytes, processors);
    const double error = !told     ? (double)NAN
                         : by_hops ? fmax(told->error.fitted_p95, told->error.held_out_p95)
                                   : told->error.other_processors;
    return error <= law_is_known;
}

bool between_answer(const struct cost *cost, bool by_hops, double bytes, double processors,
                    struct edge *edge)
{
    struct span us;
    const bool may_be_chosen = !is_known(cost, by_hops, bytes, processors);
    if (by_hops)
        return may_be_chosen && cost_route(cost, processors, 0).rounds &&
               chosen_answer(cost, bytes, processors, edge);
    if (!edge_answer(cost, bytes, processors, edge))
        return (may_be_chosen && chosen_answer(cost, bytes, processors, edge)) ||
               answer_alike(cost, bytes, processors, edge);
    if (chosen_span(cost, bytes, processors, &us)) {
        edge->low_us = fmin(edge->low_us, us.least);
        edge->high_us = fmax(edge->high_us, us.most);
    }
    return true;
}

/* ---- what else may be ---- */

static void hold(struct cost_answer *answer, double time_us, double other_us)
{
    if (!(other_us > 0.0))
        return;
    answer->low_us *= fmin(1.0, other_us / time_us);
    answer->high_us *= fmax(1.0, other_us / time_us);
}

/* From half to twice: an interval that is wider says little of a time in it. */
static const double widest = 4.0;

void between_flag(const struct cost *cost, double processors, struct cost_answer *answer)
{
    if (across_below(cost, processors) && across_above(cost, processors) &&
        answer->high_us > widest * answer->low_us)
        answer->flags |= COST_OTHER_ALGORITHM;
}

void between_hold_edge(struct cost_answer *answer, const struct edge *edge)
{
    answer->low_us *= edge->low_us / edge->time_us;
    answer->high_us *= edge->high_us / edge->time_us;
}

/* As wide as the answer alone is, around each of both. */
static void hold_both(struct cost_answer *answer, const struct cost_answer *alone, struct span us)
{
    answer->low_us = fmin(answer->low_us, alone->low_us / alone->time_us * us.least);
    answer->high_us = fmax(answer->high_us, alone->high_us / alone->time_us * us.most);
}

/* No count was told by others: there are none on both sides of any. */
static bool was_not_tried(const struct region *region)
{
    return isnan(region->error.other_processors) && isnan(region->error.power_processors);
}

/* Messages that come in at one processor all at once share links whose number p does not tell. */
static bool crowds(const struct cost *cost)
{
    return cost->utility && pattern_of_form(cost->utility)->interval == &law_in_turn;
}

/* Between two measured p the time may as well grow evenly: the interval holds that too, and what
   the library may choose. Where they are more than a doubling apart, or nothing was tried, it may
   be as at either of them. */
void between_hold(const struct cost *cost, const struct region *region, double bytes,
                  double processors, struct cost_answer *answer)
{
    const struct at_processors *below = across_below(cost, processors);
    const struct at_processors *above = across_above(cost, processors);
    if (cost_regions_at(cost, processors) != &cost->regions || !below || !above ||
        !(answer->time_us > 0.0))
        return;
    const struct cost_answer alone = *answer;
    struct span us;
    if (across_outgrows(cost, bytes, below, above))
        answer->flags |= COST_OTHER_ALGORITHM;
    hold(answer, alone.time_us, across_power_us(cost, bytes, processors, below, above));
    const double times =
        cost_processors(cost, above->processors) / cost_processors(cost, below->processors);
    if (times > 2.0 || was_not_tried(region))
        hold_both(answer, &alone, across_ends_us(cost, bytes, below, above));
    if (crowds(cost))
        hold(answer, alone.time_us, across_ends_us(cost, bytes, below, above).most);
    if (chosen_span(cost, bytes, processors, &us)) {
        const double wider = 1.0 + chosen_relative_error(cost, bytes, processors);
        answer->low_us = fmin(answer->low_us, us.least / wider);
        answer->high_us = fmax(answer->high_us, us.most * wider);
    }
}
