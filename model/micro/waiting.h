/* Waiting: what a synchronisation takes more where each processor has computed before it. The
   processors do not end at the same time, and all wait for the last one (Petrini, Kerbyson and
   Pakin, The case of the missing supercomputer performance, section 4; Hoefler, Schneider and
   Lumsdaine, Characterizing the influence of system noise, section II). */
#ifndef MODEL_MICRO_WAITING_H
#define MODEL_MICRO_WAITING_H

#include "model/records/record.h"

/* What the processors computed. */
enum waiting_work { WAITING_IN_REGISTERS, WAITING_ON_MEMORY, WAITING_WORKS };

/* A row describes single computations in so many parts at most: of the shorter half two, then the
   half of the rest each time, and last what one in 1024 exceeds. */
enum { WAITING_PARTS_MOST = 12 };

/* One part of all single computations in order of their time. */
struct waiting_part {
    double share; /* of all computations; the shares of a row add up to 1 */
    double us;    /* how much longer than the mean of all the part takes, on average */
};

/* Of a reduction of 8 bytes among so many processors behind work_us of computation on each: what
   both together take beyond the computation alone and the reduction alone. */
struct waiting_among {
    double processors;      /* at least 2 */
    double waiting_us;      /* the mean of several runs but for the least and the most */
    double low_us, high_us; /* its interval */
};

struct waiting {
    int work;           /* enum waiting_work */
    double work_us;     /* of one computation */
    double least_us;    /* the shortest of all, less the mean of all: 0 or less */
    struct list parts;  /* of struct waiting_part, the shortest computations first; at least one */
    struct list among;  /* of struct waiting_among, ascending; at least one */
    struct place place; /* in the table's file */
};

extern const struct record waiting_record;
extern const struct record waiting_part_record;
extern const struct record waiting_among_record;

/* Who waits for whom: all for all, or each processor of a grid for its neighbours, two along each
   dimension but at the ends. */
enum { WAITING_DIMENSIONS = 3 };
struct waiting_for {
    double processors; /* that take part */
    int dimensions;    /* of the grid; 0: all wait for all */
    double sides[WAITING_DIMENSIONS];
};

struct waiting_answer {
    double waiting_us, low_us, high_us; /* of one synchronisation */
    bool is_beyond_processors;          /* among more processors than were measured */
};

/* What one of many synchronisations takes beyond itself where each processor computes for work_us
   before it. rows: of struct waiting, in any order. Between two measured lengths of computation the
   answer is a power of the length; beyond them it lies between its square root and itself. At a
   measured processor count the measured time answers; at others the mean of the largest of so many
   single computations, scaled by what was measured at the nearest count below. Where processors
   wait for neighbours, the answer is what they wait in the long run. NAN without rows of that work.
 */
struct waiting_answer waiting_answer(const struct list *rows, enum waiting_work work,
                                     double work_us, struct waiting_for whom);

/* The mean of the largest of `count` >= 1 independent computations less the mean of one, us. Within
   a part times are linear in the logarithm of the share that exceeds them: the slope of an
   exponential tail. */
double waiting_largest_us(const struct waiting *row, double count);

/* How much longer than the mean of a computation it is from one exchange to the next in the long
   run, us, where each processor of the grid waits for its neighbours, who have waited for theirs
   (whom.dimensions > 0). It is drawn from the row's parts, the same for equal arguments. */
double waiting_neighbours_us(const struct waiting *row, struct waiting_for whom);

#endif
