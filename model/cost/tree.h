/* Who sends to whom in a broadcast: the three trees of Abandah, IBM SP2, chapter 3, in ranks
   relative to the root (the root is 0), and a fourth, which libraries take. A processor receives
   from its parent, then sends to its children in order. Sent whole they are the algorithms 1m, rd
   and bt, sent in parts prd and pbt. No MPI here. */
#ifndef MODEL_COST_TREE_H
#define MODEL_COST_TREE_H

#include <stdbool.h>

struct tree {
    const char *name;
    bool sends_at_once; /* the children's messages are all started before any is completed */
    /* The parent of relative rank me, 1 <= me < processors. */
    int (*parent)(int me, int processors);
    /* The child number `which` (from 0) of me; -1: there are no more. */
    int (*child)(int me, int processors, int which);
    /* How many messages are one after the other until the last processor has it, each taking as
       long; NULL where they are sent at once. */
    int (*depth)(int processors);
};

/* 1m: the root sends to 1, 2, ..., p-1 in turn (Abandah, IBM SP2, section 3.3). */
extern const struct tree tree_flat;

/* rd: recursive doubling, in stage i ranks 0..2^i-1 send to 2^i..2^(i+1)-1 (Abandah, IBM SP2,
   section 3.4). */
extern const struct tree tree_doubling;

/* bt: the heap, children 2 me + 1 and 2 me + 2 (Abandah, IBM SP2, section 3.6). */
extern const struct tree tree_binary;

/* The binomial tree whose farthest child is served first: me sends to me + 2^i for every 2^i below
   its own lowest bit, the largest first. MPICH's MPI_Bcast of short messages. */
extern const struct tree tree_binomial;

#endif
