/* Where the time of a sweep goes. */
#ifndef TRAINER_REHEARSAL_STAMP_H
#define TRAINER_REHEARSAL_STAMP_H

#include "trainer/base/clock.h"

#include <mpi.h>

struct stamps {
    double reading_s; /* what one reading of the clock costs */
    double last_s;
    double compute_s, communicate_s;
};

static inline void stamps_start(struct stamps *stamps)
{
    stamps->last_s = clock_s();
}

/* What has passed since the last stamp. */
static inline double stamps_lap(struct stamps *stamps)
{
    const double now_s = clock_s(), passed_s = now_s - stamps->last_s - stamps->reading_s;
    stamps->last_s = now_s;
    return passed_s > 0.0 ? passed_s : 0.0;
}

#endif
