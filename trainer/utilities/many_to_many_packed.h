/* The block of a matrix that one processor has for another in many-to-many-packed. */
#ifndef TRAINER_UTILITIES_MANY_TO_MANY_PACKED_H
#define TRAINER_UTILITIES_MANY_TO_MANY_PACKED_H

#include <stddef.h>

/* Before it is turned: rows x columns elements of 8 bytes, and so many more that are left of the
   message, fewer than a column, which are packed as they lie. A rank has a row of blocks, block by
   block beside one another, and behind it what is left, for one processor after the other. */
struct turned_block {
    size_t rows, columns, left;
};

/* Of that many elements, at least 1: about a square, and from 8 elements on whole lines of 64 bytes
   when turned. */
struct turned_block turned_block_of(size_t elements);

#endif
