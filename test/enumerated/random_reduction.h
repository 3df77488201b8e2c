/* Random small descriptions with a reduction: within a loop or not, read within it or not. */
#ifndef TEST_ENUMERATED_RANDOM_REDUCTION_H
#define TEST_ENUMERATED_RANDOM_REDUCTION_H

#include <gsl/gsl_rng.h>

/* Writes one to the path; returns for how many processors it is. */
int random_reduction_write(gsl_rng *random, const char *path);

#endif
