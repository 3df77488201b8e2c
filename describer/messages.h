/* Calls of MPI as utilities with so many bytes. */
#ifndef DESCRIBER_MESSAGES_H
#define DESCRIBER_MESSAGES_H

#include "describer/evaluate.h"

/* Whether the call is one of MPI's; then it is described, and its value set. */
bool messages_call(struct describer *describer, const struct syntax *call, struct value *value);

/* A call entry with these texts; processors may be NULL. */
struct outline *messages_add(struct describer *describer, const char *utility, const char *bytes,
                             const char *processors);

#endif
