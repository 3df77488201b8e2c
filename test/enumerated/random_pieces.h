/* Random segments of several statements between which nobody may have to wait: pieces of a loop,
   halves of a triangle, statements of one body with homes of their own. */
#ifndef TEST_ENUMERATED_RANDOM_PIECES_H
#define TEST_ENUMERATED_RANDOM_PIECES_H

#include <gsl/gsl_rng.h>

/* Writes one; returns for how many processors. */
int random_pieces_write(gsl_rng *random, const char *path);

#endif
