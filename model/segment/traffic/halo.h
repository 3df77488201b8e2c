/* Halos (`halo` of a candidate): elements of an array that processors keep beyond their own, so
   that a repeated segment need not exchange them each time. They are exchanged for several
   repetitions together, as wide as these need; until the next exchange every processor computes
   itself what it will need of its neighbours' part, a little less in each repetition. */
#ifndef MODEL_SEGMENT_TRAFFIC_HALO_H
#define MODEL_SEGMENT_TRAFFIC_HALO_H

#include "model/segment/loops/work.h"
#include "model/segment/traffic/message.h"

struct halo {
    double repeat; /* of the segment */
    double sweeps; /* repetitions from one exchange to the next, at most 1000; 1: as without */
    double reach[DIMENSIONS_MOST]; /* along each grid dimension: how far one repetition reads */
};

/* So many repetitions after one exchange, and how many such exchanges there are per repetition of
   the segment. */
struct halo_round {
    double sweeps, share;
};

/* What the candidate's halos spare a segment that is repeated so often. More than 1 sweep only
   where what reads arrays with a halo does so at constant distances, of nothing that the same
   repetition has written, and runs on blocks, and where everything else that is read lies where it
   is needed. Errors: a halo narrower than what is read. */
int halo_find(struct halo *halo, const struct list *instances, const struct list *messages,
              const struct layout *layout, double repeat, struct error *error);

/* Rounds of `sweeps` repetitions, and perhaps a shorter last one. Returns how many kinds. */
size_t halo_rounds(const struct halo *halo, struct halo_round rounds[2]);

/* The layout as processors compute in a repetition after which so many follow without exchange;
   it has the arrays of the other one. */
struct layout halo_layout(const struct halo *halo, const struct layout *layout, double follow);

/* Whether the message is what is exchanged once for several repetitions. */
bool halo_covers(const struct halo *halo, const struct message *message);

/* work_shares of a repetition on average, with what is computed beyond. */
int halo_shares(struct shares *shares, const struct halo *halo, const struct instance *instance,
                const struct layout *layout, const struct waits *waits, struct error *error);

#endif
