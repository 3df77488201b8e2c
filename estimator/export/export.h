/* Writes a machine table in another program's format. One more format is one file here, one line
   below and one line in Makefile.am. */
#ifndef ESTIMATOR_EXPORT_EXPORT_H
#define ESTIMATOR_EXPORT_EXPORT_H

#include "model/base/error.h"
#include "model/base/number.h"
#include "model/machine/machine.h"

#include <stdio.h>

/* EXPORT(name, function, begin and end of a comment line ("" "": the format has none), what it is
   for): the list that everything else follows. */
#define EXPORTS(EXPORT)                                                                            \
    EXPORT("csv", export_csv, "", "", "all numbers of the table, a row each (spreadsheets, R)")    \
    EXPORT("loggp", export_loggp, "# ", "", "LogP and LogGP parameters (LogGOPSim and others)")    \
    EXPORT("simgrid", export_simgrid, "<!-- ", " -->", "a platform for SimGrid's SMPI, -p hosts")  \
    EXPORT("mpich", export_mpich, "", "", "rules for MPI_Bcast, in place of those in --base")

/* One export in progress. */
struct exporter {
    const struct machine *machine;
    const struct number_list *processors; /* those asked for; may be empty */
    const char *base;                     /* --base, or NULL */
    FILE *out;                            /* the exported text */
    FILE *notes;                          /* what the format cannot say, a line each */
    const char *comment, *comment_end; /* how a comment line begins and ends; "": there is none */
};

/* Writes the machine to exporter->out. Returns 0, or -1 with *error set; what was written is
   nothing then. */
typedef int export_write(const struct exporter *exporter, struct error *error);

#define EXPORT_DECLARE(name, function, comment, comment_end, help) export_write function;
EXPORTS(EXPORT_DECLARE)
#undef EXPORT_DECLARE

/* A line that the format cannot say or that limits what it says: a comment in the text, where the
   format has comments, and a note to the user. */
void export_note(const struct exporter *exporter, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

/* A comment line alone. */
void export_comment(const struct exporter *exporter, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

/* An error: the table lacks what the format cannot do without. */
int export_missing(const struct exporter *exporter, const char *what, const char *for_format,
                   struct error *error);

#endif
