#include "model/machine/beyond.h"

#include "model/base/allocation.h"

#include <math.h>
#include <stdlib.h>

/* As in the choice of a law's terms (model/fit/learn.c): there a law with less is as good. */
static const double about_as_well = 2.5;

/* What answers at the measured counts. */
struct answers {
    double *processors, *times_us; /* one allocation, owned */
    size_t count;
};

static struct answers answers_at(const struct cost *cost, double bytes)
{
    const struct at_processors *at = cost->by_processors.items;
    const size_t count = cost->by_processors.count;
    struct answers answers = {.processors = memory_new(2 * count, sizeof(double))};
    answers.times_us = answers.processors + count;
    for (size_t i = 0; i < count; i++) {
        const struct region *own = cost_region_among(&at[i].regions, bytes, at[i].processors);
        const double time_us =
            own ? cost_measured_us(cost, own, bytes, at[i].processors) : (double)NAN;
        if (!(time_us > 0.0))
            continue;
        answers.processors[answers.count] = at[i].processors;
        answers.times_us[answers.count++] = time_us;
    }
    return answers;
}

/* a + b f(p), and the root mean square of its relative errors. */
struct line {
    size_t basis;
    double a, b, error;
};

static double line_at(const struct line *line, double processors)
{
    return line->a + line->b * basis_value(line->basis, processors);
}

/* Least squares of relative errors; the error is infinite where f says nothing. */
static struct line line_of(size_t basis, const struct answers *answers)
{
    double w = 0.0, f = 0.0, ff = 0.0, t = 0.0, ft = 0.0;
    for (size_t i = 0; i < answers->count; i++) {
        const double weight = 1.0 / (answers->times_us[i] * answers->times_us[i]);
        const double value = basis_value(basis, answers->processors[i]);
        w += weight;
        f += weight * value;
        ff += weight * value * value;
        t += weight * answers->times_us[i];
        ft += weight * value * answers->times_us[i];
    }
    const double determinant = w * ff - f * f;
    struct line line = {.basis = basis, .error = INFINITY};
    if (!(determinant > 1e-9 * w * ff))
        return line;
    line.a = (ff * t - f * ft) / determinant;
    line.b = (w * ft - f * t) / determinant;
    double sum = 0.0;
    for (size_t i = 0; i < answers->count; i++)
        sum += pow(line_at(&line, answers->processors[i]) / answers->times_us[i] - 1.0, 2.0);
    line.error = sqrt(sum / (double)answers->count);
    return line;
}

static void include(struct envelope *envelope, double time_us)
{
    if (!(time_us > 0.0 && isfinite(time_us)))
        return;
    envelope->low_us = fmin(envelope->low_us, time_us);
    envelope->high_us = fmax(envelope->high_us, time_us);
}

static void include_lines(struct envelope *envelope, const struct answers *answers,
                          double processors, double error_least)
{
    struct line lines[BASIS_COUNT];
    double best = INFINITY;
    for (size_t basis = 0; basis < BASIS_COUNT; basis++) {
        lines[basis] = line_of(basis, answers);
        best = fmin(best, lines[basis].error);
    }
    const size_t last = answers->count - 1;
    for (size_t basis = 0; basis < BASIS_COUNT; basis++) {
        const double there_us = line_at(&lines[basis], answers->processors[last]);
        if (lines[basis].error <= about_as_well * fmax(best, error_least) && there_us > 0.0)
            include(envelope,
                    answers->times_us[last] * line_at(&lines[basis], processors) / there_us);
    }
}

static void include_power(struct envelope *envelope, const struct answers *answers,
                          double processors)
{
    const size_t last = answers->count - 1;
    size_t before = last;
    while (before > 0 && 2.0 * answers->processors[before] > answers->processors[last])
        before--;
    if (before == last)
        return;
    const double doublings = log(answers->processors[last] / answers->processors[before]);
    const double power = log(answers->times_us[last] / answers->times_us[before]) / doublings;
    include(envelope, answers->times_us[last] * pow(processors / answers->processors[last], power));
}

struct envelope beyond_laws(const struct cost *cost, double bytes, double processors,
                            double time_us, double error_least)
{
    struct envelope envelope = {time_us, time_us};
    struct answers answers = answers_at(cost, bytes);
    if (answers.count > 1) {
        include_lines(&envelope, &answers, processors, error_least);
        include_power(&envelope, &answers, processors);
    }
    free(answers.processors);
    return envelope;
}
