/* many-to-many of what does not lie together: the transposition of a matrix that p processors have
   by rows, a block for each other. The program packs, MPI_Alltoall, the program unpacks. What it
   takes more than many-to-many is what a redistribution costs the processors themselves.

   A turned row is whole lines of memory. Where it is not, about as many elements take up to 45 %
   longer, so that the time of square blocks goes up and down with their width. */
#include "trainer/utilities/many_to_many_packed.h"

#include "trainer/utilities/utilities.h"

#include <math.h>
#include <string.h>

enum { ELEMENT = sizeof(double), TILE = 8 };

/* The matrix stands behind the packed blocks. */
static int messages(int processors)
{
    return 2 * processors;
}

struct turned_block turned_block_of(size_t elements)
{
    const size_t tiles = (size_t)round(sqrt((double)elements) / TILE);
    const size_t whole = tiles > 1 ? TILE * tiles : TILE;
    const size_t rows = elements < whole ? elements : whole;
    return (struct turned_block){rows, elements / rows, elements % rows};
}

static size_t end_of(size_t tile, size_t size)
{
    return tile + TILE < size ? tile + TILE : size;
}

/* Turned tile by tile, so that no line of memory is fetched twice; `row`: elements of the matrix.
 */
static void turn(const double *matrix, double *packed, const struct turned_block *block, size_t row)
{
    for (size_t top = 0; top < block->rows; top += TILE)
        for (size_t left = 0; left < block->columns; left += TILE)
            for (size_t i = top; i < end_of(top, block->rows); i++)
                for (size_t j = left; j < end_of(left, block->columns); j++)
                    packed[j * block->rows + i] = matrix[i * row + j];
}

static void lay(double *matrix, const double *packed, const struct turned_block *block, size_t row)
{
    for (size_t j = 0; j < block->columns; j++)
        memcpy(&matrix[j * row], &packed[j * block->rows], block->rows * sizeof *matrix);
}

static void pack(const double *matrix, double *packed, const struct turned_block *block, size_t p)
{
    const size_t turned = block->rows * block->columns, all = turned + block->left;
    for (size_t q = 0; q < p; q++) {
        turn(&matrix[q * block->columns], &packed[q * all], block, p * block->columns);
        memcpy(&packed[q * all + turned], &matrix[p * turned + q * block->left],
               block->left * sizeof *matrix);
    }
}

static void unpack(double *matrix, const double *packed, const struct turned_block *block, size_t p)
{
    const size_t turned = block->rows * block->columns, all = turned + block->left;
    for (size_t q = 0; q < p; q++) {
        lay(&matrix[q * block->rows], &packed[q * all], block, p * block->rows);
        memcpy(&matrix[p * turned + q * block->left], &packed[q * all + turned],
               block->left * sizeof *matrix);
    }
}

static void run(struct site *site, long times)
{
    const size_t elements = (size_t)site->bytes / ELEMENT, p = (size_t)site->processors;
    const struct turned_block block = turned_block_of(elements);
    double *const out = (double *)(void *)site->send, *const in = (double *)(void *)site->receive;
    for (long i = 0; i < times; i++) {
        pack(&out[p * elements], out, &block, p);
        MPI_Alltoall(out, site->bytes, MPI_BYTE, in, site->bytes, MPI_BYTE, site->comm);
        unpack(&out[p * elements], in, &block, p);
    }
}

const struct utility utility_many_to_many_packed = {
    .pattern = &pattern_many_to_many_packed,
    .does = "the same with blocks of a matrix, turned, packed and unpacked by the program",
    .suite = "express",
    .granule_bytes = ELEMENT,
    .empty_is_nothing = true,
    .uses_per_run = 1,
    .measures = MEASURES_COMPLETION,
    .across = ACROSS_MEAN,
    .piles_up = 1,
    .messages = messages,
    .run = run,
};
