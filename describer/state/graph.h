/* The values that a program computes: nodes that name the values they are made of. A value equal to
   one that the same run of statements has already is the same node. */
#ifndef DESCRIBER_STATE_GRAPH_H
#define DESCRIBER_STATE_GRAPH_H

#include "describer/state/outline.h"

enum node_kind {
    NODE_CONSTANT,
    NODE_SAME,    /* what no loop around changes, or the value of an index */
    NODE_LOAD,    /* an element */
    NODE_GATHER,  /* an element through an index array */
    NODE_FORWARD, /* an element as it was assigned in the same iteration */
    NODE_CARRY,   /* a scalar as the iteration before left it */
    NODE_RESULT,  /* a scalar as a loop left it */
    NODE_ADD,
    NODE_SUBTRACT,
    NODE_MULTIPLY,
    NODE_DIVIDE,
    NODE_ROOT,
    NODE_NEGATE,
    NODE_ABSOLUTE,
    NODE_EXTREME, /* the larger or the smaller */
    NODE_COMPARE,
    NODE_SELECT,
    NODE_CALL
};

enum { OPERANDS_MOST = 3, NODES_MOST = 60000 };

/* What a function is said to cost. */
struct cost {
    double add, multiply, divide, root;
    bool is_default; /* of a library function, by the table: within a factor of 2 */
};

struct node {
    enum node_kind kind;
    int operand_count;
    int operands[OPERANDS_MOST];
    double constant;
    const char *name;             /* of scalars */
    polynomial index;             /* NODE_SAME: the value of an index, or NULL */
    struct reference reference;   /* NODE_LOAD, NODE_FORWARD; of NODE_GATHER only the array */
    const struct loop *loop;      /* NODE_CARRY, NODE_RESULT */
    struct carry *carry;          /* the same */
    int depth;                    /* NODE_RESULT: loops around the scalar's beginning */
    const struct cost *cost;      /* NODE_CALL */
    const struct directive *told; /* NODE_GATHER: how far it reaches */
    struct part *part;
    struct place place;
    bool is_live_out;  /* something outside its run uses it */
    bool is_condition; /* a branch depends on it, or it is called for what it does */
    bool is_stored; /* a scalar that is an element's, stored_as: of NODE_RESULT, of NODE_CARRY the
                       one of the iteration before, else the one that the iteration leaves */
    struct reference stored_as;
    bool is_copied; /* NODE_LOAD: loops that use it overwrite the element: copied_as is what it was
                     */
    struct reference copied_as;
    /* And all iterations of this loop, and of those within it about the load, may load it before
       the first begins; NULL: each does where it stands. */
    const struct loop *copied_before;
    int next; /* of the same bucket */
};

enum { GRAPH_BUCKETS = 4096 };

struct graph {
    struct arena *arena;
    struct algebra *algebra;
    struct node *nodes; /* owned */
    int count, room;
    int buckets[GRAPH_BUCKETS]; /* the newest node of each, + 1 */
    bool is_full;
};

void graph_free(struct graph *graph);

/* The number of such a node of the part; constants fold, and what costs nothing is left out. */
int graph_constant(struct graph *graph, struct part *part, double value);
int graph_unary(struct graph *graph, struct part *part, enum node_kind kind, int a);
int graph_binary(struct graph *graph, struct part *part, enum node_kind kind, int a, int b);
int graph_add(struct graph *graph, struct part *part, struct node node);

/* Removes the nodes from `count` on. */
void graph_cut(struct graph *graph, int count);

/* Whether it is an operation, as against a value that is there. */
bool node_is_operation(const struct node *node);

#endif
