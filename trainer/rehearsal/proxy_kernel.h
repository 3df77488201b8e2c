/* The loops that stand in for a segment's statements on its busiest processor, with memory of the
   size that it has of each array. Knows no MPI. */
#ifndef TRAINER_REHEARSAL_PROXY_KERNEL_H
#define TRAINER_REHEARSAL_PROXY_KERNEL_H

#include "model/segment/traffic/analysis.h"
#include "trainer/rehearsal/element_walk.h"

/* One statement. */
struct proxy_kernel {
    struct walk walk;
    int pipeline;          /* of the segment's that it goes through; -1: none */
    int loops[LOOPS_MOST]; /* of the nest, in the walk's order */
    bool strips_inside;    /* the loop that the pipeline cuts into strips is the innermost here */
};

struct proxy_kernels {
    size_t count;
    struct proxy_kernel *items; /* in the order of the analysis' work; owned */
    size_t array_count;
    double **arrays; /* by number in the program, NULL: not touched; owned */
};

/* bytes_most: of all arrays together. Errors, at their place: arrays that are larger; bounds of
   loops. Release with proxy_kernels_free. */
int proxy_kernels_make(struct proxy_kernels *proxy_kernels, const struct subject *subject,
                       size_t segment, const struct layout *layout, const struct analysis *analysis,
                       double bytes_most, struct error *error);
void proxy_kernels_free(struct proxy_kernels *proxy_kernels);

#endif
