/* Random small segments: one statement that reads an array which lies as it likes; some within a
   loop that carries a dependence. */
#ifndef TEST_TRAFFIC_RANDOM_SEGMENT_H
#define TEST_TRAFFIC_RANDOM_SEGMENT_H

#include <gsl/gsl_rng.h>
#include <stdbool.h>

enum {
    RANK = 3,
    READS = 4,
    SIDE = 26, /* no extent is greater */
    PROCESSORS = 24
};

/* One subscript: coefficient x loop (+ second loop) + turn x the loop outside + constants[read];
   loop -1: none. */
struct index {
    int loop, coefficient, second, constants[READS];
    int turn; /* coefficient of the loop outside */
};

struct operand {
    int rank, extent[RANK];
    int grid[RANK], block[RANK]; /* grid dimension, -1: not distributed */
    bool cyclic[RANK];
    struct index index[RANK];
};

struct case_of {
    int grid_count, grid[RANK], processors;
    int loop_count, first[RANK], last[RANK];
    int turns; /* values of the loop outside, from 0; 0: there is none */
    int less;  /* the last loop ends so much earlier with each of them */
    int below; /* > 0: the last loop ends so much below the first loop's index (triangular) */
    int read_count;
    bool coupled; /* subscripts or bounds couple loops */
    struct operand home, data;
};

struct case_of random_case(gsl_rng *random);

/* How many values the loop outside has; 1 where there is none. */
int turns_of(const struct case_of *it);

/* As a description, to the path. */
void write_description(const struct case_of *it, const char *path);

#endif
