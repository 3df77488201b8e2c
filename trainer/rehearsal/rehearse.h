/* Runs a described segment without its program: communication as it is derived, with buffers of its
   own, and loops that stand in for the statements; so that a description can be measured and its
   prediction scored. */
#ifndef TRAINER_REHEARSAL_REHEARSE_H
#define TRAINER_REHEARSAL_REHEARSE_H

#include "trainer/base/options.h"

/* Every rank. Writes a row a segment and candidate, CSV, to options->output_given or standard
   output. Returns 0; 1 where a message arrived wrong; -1 with *error set on an error, the same on
   every rank. */
int rehearse(const struct options *options, bool simulated, struct error *error);

#endif
