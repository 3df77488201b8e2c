/* Tiles: a loop over tiles with one inside over the elements of a tile goes through what one loop
   over all elements does, in the same order along that index. */
#ifndef MODEL_SEGMENT_LOOPS_TILING_H
#define MODEL_SEGMENT_LOOPS_TILING_H

#include "model/records/record.h"

/* Makes the loops over elements go through all tiles, and those over tiles go round once. Before
   dependences are placed: where nothing stands between the two loops, which are the same as one
   then. After that: in the nests of instances within whose tiles no message is sent. What moves and
   who computes it is told without going through the tiles, however the elements are counted. */
void tiling_undo(struct list *instances, bool are_placed);

#endif
