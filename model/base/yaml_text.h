/* The text of a YAML document, before it is parsed (yaml_in.h). */
#ifndef MODEL_BASE_YAML_TEXT_H
#define MODEL_BASE_YAML_TEXT_H

#include "model/base/error.h"

#include <stdbool.h>
#include <stddef.h>

/* The bytes of a file, or of standard input (input.h), as they are, for yaml_open_text: here or on
   another processor. Release *text with free(). */
int yaml_read_text(const char *path, char **text, size_t *bytes, struct error *error);

/* Empties the lines of a key of the outermost map and of its value below, so that they are not read
   and the places of all else stay; returns how many bytes are left. Where the value does not stand
   below its key, in lines that begin with a blank or a hyphen, the text stays as it is. */
size_t yaml_empty_key(char *text, size_t bytes, const char *key);

/* An item of a list of maps, as text. */
struct yaml_item_text {
    char word[100];   /* the value of its first key */
    const char *text; /* its lines, borrowed */
    size_t bytes;
};

/* The items of the list below a key of the outermost map, each of which begins with the line
   `begin`, "- utility: ", and one word. Returns how many there are, or 0 where one of them begins
   otherwise. Release *items with free(). */
size_t yaml_items_as_text(const char *text, size_t bytes, const char *list, const char *begin,
                          struct yaml_item_text **items);

#endif
