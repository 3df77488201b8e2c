/* The parts of the section logp that follow its small messages. */
#ifndef TRAINER_MICRO_LOGP_PARTS_H
#define TRAINER_MICRO_LOGP_PARTS_H

#include "trainer/micro/logp_signing.h"

/* Fills logp->bulk and the line through its stores; what time did not allow goes to the machine's
   not_measured. 0, or -1 and signing->error. */
int logp_measure_bulk(struct signing *signing, struct logp *logp, struct machine *machine);

/* Fills logp->pairs, k_to_1 and one_to_k; with too few processors they are not measured, and said
   so. 0, or -1 and signing->error. */
int logp_measure_crowds(struct signing *signing, struct logp *logp, struct machine *machine);

/* How many requesters there are at most, or are asked at once. */
int logp_crowd_most(const struct run *run);

/* How many pairs communicate at once: half of the processors with the other half, or as many. */
int logp_pairs(const struct run *run);

/* How many issues at most are asked of each of so many requesters at once. */
int logp_issues_of(int requesters);

#endif
