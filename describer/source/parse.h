/* C files to syntax (syntax.h): the only door to libclang. */
#ifndef DESCRIBER_SOURCE_PARSE_H
#define DESCRIBER_SOURCE_PARSE_H

#include "describer/source/arena.h"
#include "describer/source/syntax.h"

/* Reads the files, all with the same compiler flags. Errors: what the compiler refuses, as it says
   it. What is not told apart in syntax.h is SYNTAX_OTHER with the compiler's name for it. */
int parse_files(struct arena *arena, const char *const *files, int file_count,
                const char *const *flags, int flag_count, struct source *source,
                struct error *error);

#endif
