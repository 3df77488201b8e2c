/* Broadcasts made of messages: how long six algorithms take until the last processor has the
   message (001 chapter 3), composed from a table's point-to-point and one-to-many. Not the same
   quantity as the utility broadcast, which ends when the sender is done (R174). */
#ifndef MODEL_MACHINE_BROADCAST_H
#define MODEL_MACHINE_BROADCAST_H

#include "model/machine/machine.h"

enum { BROADCAST_COUNT = 6 };

/* The name of an algorithm as a utility: "broadcast-1m", "broadcast-rd", "broadcast-prd",
   "broadcast-bt", "broadcast-pbt", "broadcast-bc". */
const char *broadcast_name(size_t algorithm);

struct broadcast_times {
    double time_us[BROADCAST_COUNT]; /* NAN: the table does not tell */
    size_t best; /* fastest of 1m, rd, pbt (001:666); the first of equals; BROADCAST_COUNT: none */
    unsigned flags; /* enum cost_flag, of all costs that were asked */
};

/* The times for n = bytes >= 0 and p = processors >= 1 that take part. Where the table has measured
   the utility of the name, that is the answer; else the formula is. One processor needs nothing.
   Never fails: what is missing is NAN. */
struct broadcast_times broadcast_times(const struct machine *machine, double bytes,
                                       double processors);

#endif
