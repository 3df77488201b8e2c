/* Random small descriptions of a factorisation: steps whose ranges shrink, and whose row and column
   go to everybody. */
#ifndef TEST_ENUMERATED_RANDOM_ELIMINATION_H
#define TEST_ENUMERATED_RANDOM_ELIMINATION_H

#include <gsl/gsl_rng.h>

/* Writes one to the path; returns for how many processors it is. */
int random_elimination_write(gsl_rng *random, const char *path);

#endif
