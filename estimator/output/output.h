/* Where a command's text goes. */
#ifndef ESTIMATOR_OUTPUT_OUTPUT_H
#define ESTIMATOR_OUTPUT_OUTPUT_H

#include "model/base/error.h"

#include <stddef.h>

/* Writes the whole text to a file of that path (file_out.h), or to standard output where path is
   NULL. A device or a pipe that stands there is written to. */
int output_save(const char *text, const char *path, struct error *error);

/* The same of so many bytes, such as a picture's. */
int output_save_bytes(const char *text, size_t bytes, const char *path, struct error *error);

/* An error where no file of that path can be written, because of its folder or what stands there.
 */
int output_check(const char *path, struct error *error);

/* Prints a text of a table or a description: one line, and nothing that a terminal obeys. */
void output_named(const char *text);

#endif
