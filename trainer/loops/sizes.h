/* The curve of one loop: its sizes one after the other, more where times jump, and again what is
 * odd.
 */
#ifndef TRAINER_LOOPS_SIZES_H
#define TRAINER_LOOPS_SIZES_H

#include "trainer/loops/measuring.h"
#include "trainer/loops/plan.h"

struct sizes_done {
    size_t done, planned; /* sizes that there was time for, of those of the plan */
    size_t crowded;       /* points beside which others had a share of the core, however often */
};

/* Every rank. Measures the sizes of the plan until end_s by clock_s, adds some to it where times
   jump, and measures again where others had the core, and then where a time is odd. *curve has the
   points alone, none where no size can be measured: then *error says why, or is empty where there
   was no time. */
struct sizes_done sizes_measure(struct measuring *it, const struct forecost_loop *loop,
                                struct plan *plan, double end_s, struct loop_curve *curve,
                                struct error *error);

#endif
