/* One loop of an object at chosen values of the program's parameters: its arrays, and how long an
   iteration takes. */
#ifndef TRAINER_LOOPS_BENCH_H
#define TRAINER_LOOPS_BENCH_H

#include "model/loops/curves.h"
#include "trainer/loops/object.h"

enum { BENCH_NAMES_MOST = 64 };

/* The program that the loops are of. */
struct bench_program {
    struct program program;
    const struct loops_object *object;
    double processors; /* that it runs on, and its sizes are of */
};

struct bench {
    const struct forecost_loop *loop;
    long values[BENCH_NAMES_MOST], extents[BENCH_NAMES_MOST * OBJECT_RANK];
    double elements[BENCH_NAMES_MOST], element_bytes[BENCH_NAMES_MOST];
    void *arrays[BENCH_NAMES_MOST]; /* owned */
    struct loop_shape shape;
    double bytes;      /* of its arrays */
    double iterations; /* of one run */
    long step;         /* of the outermost loop */
};

/* Sets up all but the arrays. definitions: NAME=VALUE. Errors: the description has no such loop or
   name, or something has no value there. */
int bench_make(struct bench *bench, const struct bench_program *program,
               const struct forecost_loop *loop, const char *const *definitions, size_t count,
               struct error *error);

/* Has the arrays, filled, and counts the iterations. */
int bench_fill(struct bench *bench, struct error *error);

/* Nanoseconds an iteration: the lower decile of batches that take batch_s each and limit_s
   together, warm. */
double bench_time_ns(const struct bench *bench, double batch_s, double limit_s);

void bench_free(struct bench *bench);

#endif
