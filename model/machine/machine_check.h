/* Whether a table that reads well also makes sense: what no single key can tell. */
#ifndef MODEL_MACHINE_MACHINE_CHECK_H
#define MODEL_MACHINE_MACHINE_CHECK_H

#include "model/machine/machine.h"

/* 0, or -1 with the error at the place of what breaks a rule: the first, in the order of the
   tables of rules in machine_check.c. */
int machine_check(const struct machine *machine, struct error *error);

#endif
