/* The interface of what ranks do together that is no utility: rank 0 gives an order, all ranks
   carry it out, rank 0 gets numbers back. An act is one file in acts/ and one line in ACTS; the
   crew, which knows no act, carries orders and keeps the acts' memory. */
#ifndef TRAINER_ENGINE_PROBE_H
#define TRAINER_ENGINE_PROBE_H

#include <mpi.h>
#include <stdbool.h>

/* An order is a struct of at most so many bytes, without pointers; what comes back is so many
   numbers. */
enum { ACT_ORDER_BYTES = 128, ACT_RESULTS = 6 };

/* Where acts are carried out. */
struct stage {
    MPI_Comm comm; /* all ranks */
    int rank, processors;
    double reading_s; /* what one reading of the clock costs */
    bool simulated;   /* computation takes no time, the clock is exact */
};

struct act {
    /* Every rank: memory for all orders, before the first one; NULL: none is needed. */
    void *(*begin)(const struct stage *stage);
    /* Every rank: carries the order out. Results are rank 0's; what others write is lost. */
    void (*perform)(void *state, const struct stage *stage, const void *order,
                    double results[ACT_RESULTS]);
    void (*end)(void *state); /* releases; NULL: nothing to do */
};

/* ACT(NAME, variable): the list that everything else follows. */
#define ACTS(ACT)                                                                                  \
    ACT(BYSTANDERS, act_bystanders)                                                                \
    ACT(LOGP, act_logp)                                                                            \
    ACT(NOISE, act_noise)                                                                          \
    ACT(OVERLAP, act_overlap)                                                                      \
    ACT(SHARING, act_sharing)                                                                      \
    ACT(SWAP, act_swap)

#define ACT_NUMBER(NAME, variable) ACT_##NAME,
enum act_number { ACTS(ACT_NUMBER) ACT_COUNT };
#undef ACT_NUMBER

#define ACT_DECLARE(NAME, variable) extern const struct act variable;
ACTS(ACT_DECLARE)
#undef ACT_DECLARE

#endif
