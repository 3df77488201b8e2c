/* What the reductions of an executed segment amount to (rule "Reductions" of
   doc/segment-description.md). */
#ifndef TEST_ENUMERATED_COMBINATION_H
#define TEST_ENUMERATED_COMBINATION_H

#include "test/enumerated/trace.h"

/* The combinations of what processors contribute to the results of a reduction: one each time
   before a later read of what it writes. Those of a trace with its writers. */
void combination_add(struct tally *tally, const struct trace *trace,
                     const struct statement *statement);

#endif
