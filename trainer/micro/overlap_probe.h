/* Orders of the probe "overlap": post, work, wait (Doerfler, Host Processor Overhead, Method). */
#ifndef TRAINER_MICRO_OVERLAP_PROBE_H
#define TRAINER_MICRO_OVERLAP_PROBE_H

/* Rank 0 posts a nonblocking send to rank 1, or a receive from it, works, and waits, so often. Rank
   1 has its own part ready in time: it receives at once, or sends up to some messages ahead.
   Without a message the work alone. Result 0: the time in us of all iterations, without the clock's
   own. */
struct overlap_order {
    int receive; /* 0: sends */
    int message; /* 0: the work alone */
    int bytes;
    long iterations;
    double work; /* units */
};

#endif
