/* Foreign code that may end by a signal, as where it has instructions of another processor. */
#ifndef TRAINER_BASE_ATTEMPT_H
#define TRAINER_BASE_ATTEMPT_H

/* Calls it. The number of the signal (signal.h) that it ended by, where it stood then, or 0: it
   came to its end. It calls nothing that must not be left half done, nor this. By one thread. */
int attempt(void (*call)(void *state), void *state);

/* The same; where it has not come to its end at end_s (clock.h), or a signal has asked the program
   to end, SIGALRM. */
int attempt_until(void (*call)(void *state), void *state, double end_s);

#endif
