/* What one iteration of a run of statements takes: operations that the innermost index changes,
   elements loaded and stored. McCalpin-like traffic is none of this; see the page on directives for
   the rules. */
#ifndef DESCRIBER_COUNT_COUNT_H
#define DESCRIBER_COUNT_COUNT_H

#include "describer/state/describer.h"

struct tally {
    double add, multiply, multiply_add, divide, root, load, store;
};

/* What is known of a node while one run is counted. */
struct mark {
    int uses;
    bool is_reached;    /* something that is stored, or used elsewhere, needs it */
    bool is_fused;      /* a product within an addition */
    bool fuses;         /* an addition with a product */
    signed char varies; /* with the innermost index: 1, 0; -1: not looked at */
    double distance;    /* chains.c */
    int came_from;
};

struct count {
    struct describer *describer;
    const struct part *part;
    const int *groups; /* of each statement; NULL: all are counted, else those up to a group */
    int group;
    const struct symbol *index; /* of the innermost loop; NULL: outside all loops */
    bool is_alone;              /* nothing but statements is in that loop */
    struct mark *marks;         /* of each node */
    struct tally tally;
    struct tally functions; /* of it what stands for library functions */
    int *loads;             /* LOAD nodes that vary */
    int load_count;
    int gather_count;
};

/* Counts a run; marks holds graph.count of them. */
void count_part(struct describer *describer, const struct part *part, struct mark *marks,
                struct count *count);

/* The same of what the statements of a group need that those of the groups before do not. False
   where that is not so much more of each. */
bool count_group(struct describer *describer, const struct part *part, struct mark *marks,
                 const int *groups, int group, struct count *count);

/* loads.c: how many elements an iteration loads that no iteration nearby has in a register. */
double count_loads(const struct count *count);

/* chains.c: the longest chain of operations from one node to another, in cycles, as "add, mul";
   NULL: none. Cycles 0: they are the same value, -1: the one does not come of the other. */
const char *chain_text(struct count *count, int from, int to, double *cycles);

/* The operations of a sum or product from one iteration's value to the next one's, as the program
   orders them, where there are several; NULL: there is one. */
const char *reduction_chain_text(struct count *count, int from, int to);

/* How `to` accumulates onto `from`: "sum", "product", "max"; NULL: otherwise. */
const char *accumulation_of(struct count *count, int from, int to);

/* kernels.c: the name under which calibrated tables know such a loop; NULL: none. */
const char *kernel_of(struct count *count);

#endif
