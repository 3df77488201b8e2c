#include "model/segment/loops/steps.h"

#include <math.h>

enum {
    FACTORS_MOST = LOOPS_MOST + DIMENSIONS_MOST,
    SERIES_LEAST = 4, /* fewer steps are looked at one by one */
    BLOCK_LEAST = 8   /* in smaller blocks the stretches are hardly longer */
};

/* Whole numbers to this they are apart from a line by a quarter at least, in its middle. */
static const double off_line = 0.1, whole_most = 1e12;

/* ---- one value of the loop ---- */

/* How often something happens: the product of factors, of which those along the grid are another
   one for the busiest processor and for all. */
struct one_step {
    size_t count;
    double most[FACTORS_MOST], total[FACTORS_MOST];
    size_t axes; /* of the grid that follow a loop: */
    struct range ran[DIMENSIONS_MOST];
    double block[DIMENSIONS_MOST], round[DIMENSIONS_MOST];
};

static void add_factor(struct one_step *step, double most, double total)
{
    step->most[step->count] = most;
    step->total[step->count++] = total;
}

static bool look_along(struct one_step *step, const struct home_axis *axis,
                       const struct range *ranges, double processors)
{
    double most, total;
    if (!home_shares(axis, ranges, processors, &most, &total))
        return false;
    add_factor(step, most, total);
    if (axis->kind != AXIS_LOOP)
        return true;
    step->block[step->axes] = axis->along.block;
    step->round[step->axes] = axis->along.block * axis->along.processors;
    return home_elements(axis, ranges, &step->ran[step->axes++]);
}

static bool look(struct steps *it, double value, struct one_step *step)
{
    const struct instance *instance = it->instance;
    const struct nest *nest = &instance->nest;
    struct range ranges[LOOPS_MOST];
    struct home home;
    struct error unnoted;
    it->at[it->loop] = value;
    step->count = step->axes = 0;
    if (!home_of(&home, instance->has_home ? &instance->home : NULL, it->layout, nest->program,
                 it->fixed, it->at))
        return false;
    for (int l = 0; l < nest->depth; l++) {
        if (it->fixed[l])
            continue;
        if (nest_range(nest, l, it->at, &ranges[l], &unnoted) != 0)
            return false;
        const double count = range_count(ranges[l]);
        if (home_following(&home, l) < 0)
            add_factor(step, count, count);
    }
    home_leave_out_idle(&home, NULL);
    for (int g = 0; g < home.grid_dimensions; g++)
        if (!look_along(step, &home.axes[g], ranges, home.grid[g]))
            return false;
    return true;
}

static double product(const double *factors, size_t count)
{
    double product = 1.0;
    for (size_t i = 0; i < count; i++)
        product *= factors[i];
    return product;
}

static void add_step(struct shares *shares, const struct one_step *step)
{
    shares->most += product(step->most, step->count);
    shares->total += product(step->total, step->count);
}

/* ---- sums of products of lines ---- */

double steps_sum(const double *middles, const double *slopes, size_t lines, double count)
{
    double polynomial[STEPS_LINES + 1] = {1.0}, constant = 1.0;
    size_t degree = 0;
    for (size_t i = 0; i < lines; i++) {
        if (slopes[i] == 0.0) {
            constant *= middles[i];
            continue;
        }
        polynomial[++degree] = 0.0;
        for (size_t k = degree; k > 0; k--)
            polynomial[k] = middles[i] * polynomial[k] + slopes[i] * polynomial[k - 1];
        polynomial[0] *= middles[i];
    }
    /* Odd powers cancel. */
    const double squares = count * (count * count - 1.0) / 12.0;
    const double fourths = squares * (3.0 * count * count - 7.0) / 20.0;
    double sum = polynomial[0] * count;
    sum += degree >= 2 ? polynomial[2] * squares : 0.0;
    sum += degree >= 4 ? polynomial[4] * fourths : 0.0;
    return constant * sum;
}

/* ---- series of steps ---- */

/* So many values, each so much greater than the one before: a round of blocks, or within blocks. */
struct series {
    bool is_by_rounds;
    double first, stride, count;
};

/* Whether what is gone through begins and ends in the same blocks. */
static bool are_blocks_same(const struct one_step *first, const struct one_step *last)
{
    for (size_t i = 0; i < first->axes; i++)
        if (floor(first->ran[i].first / first->block[i]) !=
                floor(last->ran[i].first / last->block[i]) ||
            floor(first->ran[i].last / first->block[i]) !=
                floor(last->ran[i].last / last->block[i]))
            return false;
    return true;
}

/* Whole rounds add as much to each processor, as long as anything is gone through. */
static bool are_rounds_whole(const struct one_step *first, const struct one_step *last)
{
    for (size_t i = 0; i < first->axes; i++)
        if (range_count(first->ran[i]) == 0.0 || range_count(last->ran[i]) == 0.0)
            return false;
    return true;
}

/* A factor that is the greatest of several that go evenly is on its line in the middle only where
   it is everywhere. */
static bool is_line(double first, double middle, double last, double share)
{
    return first < whole_most && last < whole_most &&
           fabs(first + share * (last - first) - middle) < off_line;
}

static bool are_lines(const struct one_step *first, const struct one_step *middle,
                      const struct one_step *last, double share)
{
    size_t rising = 0;
    for (size_t i = 0; i < first->count; i++) {
        if (!is_line(first->most[i], middle->most[i], last->most[i], share) ||
            !is_line(first->total[i], middle->total[i], last->total[i], share))
            return false;
        rising += first->most[i] != last->most[i] || first->total[i] != last->total[i];
    }
    return rising <= STEPS_LINES;
}

