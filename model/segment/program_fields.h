/* The keys of a segment description; program.h says what they mean. */
#ifndef MODEL_SEGMENT_PROGRAM_FIELDS_H
#define MODEL_SEGMENT_PROGRAM_FIELDS_H

#include "model/base/record.h"

extern const struct record program_record;

#endif
