#include "forecast/price/distance.h"

#include "model/cost/grid.h"
#include "model/cost/leaving.h"
#include "model/cost/pattern.h"
#include "model/machine/structure.h"

#include <math.h>

/* Who asks of what. */
struct asking {
    const struct machine *machine;
    double processors, bytes;
};

/* A time between bounds. */
struct estimate {
    double us, low_us, high_us;
};

/* ---- one distance ---- */

static bool answer(const struct asking *it, const char *utility, double processors,
                   struct estimate *estimate)
{
    const struct cost *cost = machine_cost(it->machine, utility);
    struct cost_answer of;
    if (!cost || structure_answer(it->machine, cost, it->bytes, processors, &of, NULL) != 0 ||
        !(of.time_us > 0.0))
        return false;
    *estimate = (struct estimate){of.time_us, of.low_us, of.high_us};
    return true;
}

static double distance_in(const struct pattern *pattern)
{
    return pattern == &pattern_halo_1                             ? 1.0
           : pattern->distance > 0 && pattern->among == AMONG_ALL ? (double)pattern->distance
                                                                  : (double)NAN;
}

/* The row of the table nearest to a distance, at or above it or at or below; NULL: none. */
static const struct pattern *row_at(const struct asking *it, double distance, bool above)
{
    const struct pattern *nearest = NULL;
    for (size_t i = 0; i < patterns_count; i++) {
        const double its = distance_in(patterns[i]);
        if (!(above ? its >= distance : its <= distance) ||
            !machine_cost(it->machine, patterns[i]->name))
            continue;
        if (!nearest || (above ? its < distance_in(nearest) : its > distance_in(nearest)))
            nearest = patterns[i];
    }
    return nearest;
}

/* Lines as long at a measured distance; their processors are no more than the program's. */
static bool ask_row(const struct asking *it, const struct pattern *row, struct grid_line line,
                    double processors, struct estimate *estimate)
{
    const double its = distance_in(row);
    return answer(it, row->name, fmax(3.0 * its, processors / line.stride * its), estimate);
}

/* All in lines of `processors` processors. Between measured distances it is the longer one, and
   the interval has both. */
static bool ask_lines(const struct asking *it, struct grid_line line, double processors,
                      struct estimate *estimate)
{
    const struct pattern *above = row_at(it, line.stride, true);
    const struct pattern *below = row_at(it, line.stride, false);
    struct estimate nearer;
    if (!above || !below || !ask_row(it, above, line, processors, estimate))
        return false;
    if (above == below)
        return true;
    if (!ask_row(it, below, line, processors, &nearer))
        return false;
    estimate->low_us = fmin(estimate->low_us, nearer.low_us);
    estimate->high_us = fmax(estimate->high_us, nearer.high_us);
    return true;
}

/* ---- lines of a grid ---- */

/* The processors of one line and those between them, without all the others: alone. */
static bool ask_block(const struct asking *it, struct grid_line line, struct estimate *estimate)
{
    if (line.side > 2.0)
        return ask_lines(it, line, line.side * line.stride, estimate);
    return answer(it, pattern_exchange_pairs.name, 2.0 * line.stride, estimate) ||
           (line.stride == 1.0 && answer(it, pattern_exchange.name, 2.0, estimate));
}

double distance_crowding(const struct machine *machine, double bytes, double messages)
{
    const struct asking it = {machine, messages, bytes};
    struct estimate many, one;
    if (messages < 4.0 || !answer(&it, pattern_exchange_neighbours.name, messages, &many) ||
        !answer(&it, pattern_exchange.name, 2.0, &one))
        return 1.0;
    return fmax(1.0, many.us / one.us);
}

/* What neighbours on a line take more than within a node, for leaving it. */
static double leaving_us(const struct asking *it, double bytes, double near, double line_us)
{
    const struct asking of = {it->machine, near, bytes};
    struct estimate inside;
    return answer(&of, pattern_halo_1.name, fmax(3.0, near), &inside)
               ? fmax(0.0, line_us - inside.us)
               : 0.0;
}

static bool ask_open(const struct asking *it, struct grid_line line, struct estimate *estimate);

/* The ends of a ring exchange as well: where more messages leave a node than of the open line, what
   leaving takes grows as they do, beyond what the smallest messages take. */
