/* The one door to gnuplot. */
#ifndef ESTIMATOR_GNUPLOT_H
#define ESTIMATOR_GNUPLOT_H

#include "model/base/error.h"

#include <stddef.h>

/* What a script draws, to be freed. An error where gnuplot is not there, fails, or is ended. */
int gnuplot_run(const char *script, char **text, size_t *bytes, struct error *error);

#endif
