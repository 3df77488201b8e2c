/* All places where what is described refers to an array. */
#ifndef DESCRIBER_WRITE_REFERENCES_H
#define DESCRIBER_WRITE_REFERENCES_H

#include "describer/state/describer.h"

struct references {
    struct reference **items;
    int count, room;
};

/* Those of one array, in what is described. Release items with free(). */
void references_find(struct describer *describer, const struct array *array,
                     struct references *references);

/* flat.c: gives arrays whose subscripts are i*N + j and the like the dimensions that these mean. */
void flat_unfold(struct describer *describer);

/* records.c: arrays of records all of whose members are used have records as elements. */
void records_join(struct describer *describer);

#endif
