/* What it costs that others communicate at the same time. A utility is measured alone; where
   several pairs or groups use it at once and share what carries them, all are slower. A table says
   by how much in `exchange-pairs`: T(n, m) when m messages of n bytes are under way, m/2 pairs
   exchanging. What has m messages under way by itself then takes T(n, G m) / T(n, m) times as long
   where G of its kind do it at once. */
#ifndef FORECAST_PREDICT_CONTENTION_H
#define FORECAST_PREDICT_CONTENTION_H

#include "model/machine/machine.h"

struct contention {
    double factor;             /* at least 1 */
    double messages;           /* under way in all */
    struct cost_answer answer; /* of exchange-pairs; region NULL: it was not asked */
    bool unknown;              /* the table does not say; the factor is 1 */
};

/* Of one of `at_once` uses of a utility, each among so many participants, with messages of so many
   bytes, between processors whose numbers are `apart` apart; 0: half of as many as messages. Where
   a measured table says, those farther away are in the way no more than distance_crowding has
   it. */
struct contention contention_of(const struct machine *machine, const char *utility,
                                double participants, double at_once, double bytes, double apart);

/* By what the answer that a factor came from divides and multiplies an interval. */
double contention_widening(const struct contention *contention);

/* The cost of pairs that exchange at once; NULL: the table has none. */
const struct cost *contention_pairs(const struct machine *machine);

#endif
