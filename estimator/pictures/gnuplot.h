/* The one door to gnuplot. */
#ifndef ESTIMATOR_GNUPLOT_H
#define ESTIMATOR_GNUPLOT_H

#include "model/base/error.h"

/* Runs a script that writes its own files. */
int gnuplot_run(const char *script, struct error *error);

/* Runs a script that sets neither terminal nor output, and returns the picture as SVG, to be freed;
   NULL with *error set. Its background is left out. */
char *gnuplot_svg(const char *script, struct error *error);

#endif
