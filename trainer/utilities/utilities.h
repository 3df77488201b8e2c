/* The training set: every utility that the trainer can measure. */
#ifndef TRAINER_UTILITIES_UTILITIES_H
#define TRAINER_UTILITIES_UTILITIES_H

#include "trainer/utilities/utility.h"

/* The rows of the catalogue that are measured: each is utility_VARIABLE of a file in this folder.
 */
#define MEASURED(variable, ...) extern const struct utility utility_##variable;
#define PATTERN(variable, ...)
#include "model/cost/patterns.h"
#undef PATTERN
#undef MEASURED

/* In the order of the catalogue, which is that of tables. */
extern const struct utility *const utilities[];
extern const int utilities_count;

/* The index of the utility of that name, or -1. */
int utilities_named(const char *name);

#endif
