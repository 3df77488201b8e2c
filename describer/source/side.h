/* Side files: directives beside the source instead of in it. */
#ifndef DESCRIBER_SOURCE_SIDE_H
#define DESCRIBER_SOURCE_SIDE_H

#include "describer/source/directive.h"

/* Adds the directives of the file, one a line, which may go on behind a backslash; "#" begins a
   comment. Where one belongs before a statement, it says so: `at LINE`, `at FILE:LINE`, or
   `at FUNCTION` for all of a function, `at FUNCTION:2` for its second loop. Errors: as of
   directives, and places that there are not. */
int side_read(struct arena *arena, const char *path, const struct source *source,
              struct directives *directives, struct error *error);

#endif
