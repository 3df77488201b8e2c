/* --measured: a run of the program that the user timed. */
#ifndef ESTIMATOR_COMMANDS_OBSERVED_H
#define ESTIMATOR_COMMANDS_OBSERVED_H

#include "estimator/output/options.h"
#include "forecast/predict/anchor.h"

/* Predicts the run of --measured and lets *anchor, which the machine then points to, say how much
   longer it took; says so on standard error. Without --measured nothing is done. Errors: a text
   that is no run, a candidate or parameter that the program does not have, one of several values.
 */
int observed_take(struct anchor *anchor, const struct options *options,
                  const struct program *program, struct machine *machine, struct error *error);

#endif
