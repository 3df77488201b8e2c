/* A signal ends a calibration in order: what was measured is written, as when a budget ends. */
#ifndef TRAINER_BASE_INTERRUPTION_H
#define TRAINER_BASE_INTERRUPTION_H

#include <stdbool.h>

/* From now on the first SIGINT or SIGTERM is remembered, another one some seconds later ends
   the process; and the
   process does not outlive the one that launched it, where the system offers that. */
void interruption_begin(void);

/* What a table says of what a signal left no time for. */
extern const char *const interruption_because;

/* The signal that came; 0: none. */
int interruption_signal(void);

/* Whether the time is over, by clock_s, or a signal came. */
bool interruption_or_after(double end_s);

#endif
