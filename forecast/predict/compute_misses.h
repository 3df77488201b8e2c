/* What compute.c shares of the lines that miss. */
#ifndef FORECAST_PREDICT_COMPUTE_MISSES_H
#define FORECAST_PREDICT_COMPUTE_MISSES_H

#include "model/machine/machine.h"
#include "model/segment/program/program.h"

/* Where nothing is told, lines are counted for a machine of which it is known what compiled loops
   reach: there a prediction is of what a program takes, not of what it cannot beat. */
bool misses_are_derived(const struct machine *machine, const struct told_misses *told);

#endif
