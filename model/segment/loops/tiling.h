/* Tiles: a loop over tiles with one inside over the elements of a tile goes through what one loop
   over all elements does, in the same order along that index. */
#ifndef MODEL_SEGMENT_LOOPS_TILING_H
#define MODEL_SEGMENT_LOOPS_TILING_H

#include "model/records/record.h"

/* Makes the loops over elements go through all tiles, and those over tiles go round once, in the
   nests of instances within whose tiles no message is sent: what moves and who computes it is then
   told without going through the tiles. */
void tiling_undo(struct list *instances);

#endif
