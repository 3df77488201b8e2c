/* All places where what is described refers to an array. */
#ifndef DESCRIBER_REFERENCES_H
#define DESCRIBER_REFERENCES_H

#include "describer/describer.h"

struct references {
    struct reference **items;
    int count, room;
};

/* Those of one array, in what is described. Release items with free(). */
void references_find(struct describer *describer, const struct array *array,
                     struct references *references);

/* flat.c: gives arrays whose subscripts are i*N + j and the like the dimensions that these mean. */
void flat_unfold(struct describer *describer);

#endif
