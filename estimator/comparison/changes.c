/* Where the fastest of several tables changes: over sizes at each processor count, and over
   processors at each size. The sizes within which the errors of the tables leave it open which is
   the faster stand beside. */
#include "estimator/comparison/comparison.h"
#include "model/base/allocation.h"

#include <math.h>
#include <stdlib.h>

#define COUNT(array) (sizeof(array) / sizeof *(array))

/* A line through the plane of sizes and processor counts, one of which is fixed. */
struct line {
    const struct comparison *comparison;
    const char *utility;
    double bytes, processors; /* NAN: the one that varies */
    double *stops;            /* ascending values to look at; between two there is one change */
    size_t count;
};

static bool ask(const struct line *line, size_t machine, double at, struct cost_answer *answer)
{
    return comparison_ask(line->comparison, machine, line->utility,
                          isnan(line->bytes) ? at : line->bytes,
                          isnan(line->processors) ? at : line->processors, answer);
}

/* The fastest there; the count of machines where one of those that have the utility does not say.
 */
static size_t winner_at(const struct line *line, double at)
{
    size_t winner = line->comparison->count;
    double least_us = INFINITY;
    for (size_t i = 0; i < line->comparison->count; i++) {
        struct cost_answer answer;
        if (!machine_cost(&line->comparison->machines[i], line->utility))
            continue;
        if (!ask(line, i, at, &answer))
            return line->comparison->count;
        if (answer.time_us < least_us) {
            least_us = answer.time_us;
            winner = i;
        }
    }
    return winner;
}

/* Whether the interval of the ratio has one as the faster: two tables have errors of their own,
   which add up as variances do. */
static bool is_sure(const struct line *line, size_t one, size_t other, double at)
{
    struct cost_answer a, b;
    if (!ask(line, one, at, &a) || !ask(line, other, at, &b))
        return false;
    const double wide = hypot(log(a.high_us / a.time_us), log(b.high_us / b.time_us));
    return a.time_us * exp(wide) < b.time_us;
}

typedef bool holds_at(const struct line *line, size_t one, size_t other, double at);

static bool wins_at(const struct line *line, size_t one, size_t other, double at)
{
    (void)other;
    return winner_at(line, at) == one;
}

/* The last whole number from inside, where it holds, towards outside, where it does not. */
static double last_held(const struct line *line, holds_at *holds, size_t one, size_t other,
                        double inside, double outside)
{
    while (fabs(outside - inside) > 1.0) {
        const double middle = floor((inside + outside) / 2.0);
        if (holds(line, one, other, middle))
            inside = middle;
        else
            outside = middle;
    }
    return inside;
}

/* The nearest size below stops[at] at which `one` is surely the faster; NAN: nowhere. */
static double sure_before(const struct line *line, size_t one, size_t other, size_t at)
{
    for (size_t i = at + 1; i-- > 0;)
        if (is_sure(line, one, other, line->stops[i]))
            return i == at
                       ? line->stops[i]
                       : last_held(line, is_sure, one, other, line->stops[i], line->stops[i + 1]);
    return NAN;
}

static double sure_behind(const struct line *line, size_t one, size_t other, size_t at)
{
    for (size_t i = at; i < line->count; i++)
        if (is_sure(line, one, other, line->stops[i]))
            return i == at
                       ? line->stops[i]
                       : last_held(line, is_sure, one, other, line->stops[i], line->stops[i - 1]);
    return NAN;
}

/* The change between stops[at] and the next. */
static void add_change(const struct line *line, size_t at, size_t before, size_t behind,
                       struct report *report)
{
    const double change =
        1.0 + last_held(line, wins_at, before, behind, line->stops[at], line->stops[at + 1]);
    report_text(report, line->utility);
    report_text(report, isnan(line->bytes) ? "bytes" : "processors");
    report_number(report, line->bytes);
    report_number(report, line->processors);
    report_text(report, line->comparison->names[before]);
    report_text(report, line->comparison->names[behind]);
    report_number(report, change);
    report_number(report, sure_before(line, before, behind, at));
    report_number(report, sure_behind(line, behind, before, at + 1));
}

static void walk(const struct line *line, struct report *report)
{
    const size_t nobody = line->comparison->count;
    size_t before = line->count > 0 ? winner_at(line, line->stops[0]) : nobody;
    for (size_t i = 1; i < line->count; i++) {
        const size_t behind = winner_at(line, line->stops[i]);
        if (before != nobody && behind != nobody && before != behind)
            add_change(line, i - 1, before, behind, report);
        before = behind;
    }
}

/* ---- over sizes ---- */

enum { PER_OCTAVE = 8 };

static void add_stop(struct line *line, size_t *room, double value)
{
    if (line->count == *room) {
        *room = *room ? 2 * *room : 256;
        line->stops = memory_grow(line->stops, *room, sizeof *line->stops);
    }
    line->stops[line->count++] = value;
}

static int ascending(const void *a, const void *b)
{
    const double one = *(const double *)a, other = *(const double *)b;
    return (one > other) - (one < other);
}

/* Both sides of the edges of all regions, and sizes in between. */
static void stop_at_sizes(struct line *line)
{
    double most = 1048576.0;
    size_t room = 0;
    for (size_t i = 0; i < line->comparison->count; i++) {
        const struct cost *cost = machine_cost(&line->comparison->machines[i], line->utility);
        most = cost && isfinite(cost->bytes.most) ? fmin(most, cost->bytes.most) : most;
    }
    for (size_t i = 0; i < line->comparison->count; i++) {
        const struct cost *cost = machine_cost(&line->comparison->machines[i], line->utility);
        const struct list *list = cost ? cost_regions_at(cost, line->processors) : NULL;
        const struct region *regions = list ? list->items : NULL;
        for (size_t k = 0; list && k < list->count; k++)
            if (regions[k].bytes_upto < most) {
                add_stop(line, &room, regions[k].bytes_upto);
                add_stop(line, &room, regions[k].bytes_upto + 1.0);
            }
    }
    add_stop(line, &room, 0.0);
    for (double bytes = 1.0; bytes < most;
         bytes = fmax(bytes + 1.0, bytes * exp2(1.0 / PER_OCTAVE)))
        add_stop(line, &room, floor(bytes));
    add_stop(line, &room, most);
    qsort(line->stops, line->count, sizeof *line->stops, ascending);
}

static void stop_at_processors(struct line *line)
{
    const struct number_list *processors = &line->comparison->processors;
    double most = 2.0;
    size_t room = 0;
    for (size_t i = 0; i < processors->count; i++)
        most = fmax(most, processors->values[i]);
    for (double p = 2.0; p <= most; p++)
        add_stop(line, &room, p);
}

static void add_changes(const struct comparison *comparison, const char *utility, void *state)
{
    struct report *report = state;
    for (size_t k = 0; k < comparison->processors.count; k++) {
        struct line line = {comparison, utility, NAN, comparison->processors.values[k], NULL, 0};
        stop_at_sizes(&line);
        walk(&line, report);
        free(line.stops);
    }
    for (size_t n = 0; n < comparison->bytes.count; n++) {
        struct line line = {comparison, utility, comparison->bytes.values[n], NAN, NULL, 0};
        stop_at_processors(&line);
        walk(&line, report);
        free(line.stops);
    }
}

struct report *comparison_changes(const struct comparison *comparison, const char *utility)
{
    static const char *const columns[] = {"utility",    "along",       "bytes",
                                          "processors", "up_to_there", "from_there",
                                          "from",       "sure_before", "sure_from"};
    struct report *report = report_new(columns, COUNT(columns));
    comparison_utilities(comparison, utility, add_changes, report);
    return report;
}
