/* The time of a pattern by its hops: one message after the other along its tree or its rounds. */
#include "model/cost/cost.h"

#include <math.h>

/* More processors are left to the functions of p. */
static const double route_most = 1e5;

static double or_none(double value)
{
    return isnan(value) ? 0.0 : value;
}

struct route cost_route(const struct cost *cost, double processors, int root)
{
    static const struct route ways[TREE_COUNT] = {
        [TREE_FLAT] = {.tree = &tree_flat    },
        [TREE_DOUBLING] = {.tree = &tree_doubling},
        [TREE_BINARY] = {.tree = &tree_binary  },
        [TREE_BINOMIAL] = {.tree = &tree_binomial},
        [TREE_BINOMIAL_OTHERS] = {.tree = &tree_binomial, .other_roots = true},
        [TREE_EXCHANGES] = {.rounds = &rounds_doubling                     },
        [TREE_LINE_SHIFT] = {.rounds = &rounds_line_shift},
        [TREE_GRID_SHIFT] = {.rounds = &rounds_grid_shift                     },
        [TREE_LINE_EXCHANGE] = {.rounds = &rounds_line_exchange},
        [TREE_GRID_EXCHANGE] = {.rounds = &rounds_grid_exchange                     },
        [TREE_RING] = {.rounds = &rounds_ring},
        [TREE_DISSEMINATION] = {.rounds = &rounds_dissemination                     },
    };
    struct route route = ways[cost->tree];
    route.processors = (int)cost_processors(cost, processors);
    route.root = root;
    route.together =
        cost->processors_near > 0.0 ? (int)cost_processors(cost, cost->processors_near) : 0;
    return route;
}

static const struct region *at_bytes(const struct list *hops, double bytes)
{
    const struct region *region = hops->items;
    while (bytes > region->bytes_upto)
        region++;
    return region;
}

const struct region *cost_hop_region(const struct cost *cost, double bytes)
{
    return at_bytes(&cost->hops, bytes);
}

static struct hop hop_of(const struct cost *cost, double bytes)
{
    const struct region *near = cost_hop_region(cost, bytes);
    const struct region *far = cost->hops_far.count > 0 ? at_bytes(&cost->hops_far, bytes) : near;
    return (struct hop){region_time_us(near, bytes, 2.0), region_time_us(far, bytes, 2.0),
                        or_none(near->gap_us) + form_value(&near->per_byte_us, 2.0) * bytes,
                        or_none(far->gap_us) + form_value(&far->per_byte_us, 2.0) * bytes};
}

bool cost_has_hops_at(const struct cost *cost, double processors)
{
    if (cost->tree == TREE_UNKNOWN || cost->hops.count == 0 || processors != floor(processors) ||
        !(processors >= 1.0 && processors <= route_most))
        return false;
    const struct route route = cost_route(cost, processors, 0);
    return route.processors >= 2 && route_is_bounded(&route);
}

double cost_hops_time_us(const struct cost *cost, double bytes, double processors, int root)
{
    if (!cost_has_hops_at(cost, processors))
        return NAN;
    const struct route route = cost_route(cost, processors, root);
    const double whole = cost->part_bytes < bytes ? floor(bytes / cost->part_bytes) : 0.0;
    const double rest = whole > 0.0 ? bytes - whole * cost->part_bytes : bytes;
    const struct hop last = hop_of(cost, rest);
    if (whole > 0.0 && rest == 0.0)
        return route_arrival(&route, whole - 1.0, hop_of(cost, cost->part_bytes),
                             hop_of(cost, cost->part_bytes))
            .time_us;
    return route_arrival(&route, whole, whole > 0.0 ? hop_of(cost, cost->part_bytes) : last, last)
        .time_us;
}

bool cost_hops_counts(const struct cost *cost, double bytes, double processors,
                      struct arrival *arrival, struct hop *hop)
{
    if (cost->part_bytes < bytes || !cost_has_hops_at(cost, processors))
        return false;
    const struct route route = cost_route(cost, processors, 0);
    *hop = hop_of(cost, bytes);
    *arrival = route_arrival(&route, 0.0, *hop, *hop);
    return true;
}
