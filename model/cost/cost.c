#include "model/cost/cost.h"

#include "model/cost/across.h"
#include "model/cost/between.h"
#include "model/cost/confidence.h"
#include "model/cost/grid.h"
#include "model/cost/pattern.h"

#include <math.h>

double form_value(const struct form *form, double p)
{
    double sum = 0.0;
    for (size_t i = 0; i < form->count; i++) {
        const struct term *term = &form->terms[i];
        sum += basis_value(term->basis, p) * term->coefficient.numerator /
               term->coefficient.denominator;
    }
    return sum;
}

struct form form_constant(double value)
{
    return (struct form){.count = 1, .terms = {{0, {value, 1.0}}}};
}

struct region region_begin(void)
{
    struct region region;
    record_begin(&region_record, &region);
    return region;
}

struct region region_hockney(double bytes_upto, double t0_us, double rinf_mb_per_s)
{
    struct region region = region_begin();
    region.bytes_upto = bytes_upto;
    region.setup_us = form_constant(t0_us);
    if (isfinite(rinf_mb_per_s))
        region.per_byte_us = (struct form){.count = 1, .terms = {{0, {1.0, rinf_mb_per_s}}}};
    return region;
}

static bool region_holds(const struct region *region, double bytes, double processors)
{
    return bytes <= region->bytes_upto && processors >= region->processors.least &&
           processors <= region->processors.most;
}

/* A p that was measured has regions of its own. */
const struct list *cost_regions_at(const struct cost *cost, double processors)
{
    const struct at_processors *measured = cost->by_processors.items;
    for (size_t i = 0; i < cost->by_processors.count; i++)
        if (measured[i].processors == processors)
            return &measured[i].regions;
    return &cost->regions;
}

const struct region *cost_region(const struct cost *cost, double bytes, double processors)
{
    return cost_region_among(cost_regions_at(cost, processors), bytes, processors);
}

const struct region *cost_region_among(const struct list *list, double bytes, double processors)
{
    const struct region *regions = list->items;
    for (size_t i = 0; i < list->count; i++)
        if (region_holds(&regions[i], bytes, processors))
            return &regions[i];
    return NULL;
}

/* How many packets carry a message. The SP's first one has room for 216 bytes, all others for 232
   (Abandah, IBM SP2, section 2.3). */
static double packets(const struct region *region, double bytes)
{
    const double first_bytes =
        isnan(region->first_packet_bytes) ? region->packet_bytes : region->first_packet_bytes;
    return 1.0 + ceil(fmax(0.0, bytes - first_bytes) / region->packet_bytes);
}

double region_time_us(const struct region *region, double bytes, double processors)
{
    double time_us = form_value(&region->setup_us, processors) +
                     form_value(&region->per_byte_us, processors) * bytes;
    if (region->per_root_byte_us.count)
        time_us += form_value(&region->per_root_byte_us, processors) * sqrt(bytes);
    if (region->packet_bytes > 0.0)
        time_us += packets(region, bytes) * region->per_packet_us;
    return time_us;
}

static double or_none(double value)
{
    return isnan(value) ? 0.0 : value;
}

double region_median_error(const struct region *region)
{
    const struct region_error *error = &region->error;
    return isnan(error->between_p95) ? error->held_out_median : error->between_median;
}

/* Without what was measured. */
static double law_error(const struct region *region)
{
    const struct region_error *error = &region->error;
    return isnan(error->held_out_p95) ? or_none(error->fitted_p95) : error->held_out_p95;
}

/* Whether the power of p says what lies between two measured counts better than the law. */
static bool power_is_better(const struct region *region)
{
    return region->error.power_processors < region->error.other_processors;
}

double region_relative_error(const struct region *region)
{
    const struct region_error *error = &region->error;
    const double others = or_none(fmin(error->other_processors, error->power_processors));
    double within = isnan(error->between_p95) ? law_error(region) : error->between_p95;
    if (!isnan(error->power_processors)) /* it meets its neighbours, whatever the law's own error */
        within = 0.0;
    return fmax(within, others) + or_none(error->launches_p95);
}

/* No law of p answers there: p was measured, or nothing is told of single ones. */
static bool was_measured(const struct cost *cost, double processors)
{
    return cost->by_processors.count == 0 || cost_regions_at(cost, processors) != &cost->regions;
}

/* How far a measured count is off at a size that it does not have; 0: not known. */
static double between_sizes(const struct at_processors *at, double bytes)
{
    const struct region *own = at ? cost_region_among(&at->regions, bytes, at->processors) : NULL;
    return own ? or_none(own->error.between_p95) : 0.0;
}

/* What is measured is known no better: what is nearer to a law counts as said by it (measured.h).
 */
static const double measured_least = 0.005;

/* How far an answer is off that no node ends at. */
static double error_of_law(const struct cost *cost, const struct region *region, double bytes,
                           double processors)
{
    return region_relative_error(region) +
           (was_measured(cost, processors)
                ? 0.0
                : fmax(between_sizes(across_below(cost, processors), bytes),
                       between_sizes(across_above(cost, processors), bytes)));
}

