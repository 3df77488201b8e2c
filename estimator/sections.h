/* Sections of a machine table as reports, for show. */
#ifndef ESTIMATOR_SECTIONS_H
#define ESTIMATOR_SECTIONS_H

#include "estimator/report.h"
#include "model/machine/machine.h"

/* A row each; none where the table has no such section. section is what was asked for; "" is the
   whole table, in which swaps are the fastest of each order, volume and pair alone, and the
   signature is left out. Release with report_free. */
struct report *swap_report(const struct machine *machine, const char *section);
struct report *overlap_report(const struct machine *machine, const char *section);
struct report *logp_report(const struct machine *machine, const char *section);
struct report *signature_report(const struct machine *machine, const char *section);

#endif
