/* A sweep while it goes on: what was measured, and asking for more. */
#ifndef TRAINER_CURVE_RUNNING_H
#define TRAINER_CURVE_RUNNING_H

#include "model/fit/packets.h"
#include "trainer/curve/sweep.h"

/* A neighbour's miss below this share of the time is not followed, however sure it is: the fit has
   other points there, and steps this small do not change a decision. */
#define MISS_FLOOR 1e-4

struct running {
    const struct sweep_plan *plan;
    sweep_measure *measure;
    void *state;
    struct list *points;
    size_t looked; /* points before this one have been asked again */
    struct sweep_looks looks;
    struct packets packets; /* that messages were found to travel in; bytes = 0: none */
    bool spent;
    struct observation *sorted; /* all points so far, by bytes */
    size_t count;
};

/* The point's time that counts. */
double running_time_us(const struct running *run, const struct point *point);

/* The size that can be measured nearest to that. */
double running_size(const struct running *run, double bytes);

bool running_knows(const struct running *run, double bytes);

/* One measurement, which is not noted; sets spent when there is no budget left. */
int running_ask(struct running *run, const struct ask *what, struct point *point,
                struct error *error);

/* Measures at a size and notes the point; sets spent when there is no budget left, or, but for
   _anyway, when there are as many points as planned. */
int running_measure(struct running *run, double bytes, bool held_out, struct error *error);
int running_measure_anyway(struct running *run, double bytes, bool held_out, struct error *error);

#endif
