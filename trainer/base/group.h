/* Communicators of some ranks of MPI_COMM_WORLD, made by those alone: among a thousand ranks two
   that find one another do not wait for all. */
#ifndef TRAINER_BASE_GROUP_H
#define TRAINER_BASE_GROUP_H

#include <mpi.h>

/* Ranks from, from + step, ... upto; upto is among them. */
struct group_ranks {
    int from, upto, step;
};

struct group {
    MPI_Comm comm, mirrored; /* ranks as in MPI_COMM_WORLD, and in the opposite order;
                                MPI_COMM_NULL on ranks outside of it */
};

/* A group of nobody. */
struct group group_none(void);

/* Every rank of them calls it, others may; all that do in the same order. Release with group_free.
 */
struct group group_new(struct group_ranks ranks);

/* Every rank of it; it is then of nobody. */
void group_free(struct group *group);

#endif
