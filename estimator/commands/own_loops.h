/* A C program's own loops: made into an object, and measured where this program runs. */
#ifndef ESTIMATOR_COMMANDS_OWN_LOOPS_H
#define ESTIMATOR_COMMANDS_OWN_LOOPS_H

#include "estimator/output/options.h"

/* Compiles the innermost loops of the argument of that number, C files, into the loadable object
   `output` (loops.c). What is left out is said on standard error. */
int loops_make_object(const struct options *options, size_t number, const char *output,
                      struct error *error);

/* With --measure: makes that object, lets the trainer measure it on as many processors as the table
   has, and reads the curves into options->curves; without it does nothing. A program of which no
   loop can be measured is left to the model, with a remark. Errors: more than one table, a table of
   another processor, no trainer, no mpiexec. */
int own_loops_measure(struct options *options, size_t number, struct error *error);

#endif
