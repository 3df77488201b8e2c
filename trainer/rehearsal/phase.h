/* A segment, or a redistribution before it, as it is rehearsed: the loops that stand in for its
   statements, and its communication. */
#ifndef TRAINER_REHEARSAL_PHASE_H
#define TRAINER_REHEARSAL_PHASE_H

#include "model/segment/traffic/analysis.h"
#include "trainer/rehearsal/deadline.h"
#include "trainer/rehearsal/flow.h"
#include "trainer/rehearsal/move.h"
#include "trainer/rehearsal/proxy_kernel.h"

/* One cause of communication. */
struct part {
    char name[160];      /* "u[i-1][j] along grid dimension 0 (exchange)" */
    const char *missing; /* why it, or some of it, is not rehearsed; NULL: all is */
    size_t first, count; /* its moves */
    int flow;            /* its number among the phase's; -1: it is no pipeline */
};

struct rehearsal_phase {
    const char *name; /* borrowed */
    struct analysis analysis;
    bool overlaps; /* communication may hide behind computation: it does not here */
    struct proxy_kernels proxy_kernels;
    struct part *parts; /* owned */
    size_t part_count;
    struct move *moves; /* owned */
    size_t move_count;
    struct flow *flows; /* owned */
    size_t flow_count;
    struct buffers buffers;
    int sweeps;   /* in a round */
    double share; /* of the iterations and uses of a sweep that are carried out; 1: all */
    double reading_s;
    struct deadline *deadline; /* borrowed; NULL: there is none */
};

/* Every rank, with the same arguments: what is rehearsed of an analysis, which becomes the phase's.
   Proxy kernels, where it has work, are made already. Errors: no room. Release with phase_free. */
int phase_make(struct rehearsal_phase *phase, struct subcommunicators *subcommunicators,
               double bytes_most, struct error *error);
void phase_free(struct rehearsal_phase *phase);

/* Every rank: runs all communication once and looks at what arrived; NULL, or the name of what
   arrived wrong, the same on every rank. Then sets up for rounds; unless the deadline has passed
   by then, as it says. */
const char *phase_check(struct rehearsal_phase *phase);

/* Every rank: so many rounds. Times are of the rounds, on this rank, scaled to whole sweeps; what
   the deadline has cut off is in none. */
void phase_run(struct rehearsal_phase *phase, long rounds, double *compute_s,
               double *communicate_s);

#endif
