/* Runs of uses that differ in bytes alone: where their costs lie on a line, all of them cost as
   often what the one in the middle does, and a long run is priced at three sizes. */
#ifndef FORECAST_PRICE_RUNS_H
#define FORECAST_PRICE_RUNS_H

#include "model/machine/machine.h"
#include "model/segment/traffic/analysis.h"

/* How many uses of the run, from the one of that number on, are known to cost what lies on a line
   over their bytes, with the same errors and remarks: by the same region of a published table,
   whose law is one. At least 1. */
double run_straight(const struct machine *machine, const struct demand *demand,
                    const struct use *run, double number);

#endif
