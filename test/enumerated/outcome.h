/* What an executed segment amounts to by the rules of the segment language. */
#ifndef TEST_ENUMERATED_OUTCOME_H
#define TEST_ENUMERATED_OUTCOME_H

#include "test/enumerated/trace.h"

struct outcome {
    const struct trace *trace;
    struct tally tally;
    const struct loop *synchronous[DEPTH]; /* loops of which each iteration waits for messages */
    int synchronous_count;
    int pipelines;
    const struct statement *pipelined; /* the last one of which there was one */
};

/* All that a statement reads of others (rules D4 to D9); pipelines are compared with those of the
   analysis. */
void outcome_add_reads(struct outcome *outcome, const struct statement *statement,
                       const struct analysis *analysis);

#endif
