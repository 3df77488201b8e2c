/* At which sizes a loop is measured: values of the program's parameters, chosen by what the loop
   then touches, how long its rows are, and powers of two among them. */
#ifndef TRAINER_LOOPS_PLAN_H
#define TRAINER_LOOPS_PLAN_H

#include "trainer/loops/bench.h"

enum { PLAN_MOST = 64 };

/* Sizes of one loop, the most telling first. */
struct plan {
    char **definitions[PLAN_MOST]; /* NAME=VALUE of all parameters; owned */
    size_t count, parameters;
};

/* From 4 KB to bytes_most. Empty where nothing that the loop touches depends on a parameter but
   for the values that the description has. */
void plan_make(struct plan *plan, const struct bench_program *program,
               const struct forecost_loop *loop, double bytes_most);

void plan_free(struct plan *plan);

#endif
