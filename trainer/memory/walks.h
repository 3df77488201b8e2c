/* What a line costs in walks with a stride of several lines, as along a column of a matrix that
   lies by rows: loads, stores, and stores with another one behind each that the nearest cache
   holds. */
#ifndef TRAINER_MEMORY_WALKS_H
#define TRAINER_MEMORY_WALKS_H

#include "model/node/memory.h"
#include "trainer/caches/backend.h"

enum { STRIDES_MOST = 16 };

/* Fills strides, in lines, ascending: the powers of two up to so many lines, after which sets begin
   anew or a page ends, each of which reaches half as many sets as the one before; and one that
   reaches them all and is not the next line. Other strides reach as many as one of these
   (model/node/strided.h). Returns how many. */
size_t walks_strides(double period_lines, double strides[STRIDES_MOST]);

/* The memory's walks, instead of those it has: one of each stride (walks_strides of period_lines)
   through every level but the nearest, from which no line is fetched; nothing measured yet. */
void walks_begin(struct memory *memory, double period_lines);

/* Measures the walks, which have their strides, through an array of so many bytes, and keeps of
   each time what is less: to be called at several moments, of which a disturbed one must not count.
   in_caches: whether they hold an array of that size, so that all of it is gone through first.
   Walks of which the array has no 8 strides, or for which there is too little memory, stay as they
   are. */
void walks_measure(const struct backend *backend, double bytes, double line_bytes, bool in_caches,
                   struct strided_lines *walks, size_t count);

#endif
