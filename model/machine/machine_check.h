/* What a machine table must satisfy beyond its syntax: a table of rules, each a small function. */
#ifndef MODEL_MACHINE_MACHINE_CHECK_H
#define MODEL_MACHINE_MACHINE_CHECK_H

#include "model/machine/machine.h"

/* The first rule that the machine breaks, as an error at its place in machine->path; 0: none. */
int machine_check(const struct machine *machine, struct error *error);

#endif
