#include "model/machine/shape.h"

#include "model/cost/leaving.h"

#include <math.h>

/* Through two points, x of each: no shape falls. NAN: there are none, or they are at one place. */
static double on_line(const struct series *series, size_t from, double x_from, double x_last,
                      double x)
{
    const double rise_us = series_last_us(series) - series->times_us[from];
    if (!(x_last != x_from))
        return NAN;
    return series_last_us(series) + fmax(0.0, rise_us / (x_last - x_from)) * (x - x_last);
}

/* From the last count but one; with nodes from one node, which is the first. */
static double evenly(const struct series *series, size_t basis, double p)
{
    if (series->count < 2)
        return NAN;
    const size_t from = series->near > 0.0 ? 0 : series->count - 2;
    return on_line(series, from, basis_value(basis, series->participants[from]),
                   basis_value(basis, series_last_p(series)), basis_value(basis, p));
}

static double by_leaving(const struct series *series, const struct pattern *pattern, double p)
{
    if (!(series->near > 0.0) || series->count < 2 || !leaving_is_told(pattern))
        return NAN;
    const double near = series->near, last = leaving_messages(pattern, series_last_p(series), near);
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
    return law && !(series->near > 0.0)
               ? series_last_us(series) * law->most(p) / law->most(series_last_p(series))
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

static enum growth growth_most(const struct beyond_question *question, const struct series *series)
{
    const bool is_told = leaving_is_told(pattern_of_form(question->cost->utility));
    return series->near > 0.0 && is_told ? GROWTH_NONE
           : question->law               ? question->law->grows
                                         : GROWTH_LINEAR;
}

double shape_says(const struct beyond_question *question, const struct series *series,
                  enum shape shape, double p)
{
    const struct pattern *pattern = pattern_of_form(question->cost->utility);
    const enum growth most = growth_most(question, series);
    switch (shape) {
    case SHAPE_SAME:
        return series_last_us(series);
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

static bool is_even(enum shape shape)
{
    return functions[shape].growth != GROWTH_NONE && shape != SHAPE_LOGARITHM_AND_LINEAR;
}

double shape_as_before(const struct beyond_question *question, const struct series *series,
                       enum shape shape)
{
    if (series->count < 3 || series->near > 0.0 || !is_even(shape))
        return NAN;
    const size_t basis = functions[shape].basis, last = series->count - 1;
    const double x = basis_value(basis, series->participants[last - 1]);
    const double x_before = basis_value(basis, series->participants[last - 2]);
    const double rise_us = series->times_us[last - 1] - series->times_us[last - 2];
    return series_last_us(series) +
           fmax(0.0, rise_us / (x - x_before)) * (basis_value(basis, question->participants) -
                                                  basis_value(basis, series_last_p(series)));
}

double shape_ever_more(const struct beyond_question *question, const struct series *series,
                       enum shape shape)
{
    if (series->count < 3 || series->near > 0.0 || shape != SHAPE_LOGARITHM ||
        growth_most(question, series) != GROWTH_LOGARITHMIC)
        return NAN;
    const double *us = series->times_us + series->count - 3;
    const double *at = series->participants + series->count - 3;
    const double more_us = us[2] - 2.0 * us[1] + us[0];
    const double steps = log(question->participants / at[2]) / log(at[2] / at[1]);
    return us[2] + steps * (us[2] - us[1]) + fmax(0.0, more_us) * steps * (steps + 1.0) / 2.0;
}
