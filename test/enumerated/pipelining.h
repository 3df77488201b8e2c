/* Whether what a statement reads makes a pipeline (rule D8 of the segment language), and what it
   then is: found from who executes what in which order. */
#ifndef TEST_ENUMERATED_PIPELINING_H
#define TEST_ENUMERATED_PIPELINING_H

#include "test/enumerated/moves.h"
#include "test/enumerated/trace.h"

/* What a statement reads of an array, and a loop carries. */
struct passing {
    const struct trace *trace;
    const struct statement *statement;
    int array, level;          /* of the loop that carries, from the outermost */
    const struct moves *moves; /* all that are moved for it */
};

/* The grid dimension along which everything goes from each processor to the next, where the loop
   does so too, never back; -1: there is none such. */
int pipelining_along(const struct passing *passing);

/* Compares with a pipeline along that grid dimension; joined: another of the same wavefront, whose
   strips are that loop. */
void pipelining_check(const struct passing *passing, int along, const struct pipeline *pipeline);
void pipelining_check_joined(const struct passing *passing, int along,
                             const struct pipeline *pipeline);

#endif
