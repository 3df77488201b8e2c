/* How much of a message's transfer time is left to the processor: post, work, wait (Doerfler, Host
   Processor Overhead).

   A loop posts a nonblocking send or receive, works, and waits. While the work is short the loop
   takes as long as the transfer; when the work dominates, what the loop takes beyond the work is
   the time that the processor was engaged: the host overhead. */
#ifndef MODEL_MICRO_OVERLAP_H
#define MODEL_MICRO_OVERLAP_H

#include "model/records/record.h"

#include <stdbool.h>
#include <stddef.h>

enum overlap_side { OVERLAP_SEND, OVERLAP_RECEIVE };

/* One message size on one side. */
struct overlap {
    int side; /* enum overlap_side */
    double bytes;
    double iterations;   /* of the loop, per amount of work */
    double loop_us;      /* of one iteration, with the last amount of work */
    double work_us;      /* of that work without a message */
    double overhead_us;  /* loop_us - work_us, 0 at least */
    double transfer_us;  /* of one iteration while the work does not matter */
    double availability; /* 1 - overhead / transfer, within 0 and 1: the share of the transfer that
                            is left for work */
    double low, high;    /* of the availability, from the scatter of the times; NAN: not known */
    double base_threshold;
    struct place place;
};

extern const struct record overlap_record;

/* A loop time counts to the transfer time while it is below base times the average so far; the
   loop ends when it is above stop times that average. */
struct overlap_thresholds {
    double base, stop;
};

/* What the source's program has when nothing is said: 1.02 and 1.5 (Doerfler, Host Processor
   Overhead, Usage). */
extern const struct overlap_thresholds overlap_default;

/* The average while the work grows. Zeroed = begun. */
struct overlap_base {
    double transfer_us; /* the average of the loop times so far */
    size_t count;       /* how many that are */
    bool frozen;        /* one was above: later ones do not count, whatever they are (Doerfler, Host
                           Processor Overhead, Usage) */
};

/* Takes in the loop time of the next amount of work; returns whether it was the last (Doerfler,
   Host Processor Overhead, Method). */
bool overlap_take(struct overlap_base *base, double loop_us,
                  const struct overlap_thresholds *thresholds);

/* The base threshold for loop times that scatter by that share (standard deviation / mean): 1 + 3
   scatter, within what tells the knee from noise and the stop from the knee, 1.02 to 1.25. The
   source finds it by trial (Doerfler, Host Processor Overhead, Usage). */
double overlap_base_threshold(double scatter);

/* How many iterations a batch of the loop has, one of which takes once_us: so many that it lasts
   200 us, much more than reading the clock, and no less than 1000 ticks of it, 0.1 s at most; 3 at
   least, and as many as the source has for short messages, 1000, where no ticks ask for more
   (Doerfler, Host Processor Overhead, Usage). */
long overlap_iterations(double once_us, double tick_us);

/* overhead_us, availability and its interval from loop_us, work_us and transfer_us; scatter_us:
   half width of what loop_us - work_us is known to; NAN: not known. Noise can make the overhead
   come out below 0 or above the transfer: both are cut (Doerfler, Host Processor Overhead,
   Method). */
void overlap_conclude(struct overlap *overlap, double scatter_us);

#endif
