/* What stands in a source file. */
#ifndef DESCRIBER_STATE_SOURCE_TEXT_H
#define DESCRIBER_STATE_SOURCE_TEXT_H

#include "describer/state/describer.h"

/* The bytes from begin to end of a source file, by its number; "" where they cannot be read. */
const char *source_text(struct describer *describer, int file, size_t begin, size_t end);

/* The text of a loop to its end, which is a semicolon or a brace. */
const char *source_statement(struct describer *describer, const struct syntax *loop);

#endif
