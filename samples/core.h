/* The clock of the core that one runs on, and whether somebody else has a share of the core. Both
   by looking: nothing of the kind can be asked of a virtual machine. */
#ifndef SAMPLES_CORE_H
#define SAMPLES_CORE_H

/* The time, from some moment on, in us. */
double core_now_us(void);

/* What a cycle takes now, in us, by a chain of so many steps, a multiple of 100, of a cycle each.
   NAN: not known of this kind of processor. */
double core_cycle_us(int steps);

/* How many instructions stand beside each step of a chain. They take no time on a core that issues
   four or more a cycle, or six or more, unless another thread has its other half: then the chain
   alone is slower too, but by so little that one does not see it. On a core that issues six, what
   that thread leaves can be the four that three need. */
enum core_crowd { CORE_THREE_BESIDE, CORE_FIVE_BESIDE };

/* What a cycle takes with those beside it. */
double core_crowded_cycle_us(enum core_crowd crowd, int steps);

#endif
