/* Where in a program's source the values of its description stand: what its keys `at` and `places`
   say of the values within them. */
#ifndef MODEL_SEGMENT_PROGRAM_ORIGINS_H
#define MODEL_SEGMENT_PROGRAM_ORIGINS_H

#include "model/records/yaml_in.h"

#include <stdbool.h>

struct origins;

/* Of all values of a document. NULL where none has an origin. Release with origins_free. */
struct origins *origins_make(struct yaml_node root);

/* NULL is allowed. */
void origins_free(struct origins *origins);

/* Into *source, which borrows its file, where the value at a place of the document stands in the
   source; its column is 0. False where that is not told, as where origins is NULL. */
bool origins_find(const struct origins *origins, struct place place, struct place *source);

/* Adds the origin of the value at a place, where it is told, to a list in text, "heat.c:12,
   heat.c:14", unless it is there or has no room. */
void origins_list(const struct origins *origins, struct place place, char *text, size_t size);

/* Read the keys `at` and `places`, of which nothing but the origins is kept: errors where one is
   no FILE:LINE. */
int origins_check_at(struct yaml_node value, void *member, struct error *error);
int origins_check_places(struct yaml_node value, void *member, struct error *error);

#endif
