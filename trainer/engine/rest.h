/* Ranks that sleep while rank 0 measures alone. A library that waits keeps its core busy, or half
   of it where the system calls two threads two cores. */
#ifndef TRAINER_ENGINE_REST_H
#define TRAINER_ENGINE_REST_H

/* Every rank: returns at once on rank 0, elsewhere when it wakes them. */
void rest_until_woken(int rank);

/* Rank 0: wakes the others of so many ranks. */
void rest_wake(int processors);

#endif
