/* Texts as JSON writes them. */
#ifndef ESTIMATOR_OUTPUT_JSON_H
#define ESTIMATOR_OUTPUT_JSON_H

#include <stdio.h>

/* Writes the text in quotes, or null where it is NULL. The text is UTF-8. */
void json_text(FILE *stream, const char *text);

#endif
