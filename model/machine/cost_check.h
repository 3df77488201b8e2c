/* Rules for a utility of the communication: section of a machine table. */
#ifndef MODEL_MACHINE_COST_CHECK_H
#define MODEL_MACHINE_COST_CHECK_H

#include "model/machine/machine.h"

/* 0, or -1 with the error at the place of what breaks a rule: the first, in the order of the table
   of rules in cost_check.c, in the regions for all p before those of one p. */
int cost_check(const struct machine *machine, const struct cost *cost, struct error *error);

#endif
