/* From C files to their segment description. */
#ifndef DESCRIBER_DESCRIBE_H
#define DESCRIBER_DESCRIBE_H

#include "describer/options.h"
#include "describer/source/arena.h"

#include <stdio.h>

/* Writes the description of the files into `out`, or with has_loops their innermost loops, and into
   `remarks` a line for each remark. Returns 0; or -1 with the error, and nothing is written. */
int describe_files(struct arena *arena, const struct options *options, FILE *out, FILE *remarks,
                   struct error *error);

#endif
