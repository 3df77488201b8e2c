/* What must hold of a segment description beyond its syntax, whatever its parameters are: names
   that there are, expressions and distributions that can be read, dimensions that agree. */
#ifndef MODEL_SEGMENT_PROGRAM_PROGRAM_CHECK_H
#define MODEL_SEGMENT_PROGRAM_PROGRAM_CHECK_H

#include "model/segment/program/program.h"

/* Everything that can be found wrong before anything has a value. Notes which parameters depend on
   the processor count. Errors are at their place. */
int program_check(struct program *program, struct error *error);

/* The part of it that is about names: every expression of parameters, arrays, candidates and bodies
   is one, over names that stand before it. What references say is left to reference.h. */
int program_check_names(struct program *program, struct error *error);

#endif
