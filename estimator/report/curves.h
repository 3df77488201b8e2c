/* What a machine table says, as data for a page's pictures. */
#ifndef ESTIMATOR_REPORT_CURVES_H
#define ESTIMATOR_REPORT_CURVES_H

#include "model/machine/machine.h"

#include <stdio.h>

/* Writes a machine as an object of JSON: {"name", "title", "utilities": [{"name", "curves": [{"p",
   "line": [[bytes, us, low, high]], "points": [[bytes, us, held out, predicted / measured]]}]}],
   "levels": [[from bytes, to bytes, ns a load, ns a line]], "walks": [{"name", "points": [[bytes,
   ns]]}]}. Curves are at the least, the middle and the most processors of those measured; points
   are those that count. points: of struct point, beside the table. */
void curves_write(const struct machine *machine, const struct list *points, FILE *json);

#endif
