/* What an executed segment amounts to by the rules of the segment language. */
#ifndef TEST_ENUMERATED_OUTCOME_H
#define TEST_ENUMERATED_OUTCOME_H

#include "test/enumerated/pipelining.h"

enum { WAVES = 4 };

struct outcome {
    const struct trace *trace;
    struct tally tally;
    const struct loop *synchronous[DEPTH]; /* loops of which each iteration waits for messages */
    int synchronous_count;
    struct wave waves[WAVES]; /* one for each statement that has any */
    int pipelines;
};

/* All that a statement reads of others (doc/segment-description.md, How communication is derived);
   pipelines are compared with those of the analysis. */
void outcome_add_reads(struct outcome *outcome, const struct statement *statement,
                       const struct analysis *analysis);

#endif
