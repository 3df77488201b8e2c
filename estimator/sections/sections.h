/* Sections of a machine table as rows and columns. One more section is one function and one row in
   sections.c. */
#ifndef ESTIMATOR_SECTIONS_H
#define ESTIMATOR_SECTIONS_H

#include "estimator/output/report.h"
#include "model/machine/machine.h"

/* A section as a report with a row each; none where the table has no such section. asked is the
   section or utility that was asked for; "" is the whole table, in which swaps are the fastest of
   each order, way, volume and pair alone, and the signature is left out. Release with report_free.
 */
typedef struct report *section_make(const struct machine *machine, const char *asked);

section_make machine_report, communication_report, utilities_report, node_report, memory_report,
    swap_report, overlap_report, logp_report, signature_report, noise_report, states_report,
    in_situ_report, start_up_report, first_touch_report, waiting_report, missing_report;

struct section {
    const char *name;
    const char *title; /* as a heading */
    section_make *make;
    const char *caveat; /* what its numbers do not say, for people; or NULL */
    const char *of;     /* the row that the caveat is about; NULL: any */
};

/* Every section in the order of a reader's interest; the last has no name. */
extern const struct section sections[];

/* The caveat of the section, where its report has what it is about; NULL otherwise. */
const char *section_caveat(const struct section *section, const struct report *report);

/* The section of that name, that of the utility of that name, or NULL. */
const struct section *section_named(const struct machine *machine, const char *name);

#endif
