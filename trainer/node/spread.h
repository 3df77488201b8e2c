/* Measures again and again over some seconds: on a shared core the other half of it is in use for a
   second or so at a time, which makes throughputs up to twice as dear and leaves chains as they
   are, so that no look at the clock tells. Passes that are all disturbed may agree. */
#ifndef TRAINER_NODE_SPREAD_H
#define TRAINER_NODE_SPREAD_H

#include <stddef.h>

/* One measurement of an item; NAN: it cannot be measured. */
typedef double spread_measure(void *state, size_t item);

/* What of an item's passes counts. */
enum spread_choice {
    /* The second least: a disturbance only adds, and the very least may owe to the clock beside
       it. */
    SPREAD_LEAST,
    /* The same, and while the third least is more than 1 % above the second, passes go on, up to
       7 s: what was quiet once only is not known. */
    SPREAD_AGREED,
    /* The middle: of a chain, which is hardly disturbed where the chain of the clock beside it is,
       by up to 2 %. */
    SPREAD_MIDDLE
};

/* results[item]: what each of the items took in passes over all of them, about 2.5 s in all.
   Returns before and behind how many passes nobody else had a share of the core. */
size_t spread_over_passes(double *results, const enum spread_choice *choices, size_t items,
                          spread_measure *measure, void *state);

/* The median of the core's clock over half a second, in cycles per ns: it goes up and down in
   steps. NAN: it cannot be measured. */
double spread_clock_ghz(void);

#endif
