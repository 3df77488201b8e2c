/* What is right in form and odd in substance: descriptions of which a prediction hardly says what
   was meant. */
#ifndef MODEL_SEGMENT_PROGRAM_PROGRAM_LINT_H
#define MODEL_SEGMENT_PROGRAM_PROGRAM_LINT_H

#include "model/segment/program/program.h"

/* Receives a remark at its place in the description; valid during the call. */
typedef void program_remark(void *state, const struct error *remark);

/* Calls remark for everything odd, in the order of the rules in program_lint.c; returns how many.
 */
size_t program_lint(const struct program *program, program_remark *remark, void *state);

#endif
