/* The text of a YAML document, before it is parsed (yaml_in.h). */
#ifndef MODEL_RECORDS_YAML_TEXT_H
#define MODEL_RECORDS_YAML_TEXT_H

#include "model/base/error.h"

#include <stddef.h>

/* The bytes of a file, or of standard input (input.h), as they are, for yaml_open_text: here or on
   another processor. Release *text with free(). */
int yaml_read_text(const char *path, char **text, size_t *bytes, struct error *error);

#endif
