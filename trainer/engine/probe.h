/* The interface of what ranks do together that is no utility: rank 0 gives an order, all ranks
   carry it out, rank 0 gets numbers back. A probe is one file *_probe.c and one line in PROBES; the
   engine, which knows no probe, carries orders and keeps the probes' memory. */
#ifndef TRAINER_ENGINE_PROBE_H
#define TRAINER_ENGINE_PROBE_H

#include <mpi.h>
#include <stdbool.h>

/* An order is a struct of at most so many bytes, without pointers; what comes back is so many
   numbers. */
enum { PROBE_ORDER_BYTES = 128, PROBE_RESULTS = 16 };

/* Where probes are carried out. */
struct probe_context {
    MPI_Comm comm; /* all ranks */
    int rank, processors;
    double reading_s; /* what one reading of the clock costs */
    bool simulated;   /* computation takes no time, the clock is exact */
};

struct probe {
    /* Every rank: memory for all orders, before the first one; NULL: none is needed. */
    void *(*begin)(const struct probe_context *context);
    /* Every rank: carries the order out. Results are rank 0's; what others write is lost. */
    void (*perform)(void *state, const struct probe_context *context, const void *order,
                    double results[PROBE_RESULTS]);
    void (*end)(void *state); /* releases; NULL: nothing to do */
};

/* PROBE(NAME, variable): the list that everything else follows. */
#define PROBES(PROBE)                                                                              \
    PROBE(BYSTANDERS, bystanders_probe)                                                            \
    PROBE(GAUGE, gauge_probe)                                                                      \
    PROBE(LOGP, logp_probe)                                                                        \
    PROBE(NOISE, noise_probe)                                                                      \
    PROBE(OVERLAP, overlap_probe)                                                                  \
    PROBE(SHARING, sharing_probe)                                                                  \
    PROBE(SWAP, swap_probe)                                                                        \
    PROBE(WAITING, waiting_probe)

#define PROBE_NUMBER(NAME, variable) PROBE_##NAME,
enum probe_number { PROBES(PROBE_NUMBER) PROBE_COUNT };
#undef PROBE_NUMBER

#define PROBE_DECLARE(NAME, variable) extern const struct probe variable;
PROBES(PROBE_DECLARE)
#undef PROBE_DECLARE

#endif
