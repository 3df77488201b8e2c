/* The machine-application bound (Abandah, IBM SP2, section 5.3): what one iteration of a loop takes
   of every unit of a node when nothing but the essential operations is executed, in a perfect
   schedule. The busiest unit gives the lower bound on the time. */
#ifndef MODEL_NODE_BOUND_H
#define MODEL_NODE_BOUND_H

#include "model/node/memory.h"
#include "model/node/node.h"

/* TEXT: the formulas of Abandah, IBM SP2, section 5.3. TABLE: as table 5.2 there was made: units
   that take nothing but loads and stores are left to the memory's column (t_f without its l/2 and
   s/2, no t_fx), and dependences are shown but do not count. */
enum convention { CONVENTION_TEXT, CONVENTION_TABLE };

/* Lines that a cache has to get from further away. */
struct lines {
    double load, store;
    double strided_cycles; /* what they take more, walked as the program does, than in the order of
                              addresses; no part of a bound */
};

/* Operations that wait for one another from one iteration to a later one. */
struct chain {
    struct operations operations;
    double distance; /* iterations between the two; at least 1 */
    double cycles;   /* if > 0: the latency, as told */
    double share;    /* of the latencies of all iterations, what no overlap hides; at most 1 */
    bool is_sum;     /* only the addition of a madd waits, where they are two instructions */
    bool is_stored;  /* a compiler that cannot tell arrays apart stores the sum every time */
    bool is_strided; /* through elements that do not lie one behind the other: gcc and clang load
                        what the iteration before stored, which they keep in a register else */
};

enum { CHAINS_MOST = 16 };

/* What one iteration needs. */
struct essential {
    struct operations operations;
    double wide_loads, wide_stores; /* share of them to elements that follow one another, from 0
                                       to 1: for those node.lanes serve */
    struct chain chains[CHAINS_MOST];
    size_t chain_count;
    struct lines missed[MEMORY_LEVELS_MOST]; /* one a cache, in the order of memory_caches */
};

/* Why a unit limits: what can be changed. */
enum limit_kind {
    LIMIT_ARITHMETIC = 1, /* a unit for floating-point operations */
    LIMIT_REFERENCES = 2, /* a unit for loads and stores, or the cache's ports */
    LIMIT_MIXED = 4,      /* a unit for both: instruction issue */
    LIMIT_MISSES = 8,     /* memory, because of lines that miss */
    LIMIT_DEPENDENCE = 16
};

enum { LIMIT_TEXT = 160 };

/* Cycles are per iteration; NAN: not counted, or the table does not tell. */
struct bound {
    double *unit_cycles; /* one a unit of the node, in its order; owned */
    size_t units;
    double memory_cycles, dependence_cycles;
    double walked_cycles; /* memory_cycles with what lines usually take, and their strided_cycles:
                             no part of the bound */
    double cycles;        /* t_l: the most */
    double flops;         /* weighted (section 5.3) */
    double cpf;           /* cycles per flop */
    double mflops;        /* P_MA = clock / CPF */
    double load_access_cycles, store_access_cycles; /* L_eff, S_eff (section 5.4) */
    unsigned limits;                                /* enum limit_kind, of all that limit */
    char limit[LIMIT_TEXT];                         /* their names, with spaces between */
    bool has_unpriced_misses; /* lines from beyond the last level that the table knows: not counted
                               */
};

/* The bound; release with bound_free. memory may be NULL. An error, without a place, where the node
   is NULL or has no units or no clock. */
int bound_make(struct bound *bound, const struct node *node, const struct memory *memory,
               const struct essential *essential, enum convention convention, struct error *error);

void bound_free(struct bound *bound);

/* One iteration without operations, misses and dependences. */
struct essential essential_begin(void);

#endif
