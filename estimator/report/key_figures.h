/* What a reader wants to know of a machine first. */
#ifndef ESTIMATOR_REPORT_KEY_FIGURES_H
#define ESTIMATOR_REPORT_KEY_FIGURES_H

#include "model/machine/machine.h"

#include <stdio.h>

/* A list of HTML: a number each, with its unit and what it is. What the table does not have is left
   out. */
void key_figures_write(const struct machine *machine, FILE *page);

#endif