/* That within a launch, with what the cost says of launches. */
static double measured_error(const struct cost *cost, const struct region *region, double within)
{
    const double of_passes = isnan(region->error.launches_p95) ? or_none(cost->passes_p95) : 0.0;
    const double least = isnan(region->error.fitted_p95) ? 0.0 : measured_least;
    return fmax(within, least) + of_passes;
}

/* Of errors of 95 of 100 cases what 90 are within, as a logarithm. */
static double at_the_level(double of_95)
{
    return log1p(of_95) * confidence_deviations / deviations_of_p95;
}

/* Brought to the one level: what a table is off within a launch and what launches differ by have
   nothing to do with one another, and add up as variances do. The farthest of a few launches, which
   the 95th percentile of them is, has about 90 of 100 others within. What authors say is the most
   that they saw, whatever the level. of_95: that of both, added up. */
static void set_error(const struct cost *cost, const struct region *region, double of_95,
                      struct cost_answer *answer)
{
    const double of_authors = or_none(cost->published_error);
    const bool of_one = isnan(region->error.launches_p95);
    const double launches =
        fmin(of_95, or_none(of_one ? cost->passes_p95 : region->error.launches_p95));
    const double level = exp(
        hypot(at_the_level(of_95 - launches), of_one ? at_the_level(launches) : log1p(launches)));
    answer->relative_error = fmax(of_95, of_authors);
    answer->narrower = (1.0 + answer->relative_error) / fmax(level, 1.0 + of_authors);
}

/* What one launch is off says nothing of the next one. */
static bool has_error(const struct cost *cost, const struct region *region)
{
    const struct region_error *error = &region->error;
    const bool within_launch =
        !isnan(error->held_out_p95) || !isnan(error->fitted_p95) || !isnan(error->between_p95);
    const bool of_launches = !isnan(error->launches_p95) || !isnan(cost->passes_p95);
    return !isnan(cost->published_error) || (within_launch && of_launches);
}

/* ---- along a tree ---- */

/* Grids of more are all taken to be of the kind that was measured. */
static const double grid_most = 1e9;

double cost_formula_p(const struct cost *cost, double processors)
{
    return cost->processors_mean == MEAN_PARTICIPANTS ? processors : processors - 1.0;
}

double cost_processors(const struct cost *cost, double formula_p)
{
    return cost->processors_mean == MEAN_PARTICIPANTS ? formula_p : formula_p + 1.0;
}

/* Whether the hops, whose error is that of their region, are to be believed more than the region.
   Where some messages go far, functions of p say nothing of a p between the measured ones: there
   the tree gets a level, or a node is begun. */
static bool hops_are_better(const struct cost *cost, const struct region *region, double bytes,
                            double processors)
{
    const bool measured = was_measured(cost, processors);
    if (!cost_has_hops_at(cost, processors))
        return false;
    if (cost->hops_far.count > 0 && !measured && cost->by_processors.count > 0)
        return true;
    const struct region *hop = cost_hop_region(cost, bytes);
    return measured ? law_error(hop) <= law_error(region)
                    : region_relative_error(hop) <= region_relative_error(region);
}

/* How often the argument stands beyond the trained range: 1 within it. */
static double beyond(double value, struct span trained)
{
    if (value > trained.most)
        return trained.most > 0.0 ? value / trained.most : 2.0;
    if (value < trained.least)
        return value > 0.0 ? trained.least / value : 2.0;
    return 1.0; /* NAN bounds: nothing is said, nothing is flagged */
}

/* How many times shorter or longer the grid's or box's shortest side is than with those that were
   measured: a processor that lacks neighbours sends fewer messages, and not by more than that. 1:
   it is not. */
static double beyond_grid(const struct cost *cost, double processors)
{
    if (isnan(cost->grid_side_least) || processors != floor(processors) ||
        !(processors >= 1.0 && processors <= grid_most))
        return 1.0;
    const int directions = pattern_of_form(cost->utility)->grid_directions;
    const double side = grid_shortest_side((int)processors, directions > 0 ? directions : 2);
    return beyond(fmin(side, cost->grid_side_most + 1.0),
                  (struct span){cost->grid_side_least, cost->grid_side_most});
}

/* Whether a message shorter than all that were measured takes as long as the shortest of them, but
   for less than the error: of the time its bytes are next to nothing. */
static bool is_as_the_least(const struct cost *cost, double bytes, double processors,
                            double relative_error)
{
    const double least_bytes = cost->bytes.least;
    const struct region *region = cost_region(cost, bytes, processors);
    if (!(bytes > 0.0 && bytes < least_bytes) ||
        cost_region(cost, least_bytes, processors) != region)
        return false;
    const double time_us = region_time_us(region, bytes, processors);
    const double least_us = region_time_us(region, least_bytes, processors);
    return time_us > 0.0 && fabs(least_us - time_us) < relative_error * time_us;
}

/* Widens the interval by the relative error, and by 10 % for each doubling beyond the range: a
   convention, so that extrapolation is never silent; the sources give no rule. */
