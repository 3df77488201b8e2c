/* Whether what a statement reads makes a pipeline (rule "Pipelines" of doc/segment-description.md),
   and what it then is: found from who executes what in which order. */
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

/* What all passings of a statement make together: one wave. Zeroed = none. */
struct wave {
    const struct statement *statement;
    int along, strips; /* grid dimension of the first; level of the loop that is cut, -1: none */
    bool joined[3];    /* by grid dimension */
    double active, across, across_bytes, outer;
    int message_count;
    double bytes[3]; /* of all values of the strips' loop */
};

/* Adds what goes along that grid dimension; pipeline: the derived one, of which the loop that is
   cut is taken, where it may be cut. */
void wave_add(struct wave *wave, const struct passing *passing, int along,
              const struct pipeline *pipeline);

void wave_compare(const struct wave *wave, const struct trace *trace,
                  const struct pipeline *pipeline);

#endif
