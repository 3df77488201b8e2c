/* The parts of estimator compare. */
#ifndef ESTIMATOR_COMMANDS_COMPARE_H
#define ESTIMATOR_COMMANDS_COMPARE_H

#include "estimator/output/options.h"
#include "model/segment/program/program.h"

/* Compares the machines of all arguments but the last one, which is the program, by what a
   candidate of it (-c; default: the first) takes there, and says why. Errors: too few tables,
   options that belong to tables alone, what a prediction refuses. */
int compare_program(const struct options *options, const struct program *program,
                    struct error *error);

#endif
