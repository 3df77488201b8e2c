/* Texts as JSON writes them. */
#ifndef ESTIMATOR_OUTPUT_JSON_H
#define ESTIMATOR_OUTPUT_JSON_H

#include <stdio.h>

/* Writes the text in quotes, or null where it is NULL. The text is UTF-8. */
void json_text(FILE *stream, const char *text);

/* Writes a number with six significant digits, or null where it is not finite. */
void json_number(FILE *stream, double value);

#endif
