/* Random small descriptions of a statement that reads neighbours of what it writes: pipelines,
   wavefronts, neighbours' old values. */
#ifndef TEST_ENUMERATED_RANDOM_SWEEP_H
#define TEST_ENUMERATED_RANDOM_SWEEP_H

#include <gsl/gsl_rng.h>

/* Writes one to the path; returns for how many processors it is. */
int random_sweep_write(gsl_rng *random, const char *path);

#endif
