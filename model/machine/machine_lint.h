/* What is right in form and odd in substance: times that a machine could hardly have. Published
   tables have some, measured ones had better be measured again. */
#ifndef MODEL_MACHINE_MACHINE_LINT_H
#define MODEL_MACHINE_MACHINE_LINT_H

#include "model/machine/machine.h"

/* Receives a remark at its place in the table; valid during the call. */
typedef void lint_remark(void *state, const struct error *remark);

/* Calls remark for everything odd, in the order of the rules in machine_lint.c; returns how many.
 */
size_t machine_lint(const struct machine *machine, lint_remark *remark, void *state);

#endif
