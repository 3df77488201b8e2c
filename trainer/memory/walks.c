#include "trainer/memory/walks.h"

#include <math.h>
#include <stdlib.h>

/* Odd, so that it reaches all sets, and far enough for no neighbour to be fetched with a line. */
static const double odd_stride = 17.0;

/* By eights of strides, as sweeps go. */
enum { STRIDES_A_BLOCK = 8 };

/* A sample is long against the reading of the clock; all samples of an array that no cache holds
   touch a tenth of it at most, so that they hardly ever meet lines of one another. */
enum { SAMPLES = 7, ACCESSES = 2048 };

enum kind { LOADS, STORES, STORES_IN_TURN, KINDS };

static int ascending(const void *a, const void *b)
{
    const double one = *(const double *)a, other = *(const double *)b;
    return (one > other) - (one < other);
}

/* The middle: stores in turn have two speeds, and the faster one only now and then. */
static double middle(double *samples)
{
    qsort(samples, SAMPLES, sizeof *samples, ascending);
    return samples[SAMPLES / 2];
}

/* The share of the array at which the walk with that number begins: all lie apart (the golden
   section's multiples). */
static double beginning(size_t number)
{
    static const double golden = 0.6180339887498949;
    return fmod((double)(number + 1) * golden, 1.0);
}

/* Column after column of lines, from a block of strides and a column of its own on. */
static struct sweep sweep_of(enum kind kind, double bytes, size_t line_bytes, double stride_lines,
                             size_t number)
{
    const size_t stride = (size_t)stride_lines * line_bytes;
    const size_t block = STRIDES_A_BLOCK * stride, blocks = (size_t)bytes / block;
    const double share = beginning(number);
    const size_t first = (size_t)(share * (double)blocks), column = (size_t)(share * stride_lines);
    return (struct sweep){.stores = kind != LOADS,
                          .in_turn = kind == STORES_IN_TURN,
                          .bytes = blocks * block,
                          .stride_bytes = stride,
                          .shift_bytes = line_bytes,
                          .at = first * block + column * line_bytes};
}

static double line_cycles(const struct backend *backend, struct sweep *sweep, bool in_caches)
{
    double samples[SAMPLES];
    const size_t lines = sweep->bytes / sweep->shift_bytes;
    backend->sweep(backend->state, sweep, in_caches ? lines : ACCESSES);
    for (int i = 0; i < SAMPLES; i++)
        samples[i] = backend->sweep(backend->state, sweep, ACCESSES);
    return middle(samples);
}

size_t walks_strides(double period_lines, double strides[STRIDES_MOST])
{
    size_t count = 0;
    for (double lines = 2.0; lines <= period_lines && count + 2 <= STRIDES_MOST; lines *= 2.0) {
        if (lines > odd_stride && lines < 2.0 * odd_stride)
            strides[count++] = odd_stride;
        strides[count++] = lines;
    }
    if (count == 0 || strides[count - 1] < odd_stride)
        strides[count++] = odd_stride;
    return count;
}

void walks_begin(struct memory *memory, double period_lines)
{
    const struct memory_level *levels = memory->levels.items;
    double strides[STRIDES_MOST];
    const size_t count = walks_strides(period_lines, strides);
    list_free(&strided_lines_record, &memory->strided);
    for (size_t i = 1; i < memory->levels.count; i++)
        for (size_t k = 0; k < count; k++) {
            struct strided_lines *walk = list_add(&strided_lines_record, &memory->strided);
            walk->level = levels[i].level;
            walk->stride_lines = strides[k];
        }
}

void walks_measure(const struct backend *backend, double bytes, double line_bytes, bool in_caches,
                   struct strided_lines *walks, size_t count)
{
    if (!backend->enlarge(backend->state, (size_t)bytes))
        return;
    for (size_t i = 0; i < count; i++) {
        double *cycles[KINDS] = {&walks[i].load_line_cycles, &walks[i].store_line_cycles,
                                 &walks[i].store_in_turn_line_cycles};
        if (bytes < STRIDES_A_BLOCK * walks[i].stride_lines * line_bytes)
            continue;
        for (int kind = 0; kind < KINDS; kind++) {
            struct sweep sweep = sweep_of(kind, bytes, (size_t)line_bytes, walks[i].stride_lines,
                                          KINDS * i + (size_t)kind);
            *cycles[kind] = fmin(*cycles[kind], line_cycles(backend, &sweep, in_caches));
        }
    }
}
