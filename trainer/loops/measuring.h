/* The measuring of a program's loops under way, and one size of one of them. All ranks call these
   together, and have the same answers. */
#ifndef TRAINER_LOOPS_MEASURING_H
#define TRAINER_LOOPS_MEASURING_H

#include "trainer/base/options.h"
#include "trainer/loops/bench.h"

/* How often a size is measured at most where times are odd; and until others leave the core alone.
 */
enum { VISITS_MOST = 4, CROWDED_VISITS_MOST = 60 };

struct measuring {
    const struct options *options;
    struct bench_program program;
    int rank, processors;
    double end_s, bytes_most;
    double loop_end_s; /* of the loop that is being measured: nothing of it runs for longer */
    struct bench_core alone, together; /* rank 0's and one's own */
    struct loop_curves curves;
    int ended_by; /* a signal, which a loop ended by at some size, on some rank, or BENCH_EXITED; 0
                   */
};

/* Whether it is right on all ranks. */
bool measuring_agrees(bool is_right);

/* What rank 0 says, on all ranks: clocks and durations differ from rank to rank. */
bool measuring_says(bool is_so);

/* Whether there is time left and no signal has come, as rank 0 says. */
bool measuring_goes_on(double end_s);

/* What was measured at one size. */
struct measured {
    struct loop_point point;
    bool is_quiet; /* alone, while nobody else had a share of the core */
};

/* Whether there is a point: the loop runs at these values, on all ranks. patience_s: how long rank
   0 goes on where others have a share of its core. */
bool measuring_point(struct measuring *it, const struct forecost_loop *loop,
                     const char *const *definitions, size_t count, double patience_s,
                     struct measured *measured, struct error *error);

/* Which of two of the same size stands: where one alone is quiet that, else the shorter one, as
   what disturbs only makes it longer. */
struct measured measuring_better(const struct measured *one, const struct measured *other);

#endif
