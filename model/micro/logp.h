/* The LogP parameters of a machine and how they are read off a microbenchmark signature (Culler,
   Fast Network Interfaces).

   A processor is engaged o_s to send a small message and o_r to receive it; the message is L under
   way; successive messages are at least the gap g apart. The signature is the mean time of an issue
   in a sequence of M requests with a computation of D after each: o_s while no reply is taken in, g
   for ever more requests, and o_s + D + o_r where D makes the sender the bottleneck. */
#ifndef MODEL_MICRO_LOGP_H
#define MODEL_MICRO_LOGP_H

#include "model/records/record.h"

#include <stdbool.h>
#include <stddef.h>

/* One point of the signature. */
struct signature_point {
    double issues;   /* M, from 1 */
    double delay_us; /* D, from 0 */
    double cost_us;  /* mean time of an issue, the delay included */
};

/* The parameters as functions of the message size (Culler, Fast Network Interfaces, Bulk-transfer
   microbenchmark); NAN where not known. */
struct logp_bulk {
    double bytes;
    double send_overhead_us, receive_overhead_us, gap_us;
    bool gap_not_visible;
    double transfer_us; /* T(n): n bytes there and a small reply back */
    struct place place;
};

/* The gap between requests when there are several requesters, or several repliers, or both. */
struct logp_crowd {
    double processors; /* on the crowded side; of pairs that are busy at once, on either */
    double gap_us;     /* as each requester sees it */
    double ratio;      /* to the gap between two processors */
    /* Of pairs at once; NAN: not known, as of every other crowd (Culler, Fast Network Interfaces,
       Validation of communication scaling). */
    double send_overhead_us, receive_overhead_us, latency_us;
};

/* Which of the round trips the latency was taken from; the first is "not said". */
enum round_trip_used { ROUND_TRIP_UNKNOWN, ROUND_TRIP_MINIMUM, ROUND_TRIP_MAXIMUM };

struct logp {
    double send_overhead_us, receive_overhead_us, gap_us, latency_us;
    bool gap_not_visible; /* at most o_s + o_r: the processors, not the network, are the bottleneck
                             (Culler, Fast Network Interfaces, Bulk-transfer overhead) */
    double round_trip_min_us, round_trip_max_us; /* over pairs of processors */
    int latency_from;                            /* enum round_trip_used */
    double message_bytes;                        /* of a small message */
    double capacity;                             /* requests that may be outstanding */
    double store_t0_us, store_rinf_mb_per_s;     /* the line through T(n); t0 may mean nothing, and
                                                    be negative (Culler, Fast Network Interfaces,
                                                    Bulk-transfer time and bandwidth) */
    struct list bulk;                            /* of struct logp_bulk */
    struct list k_to_1, one_to_k, pairs;         /* of struct logp_crowd */
    struct list signature;                       /* of struct signature_point */
    char *source, *note;                         /* or NULL */
    struct place place;
};

extern const struct record logp_record;
extern const struct record signature_point_record;
extern const struct record logp_bulk_record;
extern const struct record logp_crowd_record;

/* What a signature alone tells. */
struct signature_reading {
    double send_overhead_us, receive_overhead_us;
    double gap_us;        /* NAN where it is not visible */
    bool gap_not_visible; /* at most the sum of the overheads */
};

/* Reads off the points (in any order) what Culler, Fast Network Interfaces, Small-message
   performance does: o_s from the first points without delay, g from the asymptote of those, o_r =
   g' - D - o_s from the asymptotes g' of delays that increase it. capacity: after so many issues
   replies are taken in; NAN: as soon as they arrive, which round_trip_us tells. accuracy, e.g.
   0.05: an idle time that is a smaller share of g is none, and g not visible (Culler, Fast Network
   Interfaces, Bulk-transfer overhead). An error where points are missing, no delay increases the
   gap, or sending alone costs as much as sending and receiving. */
int signature_read(const struct signature_point *points, size_t count, double round_trip_us,
                   double capacity, double accuracy, struct signature_reading *reading,
                   struct error *error);

/* o_s: the middle of the send-only regime, which ends when the first reply can have returned (M <
   RTT / o_s) or when the network is full, whichever is first (Culler, Fast Network Interfaces,
   Small-message performance). NAN: no points without delay. */
double signature_send_overhead_us(const struct signature_point *points, size_t count,
                                  double round_trip_us, double capacity);

/* Fills o_s, o_r, g and L of *logp from its signature and the round trip of the same processors: L
   = round_trip_us / 2 - o_s - o_r, at least 0. logp->capacity as above. An error too where the
   overheads exceed half the round trip by more than that accuracy. */
int logp_conclude(struct logp *logp, double round_trip_us, double accuracy, struct error *error);

/* The time of an issue in an endless sequence with that delay: the limit for M without end of cost
   = limit + a / M, fitted by medians from an eighth of the largest M on. NAN: fewer than two
   points. Culler, Fast Network Interfaces, Small-message performance. */
double signature_asymptote_us(const struct signature_point *points, size_t count, double delay_us);

/* Whether the curve with that delay has settled: none of its last three points is further than that
   share from the limit + a / M of before, so that more issues would tell the same (Culler, Fast
   Network Interfaces, Small-message performance). Of fewer than three points nothing is known, and
   they count as settled. */
bool signature_settled(const struct signature_point *points, size_t count, double delay_us,
                       double accuracy);

/* The same request-reply, put together again: 2 (o_s + L + o_r). Culler, Fast Network Interfaces,
   Active Messages. */
double logp_round_trip_us(const struct logp *logp);

/* The least-squares line T(n) = t0 + n / rinf through count >= 2 times of stores at different
   sizes; *rinf_mb_per_s is INFINITY where the times do not grow. Culler, Fast Network Interfaces,
   Bulk-transfer time and bandwidth. */
void logp_store_line(const struct logp_bulk *bulk, size_t count, double *t0_us,
                     double *rinf_mb_per_s);

/* Whether the gap's ratio is the expected one: K for K requesters to one, 1 for pairs apart
   (Culler, Fast Network Interfaces, Validation of communication scaling). 15 % are allowed, what
   the source calls a close fit. */
bool logp_crowd_fits(const struct logp_crowd *crowd, double expected_ratio);

#endif
