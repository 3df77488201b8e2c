/* Patterns in which all processors go through the same rounds, in each of which a processor sends
   to one and receives from one and has done both before the next (MPI_Sendrecv). Who those are
   follows from p alone. No MPI here. */
#ifndef MODEL_COST_ROUNDS_H
#define MODEL_COST_ROUNDS_H

#include <stdbool.h>

/* Of p processors: how many stand in a row along the second direction of the grid (grid.h), and the
   largest power of two. */
struct formation {
    int processors, row, doubled;
};

/* Whom a processor sends to and receives from; -1: nobody. */
struct partners {
    int to, from;
};

struct rounds {
    int (*count)(const struct formation *formation);
    struct partners (*partners)(const struct formation *formation, int me, int round);
    int uses;       /* of the utility, that the rounds are together */
    bool is_smooth; /* where all are near, its time is a function of p such as regions have */
    bool is_mean;   /* its time is the mean over the processors, not the last one's */
};

struct formation formation_of(int processors);

/* Along a line, and along two directions of a grid: each sends to the next one, then all back
   (Balasundaram, Static Performance Estimator; trainer/utilities/express.c). */
extern const struct rounds rounds_line_shift, rounds_grid_shift;

/* Neighbours exchange: in each direction pairs whose lower position is even, then those whose is
   odd. */
extern const struct rounds rounds_line_exchange, rounds_grid_exchange;

/* In round i >= 1 of p - 1 everybody sends to the i-th one after it: alltoall of long messages. */
extern const struct rounds rounds_ring;

/* In round i everybody sends to the 2^i-th one after it, until all have heard of all: a barrier
   (Hensgen, Finkel and Manber). */
extern const struct rounds rounds_dissemination;

/* Everybody to everybody by recursive doubling, as a combine whose result all get: with the largest
   power of two that p has room for, in stage i ranks exchange with those that differ in bit i. Of
   the first 2 r ranks, r being what p is more, the even ones give theirs to the next one before,
   and get the result from it after. MPICH's MPI_Allreduce of short messages. */
extern const struct rounds rounds_doubling;

#endif
