/* Recordings of one program in, its segment description out. */
#ifndef RECORDING_DESCRIPTION_H
#define RECORDING_DESCRIPTION_H

#include "recording/recording.h"

struct description_options {
    const char *machine;            /* on which they were made; NULL: not told */
    double memory_mb_per_s, mflops; /* of one of its processors; NAN: not told */
};

/* The description as YAML: release *text with free(). What it is made of is told on the stream
   `said`: laws, ties, what is not understood. Errors: recordings of different parameters, or of
   nothing. */
int description_make(const struct recording *recordings, size_t count,
                     const struct description_options *options, char **text, size_t *bytes,
                     FILE *said, struct error *error);

#endif
