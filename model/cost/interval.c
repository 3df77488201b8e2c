#include "model/cost/interval.h"

#include "model/cost/basis.h"
#include "model/cost/grid.h"

#include <math.h>
#include <stddef.h>

/* ---- counts among p participants ---- */

static double none(double p)
{
    (void)p;
    return 0.0;
}

static double one(double p)
{
    (void)p;
    return 1.0;
}

static double others(double p)
{
    return p - 1.0;
}

/* What has to pass one processor, at twice the rate of one message: a message's own time has its
   bytes on both sides. */
static double half_of_others(double p)
{
    return (p - 1.0) / 2.0;
}

static double stages(double p)
{
    return ceil(log2(p));
}

/* Of a binary tree: how many messages down to the deepest processor. */
static double depth(double p)
{
    return floor(log2(p));
}

static double half_of_stages(double p)
{
    return fmax(1.0, stages(p) / 2.0);
}

/* In and out again; two processors exchange. */
static double in_and_out(double p)
{
    return p > 2.0 ? 2.0 * stages(p) : 1.0;
}

/* A combination of all moves 2 (p - 1) / p of the data through every processor, and takes two
   stages from three processors on. */
static double combined(double p)
{
    return 2.0 * (p - 1.0) / p;
}

/* The root of a binomial tree starts all its sends at once: its last message is behind the others,
   as are its children's. */
static double behind_one_another(double p)
{
    return stages(p) * (stages(p) - 1.0) / 2.0;
}

/* Of a binary tree, where the second child of each waits for the first one's message. */
static double heap_stages(double p)
{
    return basis_value(BASIS_HEAP, p);
}

static double two_neighbours(double p)
{
    return p > 2.0 ? 2.0 : 1.0;
}

/* Along one direction. */
static double neighbours_along(double side)
{
    return fmin(side - 1.0, 2.0);
}

/* More processors are taken to have a grid of at least three by three. */
static const double grid_most = 1e9;

/* On the grid nearest to a square. */
static double grid_neighbours_of(double p)
{
    if (!(p <= grid_most))
        return 4.0;
    const double side = grid_shorter_side((int)p);
    return neighbours_along(side) + neighbours_along(p / side);
}

static double box_neighbours_of(double p)
{
    int sides[GRID_DIRECTIONS_MOST];
    double neighbours = 0.0;
    if (!(p <= grid_most))
        return 6.0;
    grid_sides((int)p, GRID_DIRECTIONS_MOST, sides);
    for (int d = 0; d < GRID_DIRECTIONS_MOST; d++)
        neighbours += neighbours_along(sides[d]);
    return neighbours;
}

static double two_of_stages(double p)
{
    return 2.0 * stages(p);
}

/* All parts of a message of all go down every stage of a reduction, and are sent to each then. */
static double all_parts(double p)
{
    return p * stages(p) + p;
}

/* Of p messages under way, two of a pair. */
static double other_pairs(double p)
{
    return p / 2.0 - 1.0;
}

static double other_pairs_in_turn(double p)
{
    return (p - 1.0) * other_pairs(p);
}

/* ---- laws ---- */

const struct interval_law law_one_message = {one, none, one, none, 0.0, GROWTH_NONE};
const struct interval_law law_each_other = {one, half_of_others, others, none, 0.0, GROWTH_LINEAR};
const struct interval_law law_in_turn = {others, none, others, none, 0.0, GROWTH_LINEAR};
const struct interval_law law_library_tree = {
    one, none, stages, behind_one_another, 1.0, GROWTH_LOGARITHMIC};
const struct interval_law law_binomial_tree = {
    stages, none, stages, behind_one_another, 0.0, GROWTH_LOGARITHMIC};
const struct interval_law law_binary_tree = {depth, none, heap_stages,
                                             none,  0.0,  GROWTH_LOGARITHMIC};
const struct interval_law law_binary_in_parts = {one,  none, heap_stages,
                                                 none, 0.0,  GROWTH_LOGARITHMIC};
const struct interval_law law_combination = {combined, none, in_and_out,
                                             none,     2.0,  GROWTH_LOGARITHMIC};
const struct interval_law law_barrier = {half_of_stages, none, in_and_out,
                                         none,           0.0,  GROWTH_LOGARITHMIC};
const struct interval_law law_neighbours = {one, none, two_neighbours, none, 0.0, GROWTH_NONE};
const struct interval_law law_grid_neighbours = {one,  none, grid_neighbours_of,
                                                 none, 0.0,  GROWTH_NONE};
const struct interval_law law_box_neighbours = {one,  none, box_neighbours_of,
                                                none, 0.0,  GROWTH_NONE};
const struct interval_law law_pairs = {one, none, one, other_pairs, 0.0, GROWTH_LINEAR};
const struct interval_law law_shares = {one, half_of_others, two_of_stages, all_parts,
                                        0.0, GROWTH_LINEAR};
const struct interval_law law_stages = {others,          none, others, other_pairs_in_turn, 0.0,
                                        GROWTH_QUADRATIC};
const struct interval_law law_not_known = {NULL, NULL, NULL, NULL, 0.0, GROWTH_LINEAR};
