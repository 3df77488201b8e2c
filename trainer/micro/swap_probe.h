/* Orders of the probe "swap": two processors swap data by one of the protocols of Worley,
   COMMTEST. */
#ifndef TRAINER_MICRO_SWAP_PROBE_H
#define TRAINER_MICRO_SWAP_PROBE_H

/* Which logical processors (Worley, COMMTEST, the experiments). */
enum swap_pairs {
    SWAP_0_1,         /* "0-1" */
    SWAP_0_2,         /* "0-2", of four */
    SWAP_0_2_AND_1_3, /* both at the same time */
    SWAP_PAIRS
};

/* `times` exchanges of volume_bytes each way in `messages` swaps, each after the caches were
   emptied (reading cache_bytes, where the way is cold), the send buffer initialised and a barrier.
   Messages walk linearly through both buffers. repeats: how often each swap is repeated, over the
   same memory; the time is divided by it.

   Repeats of a reorganized swap repeat its three steps (post the next receive; send and receive;
   complete the send before) as a whole, and every other one is received beside: two receives into
   the same memory at the same time are not allowed.

   Results: 0 the median over the exchanges of the largest time in us that a processor took, 1 the
   least, 2 the largest; 3 how much longer it was at most, by a clock that all share, from the first
   start to the last end, NAN without such a clock; 4 the mean, 5 the standard deviation. Where data
   arrived wrong, result 0 is NAN. */
struct swap_probe_order {
    int order, protocol;
    int reorganized;
    int pairs; /* enum swap_pairs */
    int messages, repeats, times;
    long volume_bytes, cache_bytes;
};

enum { SWAP_TIMES_MOST = 16 };

#endif
