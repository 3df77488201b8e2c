/* Work that the processor does for no one, in units of one step of a chain of dependent operations:
   it touches no memory, and a compiler cannot leave any of it out. */
#ifndef TRAINER_BASE_WORK_H
#define TRAINER_BASE_WORK_H

#include <stdbool.h>

/* Does so many units. simulated: computation takes no time there, and a unit is 2 ns of sleep. */
void work(double units, bool simulated);

#endif
