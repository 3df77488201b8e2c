/* The describer: found, run without a shell, read through pipes. It ends with who runs it. */
#ifndef FORECAST_SOURCE_DESCRIBER_H
#define FORECAST_SOURCE_DESCRIBER_H

#include "model/base/error.h"
#include "model/code/words.h"

#include <stdio.h>

enum { DESCRIBER_SECONDS_MOST = 60 };

/* Runs it with those words; what it writes is in *text, to be released with free(), all or nothing.
   Its error lines go to the stream `said`. Errors, about the program of that name: there is none;
   it cannot be started, fails, writes too much or takes longer than DESCRIBER_SECONDS_MOST. */
int describer_run(const struct words *words, const char *name, char **text, size_t *bytes,
                  FILE *said, struct error *error);

#endif
