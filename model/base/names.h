/* Names in messages: the one that was meant, and all that there are. */
#ifndef MODEL_BASE_NAMES_H
#define MODEL_BASE_NAMES_H

#include <stddef.h>

/* The name in known that is nearest to the word, or NULL when none is near; known ends with NULL.
   For messages: "unknown key 'regoins': did you mean 'regions'?" */
const char *nearest_name(const char *word, const char *const *known);

/* Room for a list of names in the text of an error, beside what else the error says. */
enum { NAMES_TEXT = 300 };

/* "a, b, c", of names up to the NULL at their end, those that are empty left out; where not all of
   them have room "a, b ... and 7 more". What is longer than 60 bytes is cut. Returns text. */
const char *names_listed(char text[NAMES_TEXT], const char *const *names);

#endif
