/* Semantic rules: each a small function and a row below. A rule may rely on those above it. */
#include "model/machine/cost_check.h"

#include <math.h>

/* No utility has so many regions; rules that compare each with each stay quick. */
enum { MANY = 1000 };

/* What a rule looks at. */
struct checked {
    const struct machine *machine;
    const struct cost *cost;
    const struct region *regions; /* of the cost: the common ones, or those of one p */
    size_t count;
};

/* 0, or -1 with the error set. */
typedef int cost_rule(const struct checked *checked, struct error *error);

static struct place in_file(const struct checked *checked, struct place place)
{
    place.file = checked->machine->path;
    return place;
}

#define COST_ERROR(...) error_at(error, in_file(checked, checked->cost->place), __VA_ARGS__)
#define REGION_ERROR(region, ...) error_at(error, in_file(checked, (region)->place), __VA_ARGS__)

static int named_once(const struct checked *checked, struct error *error)
{
    const char *name = checked->cost->utility;
    if (name[0] == '\0')
        return COST_ERROR("a utility without a name");
    if (machine_cost(checked->machine, name) != checked->cost)
        return COST_ERROR("utility '%.60s' a second time", name);
    return 0;
}

static int ranges_are_sensible(const struct checked *checked, struct error *error)
{
    const struct span bytes = checked->cost->bytes, p = checked->cost->processors;
    if (bytes.least < 0.0)
        return COST_ERROR("bytes begin at %g: expected at least 0", bytes.least);
    if (!isnan(p.least) && (p.least < 1.0 || p.least != floor(p.least) || p.most != floor(p.most)))
        return COST_ERROR("processors from %g to %g: expected whole numbers from 1", p.least,
                          p.most);
    return 0;
}

static int there_are_regions(const struct checked *checked, struct error *error)
{
    if (checked->count == 0)
        return COST_ERROR("%s has no region", checked->cost->utility);
    if (checked->count > MANY)
        return COST_ERROR("%s has more than %d regions", checked->cost->utility, MANY);
    return 0;
}

static bool has_cost(const struct region *region)
{
    return region->setup_us.count || region->per_byte_us.count || region->per_root_byte_us.count ||
           !isnan(region->per_packet_us);
}

static int regions_have_a_cost(const struct checked *checked, struct error *error)
{
    for (size_t i = 0; i < checked->count; i++)
        if (!has_cost(&checked->regions[i]) && !checked->regions[i].unscalable)
            return REGION_ERROR(&checked->regions[i],
                                "a region without a cost: expected t0_us, rinf_mb_per_s, setup_us, "
                                "per_byte_us or unscalable");
    return 0;
}

static int unscalable_regions_have_none(const struct checked *checked, struct error *error)
{
    for (size_t i = 0; i < checked->count; i++)
        if (has_cost(&checked->regions[i]) && checked->regions[i].unscalable)
            return REGION_ERROR(&checked->regions[i],
                                "an unscalable region with a cost: expected one of the two");
    return 0;
}

static int packets_have_size_and_cost(const struct checked *checked, struct error *error)
{
    for (size_t i = 0; i < checked->count; i++)
        if (isnan(checked->regions[i].packet_bytes) != isnan(checked->regions[i].per_packet_us))
            return REGION_ERROR(&checked->regions[i],
                                "packet_bytes and per_packet_us: expected both or none");
    return 0;
}

static int first_packets_have_others(const struct checked *checked, struct error *error)
{
    for (size_t i = 0; i < checked->count; i++)
        if (isnan(checked->regions[i].packet_bytes) &&
            !isnan(checked->regions[i].first_packet_bytes))
            return REGION_ERROR(&checked->regions[i],
                                "first_packet_bytes without packet_bytes: expected both");
    return 0;
}

static int processors_are_whole(const struct checked *checked, struct error *error)
{
    for (size_t i = 0; i < checked->count; i++) {
        const double most = checked->regions[i].processors.most;
        if (!(most >= 1.0) || most != floor(most))
            return REGION_ERROR(&checked->regions[i],
                                "a region for %g processors: expected a whole number from 1", most);
    }
    return 0;
}

static bool within(double value, struct span span)
{
    return value >= span.least && value <= span.most;
}

/* Whether a region before the i-th answers at p for the largest message of the i-th, and so for all
   of its messages: regions have no lower bound in bytes. */
static bool is_taken(const struct checked *checked, size_t i, double p)
{
    const struct region *regions = checked->regions;
    for (size_t j = 0; j < i; j++)
        if (regions[j].bytes_upto >= regions[i].bytes_upto && within(p, regions[j].processors))
            return true;
    return false;
}

/* The least p left to a region is its own least one, or comes after an earlier region's last. */
static bool is_reached(const struct checked *checked, size_t i)
{
    const struct span own = checked->regions[i].processors;
    if (!is_taken(checked, i, fmax(own.least, 1.0)))
        return true;
    for (size_t j = 0; j < i; j++) {
        const double next = checked->regions[j].processors.most + 1.0;
        if (isfinite(next) && within(next, own) && !is_taken(checked, i, next))
            return true;
    }
    return false;
}

static int regions_can_be_reached(const struct checked *checked, struct error *error)
{
    for (size_t i = 1; i < checked->count; i++)
        if (!is_reached(checked, i))
            return REGION_ERROR(&checked->regions[i],
                                "region %zu of %s is never reached: those before it take all its "
                                "messages; expected bytes_upto to ascend",
                                i + 1, checked->cost->utility);
    return 0;
}

