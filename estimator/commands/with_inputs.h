/* What commands of a table and a description have in common. */
#ifndef ESTIMATOR_COMMANDS_WITH_INPUTS_H
#define ESTIMATOR_COMMANDS_WITH_INPUTS_H

#include "estimator/output/options.h"
#include "model/machine/machine.h"
#include "model/segment/program/program.h"

typedef int with_inputs_body(const struct options *options, const struct machine *machine,
                             struct program *program, struct error *error);

/* Parses the command line, whose first two arguments are TABLE and SEGMENT, reads both, runs the
   body and releases all. Returns what the body does, or -1 with *error set. */
int with_inputs(const struct options_face *face, int argc, char **argv, with_inputs_body *body,
                struct error *error);

#endif
