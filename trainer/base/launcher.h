/* Runs launchers of MPI programs one after the other, so that none outlives this process: signals
   that ask it to end are passed on, and what is left of a launch then is ended. */
#ifndef TRAINER_BASE_LAUNCHER_H
#define TRAINER_BASE_LAUNCHER_H

#include "model/base/error.h"

#include <signal.h>
#include <stdbool.h>

struct launcher {
    sigset_t awaited, before; /* signals that are waited for; those that were blocked before */
    int signal;               /* the first that asked for the end; 0: none came */
    double patience_s;        /* how long after it a launch may take to end in order */
};

/* From now on SIGINT, SIGTERM and SIGHUP (unless it was ignored, as under nohup) do not end this
   process; launcher_end gives them back. */
struct launcher launcher_begin(double patience_s);
void launcher_end(struct launcher *launcher);

/* Runs the command, its standard output shown or not, and waits for it. A signal is passed on to
   all of its process group; who has not ended after the patience is killed. After a signal or a
   failure nothing that the command started is left (Linux). Returns its exit status, 128 + the
   signal that ended it, or -1 with *error set. */
int launcher_run(struct launcher *launcher, char **command, bool shown, struct error *error);

/* The signal that asked for the end, now or before; 0: none came. */
int launcher_signal(struct launcher *launcher);

#endif
