/* Shifts (rules D3, D4, D9): reads of an array that lies as the statement's home does, at constant
   offsets along distributed dimensions. Neighbours exchange boundaries, one message a neighbour and
   grid dimension, its width the union of the offsets; corners travel with extended faces, dimension
   by dimension. */
#ifndef MODEL_SEGMENT_SHIFT_H
#define MODEL_SEGMENT_SHIFT_H

#include "model/segment/analysis.h"
#include "model/segment/home.h"

enum { READS_MOST = 32 };

/* The reads of one array in one statement. */
struct reads {
    const struct array *array;
    size_t count;
    const struct reference *references[READS_MOST];
};

/* Appends a demand for every grid dimension along which something is needed. Errors: a reference
   from which no shift can be derived. */
int shift_derive(struct list *demands, const struct reads *reads, const struct home *home,
                 const struct nest *nest, const struct layout *layout,
                 const struct program *program, struct error *error);

#endif
