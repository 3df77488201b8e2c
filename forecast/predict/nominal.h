/* A machine of which everything is known and on which everything takes about a microsecond: what it
   cannot predict, no machine can. */
#ifndef FORECAST_PREDICT_NOMINAL_H
#define FORECAST_PREDICT_NOMINAL_H

#include "model/machine/machine.h"
#include "model/segment/program/program.h"

/* One that has whatever utilities the program calls. On success release with machine_free. */
int nominal_make(struct machine *machine, const struct program *program, struct error *error);

#endif
