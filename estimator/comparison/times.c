/* Times of utilities side by side, and what they are made of: setup and rate. */
#include "estimator/comparison/comparison.h"
#include "model/base/allocation.h"

#include <math.h>
#include <stdlib.h>

#define COUNT(array) (sizeof(array) / sizeof *(array))

/* ---- times ---- */

static void add_time(const struct comparison *comparison, const char *utility, double bytes,
                     double p, double *time_us, struct report *report)
{
    char text[COST_FLAGS_TEXT];
    unsigned flags = 0;
    for (size_t i = 0; i < comparison->count; i++) {
        struct cost_answer answer;
        const bool says = comparison_ask(comparison, i, utility, bytes, p, &answer);
        time_us[i] = says ? answer.time_us : (double)NAN;
        flags |= says ? answer.flags : 0;
    }
    if (!comparison_said(comparison, time_us))
        return;
    report_text(report, utility);
    report_number(report, bytes);
    report_number(report, p);
    comparison_values(comparison, report, time_us, true);
    report_text(report, cost_flags_print(flags, text));
}

static void add_times(const struct comparison *comparison, const char *utility, void *state)
{
    struct report *report = state;
    double *time_us = memory_new(comparison->count, sizeof *time_us);
    for (size_t k = 0; k < comparison->processors.count; k++)
        for (size_t n = 0; n < comparison->bytes.count; n++)
            add_time(comparison, utility, comparison->bytes.values[n],
                     comparison->processors.values[k], time_us, report);
    free(time_us);
}

struct report *comparison_times(const struct comparison *comparison, const char *utility)
{
    static const char *const front[] = {"utility", "bytes", "processors"};
    static const char *const back[] = {"ratio", "winner", "flags"};
    struct report *report =
        comparison_begin(comparison, front, COUNT(front), "_us", back, COUNT(back));
    comparison_utilities(comparison, utility, add_times, report);
    return report;
}

/* ---- laws ---- */

/* Bytes up to which all tables that have the utility were trained. */
static double trained_bytes(const struct comparison *comparison, const char *utility)
{
    double most = 1048576.0;
    for (size_t i = 0; i < comparison->count; i++) {
        const struct cost *cost = machine_cost(&comparison->machines[i], utility);
        most = cost ? fmin(most, cost->bytes.most) : most;
    }
    return most;
}

typedef double law_of(const struct comparison *comparison, size_t machine, const char *utility,
                      double p, double most);

static double setup_us(const struct comparison *comparison, size_t machine, const char *utility,
                       double p, double most)
{
    struct cost_answer answer;
    (void)most;
    return comparison_ask(comparison, machine, utility, 0.0, p, &answer) ? answer.time_us
                                                                         : (double)NAN;
}

/* What more bytes cost in the upper half of the sizes, as a rate: that of long messages, which the
   setup no longer slows down. */
static double rinf_mb_per_s(const struct comparison *comparison, size_t machine,
                            const char *utility, double p, double most)
{
    struct cost_answer half, whole;
    if (!comparison_ask(comparison, machine, utility, most / 2.0, p, &half) ||
        !comparison_ask(comparison, machine, utility, most, p, &whole) ||
        !(whole.time_us > half.time_us))
        return NAN;
    return most / 2.0 / (whole.time_us - half.time_us);
}

static void add_law(const struct comparison *comparison, const char *utility, double p,
                    const char *name, law_of *law, bool least_is_best, struct report *report)
{
    double *values = memory_new(comparison->count, sizeof *values);
    const double most = trained_bytes(comparison, utility);
    for (size_t i = 0; i < comparison->count; i++)
        values[i] = law(comparison, i, utility, p, most);
    if (comparison_said(comparison, values)) {
        report_text(report, utility);
        report_text(report, name);
        report_number(report, p);
        comparison_values(comparison, report, values, least_is_best);
    }
    free(values);
}

static void add_laws(const struct comparison *comparison, const char *utility, void *state)
{
    struct report *report = state;
    for (size_t k = 0; k < comparison->processors.count; k++) {
        const double p = comparison->processors.values[k];
        add_law(comparison, utility, p, "setup_us", setup_us, true, report);
        add_law(comparison, utility, p, "rinf_mb_per_s", rinf_mb_per_s, false, report);
    }
}

struct report *comparison_laws(const struct comparison *comparison, const char *utility)
{
    static const char *const front[] = {"utility", "law", "processors"};
    static const char *const back[] = {"ratio", "winner"};
    struct report *report =
        comparison_begin(comparison, front, COUNT(front), "", back, COUNT(back));
    comparison_utilities(comparison, utility, add_laws, report);
    return report;
}
