/* What it costs that others communicate at the same time. A utility is measured alone; where
   several pairs or groups use it at once and share what carries them, all are slower. A table says
   by how much in `exchange-pairs`: T(n, m) when m messages of n bytes are under way, m/2 pairs
   exchanging. What has m messages under way by itself then takes T(n, G m) / T(n, m) times as long
   where G of its kind do it at once. */
#ifndef FORECAST_PRICE_CONTENTION_H
#define FORECAST_PRICE_CONTENTION_H

#include "model/machine/machine.h"

struct contention {
    double factor;             /* at least 1 */
    double messages;           /* under way in all */
    struct cost_answer answer; /* of exchange-pairs; region NULL: it was not asked */
    bool unknown;              /* the table does not say; the factor is 1 */
    double widened;            /* the factor with distance in it over that without; 0: as it is */
};

/* Of one of `at_once` uses of a utility, each among so many participants, with messages of so many
   bytes, between processors whose numbers are `apart` apart; 0: half of as many as messages. Where
   a measured table says, those farther away are in the way no more than distance_crowding has
   it. */
struct contention contention_of(const struct machine *machine, const char *utility,
                                double participants, double at_once, double bytes, double apart);

/* Pairs are measured half of all processors apart, so that more of them are farther apart. Where
   the table says what an empty exchange with the farthest one takes longer (exchange-far), so much
   is left out of the factor of so many at once, of so many bytes, and is in the interval. */
void contention_leave_distance_out(struct contention *contention, const struct machine *machine,
                                   double at_once, double bytes);

/* By what the answer that a factor came from divides and multiplies an interval. */
double contention_widening(const struct contention *contention);

/* The cost of pairs that exchange at once; NULL: the table has none. */
const struct cost *contention_pairs(const struct machine *machine);

#endif
