/* Measures again and again over some seconds, and takes what was measured while nobody else had a
   share of the core: on a shared core the other half of it is in use for 60 us to a second at a
   time, which makes throughputs up to twice as dear and leaves chains as they are, so that no look
   at the clock tells. Measurements that are all disturbed may agree. */
#ifndef TRAINER_NODE_SPREAD_H
#define TRAINER_NODE_SPREAD_H

#include <stdbool.h>
#include <stddef.h>

/* Some 10 us of an item. */
struct spread_sample {
    double cycles;
    /* How much longer instructions beside a chain made it take, the most of before and behind the
       sample: 1 on a core of one's own; INFINITY: the clock moved meanwhile. */
    double crowding;
};

/* What measures; a test's is made up. */
struct spread_bench {
    void *state;
    /* Before an item's samples. false: it cannot be measured. */
    bool (*begin)(void *state, size_t item);
    struct spread_sample (*sample)(void *state, size_t item);
    double end_ns; /* by the clock of core_clock.h: no pass but the first two begins later; 0: all
                      may */
};

/* What of an item's measurements counts. Each is the low quartile of 41 samples that were taken
   while nobody else had a share of the core, and there is one a pass at most. */
enum spread_choice {
    /* The second least: a disturbance only adds, and the very least may owe to the clock beside it.
       Where there are no two, the second least of those that others disturbed. */
    SPREAD_LEAST,
    /* The same, and while the third least is more than 1 % above the second, passes go on: what was
       quiet once only is not known. */
    SPREAD_AGREED,
    /* The middle: of a chain, which is hardly disturbed where the chain of the clock beside it is,
       by a few percent; nothing waits for it. */
    SPREAD_MIDDLE
};

/* results[item]: what each of the items takes, NAN what cannot be measured; from 8 passes over all
   of them, 2.4 s, and up to 16 more, 7.2 s in all, over those that lack measurements. Returns how
   many still do, so that their results may be too high. A core that issues fewer than six
   instructions a cycle is crowded by itself, but always about equally, for which others come and go
   too much: there, what is no more crowded than that counts. */
size_t spread_over_passes(double *results, const enum spread_choice *choices, size_t items,
                          const struct spread_bench *bench);

/* The median of the core's clock over half a second, in cycles per ns: it goes up and down in
   steps. NAN: it cannot be measured. */
double spread_clock_ghz(void);

#endif
