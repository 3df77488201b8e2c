/* Predicted against measured times, from CSV files such as test/validate/validate.sh prints. */
#ifndef ESTIMATOR_PICTURES_PREDICTIONS_H
#define ESTIMATOR_PICTURES_PREDICTIONS_H

#include "model/base/error.h"

#include <stdbool.h>
#include <stddef.h>

struct predictions_request {
    const char *what;         /* "predictions" or "predictions:PART" */
    const char *const *files; /* CSV; in one picture */
    size_t count;
    const char *path; /* the file that gnuplot shall write; NULL: neither terminal nor output */
};

/* Whether what names this kind of picture. */
bool predictions_asked(const char *what);

/* The whole script, to be freed: both axes in us and logarithmic, the diagonal, the band of 25 % on
   either side, and a symbol for each sample (column sample or segment; else the file). Columns
   predicted_us and measured_us, or predicted and measured, are wanted; where there is a column
   part, that part alone is drawn which was asked for, or a symbol for each. Rows of which one time
   is 0 have no place on such axes and are left out. NULL with *error set, at file:line:column,
   where a file cannot be read or nothing is left to draw. */
char *predictions_script(const struct predictions_request *request, struct error *error);

#endif
