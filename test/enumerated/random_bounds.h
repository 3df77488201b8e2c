/* Random nests whose inner loop has bounds that are not affine in the outer index. */
#ifndef TEST_ENUMERATED_RANDOM_BOUNDS_H
#define TEST_ENUMERATED_RANDOM_BOUNDS_H

#include <gsl/gsl_rng.h>

/* Writes a description to path; returns for how many processors it is. */
int random_bounds_write(gsl_rng *random, const char *path);

#endif
