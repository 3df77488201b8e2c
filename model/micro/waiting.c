#include "model/micro/waiting.h"

#include "model/base/allocation.h"

#include <gsl/gsl_rng.h>
#include <math.h>
#include <stdlib.h>

/* ---- the distribution of single computations ---- */

/* Times of one part as a line over x = -log(share of all that is longer). */
struct line {
    double from, upto; /* the share that is longer, at the part's begin and its end */
    double mean_us, slope_us;
    double centre; /* the mean of x over the part */
};

struct lines {
    struct line items[WAITING_PARTS_MOST];
    size_t count;
};

static double xlogx(double x)
{
    return x > 0.0 ? x * log(x) : 0.0;
}

/* The harmonic mean of two slopes that are not negative (van Leer's limiter): it keeps a smooth
   distribution smooth, and a part beside a jump flat. */
static double between_slopes(double a, double b)
{
    return a > 0.0 && b > 0.0 ? 2.0 * a * b / (a + b) : 0.0;
}

/* A line has its part's mean whatever its slope, so that rounding and limiting never change the
   mean of all. */
static struct lines lines_of(const struct waiting *row)
{
    const struct waiting_part *parts = row->parts.items;
    struct lines lines = {.count = row->parts.count};
    double longer = 1.0;
    for (size_t i = 0; i < lines.count; i++) {
        const double upto = i + 1 < lines.count ? fmax(0.0, longer - parts[i].share) : 0.0;
        lines.items[i] = (struct line){longer, upto, parts[i].us, 0.0,
                                       1.0 + (xlogx(upto) - xlogx(longer)) / (longer - upto)};
        longer = upto;
    }
    double before_us = (lines.items[0].mean_us - row->least_us) / lines.items[0].centre;
    for (size_t i = 0; i < lines.count; i++) {
        struct line *it = &lines.items[i], *next = it + 1;
        const bool last = i + 1 == lines.count;
        const double after_us =
            last ? before_us : fmax(0.0, next->mean_us - it->mean_us) / (next->centre - it->centre);
        it->slope_us = i == 0 ? fmin(before_us, after_us) : between_slopes(before_us, after_us);
        before_us = after_us;
    }
    return lines;
}

static double line_us(const struct line *line, double x)
{
    return line->mean_us + line->slope_us * (x - line->centre);
}

static double drawn_us(const struct lines *lines, double longer)
{
    const struct line *line = lines->items;
    while (longer < line->upto)
        line++;
    return line_us(line, -log(longer));
}

/* The part's share of the mean of the largest of `count`: the integral of its times over the
   probability that the largest is below. */
static double part_of_largest_us(const struct line *line, double count)
{
    enum { STEPS = 40 };
    const double none_left = 1e-6 / count; /* so small a share adds nothing to the mean */
    const double begin = -log(line->from), end = -log(fmax(line->upto, none_left));
    double sum_us = 0.0, below = exp(count * log1p(-line->from));
    for (int i = 1; i <= STEPS && end > begin; i++) {
        const double x = begin + (end - begin) * i / STEPS;
        const double here = exp(count * log1p(-exp(-x)));
        sum_us += line_us(line, x - 0.5 * (end - begin) / STEPS) * (here - below);
        below = here;
    }
    return sum_us;
}

double waiting_largest_us(const struct waiting *row, double count)
{
    const struct lines lines = lines_of(row);
    double sum_us = 0.0, mean_us = 0.0;
    for (size_t i = 0; i < lines.count; i++) {
        sum_us += part_of_largest_us(&lines.items[i], count);
        mean_us += part_of_largest_us(&lines.items[i], 1.0);
    }
    return fmax(0.0, sum_us - mean_us);
}

/* ---- neighbours ---- */

/* A grid as large as noise travels while its exchanges are drawn is as good as any larger one. */
enum { PROCESSORS_MOST = 144 };

struct grid {
    int dimensions, count;
    int sides[WAITING_DIMENSIONS];
};

static struct grid grid_of(struct waiting_for whom)
{
    struct grid grid = {.dimensions = whom.dimensions};
    for (;;) {
        int longest = 0;
        grid.count = 1;
        for (int d = 0; d < grid.dimensions; d++) {
            grid.sides[d] = (int)fmin(fmax(whom.sides[d], 1.0), PROCESSORS_MOST);
            grid.count *= grid.sides[d];
            longest = whom.sides[d] > whom.sides[longest] ? d : longest;
        }
        if (grid.count <= PROCESSORS_MOST)
            return grid;
        whom.sides[longest] = fmin(whom.sides[longest], PROCESSORS_MOST) - 1.0;
    }
}

/* next[i] = the latest of now[i] and of its neighbours. */
static void exchange(const struct grid *grid, const double *now, double *next)
{
    for (int i = 0; i < grid->count; i++)
        next[i] = now[i];
    for (int d = 0, apart = 1; d < grid->dimensions; apart *= grid->sides[d++])
        for (int i = 0; i < grid->count; i++) {
            const int along = i / apart % grid->sides[d];
            if (along > 0)
                next[i] = fmax(next[i], now[i - apart]);
            if (along + 1 < grid->sides[d])
                next[i] = fmax(next[i], now[i + apart]);
        }
}

