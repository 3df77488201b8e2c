/* Measures the loops of an object (trainer --loops), and compares a file of loops with them. */
#ifndef TRAINER_LOOPS_MEASURE_LOOPS_H
#define TRAINER_LOOPS_MEASURE_LOOPS_H

#include "trainer/base/options.h"

/* Every rank. Writes a file of loops to options->output_given, or, with --validate, a row a loop to
   standard output. Returns 0; 1 where nothing was measured, or the file is off by more than the
   tolerance in the median; -1 with *error set, the same on every rank. */
int measure_loops(const struct options *options, int argc, char **argv, struct error *error);

#endif
