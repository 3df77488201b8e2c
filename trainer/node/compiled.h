/* How much of the bound compiled loops reach: what a prediction of somebody's program needs beside
   what the processor can do. */
#ifndef TRAINER_NODE_COMPILED_H
#define TRAINER_NODE_COMPILED_H

#include "model/node/node.h"
#include "trainer/node/compiled_loops.h"

#include <stdbool.h>
#include <stddef.h>

/* The loops, and behind them the chains. */
extern const size_t compiled_count;

bool compiled_is_chain(size_t loop);

/* One of them, as a compiler made it. */
struct compiled_item {
    const struct compiled_code *code;
    size_t loop;
};

/* Makes ready to run one of them, up to a hundred times. The iterations of a run. */
double compiled_begin(const struct compiled_code *code, size_t loop);

/* item: a compiled_item's address. */
void compiled_run(void *item);

/* Sets the shares, the kernels and the latencies from cycles of all loops, an iteration each; the
   node's units are known. */
void compiled_set(struct compilation *compilation, const struct node *node, const double *cycles);

#endif