static double sum_of(const double *first, const double *last, size_t factors, double count)
{
    double middles[FACTORS_MOST], slopes[FACTORS_MOST];
    for (size_t i = 0; i < factors; i++) {
        middles[i] = 0.5 * (first[i] + last[i]);
        slopes[i] = (last[i] - first[i]) / (count - 1.0);
    }
    return steps_sum(middles, slopes, factors, count);
}

/* *added: whether the steps go evenly. False: a step could not be looked at. */
static bool add_series(struct steps *it, const struct series *series, struct shares *shares,
                       bool *added)
{
    struct one_step first, middle, last;
    const double half = floor(series->count / 2.0), steps = series->count - 1.0;
    if (!look(it, series->first, &first) ||
        !look(it, series->first + half * series->stride, &middle) ||
        !look(it, series->first + steps * series->stride, &last))
        return false;
    *added =
        (series->is_by_rounds ? are_rounds_whole(&first, &last) : are_blocks_same(&first, &last)) &&
        are_lines(&first, &middle, &last, half / steps);
    if (!*added)
        return true;
    shares->most += sum_of(first.most, last.most, first.count, series->count);
    shares->total += sum_of(first.total, last.total, first.count, series->count);
    return true;
}

static bool add_each(struct steps *it, const struct series *series, struct shares *shares)
{
    struct one_step step;
    for (double i = 0.0; i < series->count; i++) {
        if (!look(it, series->first + i * series->stride, &step))
            return false;
        add_step(shares, &step);
    }
    return true;
}

/* ---- from one round of blocks to the next ---- */

/* The longest round, of which all others are parts; 0: they are not. */
static double round_of(const struct one_step *step)
{
    double round = 1.0;
    for (size_t i = 0; i < step->axes; i++)
        round = fmax(round, step->round[i]);
    for (size_t i = 0; i < step->axes; i++)
        if (fmod(round, step->round[i]) != 0.0)
            return 0.0;
    return round;
}

static bool add_rounds(struct steps *it, double round, struct shares *shares)
{
    for (double r = 0.0; r < round; r++) {
        const struct series series = {true, it->range.first + r, round,
                                      floor((range_count(it->range) - 1.0 - r) / round) + 1.0};
        bool added;
        if (!add_series(it, &series, shares, &added) || (!added && !add_each(it, &series, shares)))
            return false;
    }
    return true;
}

/* ---- within blocks ---- */

/* How many steps of so much an edge of what is gone through stays in its block. */
static double steps_within(double edge, double next, double block)
{
    const double begin = floor(edge / block) * block, step = next - edge;
    return step > 0.0   ? floor((begin + block - 1.0 - edge) / step)
           : step < 0.0 ? floor((begin - edge) / step)
                        : INFINITY;
}

/* How many values from this one on may be even, by it and the next one. */
static double stretch_of(const struct one_step *step, const struct one_step *next)
{
    double steps = INFINITY;
    for (size_t i = 0; i < step->axes; i++) {
        steps = fmin(steps, steps_within(step->ran[i].first, next->ran[i].first, step->block[i]));
        steps = fmin(steps, steps_within(step->ran[i].last, next->ran[i].last, step->block[i]));
    }
    return steps + 1.0;
}

/* The longest stretch that is even, or one step. */
static bool add_stretch(struct steps *it, double value, double *count, struct shares *shares)
{
    struct one_step step, next;
    const double left = it->range.last - value + 1.0;
    if (!look(it, value, &step) || (left > 1.0 && !look(it, value + 1.0, &next)))
        return false;
    *count = left > 1.0 ? fmin(left, stretch_of(&step, &next)) : 1.0;
    for (; *count >= SERIES_LEAST; *count = floor(*count / 2.0)) {
        const struct series series = {false, value, 1.0, *count};
        bool added;
        if (!add_series(it, &series, shares, &added))
            return false;
        if (added)
            return true;
    }
    *count = 1.0;
    add_step(shares, &step);
    return true;
}

static bool add_stretches(struct steps *it, struct shares *shares)
{
    double count;
    for (double value = it->range.first; value <= it->range.last; value += count)
        if (!add_stretch(it, value, &count, shares))
            return false;
    return true;
}

/* ---- all ---- */

static bool are_bounds_affine(const struct nest *nest)
{
    bool affine = true;
    for (int l = 0; l < nest->depth; l++)
        affine &= nest->first[l].is_affine && nest->last[l].is_affine;
    return affine;
}

static bool are_blocks_long(const struct one_step *step)
{
    bool are_long = true;
    for (size_t i = 0; i < step->axes; i++)
        are_long &= step->block[i] >= BLOCK_LEAST;
    return are_long;
}

bool steps_add(struct steps *steps, struct shares *shares)
{
    struct shares sum = {0};
    struct one_step first, second;
    /* Bounds that are whole at two values are whole at all. */
    if (!are_bounds_affine(&steps->instance->nest) || range_count(steps->range) < SERIES_LEAST ||
        !look(steps, steps->range.first, &first) || !look(steps, steps->range.first + 1.0, &second))
        return false;
    const double round = round_of(&first);
    const bool are_rounds_many =
        first.axes > 0 && round > 0.0 && range_count(steps->range) >= SERIES_LEAST * round;
    if (!are_rounds_many && !are_blocks_long(&first))
        return false;
    if (!(are_rounds_many ? add_rounds(steps, round, &sum) : add_stretches(steps, &sum)))
        return false;
    shares->most += sum.most;
    shares->total += sum.total;
    return true;
}
