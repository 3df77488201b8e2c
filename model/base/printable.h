/* Text from files, as a terminal may be given it: one line, and nothing that a terminal obeys. */
#ifndef MODEL_BASE_PRINTABLE_H
#define MODEL_BASE_PRINTABLE_H

#include <stddef.h>
#include <stdint.h>

/* The character that the text begins with, and its length in bytes; 0: it is not UTF-8, and
 *character is the byte. Not at the end of a text. */
size_t utf8_decode(const char *text, uint32_t *character);

/* Copies text into copy, which holds size >= 1 bytes, cut off where it does not fit. UTF-8 stays
   as it is, but for what is written as \x1b: control characters, those that change the direction
   of writing, and bytes that are not UTF-8. Returns copy. */
char *printable_copy(char *copy, size_t size, const char *text);

/* The same with all of the text, into new memory, to be released with free(); NULL gives NULL. */
char *printable(const char *text);

#endif
