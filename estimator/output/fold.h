/* Lines that fit a terminal. */
#ifndef ESTIMATOR_OUTPUT_FOLD_H
#define ESTIMATOR_OUTPUT_FOLD_H

#include <stdio.h>

/* A stream that folds each line at blanks, so that it has at most so many columns, and writes it to
   the stream `to`, which stays open. Where a line is indented, what is folded of it is
   indented by two more. A word longer than a line is not cut. NULL: there is no memory. The caller
   closes it, which writes what is left of the last line. */
FILE *fold_new(FILE *to, size_t columns);

#endif
