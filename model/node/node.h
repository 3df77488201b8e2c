/* The node: functional units as data, and the machine-application bound (Abandah, IBM SP2, section
   5.3). A unit is a row of the machine table that says how many cycles of it one operation of each
   class takes; the bound of a piece of code is the busiest unit. */
#ifndef MODEL_NODE_NODE_H
#define MODEL_NODE_NODE_H

#include "model/records/record.h"

#include <stdbool.h>
#include <stddef.h>

/* The classes of operations. The names are the keys in machine tables and segments. */
enum operation {
    OPERATION_ADD,
    OPERATION_MUL,
    OPERATION_MADD, /* multiply with a following add: two floating-point operations */
    OPERATION_DIV,
    OPERATION_SQRT,
    OPERATION_LOAD,
    OPERATION_STORE,
    OPERATION_COUNT
};

const char *operation_name(enum operation operation);

/* The operation with that name, or OPERATION_COUNT. */
enum operation operation_named(const char *name);

/* How many of each class; fractions are allowed (averages over iterations). */
struct operations {
    double of[OPERATION_COUNT];
};

/* A record member of YAML form {add: 3, mul: 1}: for FIELD_OWN rows elsewhere. */
int operations_read(struct yaml_node value, void *operations, struct error *error);
void operations_write(struct yaml_out *out, const void *operations);
bool operations_absent(const void *operations);

/* A functional unit: busy cycles per operation. */
struct unit {
    char *name; /* owned */
    struct operations cycles;
    struct place place; /* in the machine table; no file name */
};

/* For each operation, another of each. */
struct operation_pairs {
    struct operations from[OPERATION_COUNT];
};

/* What of the bound a kind of loop reaches. */
struct compiled_kernel {
    char *name; /* owned */
    double compiled_share;
    struct place place; /* in the machine table; no file name */
};

/* What loops reach as a compiler made them. */
struct compilation {
    char *compiler; /* NULL: the trainer's own; owned */
    char *flags;    /* NULL: not known; owned */
    /* Of chains: a madd may be a product and a sum. 0: not known, or as the node's. */
    struct operations latency_cycles;
    /* What of the bound of one element an instruction ordinary loops reach: the middle one and the
       ends; may be above 1. NAN: not known, a prediction is the bound. */
    double share, share_low, share_high;
    struct list kernels; /* of struct compiled_kernel: the same of one kind of loop */
    struct place place;  /* in the machine table; no file name */
};

struct node {
    double clock_mhz;               /* NAN: not known */
    struct operations flop_weights; /* madd 2, div and sqrt 4 (section 5.3); used for CPF */
    struct list units;              /* of struct unit */
    struct operations latency_cycles;
    /* As measured, before rounding to what hardware has: of one element an instruction. */
    struct operations measured_throughput_cycles, measured_latency_cycles;
    /* Where all operands are 1, with which a divider may be done early; else of full mantissas. */
    struct operations easy_throughput_cycles, easy_latency_cycles;
    struct operation_pairs pair_latency_cycles; /* .from[a].of[b]: until b can use a's result */
    struct operations lanes; /* elements that one instruction takes where they follow one another
                                in memory; 0: one */
    struct compilation compiled; /* as the trainer was; its place is not set */
    struct list compilations;    /* of struct compilation: with other flags */
    /* How far a core looks ahead (window.h): operations that wait for operands, as many as its
       scheduler holds, and instructions from the oldest that is not done. NAN: not known. */
    double scheduler_operations, window_instructions;
    double rate_mflops; /* a rate given or measured as one number, where there are no units */
    char *note;         /* how it was measured, or NULL; owned */
    struct place place; /* in the machine table; no file name */
};

extern const struct record unit_record;
extern const struct record compiled_kernel_record;
extern const struct record compilation_record;
extern const struct record node_record;

/* Cycles per execution of the operations: the largest over units of sum count x cycles (Abandah,
   IBM SP2, section 5.3). limiting (may be NULL) becomes the busiest unit, borrowed. 0 and NULL
   without units. */
double node_bound_cycles(const struct node *node, const struct operations *operations,
                         const struct unit **limiting);

/* The most floating-point operations that the units do in a us (MFLOPS): of additions, products,
   multiply-adds, or an addition beside a product, in as wide instructions as there are. NAN: no
   clock or no units. */
double node_peak_mflops(const struct node *node);

/* The compilation whose flags make the same code as these, as far as they tell (NULL: they do not):
   the node's own, or the first of its others, or else its own. Borrowed. */
const struct compilation *node_compilation(const struct node *node, const char *flags);

/* Puts the compiled latencies in the place of the instructions', where they are known; from each
   operation to others it is as much longer. For what a program takes; a bound is of instructions.
 */
void node_as_compiled(struct node *node);

/* Whether compilers make two instructions of a madd, one waiting for the other. */
bool node_splits_madd(const struct node *node);

/* Whether compilers make two instructions of a madd where it adds to a sum, so that the product
   does not wait: as everywhere, or because that is faster on this node. */
bool node_sums_apart(const struct node *node);

/* The kind of loop that waits for a sum. */
extern const char node_sum_kernel[];

/* The kinds of loops that the trainer compiles, which statements name; ends with NULL. */
extern const char *const kernel_names[];

/* The kind of loop, borrowed, or NULL; name may be NULL. */
const struct compiled_kernel *node_kernel(const struct node *node, const char *name);

/* Cycles that the operations keep the unit busy. */
double unit_busy_cycles(const struct unit *unit, const struct operations *operations);

/* Floating-point operations by the node's flop_weights; without them add and mul count 1, madd 2,
   div and sqrt 4 (Abandah, IBM SP2, section 5.3). */
double node_flops(const struct node *node, const struct operations *operations);

/* Floating-point operations: add, mul, div, sqrt once, madd twice. */
double operations_flops(const struct operations *operations);

/* The time of one execution of the operations in us: the bound over the clock, or flops over
   rate_mflops. An error, without a place, where the node has neither, or is NULL. */
int node_time_us(const struct node *node, const struct operations *operations, double *time_us,
                 const struct unit **limiting, struct error *error);

#endif
