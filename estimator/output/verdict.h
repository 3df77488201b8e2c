/* What a ranking amounts to, in words for a person. */
#ifndef ESTIMATOR_OUTPUT_VERDICT_H
#define ESTIMATOR_OUTPUT_VERDICT_H

#include "forecast/rank/ranking.h"

#include <stdio.h>

/* "rows = columns, 8 % ahead of blocks; errors of 5 %; the best with probability 0.98", or, where
   nothing says how sure the order is, why not. A ranking of at least one candidate. */
void verdict_print(const struct ranking *ranking, FILE *stream);

/* Whether the machine was measured in one launch, which says little of the next one. */
bool verdict_is_of_one_launch(const struct machine *machine);

#endif
