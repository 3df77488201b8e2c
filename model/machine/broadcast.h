/* Broadcasts made of messages: how long six algorithms take until the last processor has the
   message (Abandah, IBM SP2, chapter 3), composed from a table's point-to-point and one-to-many.
   Not the same quantity as the utility broadcast, which ends when the sender is done. */
#ifndef MODEL_MACHINE_BROADCAST_H
#define MODEL_MACHINE_BROADCAST_H

#include "model/cost/pattern.h"
#include "model/machine/machine.h"

enum broadcast_algorithm {
    BROADCAST_1M,  /* the root sends to each */
    BROADCAST_RD,  /* recursive doubling */
    BROADCAST_PRD, /* the same in parts */
    BROADCAST_BT,  /* binary tree */
    BROADCAST_PBT, /* the same in parts */
    BROADCAST_BC,  /* the library's own */
    BROADCAST_COUNT
};

/* The name of an algorithm as a utility, such as that of pattern_broadcast_1m. */
const char *broadcast_name(size_t algorithm);

/* A share of an algorithm's formula: so many times T(bytes) of the utility, among so many that take
   part, the sender included. */
struct broadcast_part {
    const struct pattern *pattern; /* point-to-point or one-to-many */
    double uses, bytes, participants;
};

enum { BROADCAST_PARTS_MOST = 3 };

/* What the formula of the algorithm of that pattern sums up for n = bytes >= 0 and p = processors
   >= 1; returns how many parts there are, of which some may have no use; 0: it has no formula
   (Abandah, IBM SP2, sections 3.3 to 3.7). */
size_t broadcast_parts(const struct pattern *pattern, double bytes, double processors,
                       struct broadcast_part parts[BROADCAST_PARTS_MOST]);

struct broadcast_times {
    double time_us[BROADCAST_COUNT]; /* NAN: the table does not tell */
    size_t best;    /* fastest of 1m, rd, pbt (Abandah, IBM SP2, section 3.9); the first of equals;
                       BROADCAST_COUNT: none */
    size_t fastest; /* of all six, where a time is above 0 (a line that was carried too far may say
                       0): of equals the library's own, else the first; BROADCAST_COUNT: none */
    unsigned flags; /* enum cost_flag, of all costs that were asked */
};

/* The times for n = bytes >= 0 and p = processors >= 1 that take part. Where the table has measured
   the utility of the name, that is the answer; else the formula is, and for the library's own the
   utility broadcast, where it ends when all have the message. One processor needs nothing. Never
   fails: what is missing is NAN. */
struct broadcast_times broadcast_times(const struct machine *machine, double bytes,
                                       double processors);

/* The same from processor `root`, where processors that are near one another stand in a row: by the
   hops of a broadcast where the table has them; the library's own, from another root than the
   first, is the utility broadcast-bc-other where that was measured. What the table does not tell
   apart is as from the first. */
struct broadcast_times broadcast_times_from(const struct machine *machine, double bytes,
                                            double processors, int root);

/* How deep the formulas of bt and pbt take the tree to be where the table has not measured them:
   ceil(log2 p) levels as printed (Abandah, IBM SP2, section 3.6), or floor(log2 p), which it has,
   and between two processors one message. */
enum broadcast_depth { BROADCAST_DEPTH_PRINTED, BROADCAST_DEPTH_FLOOR };

/* The times from the first processor, with that depth. */
struct broadcast_times broadcast_times_of_depth(const struct machine *machine, double bytes,
                                                double processors, enum broadcast_depth depth);

/* How long bt keeps the sender busy, n and p as above: the utility broadcast-bt-sender where it was
   measured, else two sends, T_1m(n, 2), or the one that there is between two processors (Abandah,
   IBM SP2, section 3.8). us; NAN: the table does not tell. Adds to *flags (enum cost_flag). */
double broadcast_bt_sender_us(const struct machine *machine, double bytes, double processors,
                              unsigned *flags);

/* Whether the answers depend on the root. */
bool broadcast_depends_on_root(const struct machine *machine);

/* The size of the parts in which an algorithm sends long messages, those to which its time belongs:
   the table's, else 8192. INFINITY: the algorithm sends them whole. */
double broadcast_part_bytes(const struct machine *machine, size_t algorithm);

#endif
