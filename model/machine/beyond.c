#include "model/machine/beyond.h"

#include "model/base/allocation.h"
#include "model/cost/leaving.h"

#include <math.h>
#include <stdlib.h>

/* Tried with tables of at most 64 simulated processors against 256 and 1024
   (test/bench/many.sh). */
static const double about_as_well = 2.5, explained = 0.03; /* shapes that answer beside the best */
static const double exact = 1e-3, hardly_worse = 1.2;      /* the simplest of them is preferred */
static const double error_unknown = 0.1; /* where too few counts are there to try any */

/* ---- what was measured ---- */

/* What answers at the measured counts, as participants, ascending. */
struct series {
    double *participants, *times_us; /* one allocation, owned by the first */
    size_t count;
    double near; /* processors of a node, where the first count is a node and the others are more;
                    0: there are no nodes */
};

static void add(struct series *series, double participants, double time_us)
{
    series->participants[series->count] = participants;
    series->times_us[series->count++] = time_us;
}

static struct series series_of(const struct cost *cost, double bytes)
{
    const struct at_processors *at = cost->by_processors.items;
    const size_t count = cost->by_processors.count;
    struct series series = {.participants = memory_new(2 * count, sizeof(double))};
    series.times_us = series.participants + count;
    for (size_t i = 0; i < count; i++) {
        const struct region *own = cost_region_among(&at[i].regions, bytes, at[i].processors);
        const double time_us =
            own ? cost_measured_us(cost, own, bytes, at[i].processors) : (double)NAN;
        if (time_us > 0.0)
            add(&series, cost_processors(cost, at[i].processors), time_us);
    }
    return series;
}

/* Keeps of a series what is wanted of it. */
static void keep(struct series *series, const bool *wanted)
{
    size_t kept = 0;
    for (size_t i = 0; i < series->count; i++)
        if (wanted[i]) {
            series->participants[kept] = series->participants[i];
            series->times_us[kept++] = series->times_us[i];
        }
    series->count = kept;
}

static bool is_power_of_two(double p)
{
    return p == exp2(round(log2(p)));
}

/* Libraries have other algorithms for powers of two than for others: of those that are as the
   asked one, where at least three are. */
static void keep_alike(struct series *series, double participants)
{
    bool *wanted = memory_new(series->count + 1, sizeof *wanted);
    size_t alike = 0;
    for (size_t i = 0; i < series->count; i++) {
        wanted[i] = is_power_of_two(series->participants[i]) == is_power_of_two(participants);
        alike += wanted[i];
    }
    if (alike >= 3)
        keep(series, wanted);
    free(wanted);
}

/* Those of a node, and of more than one. */
static void keep_nodes(struct series *series, double near)
{
    bool *wanted = memory_new(series->count + 1, sizeof *wanted);
    for (size_t i = 0; i < series->count; i++)
        wanted[i] = series->participants[i] >= near;
    keep(series, wanted);
    series->near = near;
    free(wanted);
}

static struct series before_last(const struct series *series)
{
    struct series before = *series;
    before.count--;
    return before;
}

/* ---- shapes ---- */

enum shape {
    SHAPE_SAME,
    SHAPE_LEAVING,   /* evenly with the messages that leave a node */
    SHAPE_MESSAGES,  /* as the most messages one after the other */
    SHAPE_LOGARITHM, /* evenly with the logarithm of p, and so on */
    SHAPE_ROOT,
    SHAPE_LINEAR,
    SHAPE_LOGARITHM_AND_LINEAR,
    SHAPE_QUADRATIC,
    SHAPES
};

static double last_p(const struct series *series)
{
    return series->participants[series->count - 1];
}

static double last_us(const struct series *series)
{
    return series->times_us[series->count - 1];
}

/* Through two points, x of each: no shape falls. NAN: there are none, or they are at one place. */
static double on_line(const struct series *series, size_t from, double x_from, double x_last,
                      double x)
{
    const double rise_us = last_us(series) - series->times_us[from];
    if (!(x_last != x_from))
        return NAN;
    return last_us(series) + fmax(0.0, rise_us / (x_last - x_from)) * (x - x_last);
}

