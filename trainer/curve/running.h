/* A sweep while it goes on: what was measured, and asking for more. */
#ifndef TRAINER_CURVE_RUNNING_H
#define TRAINER_CURVE_RUNNING_H

#include "trainer/curve/curve.h"
#include "trainer/curve/sweep.h"

/* A neighbour's miss below this share of the time is not followed, however sure it is: the fit has
   other points there, and steps this small do not change a decision. */
#define MISS_FLOOR 1e-4

/* A size whose noise hides on which side of a step it is is asked so often at most: that halves the
   noise. */
enum { RUNNING_ASKS_MOST = 4 };

struct running {
    const struct sweep_plan *plan;
    sweep_measure *measure;
    void *state;
    struct curve *curve; /* whose packets are known once they were found */
    struct list points;  /* struct passes, as they were asked first */
    size_t again;        /* points before this one have been asked again */
    struct point last;   /* what was measured last */
    bool spent;
    struct observation *sorted; /* all points so far, by bytes */
    size_t count;
};

struct running running_begin(const struct sweep_plan *plan, sweep_measure *measure, void *state,
                             struct curve *curve);

/* The points become those of the curve. */
void running_end(struct running *run);

/* The point's time that counts. */
double running_time_us(const struct running *run, const struct point *point);

/* The size that can be measured nearest to that. */
double running_size(const struct running *run, double bytes);

bool running_knows(const struct running *run, double bytes);

/* Measures at a size and notes the point; sets spent when there is no budget left, or, but for
   _anyway, when there are as many points as planned. */
int running_measure(struct running *run, double bytes, bool held_out, struct error *error);
int running_measure_anyway(struct running *run, double bytes, bool held_out, struct error *error);

/* Asks every point since the last time again at once, unless the plan trusts: what lengthens a few
   points makes no region then. */
int running_ask_again(struct running *run, struct error *error);

#endif
