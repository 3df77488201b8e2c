#include "forecast/predict/compiled_chains.h"

#include <math.h>

/* Where a madd is two instructions, only the addition waits for the sum so far. */
static void split_sums(struct essential *essential, const struct node *node)
{
    for (size_t i = 0; i < essential->chain_count && node_sums_apart(node); i++) {
        double *of = essential->chains[i].operations.of;
        if (!essential->chains[i].is_sum)
            continue;
        of[OPERATION_ADD] += of[OPERATION_MADD];
        of[OPERATION_MADD] = 0.0;
    }
}

static bool modifies_two_arrays(const struct leaf *leaf)
{
    const struct touch *touches = leaf->touches.items, *first = NULL;
    for (size_t i = 0; i < leaf->touches.count; i++) {
        if (!touches[i].modified)
            continue;
        if (first && touches[i].array != first->array)
            return true;
        first = &touches[i];
    }
    return false;
}

/* Whether what the iteration before stored may have to be loaded: where a compiler that cannot tell
   arrays apart must expect other stores to change it, and along columns. */
static bool may_be_in_memory(const struct leaf *leaf, const struct chain *chain)
{
    return chain->is_strided || (chain->is_stored && modifies_two_arrays(leaf));
}

bool compiled_chains_in_memory(const struct leaf *leaf, const struct node *node)
{
    if (isnan(node->compiled.share) ||
        !(node->pair_latency_cycles.from[OPERATION_STORE].of[OPERATION_LOAD] > 0.0))
        return false;
    for (size_t i = 0; i < leaf->essential.chain_count; i++)
        if (may_be_in_memory(leaf, &leaf->essential.chains[i]))
            return true;
    return false;
}

/* From a store to the load that has what it stored, and on to the next one. */
static void chain_in_memory(struct essential *essential, const struct leaf *leaf,
                            const struct node *node)
{
    struct node compiled = *node;
    node_as_compiled(&compiled);
    const double there = node->pair_latency_cycles.from[OPERATION_STORE].of[OPERATION_LOAD];
    for (size_t i = 0; i < essential->chain_count; i++) {
        struct chain *chain = &essential->chains[i];
        if (chain->cycles > 0.0 || !may_be_in_memory(leaf, chain))
            continue;
        for (int k = 0; k < OPERATION_COUNT; k++)
            chain->cycles += chain->operations.of[k] * compiled.latency_cycles.of[k];
        chain->cycles += there;
    }
}

void compiled_chains(struct essential *essential, const struct leaf *leaf, bool in_memory,
                     const struct node *node)
{
    split_sums(essential, node);
    if (in_memory)
        chain_in_memory(essential, leaf, node);
}
