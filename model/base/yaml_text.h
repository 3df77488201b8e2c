/* The text of a YAML document, before it is parsed (yaml_in.h). */
#ifndef MODEL_BASE_YAML_TEXT_H
#define MODEL_BASE_YAML_TEXT_H

#include "model/base/error.h"

#include <stdbool.h>
#include <stddef.h>

/* The bytes of a file as they are, for yaml_open_text: here or on another processor. Release *text
   with free(). */
int yaml_read_text(const char *path, char **text, size_t *bytes, struct error *error);

/* Empties the lines of a key of the outermost map and of its value below, so that they are not read
   and the places of all else stay; returns how many bytes are left. Where the value does not stand
   below its key, in lines that begin with a blank or a hyphen, the text stays as it is. */
size_t yaml_empty_key(char *text, size_t bytes, const char *key);

/* Items of a list of maps: how the line begins that an item begins with, "- utility: ", and which
   of the words that follow are those of items to be kept. */
struct yaml_items {
    const char *begin;
    bool (*keeps)(const char *word);
};

/* Empties in the same way the items that are not kept of the list below a key of the outermost map.
   An item whose first line is another one, or has more than the word, stays. */
size_t yaml_empty_items(char *text, size_t bytes, const char *list, const struct yaml_items *which);

#endif
