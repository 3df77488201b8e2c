/* All ranks together: rank 0 conducts, the others follow. Every decision is rank 0's alone and
   reaches the others as a command, outside of every timed interval, so that ranks can never differ
   in what they repeat. */
#ifndef TRAINER_ENGINE_ENGINE_H
#define TRAINER_ENGINE_ENGINE_H

#include "trainer/base/clock.h"
#include "trainer/engine/measure.h"
#include "trainer/engine/probe.h"
#include "trainer/engine/protocol_switch.h"
#include "trainer/utilities/utility.h"

#include <stdbool.h>

struct engine;

/* Every rank makes its engine. */
struct engine *engine_new(void);
void engine_free(struct engine *engine);

/* Ranks other than 0: do what is said until engine_dismiss; returns the status said there. */
int engine_follow(struct engine *engine);

/* Rank 0: the ranks end with that status. */
void engine_dismiss(struct engine *engine, int status);

/* Rank 0: from now on batches are of this utility among the first `participants` ranks. */
void engine_choose(struct engine *engine, int utility, int participants);

/* Rank 0: the same between ranks 0 and `partner`. */
void engine_choose_pair(struct engine *engine, int utility, int partner);

/* Rank 0: what is known of near and far ranks, for the utilities. */
void engine_tell_distances(struct engine *engine, int together, double near_us, double far_us);

/* Rank 0: utilities that send in parts use parts of that size from now on. */
void engine_parts(struct engine *engine, int part_bytes);

/* Rank 0: message size of the next batches, the first of which sets up, and ends what was set up
   before. */
void engine_size(struct engine *engine, int bytes);

/* Rank 0: one batch: a measure_batch, whose state is the engine. */
int engine_batch(void *engine, long times, struct batch_time *took, struct error *error);

/* Rank 0: what a use of the chosen utility takes in us, with messages of so many bytes, where
   processors write and read their buffers between two uses, if is_written, and go through
   work_bytes of other memory (in_situ.h). engine_size is to be called before the next batch. */
double engine_in_situ_us(struct engine *engine, int bytes, bool is_written, size_t work_bytes);

/* Rank 0: of all batches since engine_size, the mean over processors of their own times as a share
   of the longest; 0 where one processor's clock alone is read. */
double engine_mean_over_maximum(const struct engine *engine);

/* Rank 0: up to which size messages are sent eagerly, by meaning (protocol/protocol_switch.h);
   bytes_most: the largest tried. */
struct protocol_switch engine_find_switch(struct engine *engine, int bytes_most);

/* Rank 0: all ranks carry out that order (of order_bytes bytes) of a probe. */
void engine_probe(struct engine *engine, enum probe_number probe, const void *order,
                  size_t order_bytes, double results[PROBE_RESULTS]);

/* Rank 0: the others sleep until engine_wake, instead of waiting busily beside what rank 0 measures
   alone. */
void engine_rest(struct engine *engine);
void engine_wake(struct engine *engine);

/* The clock of rank 0. */
const struct clock *engine_clock(const struct engine *engine);

#endif
