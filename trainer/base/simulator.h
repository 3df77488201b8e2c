/* What a simulated machine's library cannot do. */
#ifndef TRAINER_BASE_SIMULATOR_H
#define TRAINER_BASE_SIMULATOR_H

/* From now on a simulator that gives up (its algorithms have limits of their own, and it aborts)
   leaves one line behind what it says itself, and exit status 2. */
void simulator_watch(void);

#endif
