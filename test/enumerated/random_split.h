/* Random loops, whole and split at indices: the same iterations in one statement and in several. */
#ifndef TEST_ENUMERATED_RANDOM_SPLIT_H
#define TEST_ENUMERATED_RANDOM_SPLIT_H

#include <gsl/gsl_rng.h>

/* Writes the loop whole to one path and split to the other; returns for how many processors. */
int random_split_write(gsl_rng *random, const char *whole, const char *split);

#endif