static void set_interval(const struct cost *cost, double bytes, double processors,
                         double relative_error, struct cost_answer *answer)
{
    const double beyond_bytes =
        is_as_the_least(cost, bytes, processors, relative_error) ? 1.0 : beyond(bytes, cost->bytes);
    const double beyond_p = beyond(processors, cost->processors);
    if (beyond_bytes > 1.0)
        answer->flags |= COST_EXTRAPOLATED_BYTES;
    if (beyond_p > 1.0)
        answer->flags |= COST_EXTRAPOLATED_PROCESSORS;
    const double beyond_side = beyond_grid(cost, processors);
    if (beyond_side > 1.0)
        answer->flags |= COST_OTHER_GRID;
    const double wider =
        beyond_side + relative_error + 0.1 * log2(beyond_bytes) + 0.1 * log2(beyond_p);
    answer->low_us = answer->time_us / wider;
    answer->high_us = answer->time_us * wider;
}

struct law_at {
    const struct cost *cost;
    const struct region *region;
    double processors;
};

static double law_us(const void *state, double bytes)
{
    const struct law_at *at = state;
    return cost_law_us(at->cost, at->region, bytes, at->processors);
}

double cost_law_us(const struct cost *cost, const struct region *region, double bytes,
                   double processors)
{
    return hops_are_better(cost, region, bytes, processors)
               ? cost_hops_time_us(cost, bytes, processors, 0)
               : region_time_us(region, bytes, processors);
}

double cost_measured_us(const struct cost *cost, const struct region *region, double bytes,
                        double processors)
{
    const struct law_at at = {cost, region, processors};
    return marks_time_us(&region->measured_us, law_us, &at, bytes);
}

double region_answer_us(const struct region *region, double bytes, double processors)
{
    const struct cost without_hops = {.tree = TREE_UNKNOWN};
    return cost_measured_us(&without_hops, region, bytes, processors);
}

static double time_at(const struct cost *cost, const struct region *region, bool by_hops,
                      double bytes, double processors)
{
    if (was_measured(cost, processors))
        return cost_measured_us(cost, region, bytes, processors);
    const struct at_processors *below = across_below(cost, processors);
    const struct at_processors *above = across_above(cost, processors);
    if (below && above && power_is_better(by_hops ? cost_hop_region(cost, bytes) : region))
        return across_power_us(cost, bytes, processors, below, above);
    return across_us(cost, by_hops, bytes, processors, below, above);
}

static int check_region(const struct cost *cost, const struct region *region, double bytes,
                        double processors, struct error *error)
{
    if (!region)
        return error_set(error, "%s has no region for %.17g bytes and p = %.17g", cost->utility,
                         bytes, processors);
    if (region->unscalable)
        return error_set(error,
                         "%s does not scale: there is no model for %.17g bytes and p = %.17g",
                         cost->utility, bytes, processors);
    return 0;
}

int cost_answer_wide(const struct cost *cost, double bytes, double processors,
                     struct cost_answer *answer, struct error *error)
{
    const struct region *region = cost_region(cost, bytes, processors);
    if (check_region(cost, region, bytes, processors, error) != 0)
        return -1;
    const bool by_hops = hops_are_better(cost, region, bytes, processors);
    const bool by_region = !by_hops || !isnan(region->error.between_p95);
    const struct region *by = by_region ? region : cost_hop_region(cost, bytes);
    struct edge edge;
    const bool by_edge = between_answer(cost, by_hops, bytes, processors, &edge);
    const double time_us =
        by_edge ? edge.time_us : time_at(cost, region, by_hops, bytes, processors);
    if (!isfinite(time_us))
        return error_set(error, "%s has no finite time for %.17g bytes and p = %.17g",
                         cost->utility, bytes, processors);
    *answer = (struct cost_answer){.time_us = time_us,
                                   .region = region,
                                   .hops = by_hops && !by_edge ? cost : NULL,
                                   .has_error = has_error(cost, by)};
    const struct region *first = cost_regions_at(cost, processors)->items;
    answer->region_number = (size_t)(region - first) + 1;
    if (!(answer->time_us >= 0.0)) {
        answer->time_us = 0.0;
        answer->flags |= COST_CLAMPED;
    }
    if (cost->disturbed)
        answer->flags |= COST_DISTURBED;
    if (cost->from_logp)
        answer->flags |= COST_FROM_LOGP;
    set_error(
        cost, by,
        measured_error(cost, by,
                       by_edge ? edge.relative_error : error_of_law(cost, by, bytes, processors)),
        answer);
    set_interval(cost, bytes, processors, answer->relative_error, answer);
    if (by_edge)
        between_hold_edge(answer, &edge);
    else
        between_hold(cost, by, bytes, processors, answer);
    between_flag(cost, processors, answer);
    return 0;
}

void cost_answer_narrow(struct cost_answer *answer)
{
    answer->low_us *= answer->narrower;
    answer->high_us /= answer->narrower;
    answer->narrower = 1.0;
}

int cost_answer(const struct cost *cost, double bytes, double processors,
                struct cost_answer *answer, struct error *error)
{
    const int status = cost_answer_wide(cost, bytes, processors, answer, error);
    if (status == 0)
        cost_answer_narrow(answer);
    return status;
}
