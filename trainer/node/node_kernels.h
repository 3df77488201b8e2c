/* Floating-point operations, loads and stores, bare: what a loop of nothing else takes. One more
   width or operation is one more row. */
#ifndef TRAINER_NODE_NODE_KERNELS_H
#define TRAINER_NODE_NODE_KERNELS_H

#include "model/node/node.h"

#include <stdbool.h>
#include <stddef.h>

/* Doubles that a kernel reads; aligned to 64 bytes, all of full mantissa: easy operands let a
   divider finish early. The chain of roots has an addition in so many. */
enum { KERNEL_NUMBERS = 256, KERNEL_ALIGNMENT = 64, KERNEL_ROOTS_AN_ADDITION = 12 };

enum kernel_kind {
    KERNEL_THROUGHPUT, /* many independent chains */
    KERNEL_LATENCY,    /* one chain: each operation waits for the one before */
    KERNEL_EASY_THROUGHPUT,
    KERNEL_EASY_LATENCY, /* the same, of numbers that are all 1 */
    KERNEL_PAIR,         /* one chain of two operations in turn */
    KERNEL_LOAD_USE,     /* one chain of loads from where the result of the other operation says */
    KERNEL_MIX,          /* the operations of `which` in turn, independent */
    KERNEL_ISSUE         /* instructions that need no unit */
};

struct kernel {
    enum kernel_kind kind;
    unsigned which;          /* 1 << OPERATION_ADD | ...; 0: none */
    int lanes;               /* elements an instruction */
    int instructions;        /* a round, of each operation */
    bool (*available)(void); /* whether this processor has them */
    void (*run)(long rounds, double *numbers);
};

extern const struct kernel kernels[];
extern const size_t kernels_count; /* 0: none are written for this kind of processor */

#endif
