/* The clock of the core, from chains of operations that take one cycle each: neither the time stamp
   counter nor what the system tells is the clock that the core runs at. */
#ifndef TRAINER_NODE_CORE_CLOCK_H
#define TRAINER_NODE_CORE_CLOCK_H

/* Cycles per nanosecond now; the consensus of chains of exclusive or, complement, subtraction and
   rotation, each step of which takes a cycle on every present core. About 5 ms. NAN: they do not
   agree. */
double core_clock_ghz(void);

/* How long a cycle takes right now: one chain of about 25 us, disturbed or not. Only where
   core_clock_ghz gave a number. */
double core_clock_cycle_ns(void);

/* The same within 2 us, and less exact; reading_ns: what two readings of the clock take. */
double core_clock_short_cycle_ns(double reading_ns);

/* How long a step takes that has five other instructions beside it, within 7 us: a cycle on a core
   of one's own that issues six or more at once, and longer where another thread has its other half,
   which leaves chains alone nearly as they are. With fewer beside, one that leaves four would not
   be seen. */
double core_clock_crowded_cycle_ns(void);

/* A clock that never goes back, ns. */
double core_clock_now_ns(void);

#endif
