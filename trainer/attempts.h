/* Measures again until the machine held still meanwhile, a few times at most. Knows no MPI and no
   clock. */
#ifndef TRAINER_ATTEMPTS_H
#define TRAINER_ATTEMPTS_H

#include "model/base/record.h"
#include "trainer/sweep/sweep.h"

#include <stdbool.h>

/* What attempts are made with. A disturbance is a few words that last; NULL: none. */
struct attempts {
    int most;    /* so many */
    int *number; /* of the present attempt, from 1 */
    void (*begin)(
        void *state);       /* before an attempt: a look around may have left other things set */
    sweep_measure *measure; /* a point of the present attempt */
    /* What the machine did since the last call; returns 0, or -1 with *error set. */
    int (*look_around)(void *state, const char **disturbance, struct error *error);
    /* No attempt is begun any more. */
    bool (*is_over)(void *state);
    /* Whether there is time for another attempt, where the present one needs it so much, 0 to 1. */
    bool (*may_repeat)(void *state, double need);
    /* Keeps all points once more: they are those of the present attempt, which is the last. */
    void (*keep)(void *state, const struct list *points);
    void *state;
};

/* What was found. */
struct swept {
    struct list points, regions; /* struct point, struct region */
    const char *disturbance;
    double moved; /* share of the points that came out otherwise when asked again, 0 to 1 */
};

void swept_free(struct swept *swept);

/* Sweeps. Where all attempts were disturbed, the one of whose points the fewest moved stands, the
   earlier of equal ones; one that the budget cuts short does not take the place of a whole one.
   Returns 0, or -1 with *error set; swept_free in any case. */
int attempts_sweep(const struct attempts *attempts, const struct sweep_plan *plan,
                   struct swept *swept, struct error *error);

/* Keeps what was found once more, as a new attempt: the last one in a file is the one that counts.
 */
void attempts_keep_again(const struct attempts *attempts, struct swept *swept);

/* What the points themselves say: whether interruptions took a good part of the time. */
const char *attempts_interrupted(const struct list *points);

#endif
