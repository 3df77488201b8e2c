/* What the numbers of each utility are: whose time, made how, and what its table says besides. */
#include "estimator/sections/sections.h"
#include "model/base/allocation.h"
#include "model/cost/pattern.h"

#include <math.h>
#include <stdlib.h>

#define COUNT(array) (sizeof(array) / sizeof *(array))

/* The table's note, and what its name could be mistaken for. */
static void add_note(struct report *report, const struct cost *cost)
{
    const char *note = cost->note ? cost->note : "";
    const char *beware = pattern_named(cost->utility)->beware;
    char *both = memory_format("%s%s%s", beware ? beware : "", beware && *note ? "; " : "", note);
    report_text(report, both);
    free(both);
}

struct report *utilities_report(const struct machine *machine, const char *section)
{
    static const char *const columns[] = {"utility",           "statistic", "measures", "across",
                                          "mean_over_maximum", "p_is",      "source",   "note"};
    const struct cost *costs = machine->communication.items;
    struct report *report = report_new(columns, COUNT(columns));
    (void)section;
    for (size_t i = 0; i < machine->communication.count; i++) {
        report_text(report, costs[i].utility);
        report_text(report, cost_statistic_name(costs[i].statistic));
        report_text(report, cost_measures_name(costs[i].measures));
        report_text(report, cost_across_name(costs[i].across));
        report_number(report,
                      costs[i].mean_over_maximum > 0.0 ? costs[i].mean_over_maximum : (double)NAN);
        report_text(report, cost_processors_mean_name(costs[i].processors_mean));
        report_text(report, costs[i].source ? costs[i].source : "");
        add_note(report, &costs[i]);
    }
    return report;
}
