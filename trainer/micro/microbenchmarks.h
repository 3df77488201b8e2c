/* Suites that measure by probes: the sections swap, overlap and logp of the table. */
#ifndef TRAINER_MICRO_MICROBENCHMARKS_H
#define TRAINER_MICRO_MICROBENCHMARKS_H

#include "trainer/engine/run.h"

/* Rank 0: fills machine->logp (Culler, Fast Network Interfaces). What the signature does not tell
   is said in not_measured. */
int logp_measure(struct run *run, struct machine *machine, struct error *error);

/* Rank 0: fills machine->overlap (Doerfler, Host Processor Overhead); its loops go to the
   points. */
int overlap_measure(struct run *run, struct machine *machine, struct error *error);

/* Rank 0: fills the in_situ rows of the costs that are there (model/micro/in_situ.h). */
int in_situ_measure(struct run *run, struct machine *machine, struct error *error);

/* Rank 0: fills machine->swap and its rows (Worley, COMMTEST); the times behind it go to the
   points. */
int swap_measure(struct run *run, struct machine *machine, struct error *error);

/* Rank 0: fills machine->waiting (model/micro/waiting.h). */
int waiting_measure(struct run *run, struct machine *machine, struct error *error);

/* Rank 0 asks a little: about how long these take where nothing ends them before, s; 0 where ranks
   share cores, where they are not measured. */
double logp_foresee_s(struct run *run);
double in_situ_foresee_s(struct run *run);
double overlap_foresee_s(struct run *run);
double swap_foresee_s(struct run *run);
double waiting_foresee_s(struct run *run);

#endif
