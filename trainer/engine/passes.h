/* A point is measured in several passes: others who use a machine make it slower for 10 ms to
   minutes at a time, and never quicker. What the passes say together, and whether one more could
   say something else. Knows no MPI and no clock. */
#ifndef TRAINER_ENGINE_PASSES_H
#define TRAINER_ENGINE_PASSES_H

#include "model/fit/points.h"

#include <stdbool.h>

/* How many passes over all points a launch makes. A calibration makes at least PASSES_LEAST: with
   three the 95th percentile of the errors was 14 % in place of 12 %, with five no better than with
   four (launches by turns, doc/accuracy.md). It goes on to PASSES_MOST with the points that
   neighbours contradict. PASSES_FEWEST is the least of which one can bear the other out: a quick
   launch makes so many; so many have to be spared by others; so many more are made of a point that
   one pass alone has seen as quick, of all points on a machine that became quicker, and before
   edges that the first pass did not see are narrowed. */
enum { PASSES_LEAST = 4, PASSES_MOST = 10, PASSES_FEWEST = 2 };

/* A first pass asks each point again at once, and a third time where the two differ: what lasts for
   a few points only is left behind before sizes are chosen by it. */
enum { PASSES_AT_ONCE = 3 };

/* Times that differ by less than the first share are the same, and their mean knows it better than
   either: the same size asked again within a second differs by 4.6 % (median, doc/accuracy.md). One
   that differs by more than the second was measured on another machine, as it were: a machine that
   is slower by 15 % leaves times that are right within it, one by 30 % has to be seen
   (test/trainer/disturbances.c). */
#define PASSES_AGREE 0.1
#define PASSES_DIFFER 0.22

/* Where more of the points say so, it is the machine and not chance: of the seeded disturbances of
   test/trainer/disturbances.c fewer than one curve in a hundred is then neither right nor marked,
   and none of a quiet machine is marked. */
#define PASSES_TELL 0.2

/* The same point, measured so often. The first `at_once` of them, at least one, are of the first
   pass; is_witness: asked in every pass, whatever it says. */
struct passes {
    struct point of[PASSES_AT_ONCE + PASSES_MOST + PASSES_FEWEST];
    size_t count, at_once;
    bool is_witness;
};

extern const struct record passes_record; /* for list_add; they own nothing */

/* How many passes over all points it has seen: what was asked again at once counts as one. */
size_t passes_count(const struct passes *passes);

/* The i-th's time; 0: none, the clock's noise was longer, or the machine was in another state than
   the one that counts for this point. */
double passes_time_us(const struct passes *passes, size_t i, enum statistic statistic);

/* Whether all that is known of them is of other states of the machine than the commonest. */
bool passes_lack_commonest(const struct passes *passes);

/* What stands for count >= 1 of them: the mean of those that agree with the quickest. */
struct point passes_settled(const struct passes *passes, enum statistic statistic);

/* Whether one more pass could say something else: only one of a few was as quick as it was, or what
   stands is above the line between the neighbouring sizes, below and above (NULL: there is none).
 */
bool passes_doubtful(const struct passes *below, const struct passes *passes,
                     const struct passes *above, enum statistic statistic);

/* Whether what was asked at once says two things: to be asked a third time. */
bool passes_disagree(const struct passes *passes, enum statistic statistic);

/* Whether it came out differently when it was asked again at once. */
bool passes_changed(const struct passes *passes, enum statistic statistic);

/* Whether only one of several was as quick as it was: another one could be quicker still. */
bool passes_unsettled(const struct passes *passes, enum statistic statistic);

/* Whether the last of several was quicker than all before, by more than noise is. */
bool passes_quickened(const struct passes *passes, enum statistic statistic);

/* What is wrong with the points of a curve (count of them, at least one) in a few words that last,
   NULL: nothing. spoilt: which of the passes over all points others are known to have spoilt;
   interruptions that took a good part of the time spoil one as well. */
const char *passes_disturbance(const struct passes *points, size_t count,
                               const bool spoilt[PASSES_LEAST], enum statistic statistic);

#endif