/* From the last count but one; with nodes from one node, which is the first. */
static double evenly(const struct series *series, size_t basis, double p)
{
    if (series->count < 2)
        return NAN;
    const size_t from = series->near > 0.0 ? 0 : series->count - 2;
    return on_line(series, from, basis_value(basis, series->participants[from]),
                   basis_value(basis, last_p(series)), basis_value(basis, p));
}

/* Stages to all others and down a tree grow with p. */
static bool is_told(const struct pattern *pattern)
{
    const enum partners_kind partners = pattern->partners;
    return partners != PARTNERS_NOT_SAID && partners != PARTNERS_ALL && partners != PARTNERS_TREE;
}

static double by_leaving(const struct series *series, const struct pattern *pattern, double p)
{
    if (!(series->near > 0.0) || series->count < 2 || !is_told(pattern))
        return NAN;
    const double near = series->near, last = leaving_messages(pattern, last_p(series), near);
    const double x = leaving_messages(pattern, p, near);
    size_t from = series->count - 2;
    if (leaving_messages(pattern, series->participants[from], near) == last)
        from = 0;
    return on_line(series, from, leaving_messages(pattern, series->participants[from], near), last,
                   x);
}

/* a + b log2(p) + c p through the last three counts; NAN: b or c is negative. */
static double by_both(const struct series *series, double p)
{
    if (series->count < 3 || series->near > 0.0)
        return NAN;
    const double *at = series->participants + series->count - 3;
    const double *us = series->times_us + series->count - 3;
    const double log1 = log2(at[1] / at[0]), log2_ = log2(at[2] / at[1]);
    const double more1 = at[1] - at[0], more2 = at[2] - at[1];
    const double determinant = log1 * more2 - more1 * log2_;
    const double b = ((us[1] - us[0]) * more2 - more1 * (us[2] - us[1])) / determinant;
    const double c = (log1 * (us[2] - us[1]) - log2_ * (us[1] - us[0])) / determinant;
    return b >= 0.0 && c >= 0.0 ? us[2] + b * log2(p / at[2]) + c * (p - at[2]) : (double)NAN;
}

static double by_messages(const struct series *series, const struct interval_law *law, double p)
{
    return law && !(series->near > 0.0) ? last_us(series) * law->most(p) / law->most(last_p(series))
                                        : (double)NAN;
}

/* How fast a shape grows that is evenly with a function of p. */
static const struct {
    enum growth growth;
    size_t basis;
} functions[SHAPES] = {
    [SHAPE_LOGARITHM] = {GROWTH_LOGARITHMIC, BASIS_LOG2     },
    [SHAPE_ROOT] = {GROWTH_ROOT,        BASIS_ROOT     },
    [SHAPE_LINEAR] = {GROWTH_LINEAR,      BASIS_P        },
    [SHAPE_LOGARITHM_AND_LINEAR] = {GROWTH_LINEAR,      BASIS_ONE      },
    [SHAPE_QUADRATIC] = {GROWTH_QUADRATIC,   BASIS_P_SQUARED},
};

/* What a shape says of p by that series; NAN: nothing. */
static double says(const struct beyond_question *question, const struct series *series,
                   enum shape shape, double p)
{
    const struct pattern *pattern = pattern_of_form(question->cost->utility);
    const enum growth most = series->near > 0.0 && is_told(pattern) ? GROWTH_NONE
                             : question->law                        ? question->law->grows
                                                                    : GROWTH_LINEAR;
    switch (shape) {
    case SHAPE_SAME:
        return last_us(series);
    case SHAPE_LEAVING:
        return by_leaving(series, pattern, p);
    case SHAPE_MESSAGES:
        return by_messages(series, question->law, p);
    case SHAPE_LOGARITHM_AND_LINEAR:
        return most >= GROWTH_LINEAR ? by_both(series, p) : (double)NAN;
    default:
        return functions[shape].growth <= most ? evenly(series, functions[shape].basis, p)
                                               : (double)NAN;
    }
}

/* ---- which answer ---- */

/* What every shape says, and how far it was off at the last count, as a logarithm. */
struct trial {
    double times_us[SHAPES], errors[SHAPES], best;
};

