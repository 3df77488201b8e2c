/* Chains as compilers make them, where a bound has the least that there can be. */
#ifndef FORECAST_PREDICT_COMPILED_CHAINS_H
#define FORECAST_PREDICT_COMPILED_CHAINS_H

#include "model/node/node.h"
#include "model/segment/memory/loops.h"

/* Whether it is the compiler's choice if a chain of the leaf goes through memory: where one that
   cannot tell arrays apart must expect other stores to change what is summed up, and along columns;
   not on a node of which nobody knows what compiled loops reach, or what memory takes. */
bool compiled_chains_in_memory(const struct leaf *leaf, const struct node *node);

/* Makes the chains of the leaf's statements as long as compiled ones: of a sum of products
   additions alone wait, where the node's compiled loops say so; in_memory: those that may go
   through memory do, as far as the node knows what that takes. */
void compiled_chains(struct essential *essential, const struct leaf *leaf, bool in_memory,
                     const struct node *node);

#endif
