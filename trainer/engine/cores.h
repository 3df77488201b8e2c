/* The cores that the ranks of a node run on. */
#ifndef TRAINER_ENGINE_CORES_H
#define TRAINER_ENGINE_CORES_H

#include "trainer/base/options.h"

/* Gives every rank a core of its own, where the launcher has not: two ranks that the scheduler
   leaves on one core for a while take milliseconds for what takes a microsecond. More ranks than
   cores are an error unless --oversubscribe allows them; they stay unbound. Every rank calls;
   *binding says in words how it is. simulated: there are no cores. */
int cores_take(const struct options *options, bool simulated, const char **binding,
               struct error *error);

/* Whether that binding says that ranks share cores. */
bool cores_are_shared(const char *binding);

#endif
