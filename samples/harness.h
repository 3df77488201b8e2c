/* What the sample programs have in common: arguments, the times of their segments, the verdict.

     mpiexec -n P PROGRAM CANDIDATE [NAME=VALUE ...] [--check]

   The timed part runs once, or with repetitions=VALUE so many times once the processors are warm;
   then each time is the median. Repetitions count only while nobody else has a share of a core, or
   where that takes more than two seconds: then a line on standard error says how many were
   disturbed. Prints, in CSV, each segment's times as `estimator predict --format
   csv` names them: computation of the busiest processor, the rest of the slowest one's time, and
   their sum; and of the repetitions that counted, how many were disturbed. With --check the result
   is compared with that of one processor; where it is wrong the exit status is 1. */
#ifndef SAMPLES_HARNESS_H
#define SAMPLES_HARNESS_H

#include "samples/sieve.h"

#include <mpi.h>
#include <stdbool.h>
#include <stddef.h>

enum { HARNESS_SEGMENTS = 8 };

/* A parameter of the description that NAME=VALUE sets. */
struct harness_parameter {
    const char *name;
    int value; /* first its default */
};

struct harness_segment {
    const char *name;
    double compute_s, communicate_s;       /* of this processor, in this repetition */
    double *kept_compute_s, *kept_total_s; /* of the slowest processor, in each repetition */
};

struct harness {
    MPI_Comm comm;
    int rank, processors;
    const char *candidate;
    bool check;
    int operation_ns; /* operation_ns=VALUE: what an operation takes on a simulated machine */
    int repetitions;
    bool warm;
    double begin_s;
    struct sieve sieve;
    double crowding; /* of the cores, before this repetition */
    int wide_looks;  /* that saw this core issue six instructions a cycle */
    struct harness_segment segments[HARNESS_SEGMENTS], all;
    int count, current;
    bool communicates;
    double stamp_s;
};

/* Starts MPI and reads the arguments. `candidates` are words between blanks; a NULL name ends
   `parameters`, values of which are at least 1. Ends the program where the arguments are wrong. */
void harness_begin(struct harness *harness, int argc, char **argv, const char *candidates,
                   struct harness_parameter *parameters);

/* Ends the program, with status 2 and this message of rank 0, where what must be so is not. */
void harness_require(const struct harness *harness, bool is_so, const char *message);

bool harness_is(const struct harness *harness, const char *candidate);

/* Whether the timed part runs (once more): to be called before each run, which starts from the same
   values, until it says no. */
bool harness_again(struct harness *harness);

/* Waits for all; what follows is the computation of that segment. The wait is in no segment. */
void harness_start(struct harness *harness, const char *segment);

/* What follows is the computation of that segment, without a wait. */
void harness_segment(struct harness *harness, const char *segment);

/* What follows is communication of the segment, or its computation. */
void harness_communicate(struct harness *harness);
void harness_compute(struct harness *harness);

/* Lets a simulated machine take the time of so many operations; a real one has done them. */
void harness_work(const struct harness *harness, double operations);

/* Stops the clock. */
void harness_stop(struct harness *harness);

/* Prints, where `error` is this processor's largest difference from the serial result. Frees MPI;
   returns the exit status. */
int harness_end(struct harness *harness, double error);

/* Zeroed memory, or the end of the program. */
void *harness_memory(size_t count, size_t bytes);

/* BLOCK: the part of n elements that processor q of p has. */
struct share {
    int first, count;
};
struct share share_of(int n, int p, int q);

/* Block by block, so that no line of memory is fetched twice: to[j][i] = from[i][j], both width x
   width elements of so many doubles each, whose rows are to_row and from_row elements apart. */
void harness_turn(double *to, int to_row, const double *from, int from_row, int width, int doubles);

/* MPI_Alltoall and MPI_Allgather of `count` doubles for, or of, each. Two processors exchange: what
   MPI_Sendrecv does in 0.7 us takes MPICH's MPI_Alltoall 1.8 (1 KB), and is what the analysis of a
   description derives for them. */
void harness_all_to_all(const double *from, double *to, int count, MPI_Comm comm);
void harness_all_gather(const double *from, double *to, int count, MPI_Comm comm);

/* The first side of the squarest grid of a power of two: 2 ^ ceil(log2(p) / 2). */
int harness_side(int processors);

#endif