static void close_ring(const struct asking *it, struct grid_line line, struct estimate *estimate)
{
    const struct cost *halo = machine_cost(it->machine, pattern_halo_1.name);
    const double near = halo ? halo->processors_near : (double)NAN;
    const double open = leaving_lines(it->processors, near, line.side, line.stride, false);
    const double ring = leaving_lines(it->processors, near, line.side, line.stride, true);
    const struct asking smallest = {it->machine, it->processors, 0.0};
    struct estimate least;
    if (!(open > 0.0 && ring > open) || !ask_open(&smallest, line, &least))
        return;
    const double of_bytes_us = leaving_us(it, it->bytes, near, estimate->us) -
                               leaving_us(it, smallest.bytes, near, least.us);
    const double more_us = fmax(0.0, of_bytes_us) * (ring / open - 1.0);
    estimate->us += more_us;
    estimate->high_us += more_us;
}

/* A line's neighbours, while all other lines do the same. These make it no quicker, and nothing is
   under way that is not when all processors at that distance exchange, over the ends of lines
   too: between the two it is as many times longer as with pairs next to one another. */
static bool ask_open(const struct asking *it, struct grid_line line, struct estimate *estimate)
{
    const double block = line.side * line.stride;
    struct estimate all;
    if (line.side == 2.0 && line.stride == 1.0 && it->processors > 2.0 &&
        answer(it, pattern_exchange_neighbours.name, it->processors, estimate))
        return true;
    if (!(line.side >= 2.0) || !ask_block(it, line, estimate))
        return false;
    if (block >= it->processors || !ask_lines(it, line, it->processors, &all))
        return block >= it->processors;
    const double crowded_us =
        estimate->us * distance_crowding(it->machine, it->bytes, it->processors);
    estimate->us = fmax(estimate->us, fmin(crowded_us, all.us));
    estimate->high_us = fmax(estimate->high_us, all.high_us);
    return true;
}

static bool ask_line(const struct asking *it, struct grid_line line, struct estimate *estimate)
{
    if (!ask_open(it, line, estimate))
        return false;
    if (line.is_ring && line.side > 2.0)
        close_ring(it, line, estimate);
    return true;
}

/* ---- all lines together ---- */

/* By how much the share that is not hidden differs between grids of the same processors: 160 of 168
   halos of 8 bytes to 200 KB on simulated fat trees, tori and nodes of 16 and 64 processors are
   within. */
static const double share_differs = 0.4;

/* The longest of them and the sum of all. */
struct lines {
    struct estimate longest, sum;
};

static bool ask_all(const struct asking *it, const struct grid_line *along, int count,
                    struct lines *lines)
{
    *lines = (struct lines){0};
    for (int d = 0; d < count; d++) {
        struct estimate one;
        if (!ask_line(it, along[d], &one))
            return false;
        lines->sum.us += one.us;
        lines->sum.low_us += one.low_us;
        lines->sum.high_us += one.high_us;
        lines->longest.us = fmax(lines->longest.us, one.us);
        lines->longest.low_us = fmax(lines->longest.low_us, one.low_us);
        lines->longest.high_us = fmax(lines->longest.high_us, one.high_us);
    }
    return true;
}

/* The grid that patterns along so many directions are measured on; pairs and a line are one. */
static int measured_lines(const struct pattern *pattern, double processors,
                          struct grid_line along[GRID_DIRECTIONS_MOST])
{
    int sides[GRID_DIRECTIONS_MOST], count = pattern->grid_directions;
    along[0] = pattern->among == AMONG_PAIRS
                   ? (struct grid_line){.side = 2.0, .stride = processors / 2.0}
                   : (struct grid_line){.side = processors, .stride = 1.0};
    if (count < 2)
        return 1;
    grid_sides((int)processors, count, sides);
    double stride = 1.0;
    for (int d = count - 1; d >= 0; d--) {
        along[d] = (struct grid_line){.side = sides[d], .stride = stride};
        stride *= sides[d];
    }
    return count;
}

static bool is_same(const struct grid_line *a, const struct grid_line *b, int count)
{
    for (int d = 0; d < count; d++)
        if (a[d].side != b[d].side || a[d].stride != b[d].stride || a[d].is_ring != b[d].is_ring)
            return false;
    return true;
}

/* What of the others' time is not hidden behind the longest, by what was measured of all. */
static double not_hidden(double measured_us, const struct lines *lines)
{
    const double others_us = lines->sum.us - lines->longest.us;
    if (others_us <= 0.0)
        return 0.5;
    return fmin(1.0, fmax(0.0, (measured_us - lines->longest.us) / others_us));
}

static double with_share(double longest_us, double sum_us, double share)
{
    return longest_us + fmin(1.0, fmax(0.0, share)) * (sum_us - longest_us);
}