static double sum_of(const double *values, int count)
{
    double sum = 0.0;
    for (int i = 0; i < count; i++)
        sum += values[i];
    return sum;
}

/* The recursion of a long row of exchanges (Hoefler, Schneider and Lumsdaine, section V): its mean
   step, less the mean of what was drawn, so that drawing few does not shift it. */
double waiting_neighbours_us(const struct waiting *row, struct waiting_for whom)
{
    enum { DRAWN = 40000, BEFORE = 60, SEED = 20261128 };
    const struct lines lines = lines_of(row);
    const struct grid grid = grid_of(whom);
    const int steps = DRAWN / grid.count; /* rare noise comes often enough among few, too */
    double *now_us = memory_new(2 * (size_t)grid.count, sizeof *now_us);
    double *next_us = now_us + grid.count;
    double own_us = 0.0, begin_us = 0.0;
    gsl_rng *random = gsl_rng_alloc(gsl_rng_taus2);
    gsl_rng_set(random, SEED);
    for (int i = 0; i < grid.count; i++)
        next_us[i] = 0.0;
    for (int step = 0; step < BEFORE + steps; step++) {
        if (step == BEFORE) {
            begin_us = sum_of(next_us, grid.count);
            own_us = 0.0;
        }
        for (int i = 0; i < grid.count; i++) {
            const double us = drawn_us(&lines, gsl_rng_uniform_pos(random));
            own_us += us;
            now_us[i] = next_us[i] + us;
        }
        exchange(&grid, now_us, next_us);
    }
    const double took_us = sum_of(next_us, grid.count) - begin_us - own_us;
    gsl_rng_free(random);
    free(now_us);
    return fmax(0.0, took_us / grid.count / steps);
}

/* ---- one length of computation ---- */

static struct waiting_among of_count(const struct waiting *row, struct waiting_for whom)
{
    const struct waiting_among *among = row->among.items, *nearest = among;
    for (size_t i = 0; i < row->among.count; i++)
        if (among[i].processors <= whom.processors)
            nearest = &among[i];
    const double measured_us = waiting_largest_us(row, nearest->processors);
    double factor = 1.0;
    if (measured_us > 0.0 && whom.dimensions > 0)
        factor = waiting_neighbours_us(row, whom) / measured_us;
    else if (measured_us > 0.0 && whom.processors != nearest->processors)
        factor = waiting_largest_us(row, whom.processors) / measured_us;
    /* Noise that comes to all processors at the same time does not grow with their number. */
    const bool grows = whom.processors > nearest->processors;
    return (struct waiting_among){whom.processors, factor * nearest->waiting_us,
                                  (grows ? fmin(1.0, factor) : factor) * nearest->low_us,
                                  factor * nearest->high_us};
}

/* ---- between them ---- */

/* On the straight line through two in logarithms; where one is 0, through the times themselves. */
static double between(double at, double below_at, double below, double above_at, double above)
{
    const double share = log(at / below_at) / log(above_at / below_at);
    return below > 0.0 && above > 0.0
               ? below * pow(above / below, share)
               : below + (above - below) * (at - below_at) / (above_at - below_at);
}

static bool is_beyond(const struct waiting *row, struct waiting_for whom)
{
    const struct waiting_among *among = row->among.items;
    return whom.processors > among[row->among.count - 1].processors;
}

struct waiting_answer waiting_answer(const struct list *rows, enum waiting_work work,
                                     double work_us, struct waiting_for whom)
{
    const struct waiting *all = rows->items, *below = NULL, *above = NULL;
    for (size_t i = 0; i < rows->count; i++) {
        if (all[i].work != (int)work)
            continue;
        if (all[i].work_us <= work_us && (!below || all[i].work_us > below->work_us))
            below = &all[i];
        if (all[i].work_us >= work_us && (!above || all[i].work_us < above->work_us))
            above = &all[i];
    }
    if (!below && !above)
        return (struct waiting_answer){NAN, NAN, NAN, false};
    if (whom.processors < 2.0 || !(work_us > 0.0))
        return (struct waiting_answer){0};
    if (below && above && below != above) {
        const struct waiting_among low = of_count(below, whom), high = of_count(above, whom);
        const double from = below->work_us, upto = above->work_us;
        return (struct waiting_answer){
            between(work_us, from, low.waiting_us, upto, high.waiting_us),
            between(work_us, from, low.low_us, upto, high.low_us),
            between(work_us, from, low.high_us, upto, high.high_us), is_beyond(below, whom)};
    }
    const struct waiting *nearest = below ? below : above;
    const struct waiting_among at = of_count(nearest, whom);
    const double ratio = work_us / nearest->work_us, root = sqrt(ratio);
    return (struct waiting_answer){at.waiting_us * sqrt(ratio * root), /* half way in logarithms */
                                   at.low_us * fmin(ratio, root), at.high_us * fmax(ratio, root),
                                   is_beyond(nearest, whom)};
}
