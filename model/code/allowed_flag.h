/* Which flags of code a compiler may be given on the word of a file. */
#ifndef MODEL_CODE_ALLOWED_FLAG_H
#define MODEL_CODE_ALLOWED_FLAG_H

#include <stdbool.h>

/* Whether a word says nothing but how code is made: a level of optimisation, or one of -f and -m
   known by its name. Others name files that are run or written (-fplugin=, -fdump-..., -mllvm), or
   may in some compiler. */
bool allowed_flag(const char *word);

#endif
