/* The iterations of a statement on the busiest processor and on average, by enumeration. */
#ifndef TEST_ENUMERATED_WORK_H
#define TEST_ENUMERATED_WORK_H

#include "model/segment/traffic/analysis.h"
#include "test/enumerated/outcome.h"

/* Asserts them of the work. The busiest of every step, where steps wait for messages. */
void work_check(const struct outcome *outcome, const struct work *work);

/* Asserts that the works of a phase, from the first on, together have the busiest processor that
   enumeration finds, and that nothing is sent between them. Returns how many they are. */
size_t work_check_phase(const struct outcome *outcome, const struct work *works, size_t count);

#endif