static struct estimate together(const struct lines *lines, double share, double differs)
{
    const struct estimate *most = &lines->longest, *sum = &lines->sum;
    return (struct estimate){with_share(most->us, sum->us, share),
                             with_share(most->low_us, sum->low_us, share - differs),
                             with_share(most->high_us, sum->high_us, share + differs)};
}

struct distance distance_of_halo(const struct machine *machine, const struct cost *cost,
                                 double processors, double bytes, const struct halo_exchange *halo,
                                 bool in_turn)
{
    const struct asking it = {machine, halo->processors, bytes},
                        then = {machine, processors, bytes};
    const struct pattern *pattern = pattern_named(cost->utility);
    const struct distance unknown = {1.0, 1.0, 1.0, COST_OTHER_DISTANCE};
    struct grid_line along[GRID_DIRECTIONS_MOST];
    struct lines before, now;
    struct cost_answer measured;
    const int count = measured_lines(pattern, processors, along);
    if (count == halo->directions && is_same(along, halo->lines, count))
        return (struct distance){1.0, 1.0, 1.0, 0};
    if (!ask_all(&then, along, count, &before) ||
        !ask_all(&it, halo->lines, halo->directions, &now) ||
        structure_answer(machine, cost, bytes, processors, &measured, NULL) != 0)
        return unknown;
    const double share = in_turn ? 1.0 : not_hidden(measured.time_us, &before);
    const struct estimate was = together(&before, share, 0.0);
    const struct estimate is = together(&now, share, share_differs);
    return (struct distance){is.us / was.us, is.low_us / was.us, is.high_us / was.us, 0};
}

struct distance distance_of_lines(const struct machine *machine, double bytes,
                                  const struct halo_exchange *halo)
{
    const struct asking it = {machine, halo->processors, bytes};
    struct distance all = {0.0, INFINITY, 0.0, 0};
    for (int d = 0; d < halo->directions; d++) {
        const struct grid_line next = {.side = halo->lines[d].side, .stride = 1.0};
        struct estimate there, here;
        if (!ask_line(&it, halo->lines[d], &there) || !ask_line(&it, next, &here))
            return (struct distance){1.0, 1.0, 1.0, COST_OTHER_DISTANCE};
        all.factor += there.us / here.us / halo->directions;
        all.low = fmin(all.low, there.us / here.us);
        all.high = fmax(all.high, there.us / here.us);
    }
    return all;
}

static double halo_us(const struct machine *machine, double bytes, const struct halo_exchange *halo)
{
    static const struct pattern *const along[] = {&pattern_halo_1, &pattern_halo_2,
                                                  &pattern_halo_3};
    const struct cost *cost = machine_cost(machine, along[halo->directions - 1]->name);
    struct cost_answer all;
    if (!cost)
        return NAN;
    const double processors =
        fmin(fmax(halo->processors, cost->processors.least), cost->processors.most);
    const struct distance there = distance_of_halo(machine, cost, processors, bytes, halo, false);
    if (there.flags || structure_answer(machine, cost, bytes, processors, &all, NULL) != 0)
        return NAN;
    return there.factor * all.time_us;
}

double distance_bytes_us(const struct machine *machine, double bytes,
                         const struct halo_exchange *halo)
{
    const double us = halo_us(machine, bytes, halo) - halo_us(machine, 0.0, halo);
    return us < 0.0 ? 0.0 : us; /* NAN stays */
}

double distance_farther_us(const struct machine *machine, double bytes,
                           const struct halo_exchange *halo, int line)
{
    const struct asking it = {machine, halo->processors, bytes};
    const struct cost *cost = machine_cost(machine, pattern_halo_1.name);
    struct estimate there, inside;
    if (!cost || !(cost->processors_near > 0.0) || !ask_line(&it, halo->lines[line], &there) ||
        !answer(&it, cost->utility, fmax(cost->processors.least, cost->processors_near), &inside))
        return NAN;
    return fmax(0.0, there.us - inside.us);
}

bool distance_leaves(const struct machine *machine, double processors, double bytes,
                     double farther_us)
{
    const struct cost *halo = machine_cost(machine, pattern_halo_1.name);
    struct estimate inside, all;
    if (!halo || !(halo->processors_near > 0.0) || !(farther_us > 0.0))
        return false;
    const double near = fmax(halo->processors.least, halo->processors_near);
    const struct asking within = {machine, near, bytes},
                        it = {machine, fmax(near, processors), bytes};
    return answer(&within, halo->utility, near, &inside) &&
           answer(&it, halo->utility, it.processors, &all) &&
           all.us - inside.us >= 0.5 * farther_us;
}
