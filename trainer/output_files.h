/* The files of a table, which take the place of those that are there together. Of output.c alone.
 */
#ifndef TRAINER_OUTPUT_FILES_H
#define TRAINER_OUTPUT_FILES_H

#include "trainer/output.h"

/* The name of the file that waits, complete and on the disk, to take the place of the one at path;
   to be freed. That of the table is there last and goes last, and so says how far it has come. */
char *output_next_of(const char *path);

/* Brings a replacement to its end that was cut off: all or none, the next table being complete as
   soon as it has its name. */
void output_finish_earlier(const struct output *output);

/* Writes the machine, its swaps and its points, those of the list or, where that is NULL, of the
   file at points_path, and lets them take the place of what is there, all or none. */
int output_replace(const struct output *output, const struct machine *machine,
                   const char *points_path, const struct list *points, struct error *error);

#endif
