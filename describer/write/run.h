/* A run of statements while it is written: what its parts share. */
#ifndef DESCRIBER_WRITE_RUN_H
#define DESCRIBER_WRITE_RUN_H

#include "describer/count/results.h"
#include "describer/write/write.h"

struct run {
    struct writer *writer;
    struct count count;
    const char *kernel;
    bool is_counted; /* the operations are written, with the first statement */
};

/* gathers.c: the elements that a statement reads through index arrays. */
void write_gathers(struct run *run, const struct reads *reads);

/* recurrences.c: the longest chain from what an iteration before has stored to what is stored now;
   chain NULL: there is none. */
struct recurrence {
    const char *chain;
    int distance;
    double cycles; /* an iteration */
};
struct recurrence recurrence_of(struct run *run, const struct statement *statement,
                                bool accumulates);
/* The same of a scalar that iterations hand on, through whatever else they do. */
struct recurrence recurrence_of_scalar(struct run *run, const struct carry *carry);
void write_recurrence(struct run *run, const struct recurrence *recurrence);

#endif