static struct trial tried(const struct beyond_question *question, const struct series *series)
{
    const struct series before = before_last(series);
    const bool can_try = before.count >= 2;
    struct trial trial = {.best = INFINITY};
    for (enum shape shape = 0; shape < SHAPES; shape++) {
        trial.times_us[shape] = says(question, series, shape, question->participants);
        trial.errors[shape] = INFINITY;
        if (can_try && trial.times_us[shape] > 0.0) {
            const double before_us = says(question, &before, shape, last_p(series));
            if (before_us > 0.0)
                trial.errors[shape] = fabs(log(before_us / last_us(series)));
        }
        trial.best = fmin(trial.best, trial.errors[shape]);
    }
    if (!can_try)
        trial.best = error_unknown;
    return trial;
}

static void include(struct beyond *beyond, double time_us)
{
    beyond->low_us = fmin(beyond->low_us, time_us);
    beyond->high_us = fmax(beyond->high_us, time_us);
}

/* Shapes that foretell the last count; without one before it all of them may be. */
static void take_all(const struct trial *trial, double error_least, struct beyond *beyond)
{
    const double most = fmax(about_as_well * trial->best, fmax(explained, error_least));
    bool none = true;
    for (enum shape shape = 0; shape < SHAPES; shape++)
        none = none && !(trial->errors[shape] < INFINITY);
    for (enum shape shape = 0; shape < SHAPES; shape++)
        if (trial->times_us[shape] > 0.0 && (none || trial->errors[shape] <= most))
            include(beyond, trial->times_us[shape]);
    const double near_best = fmax(hardly_worse * trial->best, fmax(exact, 0.5 * error_least));
    for (enum shape shape = SHAPES; shape-- > 0;)
        if (trial->times_us[shape] > 0.0 && trial->errors[shape] <= near_best)
            beyond->time_us = trial->times_us[shape];
}

/* A few counts of more than one node do not tell what all share between nodes: the interval is from
   half-way to a tree's stages over nodes to these, or from these to a message a processor, unless
   the latter foretells exactly. */
static void take_nodes(const struct trial *trial, double time_last_us, struct beyond *beyond)
{
    const double tree_us = trial->times_us[SHAPE_LOGARITHM];
    const double each_us = trial->times_us[SHAPE_LINEAR];
    if (isnan(each_us)) {
        *beyond = (struct beyond){tree_us, sqrt(time_last_us * tree_us), tree_us, 0.0, 0.0, true};
        return;
    }
    const bool is_linear = trial->errors[SHAPE_LINEAR] <= trial->errors[SHAPE_LOGARITHM];
    const double low_us = trial->errors[SHAPE_LINEAR] <= exact ? each_us : tree_us;
    *beyond = (struct beyond){
        is_linear ? each_us : sqrt(tree_us * each_us), low_us, each_us, 0.0, 0.0, true};
}

static bool grows_among_nodes(const struct beyond_question *question, const struct series *series)
{
    return series->near > 0.0 && question->law && question->law->grows >= GROWTH_LOGARITHMIC &&
           !is_told(pattern_of_form(question->cost->utility));
}

/* Whether there are times enough; among nodes of one and of more, unless the pattern says what
   leaves a node. */
static bool is_enough(const struct beyond_question *question, const struct series *series)
{
    const double near = cost_processors(question->cost, question->cost->processors_near);
    if (!(series->near > 0.0))
        return series->count > 0 && !(question->participants > near);
    return series->count >= 2 && (series->participants[0] == series->near ||
                                  is_told(pattern_of_form(question->cost->utility)));
}

static struct series series_for(const struct beyond_question *question)
{
    const double near = cost_processors(question->cost, question->cost->processors_near);
    struct series series = series_of(question->cost, question->bytes);
    if (series.count > 0 && last_p(&series) > near)
        keep_nodes(&series, near);
    keep_alike(&series, question->participants);
    return series;
}

bool beyond_shapes(const struct beyond_question *question, struct beyond *beyond)
{
    struct series series = series_for(question);
    const bool is_known = is_enough(question, &series);
    if (is_known) {
        const struct trial trial = tried(question, &series);
        *beyond = (struct beyond){last_us(&series), INFINITY, 0.0, 0.0, 0.0, false};
        if (grows_among_nodes(question, &series))
            take_nodes(&trial, last_us(&series), beyond);
        else
            take_all(&trial, question->error_least, beyond);
        include(beyond, beyond->time_us);
        beyond->last = last_p(&series);
        beyond->error = trial.best;
        beyond->is_in_nodes = series.near > 0.0;
    }
    free(series.participants);
    return is_known;
}
