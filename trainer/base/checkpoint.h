/* What a calibration has done so far, in files beside its table, so that a later one can go on from
   there: TABLE.unfinished.yaml, a machine table itself, its points, TABLE.unfinished.points.csv,
   and where swaps were measured those, TABLE.unfinished.swap.csv. The files of before are not
   touched.
 */
#ifndef TRAINER_BASE_CHECKPOINT_H
#define TRAINER_BASE_CHECKPOINT_H

#include "model/machine/machine.h"

#include <stdbool.h>
#include <stdio.h>

/* After a part: everything in *machine, its swaps, and all points up to here, belong to the first
   `parts` parts. An error changes nothing that was there before. */
int checkpoint_save(struct machine *machine, const char *table, int parts, FILE *points_csv,
                    struct error *error);

/* Reads what a calibration of `now`, a machine of the present one's provenance, has left. An error
   where there is none, or where it was begun with other options, processors or on another kind of
   processor. On success release with machine_free. */
int checkpoint_read(struct machine *machine, const char *table, const struct machine *now,
                    struct error *error);

/* Whether an earlier calibration has left something to go on from. */
bool checkpoint_is_there(const char *table);

/* The names of the files, to be freed: "this.unfinished.yaml" for "this.yaml", and
   "this.unfinished.points.csv" and "this.unfinished.swap.csv". */
char *checkpoint_path(const char *table);
char *checkpoint_points_path(const char *table);
char *checkpoint_swap_path(const char *table);

/* The points as they are measured. Of a new calibration (before is NULL): a file with its header
   alone; what an earlier one left undone is gone with its points. Of one that goes on: cut to those
   that belong to *before; NULL, and nothing is changed, where they are not all there. To be closed
   with fclose. */
FILE *checkpoint_points(const char *table, const struct unfinished *before, struct error *error);

/* Nothing is left to do: all files go. */
void checkpoint_remove(const char *table);

#endif
