/* What a rehearsal found, as rows of CSV: the columns that the programs of samples/ print, and the
   parameters, how much was run, and what is missing. */
#ifndef TRAINER_REHEARSAL_REHEARSAL_REPORT_H
#define TRAINER_REHEARSAL_REHEARSAL_REPORT_H

#include "trainer/rehearsal/phase.h"

#include <stdbool.h>

/* Times of all repetitions, of the processor that took the most. */
struct rehearsal_row {
    double repeat; /* as described */
    double rounds; /* repetitions that were carried out and timed */
    double compute_us, total_us, minimum_us, maximum_us; /* NAN: not measured */
};

struct rehearsal_report {
    const struct program *program; /* borrowed; NULL: nothing begun */
    const struct scope *scope;     /* borrowed; of the present candidate */
    const char *candidate;         /* borrowed */
    int processors;
    struct rehearsal_row all; /* of the present candidate */
    char *missing;            /* of it; owned */
    bool unchecked;
    char *text; /* owned */
};

/* Begins: the line of columns. Release with rehearsal_report_free. */
void rehearsal_report_names(struct rehearsal_report *report, const struct program *program);
void rehearsal_report_free(struct rehearsal_report *report);

/* The rows from now on are of that candidate, with the parameters' values of the scope. */
void rehearsal_report_begin(struct rehearsal_report *report, const char *candidate, int processors,
                            const struct scope *scope);

/* A row of one phase, one without times, and why it has none, and at the end that of all, which
   then has none either. */
void rehearsal_report_add(struct rehearsal_report *report, const struct rehearsal_phase *phase,
                          const struct rehearsal_row *row);
void rehearsal_report_add_cut(struct rehearsal_report *report, const struct rehearsal_phase *phase,
                              const char *why);
void rehearsal_report_end(struct rehearsal_report *report);

/* Writes all rows, to standard output where path is NULL; a file takes the place of an older one
   when it is complete. */
int rehearsal_report_save(const struct rehearsal_report *report, const char *path,
                          struct error *error);

#endif
