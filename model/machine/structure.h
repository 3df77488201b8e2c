/* What one measured processor count says of others: nothing but what the structure of a pattern
   bounds. Between two processors a broadcast is one message; among sixteen it is at least as long
   and at most the stages of a tree, or of a ring of pieces, each as long as the pattern's own time
   or a point-to-point message, whichever is longer. */
#ifndef MODEL_MACHINE_STRUCTURE_H
#define MODEL_MACHINE_STRUCTURE_H

#include "model/machine/machine.h"

enum { STRUCTURE_NOT_KNOWN = 1 };

/* The time of one use of a cost of the machine, as cost_answer has it, which see. Where the cost
   was measured at one processor count and is asked at another one, low and high are the bounds
   above, time_us is their geometric mean, measured_at the processor count that was measured, and
   the answer is flagged extrapolated-p. STRUCTURE_NOT_KNOWN, and *error says of what, without a
   place, where the bounds are more than a factor of 100 apart, or nothing bounds the pattern, or
   the processors are too many times those that were measured; -1 on other errors. That other
   processors are as near as those that were measured is assumed: one count cannot tell. */
int structure_answer(const struct machine *machine, const struct cost *cost, double bytes,
                     double processors, struct cost_answer *answer, struct error *error);

/* The same before cost_answer_narrow. */
int structure_answer_wide(const struct machine *machine, const struct cost *cost, double bytes,
                          double processors, struct cost_answer *answer, struct error *error);

#endif
