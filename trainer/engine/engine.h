/* All ranks together: rank 0 conducts, the others follow. Every decision is rank 0's alone and
   reaches the others as a command, outside of every timed interval, so that ranks can never differ
   in what they repeat. */
#ifndef TRAINER_ENGINE_ENGINE_H
#define TRAINER_ENGINE_ENGINE_H

#include "trainer/base/clock.h"
#include "trainer/engine/probe.h"
#include "trainer/engine/protocol_switch.h"
#include "trainer/utilities/utility.h"

#include <stdbool.h>

struct crew;

/* Every rank makes its crew. */
struct crew *crew_new(void);
void crew_free(struct crew *crew);

/* Ranks other than 0: do what is said until crew_dismiss; returns the status said there. */
int crew_follow(struct crew *crew);

/* Rank 0: the ranks end with that status. */
void crew_dismiss(struct crew *crew, int status);

/* Rank 0: from now on batches are of this utility among the first `participants` ranks. */
void crew_choose(struct crew *crew, int utility, int participants);

/* Rank 0: the same between ranks 0 and `partner`. */
void crew_choose_pair(struct crew *crew, int utility, int partner);

/* Rank 0: what is known of near and far ranks, for the utilities. */
void crew_tell_distances(struct crew *crew, int together, double near_us, double far_us);

/* Rank 0: utilities that send in parts use parts of that size from now on. */
void crew_parts(struct crew *crew, int part_bytes);

/* Rank 0: message size of the next batches, the first of which sets up, and ends what was set up
   before. */
void crew_size(struct crew *crew, int bytes);

/* Rank 0: one batch; its time in us for all uses, clock cost taken off. A measure_batch: state is
   the crew. */
int crew_batch(void *crew, long times, double *elapsed_us, struct error *error);

/* Rank 0: of all batches since crew_size, the mean over processors of their own times as a share of
   the longest; 0 where one processor's clock alone is read. */
double crew_mean_over_maximum(const struct crew *crew);

/* Rank 0: up to which size messages are sent eagerly, by meaning (protocol/protocol_switch.h);
   bytes_most: the largest tried. */
struct protocol_switch crew_find_switch(struct crew *crew, int bytes_most);

/* Rank 0: all ranks carry out that order (of order_bytes bytes) of an act. */
void crew_act(struct crew *crew, enum act_number act, const void *order, size_t order_bytes,
              double results[ACT_RESULTS]);

/* Rank 0: the others sleep until crew_wake, instead of waiting busily beside what rank 0 measures
   alone. */
void crew_rest(struct crew *crew);
void crew_wake(struct crew *crew);

/* The clock of rank 0. */
const struct clock *crew_clock(const struct crew *crew);

#endif
