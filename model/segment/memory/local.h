/* The part of a program's loops that the busiest processor runs, and the part of the arrays that it
   has: for what one processor's memory sees. */
#ifndef MODEL_SEGMENT_MEMORY_LOCAL_H
#define MODEL_SEGMENT_MEMORY_LOCAL_H

#include "model/segment/loops/instance.h"
#include "model/segment/memory/loops.h"
#include "model/segment/program/layout.h"

/* The share of an array that a processor has; and along its first and its last dimension, one of
   which its rows run along. */
struct array_share {
    double all, first, last;
};
struct array_share array_share(const struct array_layout *array);

/* How often a statement's nest runs each of its loops, in all and on the processor that runs it the
   most, into all and mine (of LOOPS_MOST). Errors are those of bounds. */
int loops_trips(const struct instance *instance, const struct program *program,
                const struct layout *layout, double *all, double *mine, struct error *error);

/* Shrinks the loops and arrays of a segment's node to one processor's share under a layout.
   instances: the segment's. Errors are those of bounds. */
int loops_localise(struct loop_node *segment, const struct list *instances,
                   const struct program *program, const struct layout *layout, struct error *error);

#endif
