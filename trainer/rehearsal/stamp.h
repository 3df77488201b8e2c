/* Where the time of a sweep goes. */
#ifndef TRAINER_REHEARSAL_STAMP_H
#define TRAINER_REHEARSAL_STAMP_H

#include <mpi.h>

struct stamps {
    double reading_s; /* what one reading of the clock costs */
    double last_s;
    double compute_s, communicate_s;
};

static inline void stamps_start(struct stamps *stamps)
{
    stamps->last_s = MPI_Wtime();
}

/* What has passed since the last stamp. */
static inline double stamps_lap(struct stamps *stamps)
{
    const double now_s = MPI_Wtime(), passed_s = now_s - stamps->last_s - stamps->reading_s;
    stamps->last_s = now_s;
    return passed_s > 0.0 ? passed_s : 0.0;
}

#endif