/* With it no message and no p is without an answer, whatever conditions the others have. */
static int last_region_has_no_bound(const struct checked *checked, struct error *error)
{
    const struct region *last = &checked->regions[checked->count - 1];
    if (isinf(last->bytes_upto) && isinf(last->processors.most))
        return 0;
    return REGION_ERROR(last,
                        "the last region of %s has a bound: expected one that holds for all that "
                        "is left (unscalable: true, if there is no model)",
                        checked->cost->utility);
}

static int errors_are_sensible(const struct checked *checked, struct error *error)
{
    for (size_t i = 0; i < checked->count; i++) {
        const struct region_error *of = &checked->regions[i].error;
        if (of->fitted_median > of->fitted_p95 || of->held_out_median > of->held_out_p95)
            return REGION_ERROR(&checked->regions[i],
                                "an error whose median is above its 95th percentile");
    }
    return 0;
}

/* The next p to look at: all small ones, then every doubling, and the last. */
static double next_p(double p, double most)
{
    if (p >= most)
        return INFINITY;
    return p < 64.0 ? p + 1.0 : fmin(2.0 * p, most);
}

static bool falls(const struct region *region, double p, double least, double most)
{
    const double most_us = region_time_us(region, most, p);
    return most_us < region_time_us(region, least, p) - 1e-9 * fabs(most_us);
}

/* Published forms have negative rates outside of the range that they were fitted to (SP1 combine at
   p = 1, SP1 broadcast at D = 8); inside, more bytes never cost less. */
static int rates_are_positive(const struct checked *checked, struct error *error)
{
    const struct span p = checked->cost->processors, n = checked->cost->bytes;
    double least = fmax(n.least, 0.0);
    for (size_t i = 0; i < checked->count; i++) {
        const struct region *region = &checked->regions[i];
        const double most = fmin(region->bytes_upto, isnan(n.most) ? least + 1048576.0 : n.most);
        const double first = fmax(isnan(p.least) ? 2.0 : p.least, region->processors.least);
        const double last = fmin(isnan(p.most) ? 2.0 : p.most, region->processors.most);
        for (double at = first; at <= last && !region->unscalable; at = next_p(at, last))
            if (most > least && !is_taken(checked, i, at) && falls(region, at, least, most))
                return REGION_ERROR(region, "region %zu of %s: more bytes cost less at p = %g",
                                    i + 1, checked->cost->utility, at);
        if (isinf(region->processors.most) && isfinite(region->bytes_upto))
            least = fmax(least, region->bytes_upto + 1.0);
    }
    return 0;
}

static int hops_have_a_tree(const struct checked *checked, struct error *error)
{
    const struct cost *cost = checked->cost;
    if ((cost->tree == TREE_UNKNOWN) == (cost->hops.count == 0) &&
        (cost->hops_far.count == 0 || cost->hops.count > 0))
        return 0;
    return REGION_ERROR(checked->regions, "%s: expected tree and hops, or neither", cost->utility);
}

static const struct {
    cost_rule *holds;
    bool per_p; /* also holds for the regions of every by_processors */
} cost_rules[] = {
    {named_once,                   false},
    {ranges_are_sensible,          false},
    {there_are_regions,            true },
    {regions_have_a_cost,          true },
    {unscalable_regions_have_none, true },
    {packets_have_size_and_cost,   true },
    {first_packets_have_others,    true },
    {processors_are_whole,         true },
    {regions_can_be_reached,       true },
    {last_region_has_no_bound,     true },
    {errors_are_sensible,          true },
    {rates_are_positive,           false},
    {hops_have_a_tree,             false},
};

static int states_are_of_the_machine(const struct checked *checked, struct error *error)
{
    const struct cost *cost = checked->cost;
    const struct state_factor *factors = cost->states.items;
    for (size_t i = 0; i < cost->states.count; i++)
        if (factors[i].state > (double)checked->machine->states.count)
            return COST_ERROR("%s in state %g: the machine has %zu", cost->utility,
                              factors[i].state, checked->machine->states.count);
    return 0;
}

static int in_situ_is_in_order(const struct checked *checked, struct error *error)
{
    const struct cost *cost = checked->cost;
    const struct in_situ *rows = cost->in_situ.items;
    for (size_t i = 1; i < cost->in_situ.count; i++)
        if (!(rows[i].bytes > rows[i - 1].bytes))
            return COST_ERROR("in_situ of %s: expected more bytes than the %.17g before, not %.17g",
                              cost->utility, rows[i - 1].bytes, rows[i].bytes);
    return 0;
}

static int check_regions(struct checked *checked, const struct list *regions, bool one_p,
                         struct error *error)
{
    checked->regions = regions->items;
    checked->count = regions->count;
    for (size_t rule = 0; rule < sizeof cost_rules / sizeof *cost_rules; rule++)
        if ((!one_p || cost_rules[rule].per_p) && cost_rules[rule].holds(checked, error) != 0)
            return -1;
    return 0;
}

int cost_check(const struct machine *machine, const struct cost *cost, struct error *error)
{
    struct checked checked = {machine, cost, NULL, 0};
    const struct at_processors *each = cost->by_processors.items;
    if (check_regions(&checked, &cost->regions, false, error) != 0 ||
        states_are_of_the_machine(&checked, error) != 0 ||
        in_situ_is_in_order(&checked, error) != 0)
        return -1;
    for (size_t i = 0; i < cost->by_processors.count; i++)
        if (check_regions(&checked, &each[i].regions, true, error) != 0)
            return -1;
    if (cost->hops.count > 0 && check_regions(&checked, &cost->hops, true, error) != 0)
        return -1;
    if (cost->hops_far.count > 0 && check_regions(&checked, &cost->hops_far, true, error) != 0)
        return -1;
    return 0;
}
