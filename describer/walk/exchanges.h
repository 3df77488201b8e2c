/* Arrays that change places: pointers that a loop around segments exchanges stand for another array
   in each of its iterations. A segment that is described once for all of them holds only where
   these arrays lie alike. */
#ifndef DESCRIBER_WALK_EXCHANGES_H
#define DESCRIBER_WALK_EXCHANGES_H

#include "describer/walk/evaluate.h"

/* Notes what an iteration has made of a pointer, or of a pointer to a record, that it read as it
   began: `before` is what it was then, `to` the variable. */
void exchange_note(struct describer *describer, struct binding *binding,
                   const struct binding *before, const struct syntax *to, struct place place);

#endif
