/* At which sizes a loop is measured: values of the program's parameters, chosen by what the loop
   then touches, how long its rows are, and powers of two among them. */
#ifndef TRAINER_LOOPS_PLAN_H
#define TRAINER_LOOPS_PLAN_H

#include "trainer/loops/bench.h"

#include <stdbool.h>

enum { PLAN_MOST = 128 };

struct scaling;

/* What the parameters of a size are rounded to. */
enum plan_rounding {
    PLAN_FOURS,
    PLAN_POWERS,      /* of two */
    PLAN_TWO_LINES,   /* rows of doubles are an odd multiple of two lines of 64 bytes: their
                         columns share half of the sets of a cache */
    PLAN_EIGHT_LINES, /* of eight: an eighth of the sets */
    PLAN_UNITS        /* all as many times larger as the least size is, which is whole: tiles fit */
};

/* Sizes of one loop, the most telling first: the program's own, every second octave of what is
   touched, what shares sets of a cache, then those between. */
struct plan {
    struct scaling *scaling;       /* owned */
    char **definitions[PLAN_MOST]; /* of those that were asked for: NAME=VALUE of all parameters;
                                      owned */
    struct wanted {
        double bytes, row_factor;
        enum plan_rounding rounding;
    } wanted[PLAN_MOST];
    size_t count, parameters;
    size_t coarse; /* of these, the first ones, which a curve needs whatever they take */
    size_t sparse; /* of these, that are measured before what lies between jumps */
};

/* From 512 bytes to bytes_most, and the program's own size where it is no larger. Empty where
   nothing that the loop touches depends on a parameter but for the values that the description has.
 */
void plan_make(struct plan *plan, const struct bench_program *program,
               const struct forecost_loop *loop, double bytes_most);

/* The parameters of a size, found when they are first asked for, as that takes time; NULL: the loop
   cannot be of that size. */
const char *const *plan_definitions(struct plan *plan, size_t number);

/* Whether all parameters are as many times larger, and none rounded more than to a multiple of
 * four. */
bool plan_is_usual(const struct plan *plan, size_t number);

/* A size between two of the plan that were asked for, in the logarithms of all parameters; false:
   there is none, or no more room. */
bool plan_add_between(struct plan *plan, size_t one, size_t other);

void plan_free(struct plan *plan);

#endif
