/* Rules for the swap:, overlap: and logp: sections of a machine table. */
#ifndef MODEL_MACHINE_MICROBENCHMARK_CHECK_H
#define MODEL_MACHINE_MICROBENCHMARK_CHECK_H

#include "model/machine/machine.h"

/* 0, or -1 with the first violation in *error. */
int microbenchmarks_check(const struct machine *machine, struct error *error);

/* The same of single swaps, a list of struct swap that stands in the file at path. */
int swaps_check(const struct list *swaps, const char *path, struct error *error);

#endif
