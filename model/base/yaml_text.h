/* The text of a YAML document, before it is parsed (yaml_in.h). */
#ifndef MODEL_BASE_YAML_TEXT_H
#define MODEL_BASE_YAML_TEXT_H

#include "model/base/error.h"

#include <stddef.h>

/* The bytes of a file as they are, for yaml_open_text: here or on another processor. Release *text
   with free(). */
int yaml_read_text(const char *path, char **text, size_t *bytes, struct error *error);

/* Empties the lines of a key of the outermost map and of its value below, so that they are not read
   and the places of all else stay; returns how many bytes are left. Where the value does not stand
   below its key, in lines that begin with a blank or a hyphen, the text stays as it is. */
size_t yaml_empty_key(char *text, size_t bytes, const char *key);

#endif
