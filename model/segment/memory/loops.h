/* A program as it runs on one processor: its loops as a tree, and in the leaves the statements that
   stand next to one another in a body, with what one execution of them needs and touches. */
#ifndef MODEL_SEGMENT_MEMORY_LOOPS_H
#define MODEL_SEGMENT_MEMORY_LOOPS_H

#include "model/node/bound.h"
#include "model/segment/loops/reference.h"
#include "model/segment/memory/trips.h"
#include "model/segment/program/program.h"

/* A reference of a leaf. */
struct touch {
    struct reference reference;
    size_t array;      /* its place among the program's arrays */
    double row_bytes;  /* of the array's dimension that varies fastest */
    double slab_bytes; /* of all but the one that varies slowest */
    double bytes;      /* of the array */
    bool modified;
};

/* Statements in a row. */
struct leaf {
    char name[120];             /* the segment's, and the first statement's where there are more */
    struct essential essential; /* of one execution; no misses yet */
    struct mean_nest nest;      /* the loops about it */
    unsigned row_loops[CHAINS_MOST]; /* which loops each chain runs through (rows.h) */
    struct list touches;             /* of struct touch */
    double executions;               /* in one repetition of the segment */
    size_t number;                   /* its place among the leaves of the program */
    const struct step *first;        /* of its statements, which stand in a row; borrowed */
    size_t statements;
};

/* A sequence that is repeated: a segment, a loop, or a leaf, which has no children. */
struct loop_node {
    double trips;                  /* the mean, where the bounds depend on outer loops */
    int outside, inside;           /* how many loops are about it; about what is in it */
    struct list children;          /* of struct loop_node */
    struct leaf *leaf;             /* owned; NULL: not a leaf */
    const struct segment *segment; /* borrowed; NULL: not a segment */
    const struct loop *loop;       /* borrowed; NULL: not a loop */
};

/* STRICT: reductions are carried from one iteration to the next in their order, which forbids
   partial sums. */
enum reductions { REDUCTIONS_FREE, REDUCTIONS_STRICT };

/* The program's segments as the children of one node, which is repeated as they are together. scope
   has the parameters. Calls and what happens between processors are left out. Errors are at their
   place. Release with loops_free. */
int loops_make(struct loop_node *root, const struct program *program, struct scope *scope,
               enum reductions reductions, struct error *error);

/* How many leaves there are. */
size_t loops_leaves(const struct loop_node *node);

void loops_free(struct loop_node *node);

#endif
