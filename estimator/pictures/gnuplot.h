/* The one door to gnuplot. */
#ifndef ESTIMATOR_GNUPLOT_H
#define ESTIMATOR_GNUPLOT_H

#include "model/base/error.h"

/* Runs a script that writes its own files. */
int gnuplot_run(const char *script, struct error *error);

#endif
