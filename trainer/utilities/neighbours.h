/* Processors on a line, on the squarest grid or in the most cubic box, without wrapping around, as
   arrays in blocks need them. */
#ifndef TRAINER_UTILITIES_NEIGHBOURS_H
#define TRAINER_UTILITIES_NEIGHBOURS_H

#include "model/cost/grid.h"
#include "trainer/utilities/utility.h"

enum { DIRECTIONS_MOST = GRID_DIRECTIONS_MOST };

/* One direction's neighbours; MPI_PROC_NULL at the rims. */
struct line {
    int position, below, above;
};

/* The lines through the processor along so many directions, the longest first; 1 <= directions <=
   DIRECTIONS_MOST. */
void neighbours_find(const struct site *site, int directions, struct line *lines);

#endif
