/* Communication: a row a region. */
#include "estimator/output/formula.h"
#include "estimator/sections/edge_cause.h"
#include "estimator/sections/sections.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#define COUNT(array) (sizeof(array) / sizeof *(array))

static enum growth growth_of(const struct form *form)
{
    enum growth fastest = GROWTH_NONE;
    for (size_t i = 0; i < form->count; i++) {
        const enum growth growth = basis_growth(form->terms[i].basis);
        fastest = growth > fastest ? growth : fastest;
    }
    return fastest;
}

/* A form that is further from what was measured may be another one. */
static const double diagnosed_error_most = 0.1;

/* The form in p tells the algorithm. */
static const char *diagnosis(const struct region *region)
{
    if (region_relative_error(region) > diagnosed_error_most)
        return "";
    const enum growth setup = growth_of(&region->setup_us), rate = growth_of(&region->per_byte_us);
    return growth_says(setup > rate ? setup : rate);
}

enum { CONDITION_TEXT = 40 };

/* "3", "up to 4", or nothing. */
static const char *print_condition(const struct span *processors, char text[CONDITION_TEXT])
{
    text[0] = '\0';
    if (isfinite(processors->most))
        snprintf(text, CONDITION_TEXT, "%s%.0f",
                 processors->least == processors->most ? "" : "up to ", processors->most);
    return text;
}

static void add_remark(struct report *report, bool disturbed, const char *says, const char *ends)
{
    char remark[200];
    snprintf(remark, sizeof remark, "%s%s%s%s%s", says, *ends && *says ? "; " : "", ends,
             disturbed && (*says || *ends) ? "; " : "", disturbed ? "disturbed" : "");
    report_text(report, remark);
}

static void add_region(struct report *report, const struct machine *machine,
                       const struct cost *cost, const struct region *region)
{
    char ends[EDGE_TEXT];
    char setup[200], per_byte[200], root[200], condition[CONDITION_TEXT];
    form_print(&region->setup_us, setup, sizeof setup);
    form_print(&region->per_byte_us, per_byte, sizeof per_byte);
    form_print(&region->per_root_byte_us, root, sizeof root);
    report_text(report, cost->utility);
    if (isinf(region->bytes_upto))
        report_text(report, "more");
    else
        report_number(report, region->bytes_upto);
    report_text(report, print_condition(&region->processors, condition));
    report_text(report, region->unscalable ? "does not scale" : setup);
    report_text(report, per_byte);
    report_text(report, root);
    const struct region_error *error = &region->error;
    const bool held_out = !isnan(error->held_out_p95);
    report_number(report, 100.0 * (held_out ? error->held_out_median : error->fitted_median));
    /* The law's own error at all measured sizes: what few points are far off by may be in either.
     */
    report_number(report, 100.0 * fmax(error->held_out_p95, error->fitted_p95));
    report_number(report, 100.0 * error->other_processors);
    report_number(report, 100.0 * error->launches_p95);
    report_number(report, cost->bytes.most);
    report_number(report, cost->processors.least);
    report_number(report, cost->processors.most);
    report_number(report, region->packet_bytes);
    report_number(report, region->first_packet_bytes);
    report_number(report, region->per_packet_us);
    edge_print(machine, cost, region, ends);
    add_remark(report, cost->disturbed, diagnosis(region), ends);
}

struct report *communication_report(const struct machine *machine, const char *section)
{
    static const char *const columns[] = {"utility",
                                          "bytes_upto",
                                          "formula_p",
                                          "setup_us",
                                          "per_byte_us",
                                          "per_root_byte_us",
                                          "error_median_percent",
                                          "error_p95_percent",
                                          "error_other_p_percent",
                                          "error_launches_percent",
                                          "trained_bytes_upto",
                                          "trained_p_from",
                                          "trained_p_upto",
                                          "packet_bytes",
                                          "first_packet_bytes",
                                          "per_packet_us",
                                          "remark"};
    const struct cost *costs = machine->communication.items;
    struct report *report = report_new(columns, COUNT(columns));
    const bool all = !machine_cost(machine, section);
    for (size_t i = 0; i < machine->communication.count; i++) {
        const struct region *regions = costs[i].regions.items;
        for (size_t k = 0; k < costs[i].regions.count; k++)
            if (all || strcmp(section, costs[i].utility) == 0)
                add_region(report, machine, &costs[i], &regions[k]);
    }
    return report;
}
