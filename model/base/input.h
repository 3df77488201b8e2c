/* Where files are read from: a path, or "-" for standard input. */
#ifndef MODEL_BASE_INPUT_H
#define MODEL_BASE_INPUT_H

#include <stdbool.h>
#include <stdio.h>

bool input_is_standard(const char *path);

/* What messages call it: the path, or "<stdin>". Borrowed. */
const char *input_name(const char *path);

/* NULL where it cannot be opened: errno says why. Pipes give what they hold once: whoever needs it
   twice keeps it. */
FILE *input_begin(const char *path);

/* NULL is allowed. */
void input_end(FILE *stream);

#endif
