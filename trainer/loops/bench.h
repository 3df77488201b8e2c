/* One loop of an object at chosen values of the program's parameters: its arrays, and how long an
   iteration takes. */
#ifndef TRAINER_LOOPS_BENCH_H
#define TRAINER_LOOPS_BENCH_H

#include "model/loops/curves.h"
#include "trainer/loops/interruptions.h"
#include "trainer/loops/object.h"

enum { BENCH_NAMES_MOST = 64 };

/* The program that the loops are of. */
struct bench_program {
    struct program program;
    const struct loops_object *object;
    double processors; /* that it runs on, and its sizes are of */
    double bytes_most; /* that the arrays of a size may have */
};

struct bench {
    const struct forecost_loop *loop;
    long values[BENCH_NAMES_MOST], extents[BENCH_NAMES_MOST * OBJECT_RANK];
    double elements[BENCH_NAMES_MOST], element_bytes[BENCH_NAMES_MOST];
    void *arrays[BENCH_NAMES_MOST]; /* owned */
    struct loop_shape shape;
    double bytes;      /* of its arrays */
    double bytes_most; /* that they may have */
    double iterations; /* of one run */
    long step;         /* of the outermost loop */
    int ended_by;      /* a signal, when it was run first, or BENCH_EXITED; 0: it came to its end */
};

/* It ended the process that ran it first. */
enum { BENCH_EXITED = 1 << 20 };

/* Sets up all but the arrays. definitions: NAME=VALUE. Errors: the description has no such loop or
   name, or something has no value there. */
int bench_make(struct bench *bench, const struct bench_program *program,
               const struct forecost_loop *loop, const char *const *definitions, size_t count,
               struct error *error);

/* Has the arrays, filled, and lets another process count the iterations and run it once, until
   end_s at most. Errors: no memory, no iteration, no time, or the loop cannot be run here. */
int bench_fill(struct bench *bench, double end_s, struct error *error);

/* Batches are run for point_s, and for up to patience_s more where others have a share of the core
   meanwhile; without patience always for as long, as others measure at once. */
struct bench_limits {
    double point_s, patience_s;
};

/* What is known of the core, from one size to the next; zeroed: nothing. */
struct bench_core {
    double crowding_least; /* as of struct batches */
    struct interruptions interruptions;
};

struct bench_time {
    double each_ns;
    bool is_quiet; /* measured while nobody else had a share of the core */
};

/* How long an iteration takes, warm; INFINITY where it has not ended by end_s, or by a signal. */
struct bench_time bench_time(const struct bench *bench, const struct bench_limits *limits,
                             struct bench_core *core, double end_s);

void bench_free(struct bench *bench);

#endif
