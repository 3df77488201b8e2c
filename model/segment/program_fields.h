/* The keys of a segment description; program.h says what they mean. */
#ifndef MODEL_SEGMENT_PROGRAM_FIELDS_H
#define MODEL_SEGMENT_PROGRAM_FIELDS_H

#include "model/base/record.h"
#include "model/segment/program.h"

extern const struct record program_record;

/* The candidate of a program that has none: all processors, and nothing distributed, so that each
   does everything. */
void program_replicate(struct program *program);

#endif
