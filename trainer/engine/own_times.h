/* What the processors' own clocks say of one batch, in one reduction. */
#ifndef TRAINER_ENGINE_OWN_TIMES_H
#define TRAINER_ENGINE_OWN_TIMES_H

#include <mpi.h>
#include <stdbool.h>

/* The longest of the processors' own times and their sum, seconds, and how many of them began too
   late. */
struct own_times {
    double longest_s, sum_s, late;
};

/* What MPI has to know to reduce them. */
struct own_times_reduction {
    MPI_Datatype type;
    MPI_Op operation;
};

struct own_times_reduction own_times_begin(void);
void own_times_end(struct own_times_reduction *reduction);

/* Collective over comm: of all, at rank 0; elsewhere the rank's own. */
struct own_times own_times_reduce(const struct own_times_reduction *reduction, double mine_s,
                                  bool late, MPI_Comm comm);

#endif
