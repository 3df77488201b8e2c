/* All experiments with swaps, a row each, in the CSV file beside a machine table (NAME.swap.csv):
   the table has their summaries (micro/swap_summary.h). */
#ifndef MODEL_MACHINE_SWAP_ROWS_H
#define MODEL_MACHINE_SWAP_ROWS_H

#include "model/base/file_out.h"
#include "model/machine/machine.h"

/* How such a file begins. */
extern const char swap_rows_begin[];

/* The name of the file beside the table at that path; to be freed. */
char *swap_rows_path(const char *table);

/* Fills machine->swap_rows, where they are not there yet, with those of the file beside the table
   that the machine was read from. Where there is no file, none are there afterwards. An error where
   the file is wrong, or has another number of rows than the table tells of. */
int swap_rows_read(struct machine *machine, struct error *error);

/* Writes machine->swap_rows as a file, which takes the place of an older one when it is complete
   and on the disk. */
int swap_rows_save(const struct machine *machine, const char *path, struct error *error);

/* The same up to the file's last step: end with file_out_keep, file_out_keep_both or file_out_drop.
 */
int swap_rows_put(const struct machine *machine, struct file_out *out, const char *path,
                  struct error *error);

#endif
