/* Ends the process when an answer of the other ranks stays away: a rank that was stopped, or a link
   that was cut, is an error to no MPI library. */
#ifndef TRAINER_BASE_WATCHDOG_H
#define TRAINER_BASE_WATCHDOG_H

/* From now on patience is that long; 0: endless. says: what the last words are, a whole line;
   copied. */
void watchdog_begin(unsigned patience_s, const char *says);

/* From now on others are waited for: within that patience watchdog_rest or another watchdog_wait
   comes, or the process ends with status 128 + SIGALRM. */
void watchdog_wait(void);

/* The answer came; nothing is waited for. */
void watchdog_rest(void);

/* Nothing is left to do but to leave MPI: a process that is still there after so many seconds ends
   with that status. Libraries hang there at times, over TCP above all. */
void watchdog_leave(unsigned patience_s, int status);

#endif
