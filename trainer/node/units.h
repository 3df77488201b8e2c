/* From cycles of operations alone and of operations in turn to the unit rows of a machine table:
   what shares a pipe is found out, not looked up (Abandah, IBM SP2, section 5.3, turned round).
   Knows no clock and no processor. */
#ifndef TRAINER_NODE_UNITS_H
#define TRAINER_NODE_UNITS_H

#include "model/node/node.h"

enum { TIMINGS_MOST = 24 };

/* Cycles that one of each of the operations takes, all in turn and independent of one another. */
struct timing {
    unsigned which; /* 1 << OPERATION_ADD | ... */
    double cycles;
};

struct timings {
    size_t count;
    struct timing items[TIMINGS_MOST];
    double issue_cycles; /* an instruction that needs no unit; NAN: not measured */
};

/* A reciprocal throughput as the hardware has it: a whole number of cycles, a half of it, or a
   whole number a cycle, if the measured one is at most 5 % above or 1 % below; else as measured. */
double units_round(double cycles);

/* Appends the rows (struct unit) that explain the timings to *units: a row an operation, one for
   operations that together take longer than each alone, none that another row implies, and
   instruction issue for all. */
void units_derive(const struct timings *timings, struct list *units);

#endif
