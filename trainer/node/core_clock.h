/* The clock of the core, from chains of operations that take one cycle each: neither the time stamp
   counter nor what the system tells is the clock that the core runs at. */
#ifndef TRAINER_NODE_CORE_CLOCK_H
#define TRAINER_NODE_CORE_CLOCK_H

/* Cycles per nanosecond now; the consensus of chains of exclusive or, complement, subtraction and
   rotation, each step of which takes a cycle on every present core. About 5 ms. NAN: they do not
   agree. */
double core_clock_ghz(void);

#endif
