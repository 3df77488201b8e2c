/* What the sources read off the curves of their kernels (Abandah, IBM SP2, section 5.4.1), as
   rules: on the machine that they are from they were right. On present machines some are not, which
   is why they stand beside the table's own values and nothing is computed with them. */
#ifndef TRAINER_MEMORY_MEMORY_RULES_H
#define TRAINER_MEMORY_MEMORY_RULES_H

#include "model/node/memory.h"
#include "trainer/memory/strided_walks.h"

/* Appends to levels (struct memory_level) a row for every plateau of the curves, memory last:
   capacity: where the transition to the next plateau begins;
   ways: capacity / width of the transition;
   line: the smallest stride whose time on the next plateau is that of the next stride;
   ports: loads a cycle on the first plateau;
   times: on the first plateau, times ports; elsewhere of the largest stride.
   Where a rule gives nothing, because says why. Nothing is appended where there is no transition.
 */
void rules_apply(const struct curves *curves, struct list *levels);

#endif
