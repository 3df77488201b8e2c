#include "model/cost/leaving.h"

#include "model/cost/grid.h"

#include <math.h>

static const double processors_most = 100000.0;

/* Among whom, in nodes of how many. */
struct nodes {
    int processors, near;
    int directions, sides[GRID_DIRECTIONS_MOST], distance;
    int side; /* of a line at that distance; a ring: */
    bool is_ring;
};

static int is_outside(const struct nodes *nodes, int rank, int partner)
{
    return partner >= 0 && partner < nodes->processors &&
           partner / nodes->near != rank / nodes->near;
}

static int leaving_to_next(const struct nodes *nodes, int rank)
{
    return is_outside(nodes, rank, (rank + 1) % nodes->processors);
}

static int leaving_to_other_half(const struct nodes *nodes, int rank)
{
    return is_outside(nodes, rank, (rank + nodes->processors / 2) % nodes->processors);
}

static int leaving_to_pair(const struct nodes *nodes, int rank)
{
    return is_outside(nodes, rank, rank % 2 == 0 ? rank + 1 : rank - 1);
}

static int leaving_along_line(const struct nodes *nodes, int rank)
{
    return is_outside(nodes, rank, rank - nodes->distance) +
           is_outside(nodes, rank, rank + nodes->distance);
}

/* The last direction is that of ranks next to one another. */
static int leaving_on_grid(const struct nodes *nodes, int rank)
{
    int count = 0, step = 1;
    for (int d = nodes->directions - 1; d >= 0; d--) {
        const int position = rank / step % nodes->sides[d];
        if (position > 0)
            count += is_outside(nodes, rank, rank - step);
        if (position + 1 < nodes->sides[d])
            count += is_outside(nodes, rank, rank + step);
        step *= nodes->sides[d];
    }
    return count;
}

/* Of a line within a grid. */
static int leaving_along_side(const struct nodes *nodes, int rank)
{
    const int step = nodes->distance, position = rank / step % nodes->side;
    const int around = (nodes->side - 1) * step;
    const int below = position > 0 ? rank - step : nodes->is_ring ? rank + around : -1;
    const int above = position + 1 < nodes->side ? rank + step
                      : nodes->is_ring           ? rank - around
                                                 : -1;
    return is_outside(nodes, rank, below) + is_outside(nodes, rank, above);
}

/* To each other one, whatever the order. */
static int leaving_to_all(const struct nodes *nodes, int rank)
{
    const int first = rank / nodes->near * nodes->near;
    const int last =
        first + nodes->near < nodes->processors ? first + nodes->near : nodes->processors;
    return nodes->processors - (last - first);
}

static int (*const leaving_by[])(const struct nodes *nodes, int rank) = {
    [PARTNERS_NOT_SAID] = NULL,
    [PARTNERS_NEXT] = leaving_to_next,
    [PARTNERS_HALF] = leaving_to_other_half,
    [PARTNERS_PAIR] = leaving_to_pair,
    [PARTNERS_LINE] = leaving_along_line,
    [PARTNERS_GRID] = leaving_on_grid,
    [PARTNERS_ALL] = leaving_to_all,
    [PARTNERS_TREE] = NULL,
};

static int most_of_a_node(const struct nodes *nodes, int (*leaving)(const struct nodes *, int))
{
    int most = 0, here = 0;
    for (int rank = 0; rank < nodes->processors; rank++) {
        if (rank % nodes->near == 0)
            here = 0;
        here += leaving(nodes, rank);
        most = here > most ? here : most;
    }
    return most;
}

static bool is_countable(double processors, double near)
{
    return processors == floor(processors) && near == floor(near) && near >= 1.0 &&
           processors >= 2.0 && processors <= processors_most;
}

double leaving_messages(const struct pattern *pattern, double processors, double near)
{
    int (*const leaving)(const struct nodes *, int) = leaving_by[pattern->partners];
    if (!is_countable(processors, near))
        return NAN;
    if (pattern->partners == PARTNERS_TREE)
        return ceil(log2(ceil(processors / near)));
    if (!leaving)
        return NAN;
    struct nodes nodes = {.processors = (int)processors,
                          .near = near < processors ? (int)near : (int)processors,
                          .directions = pattern->grid_directions,
                          .distance = pattern->distance > 0 ? pattern->distance : 1};
    if (nodes.directions > 0)
        grid_sides(nodes.processors, nodes.directions, nodes.sides);
    return most_of_a_node(&nodes, leaving);
}

bool leaving_is_told(const struct pattern *pattern)
{
    const enum partners_kind partners = pattern->partners;
    return partners != PARTNERS_NOT_SAID && partners != PARTNERS_ALL && partners != PARTNERS_TREE;
}

double leaving_stages(const struct pattern *pattern, double processors, double near)
{
    const double messages = leaving_messages(pattern, processors, near);
    return !(messages > 0.0)                    ? messages
           : pattern->partners == PARTNERS_ALL  ? processors - 1.0
           : pattern->partners == PARTNERS_TREE ? messages
                                                : 1.0;
}

double leaving_lines(double processors, double near, double side, double stride, bool is_ring)
{
    if (!is_countable(processors, near) || side != floor(side) || stride != floor(stride) ||
        !(side >= 1.0 && stride >= 1.0 && side * stride <= processors))
        return NAN;
    const struct nodes nodes = {.processors = (int)processors,
                                .near = (int)fmin(near, processors),
                                .distance = (int)stride,
                                .side = (int)side,
                                .is_ring = is_ring};
    return most_of_a_node(&nodes, leaving_along_side);
}
