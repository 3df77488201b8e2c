/* A grid of elements in blocks, each with a frame of one element around it: what a stencil needs.
   Always three dimensions; a grid of two has an extent of 1 along the first. */
#ifndef SAMPLES_FRAME_H
#define SAMPLES_FRAME_H

#include "samples/harness.h"

struct frame {
    MPI_Comm comm; /* a cartesian grid of processors */
    int extent[3], where[3];
    struct share share[3];  /* this processor's part */
    int below[3], above[3]; /* neighbours along each dimension, or MPI_PROC_NULL */
    MPI_Datatype face[3];   /* of the part, across each dimension */
};

/* Ends the program where a processor would have nothing. Release with frame_free. */
void frame_make(struct frame *frame, const struct harness *harness, const int extent[3],
                const int grid[3]);
void frame_free(struct frame *frame);

/* Zeroed memory of the part and its frame. */
double *frame_memory(const struct frame *frame);

/* Where an element is in that memory; the part begins at 0, the frame at -1. */
int frame_at(const struct frame *frame, int i, int j, int k);

/* The elements of the part along a dimension that are not on the rim of the whole. */
struct share frame_inside(const struct frame *frame, int dimension);

/* Fills the frame, without its corners, with what the neighbours have. */
void frame_exchange(const struct frame *frame, double *u);

#endif
