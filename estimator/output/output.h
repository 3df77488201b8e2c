/* Where a command's text goes. */
#ifndef ESTIMATOR_OUTPUT_OUTPUT_H
#define ESTIMATOR_OUTPUT_OUTPUT_H

#include "model/base/error.h"

/* Writes the whole text to a file of that path, or to standard output where path is NULL. */
int output_save(const char *text, const char *path, struct error *error);

/* An error where no file of that path can be written, because of its folder or what stands there.
 */
int output_check(const char *path, struct error *error);

/* Prints a text of a table or a description: one line, and nothing that a terminal obeys. */
void output_named(const char *text);

#endif
