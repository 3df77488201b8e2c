/* What a point takes at several moments of a launch, as one: others who use a machine make it
   slower for 10 ms to minutes at a time, and never quicker. Knows no MPI and no clock. */
#ifndef TRAINER_ENGINE_MOMENTS_H
#define TRAINER_ENGINE_MOMENTS_H

#include "model/fit/points.h"

#include <stdbool.h>

/* All points are measured so often; one that only one moment has seen as quick up to so often; one
   that its neighbours contradict up to so often; and all of them so often once more on a machine
   that became quicker meanwhile. By a quick launch each is measured twice. */
enum {
    MOMENTS_LEAST = 4,
    MOMENTS_ALONE = 6,
    MOMENTS_MOST = 10,
    MOMENTS_QUICKER = 2,
    MOMENTS_QUICK = 2
};

/* The same point, measured so often. is_witness: at every moment, whatever it says. */
struct moments {
    struct point looks[MOMENTS_MOST + MOMENTS_QUICKER];
    size_t count;
    bool is_witness;
};

/* What stands for count >= 1 moments: the mean of those within a tenth of the quickest. */
struct point moments_settled(const struct moments *moments, enum statistic statistic);

/* Whether one more moment could say something else: only one of a few was as quick as it was, or
   what stands is more than a tenth above the line between the neighbouring sizes, below and above
   (NULL: there is none). */
bool moments_doubtful(const struct moments *below, const struct moments *moments,
                      const struct moments *above, enum statistic statistic);

/* Whether only one of several moments was as quick as it was: another one could be quicker still.
 */
bool moments_unsettled(const struct moments *moments, enum statistic statistic);

/* Whether the last of several moments was quicker than all before, by more than noise is. */
bool moments_quickened(const struct moments *moments, enum statistic statistic);

/* What is wrong with the points of a curve (count of them, at least one) in a few words that last,
   NULL: nothing. spoilt: which of the moments of all points others are known to have spoilt;
   interruptions that took a good part of the time spoil one as well. One does no harm where two
   were spared. */
const char *moments_disturbance(const struct moments *points, size_t count,
                                const bool spoilt[MOMENTS_LEAST], enum statistic statistic);

#endif
