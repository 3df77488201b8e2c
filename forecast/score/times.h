/* What programs took, or rehearsals of them: rows of CSV as trainer --rehearse and the programs of
   samples/ write them. */
#ifndef FORECAST_SCORE_TIMES_H
#define FORECAST_SCORE_TIMES_H

#include "model/records/record.h"
#include "model/segment/program/program.h"

#include <stdbool.h>

enum { TIMES_NAME = 80, TIMES_SETTING = 1000 };

/* One segment, or "all", of one candidate. */
struct time_row {
    char segment[TIMES_NAME], candidate[TIMES_NAME];
    double processors;
    char setting[TIMES_SETTING]; /* "N=256 sweeps=3": the parameters that have columns */
    double compute_us, total_us; /* compute_us NAN: not told */
    bool partial;                /* something of the segment is not in it */
};

extern const struct record time_record; /* time rows own nothing */

/* Reads a file, columns by name: segment, candidate, processors and total_us must be there, columns
   of the program's parameters say how it was run, and compute_us, missing and check what else is
   known; others are passed over, and so are rows that were not measured ("-"). Appends to list of
   struct time_row. Errors are at file:line:column. */
int times_read(const char *path, const struct program *program, struct list *list,
               struct error *error);

#endif
