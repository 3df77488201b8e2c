/* Watching what disturbs the machine while it is calibrated (model/micro/noise.h). Knows no MPI
   and no clock. */
#ifndef TRAINER_ENGINE_NOISE_H
#define TRAINER_ENGINE_NOISE_H

#include "model/micro/noise.h"

#include <stddef.h>

enum { NOISE_MOMENTS = 256 };

/* One moment on one processor, or on all of them: the longest quantum and interruption, the sums of
   the rest. */
struct noise_moment {
    double quantum_us; /* what the work takes there */
    double time_us, lost_us, interruptions, longest_us;
};

/* All moments so far; beyond NOISE_MOMENTS their quanta are not kept. */
struct noise_watch {
    double quanta_us[NOISE_MOMENTS];
    size_t moments;
    struct noise_moment sum;
};

/* Of what the same work took, `count` >= 1 times in a row. A time that is longer than the median by
   a quarter was interrupted, for as long as it is longer. Sorts the times. */
struct noise_moment noise_moment_of(double *times_us, size_t count);

void noise_add(struct noise_watch *watch, const struct noise_moment *moment);

/* What one or more moments say. */
struct noise noise_of(const struct noise_watch *watch);

#endif
