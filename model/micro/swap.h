/* COMMTEST: the peak that two processors reach when they swap data (Worley, COMMTEST).

   V bytes go each way, in N messages of V / N bytes; T_N is the time of the whole, the maximum over
   processors. Two numbers sum the curve T_N up: a, what one more message costs, and b, what a byte
   costs at best. */
#ifndef MODEL_MICRO_SWAP_H
#define MODEL_MICRO_SWAP_H

#include "model/records/record.h"

#include <stdbool.h>
#include <stddef.h>

enum swap_order { SWAP_UNORDERED, SWAP_ORDERED, SWAP_ORDERS };

/* Basic: each swap is completed before the next. Reorganized: receives are posted one swap ahead
   and sends completed one swap late (Worley, COMMTEST, the sets of experiments). */
enum swap_set { SWAP_BASIC, SWAP_REORGANIZED, SWAP_SETS };

/* Cold: caches emptied first. Warm: not. Iterated: each message several times (Worley, COMMTEST,
   the sets of experiments). */
enum swap_way { SWAP_COLD, SWAP_WARM, SWAP_ITERATED, SWAP_WAYS };

/* The protocols are numbered within each order (Worley, COMMTEST, the protocols). */
enum { SWAP_PROTOCOLS = 11 };

/* The name of a protocol, such as "nonblocking send"; NULL: there is none of that number. */
const char *swap_protocol_name(int order, int protocol);

/* Whether it has nonblocking calls that a reorganized swap can move. */
bool swap_can_reorganize(int order, int protocol);

/* One T_N. */
struct swap_time {
    double messages; /* N */
    double time_us;
};

/* One protocol in one set and way at one volume between one pair. Either the statistics, or why
   there are none. NAN: absent; what an order does not have is absent, not 0. */
struct swap {
    double order, protocol;
    int set, way; /* enum swap_set, swap_way */
    double volume_bytes;
    char *pair; /* which logical processors: "0-1"; NULL: not said */
    double a_us, b_us_per_byte;
    bool a_not_visible;                   /* T_N does not grow with N: a is 0 */
    double latency_us;                    /* a, or a / 2 in order */
    double swap_mb_per_s;                 /* both directions: 2 / b */
    double busy_mb_per_s;                 /* while receiving: 1 / b; unordered only */
    double idle_mb_per_s;                 /* while nothing else happens: 2 / b; ordered only */
    double model_error_max;               /* of a N + b V: largest and mean |model - T_N| / T_N */
    double model_error_mean;              /* over N */
    double best_messages;                 /* the N of the least T_N */
    double single_us;                     /* T_1: what the library makes of the whole */
    double first_messages, last_messages; /* N1 and N2 of a */
    double dominant_from, dominant_upto;  /* the N that the error was restricted to; NAN: all */
    double common_clock_us; /* largest excess of the elapsed time from the first start to the last
                               finish over T_N; only where the clock is common (Worley, COMMTEST,
                               the sets of experiments) */
    char *not_available;    /* why; or NULL */
    struct place place;
};

extern const struct record swap_record;

/* What the statistics are taken from besides the times. */
struct swap_choice {
    double first_messages, last_messages; /* N1 < N2: 512 and 1024 if nothing is said (Worley,
                                             COMMTEST, the statistics) */
    double dominant_from, dominant_upto;  /* error over these N only; NAN: no bound (Worley,
                                             COMMTEST, the statistics) */
};

extern const struct swap_choice swap_default;

/* Fills the statistics of *swap, whose order and volume_bytes are set, from its T_N (Worley,
   COMMTEST, the statistics): b = min T_N / V; a = (T_N2 - T_N1) / (N2 - N1). V counts the bytes
   that one processor sends; in order, sends and volume are doubled, which is already in a / 2 and 2
   / b. Where T_N falls, a message costs less than the noise and the change of its cost per byte: a
   is 0 then, and said not to be visible. An error where T_N1 or T_N2 is missing, a time is not
   above 0, or no N is left for the error. */
int swap_conclude(struct swap *swap, const struct swap_time *times, size_t count,
                  const struct swap_choice *choice, struct error *error);

/* Fills the latency and the rates of *swap, whose order is set, from its a and b. */
void swap_take_rates(struct swap *swap);

/* a N + b V. */
double swap_model_us(const struct swap *swap, double messages);

#endif
