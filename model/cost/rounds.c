#include "model/cost/rounds.h"

#include "model/cost/grid.h"

struct formation formation_of(int processors)
{
    struct formation formation = {processors, grid_shorter_side(processors), 1};
    while (formation.doubled <= processors / 2)
        formation.doubled *= 2;
    return formation;
}

/* ---- neighbours ---- */

static int two_rounds(const struct formation *formation)
{
    (void)formation;
    return 2;
}

static int four_rounds(const struct formation *formation)
{
    (void)formation;
    return 4;
}

/* The two along one direction of the grid whose rows are of `row`; -1 at the rims. */
struct neighbours {
    int position, below, above;
};

static struct neighbours neighbours_along(const struct formation *formation, int me, int row,
                                          int direction)
{
    const int length = direction == 0 ? formation->processors / row : row;
    const int step = direction == 0 ? row : 1;
    const int position = direction == 0 ? me / row : me % row;
    return (struct neighbours){position, position > 0 ? me - step : -1,
                               position + 1 < length ? me + step : -1};
}

static struct partners shift(const struct formation *formation, int me, int row, int round)
{
    const struct neighbours at = neighbours_along(formation, me, row, round / 2);
    return round % 2 == 0 ? (struct partners){at.above, at.below}
                          : (struct partners){at.below, at.above};
}

static struct partners exchange(const struct formation *formation, int me, int row, int round)
{
    const struct neighbours at = neighbours_along(formation, me, row, round / 2);
    const int partner = at.position % 2 == round % 2 ? at.above : at.below;
    return (struct partners){partner, partner};
}

static struct partners line_shift(const struct formation *formation, int me, int round)
{
    return shift(formation, me, 1, round);
}

static struct partners grid_shift(const struct formation *formation, int me, int round)
{
    return shift(formation, me, formation->row, round);
}

static struct partners line_exchange(const struct formation *formation, int me, int round)
{
    return exchange(formation, me, 1, round);
}

static struct partners grid_exchange(const struct formation *formation, int me, int round)
{
    return exchange(formation, me, formation->row, round);
}

const struct rounds rounds_line_shift = {
    .count = two_rounds, .partners = line_shift, .uses = 2, .is_smooth = true};
const struct rounds rounds_grid_shift = {
    .count = four_rounds, .partners = grid_shift, .uses = 2, .is_smooth = true};
const struct rounds rounds_line_exchange = {
    .count = two_rounds, .partners = line_exchange, .uses = 1, .is_smooth = true};
const struct rounds rounds_grid_exchange = {
    .count = four_rounds, .partners = grid_exchange, .uses = 1, .is_smooth = true};

/* ---- everybody ---- */

static int ring_rounds(const struct formation *formation)
{
    return formation->processors - 1;
}

/* So far around. */
static struct partners around(const struct formation *formation, int me, int distance)
{
    const int p = formation->processors, to = me + distance, from = me - distance;
    return (struct partners){to < p ? to : to - p, from >= 0 ? from : from + p};
}

static struct partners ring(const struct formation *formation, int me, int round)
{
    return around(formation, me, round + 1);
}

const struct rounds rounds_ring = {
    .count = ring_rounds, .partners = ring, .uses = 1, .is_smooth = true, .is_mean = true};

static int dissemination_rounds(const struct formation *formation)
{
    int rounds = 0;
    while (1L << rounds < formation->processors)
        rounds++;
    return rounds;
}

static struct partners dissemination(const struct formation *formation, int me, int round)
{
    return around(formation, me, 1 << round);
}

const struct rounds rounds_dissemination = {.count = dissemination_rounds,
                                            .partners = dissemination,
                                            .uses = 1,
                                            .is_smooth = true,
                                            .is_mean = true};

/* Before the stages and after them; none where p is a power of two. */
static int doubling_rounds(const struct formation *formation)
{
    int rounds = formation->doubled < formation->processors ? 2 : 0;
    for (int bit = 1; bit < formation->doubled; bit *= 2)
        rounds++;
    return rounds;
}

static struct partners doubling(const struct formation *formation, int me, int round)
{
    const int extra = formation->processors - formation->doubled;
    const bool is_pair = me < 2 * extra, is_aside = is_pair && me % 2 == 0;
    const int stage = extra > 0 ? round - 1 : round;
    if (stage < 0) /* even ones give */
        return is_aside  ? (struct partners){me + 1, -1}
               : is_pair ? (struct partners){-1, me - 1}
                         : (struct partners){-1, -1};
    if (1 << stage == formation->doubled) /* and get */
        return is_aside  ? (struct partners){-1, me + 1}
               : is_pair ? (struct partners){me - 1, -1}
                         : (struct partners){-1, -1};
    if (is_aside)
        return (struct partners){-1, -1};
    const int other = (is_pair ? me / 2 : me - extra) ^ (1 << stage);
    const int partner = other < extra ? 2 * other + 1 : other + extra;
    return (struct partners){partner, partner};
}

const struct rounds rounds_doubling = {.count = doubling_rounds, .partners = doubling, .uses = 1};
