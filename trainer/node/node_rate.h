/* The rate of floating-point work as one number: what an estimate uses where the
   functional units are not known. */
#ifndef TRAINER_NODE_NODE_RATE_H
#define TRAINER_NODE_NODE_RATE_H

/* MFLOPS of a five-point relaxation (3 additions, 1 multiplication a point) over arrays that fit a
   second-level cache, on this processor: the median of several sweeps. */
double node_rate_mflops(void);

#endif
