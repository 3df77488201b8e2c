/* Orders of the probe "logp": sequences of requests and replies (Culler, Fast Network Interfaces,
   Small-message performance). */
#ifndef TRAINER_MICRO_LOGP_PROBE_H
#define TRAINER_MICRO_LOGP_PROBE_H

enum { LOGP_CAPACITY_MOST = 64 };

/* Who asks whom. */
enum logp_pattern {
    LOGP_PAIR,   /* rank 0 asks rank `others` */
    LOGP_PAIRS,  /* ranks 0 to others - 1 ask each the rank `others` above it */
    LOGP_K_TO_1, /* ranks 0 to others - 1 ask rank `others` */
    LOGP_1_TO_K  /* rank 0 asks ranks 1 to `others` in turn */
};

/* A sequence issues `issues` requests with delay_us of computation after each; once `capacity` are
   outstanding, a reply is taken in before each further request, so that no poll which finds nothing
   is ever paid for. Result 0: the time in us of `times` sequences, without the clock's own and with
   delays of exactly delay_us; of several requesters the last one counts, until which repliers are
   busy. */
struct logp_order {
    enum logp_pattern pattern;
    int others;
    long times;
    int issues, capacity; /* 1 to LOGP_CAPACITY_MOST */
    int request_bytes, reply_bytes;
    int whole;       /* the time ends with the last reply, not the last issue */
    int reply_waits; /* a reply is not sent before its receive is posted: the replier must not wait
                        for that, or both would */
    double delay_us;
};

#endif
