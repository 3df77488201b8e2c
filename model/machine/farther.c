#include "model/machine/farther.h"

#include "model/cost/grid.h"

#include <math.h>

/* By more than this the farther take less: of blocks of near processors they take no less, but for
   noise. */
static const double clearly = 1.25;

static const double processors_most = 1e9;

/* What lines of neighbours take that are so far apart, among the most that were measured; NAN: the
   table does not have it. */
static double line_us(const struct machine *machine, const struct pattern *pattern, double bytes)
{
    const struct cost *cost = machine_cost(machine, pattern->name);
    struct cost_answer answer;
    return cost && cost_answer(cost, bytes, cost->processors.most, &answer, NULL) == 0 &&
                   answer.time_us > 0.0
               ? answer.time_us
               : (double)NAN;
}

/* Rows of the catalogue ascend by distance. 0: no line. */
static int distance_of(const struct pattern *pattern)
{
    return pattern == &pattern_halo_1                                    ? 1
           : pattern->partners == PARTNERS_LINE && pattern->distance > 0 ? pattern->distance
                                                                         : 0;
}

/* The least and the most of all distances, and whether a farther one takes less. */
static bool falls(const struct machine *machine, double bytes, struct span *all)
{
    bool is_less = false;
    *all = (struct span){INFINITY, 0.0};
    for (size_t i = 0; i < patterns_count; i++) {
        const double time_us =
            distance_of(patterns[i]) > 0 ? line_us(machine, patterns[i], bytes) : (double)NAN;
        if (isnan(time_us))
            continue;
        is_less = is_less || time_us * clearly < all->most;
        all->least = fmin(all->least, time_us);
        all->most = fmax(all->most, time_us);
    }
    return is_less;
}

bool farther_is_nearer(const struct machine *machine, double bytes)
{
    struct span all;
    return falls(machine, bytes, &all);
}

static struct span at_distance(const struct machine *machine, double bytes, int distance,
                               const struct span *all)
{
    for (size_t i = 0; i < patterns_count; i++)
        if (distance_of(patterns[i]) == distance) {
            const double time_us = line_us(machine, patterns[i], bytes);
            return isnan(time_us) ? *all : (struct span){time_us, time_us};
        }
    return *all;
}

/* Of a grid: one direction after the other, and the longest of them. */
struct directions {
    struct span sum, longest;
};

/* The last direction is that of numbers next to one another. */
static struct directions directions_of(const struct machine *machine, int directions, double bytes,
                                       double participants, const struct span *all)
{
    struct directions of = {
        {0.0, 0.0},
        {0.0, 0.0}
    };
    int sides[GRID_DIRECTIONS_MOST], distance = 1;
    grid_sides((int)participants, directions, sides);
    for (int d = directions - 1; d >= 0; d--) {
        const struct span one = at_distance(machine, bytes, distance, all);
        distance *= sides[d];
        if (sides[d] < 2)
            continue;
        of.sum.least += one.least;
        of.sum.most += one.most;
        of.longest.least = fmax(of.longest.least, one.least);
        of.longest.most = fmax(of.longest.most, one.most);
    }
    return of;
}

static bool is_countable(double participants)
{
    return participants == floor(participants) && participants >= 2.0 &&
           participants <= processors_most;
}

bool farther_factor(const struct machine *machine, const struct pattern *pattern, double bytes,
                    double from, double upto, struct span *factor)
{
    const int directions = pattern->grid_directions;
    struct span all;
    if (pattern->partners != PARTNERS_GRID || directions < 2 || !is_countable(from) ||
        !is_countable(upto) || !falls(machine, bytes, &all))
        return false;
    const struct directions one = directions_of(machine, directions, bytes, from, &all);
    const struct directions other = directions_of(machine, directions, bytes, upto, &all);
    *factor =
        (struct span){fmin(other.sum.least / one.sum.most, other.longest.least / one.longest.most),
                      fmax(other.sum.most / one.sum.least, other.longest.most / one.longest.least)};
    return true;
}

/* ==== between the counts that were measured ==== */

static double exchange_us(const struct machine *machine, const struct pattern *pattern,
                          double bytes)
{
    const struct cost *cost = machine_cost(machine, pattern->name);
    struct cost_answer answer;
    return cost && cost_answer(cost, bytes, 2.0, &answer, NULL) == 0 ? answer.time_us : (double)NAN;
}

static bool partners_move(const struct pattern *pattern)
{
    return pattern->grid_directions > 1 || pattern->partners == PARTNERS_NEXT ||
           pattern->partners == PARTNERS_HALF;
}

double farther_us(const struct machine *machine, const struct cost *cost, double bytes)
{
    const struct pattern *pattern = cost->utility ? pattern_of_form(cost->utility) : NULL;
    if (!pattern || !partners_move(pattern))
        return 0.0;
    const double directions = pattern->grid_directions > 1 ? pattern->grid_directions : 1.0;
    const double more_us = exchange_us(machine, &pattern_exchange_far, bytes) -
                           exchange_us(machine, &pattern_exchange, bytes);
    return more_us > 0.0 ? directions * more_us : 0.0;
}
