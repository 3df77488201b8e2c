/* Which of the names of a description are ever used. */
#ifndef MODEL_SEGMENT_PROGRAM_PROGRAM_USAGE_H
#define MODEL_SEGMENT_PROGRAM_PROGRAM_USAGE_H

#include "model/segment/program/program.h"

/* In the program's order; owned. An array is used where a statement refers to it, or where one that
   is used is aligned to it. */
struct program_usage {
    bool *parameters, *let, *arrays;
};

/* Release with program_usage_free. */
struct program_usage program_usage_of(const struct program *program);
void program_usage_free(struct program_usage *usage);

#endif
