/* many-to-many of what does not lie together: the transposition of a matrix that p processors have
   by rows, w x w elements to each other (n = 8 w^2 bytes; what is left of n travels unturned). The
   program packs, MPI_Alltoall, the program unpacks. What it takes more than many-to-many is what a
   redistribution costs the processors themselves (R109, R318). */
#include "trainer/utilities.h"

#include <math.h>
#include <string.h>

enum { ELEMENT = sizeof(double), TILE = 8 };

/* The matrix stands behind the packed blocks. */
static int messages(int processors)
{
    return 2 * processors;
}

static size_t width(size_t elements)
{
    return (size_t)sqrt((double)elements);
}

static size_t end_of(size_t tile, size_t w)
{
    return tile + TILE < w ? tile + TILE : w;
}

/* Block q of the w rows, turned tile by tile, so that no line of memory is fetched twice. */
static void pack(const double *matrix, double *block, size_t w, size_t row)
{
    for (size_t top = 0; top < w; top += TILE)
        for (size_t left = 0; left < w; left += TILE)
            for (size_t i = top; i < end_of(top, w); i++)
                for (size_t j = left; j < end_of(left, w); j++)
                    block[j * w + i] = matrix[i * row + j];
}

static void unpack(double *matrix, const double *block, size_t w, size_t row)
{
    for (size_t i = 0; i < w; i++)
        memcpy(&matrix[i * row], &block[i * w], w * sizeof *matrix);
}

static void run(struct site *site, long times)
{
    const size_t elements = (size_t)site->bytes / ELEMENT, p = (size_t)site->processors;
    const size_t w = width(elements), row = w * p;
    double *const out = (double *)(void *)site->send, *const in = (double *)(void *)site->receive;
    for (long i = 0; i < times; i++) {
        for (size_t q = 0; q < p; q++)
            pack(&out[p * elements + q * w], &out[q * elements], w, row);
        MPI_Alltoall(out, site->bytes, MPI_BYTE, in, site->bytes, MPI_BYTE, site->comm);
        for (size_t q = 0; q < p; q++)
            unpack(&out[p * elements + q * w], &in[q * elements], w, row);
    }
}

const struct utility utility_many_to_many_packed = {
    .name = "many-to-many-packed",
    .does = "the same with blocks of a matrix, turned, packed and unpacked by the program",
    .suite = "express",
    .granule_bytes = ELEMENT,
    .empty_is_nothing = true,
    .uses_per_run = 1,
    .measures = MEASURES_COMPLETION,
    .across = ACROSS_MEAN,
    .messages = messages,
    .run = run,
};
