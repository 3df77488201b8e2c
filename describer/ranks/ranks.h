/* Who sends how many bytes to whom, of an MPI program: found by running it on paper with a few
   numbers of processes (run.h), and told as calls whose number is a law in p. */
#ifndef DESCRIBER_RANKS_RANKS_H
#define DESCRIBER_RANKS_RANKS_H

#include "describer/state/describer.h"

#include <stdio.h>

/* Puts the calls of each segment right, where the walk did not see them as the processes make
   them; notes an error where they are not certain. */
void ranks_settle(struct describer *describer);

/* Writes what each of p processes sends, as CSV: messages, bytes, partners, collective operations
   and the bytes that it gives in them. */
void ranks_write(struct describer *describer, int p, FILE *out);

#endif
